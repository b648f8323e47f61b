// Finding `{name}` references. A pair of braces with no brace or line break in it is a reference, unless what it holds
// is an object literal by its shape: nothing, a key followed by a colon, or a spread. A known name always wins. // N31

import { ExpressionSyntaxError } from './errors.ts'

export type KnownNames = ReadonlySet<string>

const OBJECT_SHAPE = /^(?:$|(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|'[^']*'|"[^"]*"|\d+|\[[^\]]*\])\s*:)/u
const SPREAD = /(?:^|,)\s*\.\.\./
const BLOCK_START = /^(?:return|const|let|var|if|for|while|throw|switch|try)\b/

export interface FoundReference {
  name: string
  /** Offset behind the closing brace. */
  end: number
}

export function referenceAt(text: string, start: number, knownNames?: KnownNames): FoundReference | undefined {
  let end = start + 1
  while (end < text.length && !isBraceOrBreak(text.charCodeAt(end))) end += 1
  if (text[end] !== '}') return undefined
  const content = text.slice(start + 1, end)
  const name = content.trim()
  if (knownNames?.has(content)) return { name: content, end: end + 1 }
  if (knownNames?.has(name)) return { name, end: end + 1 }
  return OBJECT_SHAPE.test(name) || SPREAD.test(name) ? undefined : { name, end: end + 1 }
}

function isBraceOrBreak(code: number): boolean {
  return code === 0x7b || code === 0x7d || code === 0x0a || code === 0x0d
}

export type TextPart = string | { reference: string }

/** Text with its references taken out: `{style}-{color}` is a reference, `-`, a reference. */
export function textParts(text: string, knownNames?: KnownNames): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  let at = text.indexOf('{')
  while (at !== -1) {
    const found = referenceAt(text, at, knownNames)
    if (found) {
      if (at > from) parts.push(text.slice(from, at))
      parts.push({ reference: found.name })
      from = found.end
    }
    at = text.indexOf('{', found ? found.end : at + 1)
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

export interface MarkedSource {
  /** The source with each reference of its code replaced by an identifier; every offset stays what it was. */
  code: string
  /** The names, by the offset of their identifiers. */
  referencesAt: ReadonlyMap<number, string>
  /** Where the last bracket stands that is never closed. */
  openAt: number | undefined
}

const MARKER = '_'

export class ReferenceMarks {
  readonly referencesAt = new Map<number, string>()
  private readonly pieces: string[] = []
  private copied = 0
  private readonly source: string
  private readonly knownNames: KnownNames | undefined

  constructor(source: string, knownNames?: KnownNames) {
    this.source = source
    this.knownNames = knownNames
  }

  /** Marks the reference that starts here, and gives the offset behind it. */
  mark(start: number, afterArrow: boolean): number | undefined {
    const found = referenceAt(this.source, start, this.knownNames)
    if (!found) return undefined
    if (afterArrow && !this.knownNames?.has(found.name) && BLOCK_START.test(found.name)) {
      throw new ExpressionSyntaxError('an arrow function with a block body is not supported', start)
    }
    // The spaces keep the identifier apart from a neighbouring word, and the length the same.
    this.replace(start, found.end, ` ${MARKER}`.padEnd(found.end - start))
    this.referencesAt.set(start + 1, found.name)
    return found.end
  }

  blank(start: number, end: number): void {
    this.replace(start, end, this.source.slice(start, end).replace(/[^\r\n]/g, ' '))
  }

  finish(openAt: number | undefined): MarkedSource {
    this.pieces.push(this.source.slice(this.copied))
    return { code: this.pieces.join(''), referencesAt: this.referencesAt, openAt }
  }

  private replace(start: number, end: number, replacement: string): void {
    this.pieces.push(this.source.slice(this.copied, start), replacement)
    this.copied = end
  }
}

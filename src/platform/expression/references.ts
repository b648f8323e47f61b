// Finding `{name}` references. A pair of braces with no brace or line break in it is a reference, unless what it holds
// is an object literal by its shape: nothing, a key followed by a colon, or a spread. A known name always wins. // N31

export type KnownNames = ReadonlySet<string>

const OBJECT_SHAPE = /^(?:$|(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|'[^']*'|"[^"]*"|\d+|\[[^\]]*\])\s*:)/u
const SPREAD = /(?:^|,)\s*\.\.\./

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

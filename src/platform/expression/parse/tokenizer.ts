// Cuts a source into tokens, one at a time, as the parser asks for them: only that knows whether a slash divides or opens a
// regular expression, and where the text of a template goes on.

import { broken } from '../errors.ts'
import { type KnownNames, referenceAt } from '../references.ts'
import { insteadOf } from './instead.ts'
import { NUMBER, unescaped } from './literals.ts'
import type { Place } from './nodes.ts'
import { isPlainWord, isReserved, WORD } from './words.ts'

/**
 * `key`: a word of JavaScript that is spelled with escapes, which may name a property and nothing else. `unclosed`: a text whose closing
 * quote is missing.
 */
export type TokenKind = 'sign' | 'word' | 'key' | 'number' | 'big' | 'text' | 'reference' | 'unclosed' | 'end'

export interface Token extends Place {
  kind: TokenKind
  /** A sign or number as it stands there; what a word, text or reference means. */
  text: string
  /** Whether a line ends between it and the token before. */
  isOnNewLine: boolean
}

const SPACE = /\s+/y
const LINE_BREAK = /[\n\r\u2028\u2029]/
const SIGN =
  />>>=?|\.\.\.|[=!]==?|=>|\*\*=?|<<=?|>>=?|&&=?|\|\|=?|\?\?=?|\?\.(?!\d)|\+\+|--|[-+*/%&|^<>]=?|[{}()[\];,!~?:=.`]/y
const FLAGS = /[\p{ID_Continue}$]*/uy

export class Tokenizer {
  readonly source: string
  readonly knownNames: KnownNames | undefined
  private at = 0

  constructor(source: string, knownNames: KnownNames | undefined) {
    this.source = source
    this.knownNames = knownNames
  }

  next(): Token {
    const { source } = this
    const from = this.at
    this.skipSpace()
    const start = this.at
    const isOnNewLine = start > from && LINE_BREAK.test(source.slice(from, start))
    const token = (kind: TokenKind, text: string, end: number): Token => {
      this.at = end
      return { kind, text, start, end, isOnNewLine }
    }
    if (start >= source.length) return token('end', '', start)
    const first = source.charAt(start)
    if (first === "'" || first === '"') {
      const end = this.textEnd(start, first)
      if (end === undefined) return token('unclosed', '', source.length)
      return token('text', unescaped(source.slice(start + 1, end), start + 1), end + 1)
    }
    if (first === '{') {
      const found = referenceAt(source, start, this.knownNames)
      return found ? token('reference', found.name, found.end) : token('sign', first, start + 1)
    }
    const word = this.match(WORD, start)
    if (word !== undefined) return this.word(word, token)
    const number = this.match(NUMBER, start)
    if (number !== undefined) {
      this.checkBehindNumber(number, start)
      return token(number.endsWith('n') ? 'big' : 'number', number, start + number.length)
    }
    const sign = this.match(SIGN, start)
    if (sign !== undefined) return token('sign', sign, start + sign.length)
    const unknown = String.fromCodePoint(source.codePointAt(start) ?? 0)
    throw broken(`${JSON.stringify(unknown)} means nothing here${insteadOf(this.source, start)}`, start)
  }

  /** Goes on here, in code. */
  resume(at: number): void {
    this.at = at
  }

  /** The text of a template from here on, as it is written; nothing where it never ends. */
  templateText(from: number): { raw: string; opensCode: boolean; end: number } | undefined {
    const { source } = this
    let at = from
    while (at < source.length && source[at] !== '`' && !source.startsWith('${', at)) at += source[at] === '\\' ? 2 : 1
    if (at >= source.length) return undefined
    const opensCode = source[at] === '$'
    return { raw: source.slice(from, at), opensCode, end: at + (opensCode ? 2 : 1) }
  }

  /** The regular expression whose first slash is here; nothing where it never ends. */
  regex(start: number): { pattern: string; flags: string; end: number } | undefined {
    const { source } = this
    let isInClass = false
    let at = start + 1
    while (isInClass || source[at] !== '/') {
      if (source[at] === '[') isInClass = true
      if (source[at] === ']') isInClass = false
      if (source[at] === '\\') at += 1
      if (at >= source.length || LINE_BREAK.test(source.charAt(at))) return undefined
      at += 1
    }
    const flags = this.match(FLAGS, at + 1) ?? ''
    return { pattern: source.slice(start + 1, at), flags, end: at + 1 + flags.length }
  }

  private skipSpace(): void {
    const { source } = this
    for (;;) {
      this.at += this.match(SPACE, this.at)?.length ?? 0
      if (source.startsWith('//', this.at)) {
        while (this.at < source.length && !LINE_BREAK.test(source.charAt(this.at))) this.at += 1
      } else if (source.startsWith('/*', this.at)) {
        const end = source.indexOf('*/', this.at + 2)
        if (end === -1) throw broken('a comment is not closed', this.at)
        this.at = end + 2
      } else {
        return
      }
    }
  }

  private textEnd(start: number, quote: string): number | undefined {
    const { source } = this
    let lineEnd: number | undefined
    let at = start + 1
    while (at < source.length && source[at] !== quote) {
      if (source[at] === '\\') at += source.startsWith('\r\n', at + 1) ? 3 : 2
      else {
        if (source[at] === '\n' || source[at] === '\r') lineEnd ??= at
        at += 1
      }
    }
    if (at >= source.length) return undefined
    if (lineEnd !== undefined) throw broken('a text in quotes goes beyond its line', start)
    return at
  }

  private word(spelling: string, token: (kind: TokenKind, text: string, end: number) => Token): Token {
    const end = this.at + spelling.length
    if (!spelling.includes('\\')) return token('word', spelling, end)
    const name = unescaped(spelling, this.at)
    if (!isPlainWord(name)) throw broken('an escape of a character that no name can have', this.at)
    return token(isReserved(name) ? 'key' : 'word', name, end)
  }

  private checkBehindNumber(number: string, start: number): void {
    const end = start + number.length
    if (!/[\d_]/.test(this.source.charAt(end)) && this.match(WORD, end) === undefined) return
    if (/^0\d/.test(this.source.slice(start, end + 1))) throw broken('a number cannot start with a zero', start)
    throw broken('a number goes on with something else', end)
  }

  private match(sticky: RegExp, at: number): string | undefined {
    sticky.lastIndex = at
    return sticky.exec(this.source)?.[0]
  }
}

// The spellings of numbers and the escapes within texts, as JavaScript has them in its strict mode.

import { isLostInteger } from '../../formats/lost-integer.ts'
import { broken, ExpressionSyntaxError } from '../errors.ts'

const DIGITS = String.raw`\d(?:_?\d)*`
const WHOLE = String.raw`(?:0|[1-9](?:_?\d)*)`
const OTHER_BASES = '0(?:[xX][\\da-fA-F](?:_?[\\da-fA-F])*|[oO][0-7](?:_?[0-7])*|[bB][01](?:_?[01])*)'
const EXPONENT = `(?:[eE][+-]?${DIGITS})?`

/** Those of any base, `1.5e3`, `1_000`, and big integers, which end with an n. */
export const NUMBER = new RegExp(
  `(?:${OTHER_BASES}|${WHOLE})n|${OTHER_BASES}|(?:${WHOLE}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})${EXPONENT}`,
  'y',
)

export function numberOf(spelling: string, at: number): number {
  const digits = spelling.replaceAll('_', '')
  if (isLostInteger(digits)) throw new ExpressionSyntaxError(`${digits} would be rounded; put it into quotes`, at)
  return Number(digits)
}

/** The name that a big integer is as a key. */
export function bigIntegerName(spelling: string): string {
  return String(BigInt(spelling.slice(0, -1).replaceAll('_', '')))
}

const ESCAPE = /\r\n?|\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|.))/gs
const LINE_BREAK = /[\n\r\u2028\u2029]/
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f' }
const LAST_CODE_POINT = 0x10ffff

/** What a text between quotes or backticks means. `at` is where it stands in the source. */
export function unescaped(raw: string, at: number): string {
  if (!/[\\\r]/.test(raw)) return raw
  return raw.replace(
    ESCAPE,
    (whole: string, braced?: string, four?: string, two?: string, other?: string, offset = 0) => {
      const code = braced ?? four ?? two
      if (code !== undefined) return character(Number.parseInt(code, 16), at + offset)
      // A line break of a template, however the file writes it.
      if (other === undefined) return '\n'
      if (other === '0' && !/\d/.test(raw.charAt(offset + whole.length))) return '\0'
      if (/[\dux]/.test(other)) throw broken(`${whole} is no escape of JavaScript`, at + offset)
      return LINE_BREAK.test(other) ? '' : (CONTROLS[other] ?? other)
    },
  )
}

function character(code: number, at: number): string {
  if (code > LAST_CODE_POINT) throw broken('there is no such character', at)
  return String.fromCodePoint(code)
}

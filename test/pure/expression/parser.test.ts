import { describe, expect, it } from 'vitest'
import { compileConditional } from '../../../src/platform/expression/compile/compile.ts'
import { ExpressionSyntaxError } from '../../../src/platform/expression/errors.ts'
import { parseExpression } from '../../../src/platform/expression/parse/parse.ts'
import { relativeCost } from '../relative-cost.ts'

const DOLLAR = '$'

function outcome(source: string): string {
  try {
    return JSON.stringify(compileConditional(source).evaluate(name => name)) ?? 'undefined'
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return `${error.fault}: ${error.message}`
    throw error
  }
}

describe('N31 literals', () => {
  const taken: [string, unknown][] = [
    ['0x1F + 0b11 + 0o17 + 0XfF', 31 + 3 + 15 + 255],
    ['1_000.5e-1 + .5 + 5. + 1E3', 100.05 + 0.5 + 5 + 1000],
    ['1..toFixed(1)', '1.0'],
    [String.raw`'\b\t\n\v\f\r\0\'\"\\\q\x41\u0042\u{43}\u{1F600}'`, '\b\t\n\v\f\r\0\'"\\qABC😀'],
    [String.raw`'\ud83d\ude00'`, '😀'],
    [String.raw`'\ud83d'`, '\ud83d'],
    ["'\ud83d'", '\ud83d'],
    ["'a\\\nb\\\r\nc\\\u2028d'", 'abcd'],
    ["'a\u2028b'", 'a\u2028b'],
    ['`a\r\nb\rc`', 'a\nb\nc'],
    [`\`a${DOLLAR}b\\${DOLLAR}{c}\\\`\``, 'a$b$c`'],
    ['1 // a comment\u2028+ 1', 2],
    ['1 /* a\n * comment */ + 1', 2],
    ['\ufeff\u00a01\u3000', 1],
    ['[1].map(größe => größe + 1)', [2]],
    ['[1].map(𝒜 => 𝒜 + 1)', [2]],
    [String.raw`[1].map(\u0061 => a + \u{61})`, [2]],
    ['[1].map(async => async + 1)', [2]],
    ['({\n1n: 1, 0x10: 2, if: 3, get: 4\n})', { 1: 1, 16: 2, if: 3, get: 4 }],
    ['/[/\\]]/.test("/")', true],
    ['4 / 2 / 1', 2],
    ['[4][0]/2', 2],
  ]
  for (const [source, value] of taken) {
    it(`N31 ${JSON.stringify(source)}`, () => {
      expect(compileConditional(source).evaluate(name => name)).toStrictEqual(value)
    })
  }
})

describe('N31 what cannot be parsed is told with its place', () => {
  const refused: [string, string][] = [
    ['[1 2]', '"," is missing before "2" (at character 4)'],
    ['{a} + * 2', '"*" cannot stand here (at character 7)'],
    ['{a})', '")" closes nothing (at character 4)'],
    ['[1}', '"," is missing before "}" (at character 3)'],
    ['1 + ()', 'nothing is in these parentheses (at character 5)'],
    ['(1,)', 'nothing follows the comma (at character 3)'],
    ['(...{a})', '"..." cannot stand here (at character 2)'],
    ["'a' 'b", 'a text in quotes is not closed (at character 5)'],
    ["f('a\nb')", 'a text in quotes goes beyond its line (at character 3)'],
    ['1 + /b', 'a regular expression is not closed (at character 5)'],
    ['1 + /a\n/', 'a regular expression is not closed (at character 5)'],
    ['1 + /(/', 'Unterminated group (at character 5)'],
    ['1 /* 2', 'a comment is not closed (at character 3)'],
    ['010', 'a number cannot start with a zero (at character 1)'],
    ['08.5', 'a number cannot start with a zero (at character 1)'],
    ['1__0', 'a number goes on with something else (at character 2)'],
    ['10px', 'a number goes on with something else (at character 3)'],
    ['0b12', 'a number goes on with something else (at character 4)'],
    [String.raw`'ab\01'`, String.raw`\0 is no escape of JavaScript (at character 4)`],
    [String.raw`'ab\8'`, String.raw`\8 is no escape of JavaScript (at character 4)`],
    [String.raw`'ab\xg0'`, String.raw`\x is no escape of JavaScript (at character 4)`],
    ['`ab\\u12`', String.raw`\u is no escape of JavaScript (at character 4)`],
    [String.raw`'ab\u{110000}'`, 'there is no such character (at character 4)'],
    [String.raw`\u0020a`, 'an escape of a character that no name can have (at character 1)'],
    [String.raw`typ\u0065of 1`, '"typ\\\\u0065of" cannot stand here (at character 1)'],
    ['-{a} ** 2', '- before ** needs parentheses (at character 1)'],
    ['{a} ?? {b} || 1', '?? and || need parentheses between them (at character 12)'],
    ['{a} && {b} ?? 1', '&& and ?? need parentheses between them (at character 12)'],
    ['1 = 2', 'nothing can be assigned to what stands before = (to compare, use ===) (at character 3)'],
    ["{a}.trim() = 'x'", 'nothing can be assigned to what stands before = (to compare, use ===) (at character 12)'],
    ['{a}?.b = 2', 'nothing can be assigned to what stands before = (to compare, use ===) (at character 8)'],
    ['[1].map((a, a) => 1)', 'two parameters have the name "a" (at character 13)'],
    ['[1].map((a.b) => 1)', 'this cannot be a parameter (at character 10)'],
    ['[1].map((...a, b) => 1)', '... must come last here (at character 10)'],
    ['[1].map((a)\n=> 1)', '"," is missing before "=>" (at character 13)'],
    ['new {a}?.b()', '?. cannot stand behind new (at character 8)'],
    ['{a}?.b`c`', '?. cannot stand before a template (at character 7)'],
    ['let', '"let" is a word of JavaScript that cannot stand here (at character 1)'],
    ['#x in {a}', '"#" means nothing here (at character 1)'],
    ['1 + \ud800', '"\\ud800" means nothing here (at character 5)'],
    ['1 + 😀', '"😀" means nothing here (at character 5)'],
    ['#!x\n1', '"#" means nothing here (at character 1)'],
  ]
  for (const [source, message] of refused) {
    it(`N31 refuses ${JSON.stringify(source)}`, () => {
      expect(outcome(source)).toMatch(/^broken: cannot be parsed: /)
      expect(outcome(source).endsWith(message), outcome(source)).toBe(true)
    })
  }

  it('N73 what breaks off outside of brackets', () => {
    for (const [source, message] of [
      ['{a} +', 'it ends too soon (at character 6)'],
      ['{a} ? 1', '":" is missing at its end (at character 8)'],
      ["'a' + 'b", 'a text in quotes is not closed (at character 7)'],
      ['1 + `b', 'a text in backticks is not closed (at character 5)'],
    ] as const) {
      expect(outcome(source)).toBe(`ends: breaks off: ${message}`)
    }
  })

  it('N73 what breaks off names the innermost bracket', () => {
    for (const [source, bracket, position] of [
      ['[1, (2, {a}', '(', 5],
      ['{a}[0', '[', 4],
      ['({\na: 1', '{', 2],
      [`{a} + \`x ${DOLLAR}{ {b} `, `${DOLLAR}{`, 10],
      ["{a}.split('-", '(', 10],
      ['{a}.split(`-', '(', 10],
    ] as const) {
      expect(outcome(source)).toBe(
        `cut-off: breaks off: ${JSON.stringify(bracket)} is not closed (at character ${position})`,
      )
    }
  })

  it('N31 a block is told from an object', () => {
    for (const [source, position] of [
      ['[1].map(x => {\nreturn x })', 14],
      ['[1].map(x => { return x })', 14],
      ['[1].map(x => {a: x, b: 1})', 14],
      ['[1].map(x =>{})', 13],
    ] as const) {
      expect(outcome(source)).toBe(
        `unsupported: an arrow function with a block body is not supported; an object is written ({…}) (at character ${position})`,
      )
    }
    expect(compileConditional('[1].map(x => {return x})', new Set(['return x'])).references).toEqual(['return x'])
  })
})

describe('N31 hostile sources', () => {
  const BYTES = 65_536
  const fill = (unit: string) => unit.repeat(BYTES / unit.length)
  /** The parser alone has no bound on their length. */
  const sources: Record<string, string> = Object.fromEntries(
    [
      '(',
      '[',
      '{\n',
      '({\na:',
      '!',
      '- ',
      'new ',
      '1**',
      '1?',
      '1?1:',
      'x=>',
      '(x)=>',
      'a=',
      '[a]=',
      '[[a]=1,',
      `\`${DOLLAR}{`,
      'a[',
      'a(',
      '1+(',
      'a||b&&c|d^e&f==g<h<<i+j*(',
      '1+',
      '.a',
      '{',
      '}',
      '{a',
      '{,',
      '{a}',
      "'",
      "'\\",
      '"{',
      '`',
      '/',
      '/[',
      '/*',
      '//',
      '\\u0061',
      'ä',
      '𝒜',
      '\ud800',
      ' ',
      '\u2028',
      '<!--',
      '1_',
      '0',
      '9',
      '...',
      ',',
      'a,',
      'async ',
      'async(',
      'function',
      'a?.b',
    ].flatMap(unit => [
      [`${unit} …`, fill(unit)],
      [`1 + a${unit} …`, `1 + a${fill(unit)}`],
    ]),
  )

  it('N31 are read or refused in a time that grows with their length, and never run out of stack', () => {
    for (const [name, source] of Object.entries(sources)) {
      const work = () => {
        try {
          parseExpression(source)
        } catch (error) {
          if (!(error instanceof ExpressionSyntaxError)) throw new Error(`${name}: ${error}`)
          expect(error.position, name).toBeLessThanOrEqual(source.length)
        }
      }
      expect(relativeCost(work, 10), name).toBeLessThan(10)
    }
  })

  it('N31 are refused as too long before they are read', () => {
    expect(outcome(`'${fill('x')}'`)).toBe('unsupported: is longer than 10000 characters (at character 10001)')
  })

  it('N31 a regular expression is looked at by its length first', () => {
    const message = 'a regular expression of more than 500 characters is not supported (at character 1)'
    expect(outcome(`/${'(a|'.repeat(3_000)}/.test('a')`)).toBe(`unsupported: ${message}`)
  })

  it('N31 nesting is refused where it gets too deep, and taken before', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`
    expect(outcome(nested(150))).toBe('1')
    expect(outcome(nested(151))).toBe('unsupported: nests too deeply (at character 151)')
    expect(outcome(`${'['.repeat(151)}${']'.repeat(151)}`)).toBe('unsupported: nests too deeply (at character 151)')
    expect(outcome(`${'!'.repeat(399)}1`)).toBe('false')
    expect(outcome(`${'!'.repeat(400)}1`)).toBe('unsupported: nests too deeply (at character 401)')
    const choices = (count: number) => `${'0 ? 1 : '.repeat(count)}2`
    expect(outcome(choices(399))).toBe('2')
    expect(outcome(choices(400))).toBe('unsupported: nests too deeply (at character 3197)')
  })
})

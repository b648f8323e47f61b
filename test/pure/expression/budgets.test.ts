import { describe, expect, it } from 'vitest'
import { compileConditional } from '../../../src/platform/expression/compile/compile.ts'
import {
  ExpressionBudgetError,
  ExpressionError,
  ExpressionSyntaxError,
} from '../../../src/platform/expression/errors.ts'
import { relativeCost } from '../relative-cost.ts'

const DOLLAR = '$'
const values: Record<string, unknown> = {
  long: 'a'.repeat(50_000),
  hundred: Array.from({ length: 100 }, (_, index) => index),
  thousands: Array.from({ length: 5_000 }, (_, index) => index),
}
const scope = (name: string) => values[name]

const MILLION = "'x'.repeat(1000000)"

/** Each would take too long or too much memory, and fails soon instead. */
const TOO_LARGE = [
  "'x'.repeat(1e9)",
  "'x'.repeat(1000001)",
  "'x'.padStart(1e8)",
  "'x'.padEnd(1e8, 'ab')",
  `${MILLION} + ${MILLION}`,
  `${MILLION}.concat(${MILLION})`,
  `\`${DOLLAR}{${MILLION}}${DOLLAR}{${MILLION}}\``,
  "{hundred}.join('x'.repeat(100000))",
  "{long}.replaceAll('a', 'b'.repeat(1000))",
  "'x'.repeat(9000).replace(/x/g, '$&'.repeat(500))",
  "'x'.repeat(9000).replace(/x/g, '$`')",
  `'x'.repeat(9000).replaceAll('x', "$'")`,
  "'x'.repeat(9000).replace(/x/g, m => m.repeat(1000))",
  "{long}.split('')",
  '[...{long}]',
  'Object.keys({long})',
  'Object.entries({long})',
  '({ ...{long} })',
  '{thousands}.map(x => {thousands}.map(y => x))',
  '{thousands}.flatMap(x => {thousands})',
  '{hundred}.map(x => {hundred}.map(y => {hundred}.some(z => z < 0)))',
  '{hundred}.reduce((list, x) => [...list, ...list, x], [])',
  '{hundred}.reduce((list, x) => list.concat(list, x), [])',
  "{hundred}.reduce((text, x) => text + text, 'x')",
  '{hundred}.reduce((list, x) => [list, list], [])',
  `JSON.stringify('${'x'.repeat(1000)}'.repeat(101))`,
  'JSON.stringify([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].reduce((l, x) => [l, l], []))',
  'String([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].reduce((l, x) => [l, l], []))',
  '{hundred}.slice(0, 30).reduce((list, x) => [list, list], []).flat(Infinity)',
  '{hundred}.slice(0, 30).reduce((o, x) => ({ a: o, b: o }), {})',
  '{thousands}.concat({thousands}).sort((a, b) => b - a)',
  '{thousands}.concat({thousands}).toSorted()',
  "JSON.parse('['.repeat(50000) + ']'.repeat(50000))",
  "JSON.parse('['.repeat(500) + ']'.repeat(500))",
  "JSON.parse('1'.repeat(100001))",
  "JSON.parse('[' + '1,'.repeat(40000) + '1]')",
  `{hundred}.map(x => ${MILLION}.toUpperCase())`,
  `{hundred}.map(x => Number(${MILLION}))`,
  "('a'.repeat(500000)).includes('b' + 'a'.repeat(250000))",
  "('a'.repeat(500000)).lastIndexOf('a'.repeat(250000) + 'b')",
  "('a'.repeat(500000)).split('b' + 'a'.repeat(250000))",
  '/a/.test({long})',
  '{long}.match(/a/g)',
  "{hundred}.map(x => /.*a.*b/.test('a'.repeat(200)))",
]

describe('N31: an evaluation is bounded', () => {
  for (const source of TOO_LARGE) {
    it(`N31: ${source.slice(0, 100)}`, () => {
      const { evaluate } = compileConditional(source)
      const work = () => expect(() => evaluate(scope)).toThrow(ExpressionBudgetError)
      expect(relativeCost(work, 40)).toBeLessThan(40)
    })
  }

  it('N31: the budget is new for each evaluation', () => {
    const { evaluate } = compileConditional('{hundred}.map(x => x * 2).length')
    for (let time = 0; time < 200; time += 1) expect(evaluate(scope)).toBe(100)
  })

  it('N31: a budget is no trap for honest work', () => {
    const { evaluate } = compileConditional("{thousands}.filter(Boolean).length + 'x'.repeat(999999).length")
    expect(evaluate(scope)).toBe(4_999 + 999_999)
  })

  it('N31: refuses a source that is too long or nests too deeply', () => {
    const deep: string[] = [
      `${'('.repeat(4_000)}1${')'.repeat(4_000)}`,
      `${'['.repeat(4_000)}${']'.repeat(4_000)}`,
      '('.repeat(9_000),
      '!'.repeat(9_000).concat('1'),
      `${'- '.repeat(4_000)}1`,
      `${'1+'.repeat(4_500)}1`,
      `${'1?'.repeat(2_000)}1${':1'.repeat(2_000)}`,
      `${'1**'.repeat(3_000)}1`,
      `${'x=>'.repeat(3_000)}1`,
      `{a}${'.a'.repeat(4_000)}`,
      `{a}${'?.a'.repeat(3_000)}`,
      `{a}${'.trim()'.repeat(1_300)}`,
      `${`\`${DOLLAR}{`.repeat(2_000)}1${'}`'.repeat(2_000)}`,
      `${'({a:'.repeat(1_500)}1${'})'.repeat(1_500)}`,
      `${'[1].map(x=>'.repeat(600)}1${')'.repeat(600)}`,
      `/${'('.repeat(200)}a${')'.repeat(200)}/.test('a')`,
    ]
    for (const source of deep)
      expect(() => compileConditional(source), source.slice(0, 20)).toThrow(ExpressionSyntaxError)
    expect(() => compileConditional(`'${'x'.repeat(10_000)}'`)).toThrow('is longer than 10000 characters')
  })

  it('N31: takes a source as wide and deep as people write', () => {
    const alternatives = Array.from({ length: 150 }, (_, index) => `{color} === 'c${index}'`).join(' || ')
    expect(compileConditional(alternatives).evaluate(() => 'c149')).toBe(true)
    expect(compileConditional(`${'('.repeat(50)}1${')'.repeat(50)}`).evaluate(scope)).toBe(1)
  })

  it('N31: a sort comparator without sense ends', () => {
    const { evaluate } = compileConditional('{hundred}.sort((a, b) => 1).length + {hundred}.sort((a, b) => NaN).length')
    expect(evaluate(scope)).toBe(200)
    expect(() => compileConditional('[1, 2].sort((a, b) => ({ toString: 1 }))').evaluate(scope)).toThrow(
      ExpressionError,
    )
  })
})

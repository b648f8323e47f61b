// Counted work follows measured time, for every method, operator and function of the language (N77): a load gives up on what counts
// too much, so what takes long and counts little would stall other requests.
import { describe, expect, it } from 'vitest'
import { compileConditional } from '../../../src/platform/expression/compile/compile.ts'
import { ExpressionBudgetError } from '../../../src/platform/expression/errors.ts'
import { ARRAY_METHODS } from '../../../src/platform/expression/library/array-methods.ts'
import { GLOBAL_FUNCTIONS, NAMESPACES } from '../../../src/platform/expression/library/globals.ts'
import { BINARY_OPERATORS, UNARY_OPERATORS } from '../../../src/platform/expression/library/operators.ts'
import {
  BOOLEAN_METHODS,
  DATE_METHODS,
  NUMBER_METHODS,
  REGEX_METHODS,
} from '../../../src/platform/expression/library/scalar-methods.ts'
import { STRING_METHODS } from '../../../src/platform/expression/library/string-methods.ts'

/** Ten counted pieces of work are about a microsecond. */
const A_MICROSECOND = 10
/** What is counted may take so much longer; before texts were counted, much took thirty to five hundred times as long. */
const LONGER_AT_MOST = 10
const TRIES = 12
/** What writing ten thousand letters apart takes on the machine that the budgets were measured on. */
const PLAIN_MS = 0.3

/** Texts of their own, as rows of a file have them: equal ones are compared to their end. */
const flat = (text: string) => JSON.parse(JSON.stringify(text)) as string
const plain = 'ab'.repeat(5000)
const wide = 'äß'.repeat(5000)
const values: Record<string, unknown> = {
  hundred: Array.from({ length: 100 }, (_, at) => at),
  a: flat(plain),
  b: flat(plain),
  wide: flat(wide),
  other: flat(wide),
  padded: flat(`${' '.repeat(5000)}x${' '.repeat(5000)}`),
  digits: flat(`${'1'.repeat(10_000)}x`),
  short: flat('ab'.repeat(500)),
  texts: Array.from({ length: 20 }, (_, at) => flat(plain + String(at).padStart(5, '0'))),
  last: flat(`${plain}00019`),
  object: { [plain]: 1, x: 1 },
}

const TEXT_ARGUMENTS = new Map(
  Object.entries({
    concat: ['{b}'],
    endsWith: ['{b}', "'zz'"],
    includes: ["'zz'", '{b}'],
    indexOf: ["'zzz'", '{b}'],
    lastIndexOf: ["'zz'", '{b}'],
    localeCompare: ['{b}', '{wide}'],
    normalize: ['', "'NFKD'"],
    padEnd: ["20000, 'x'"],
    padStart: ["20000, 'x'"],
    repeat: ['2'],
    replace: ["'zz', 'y'", '/z/, "y"'],
    replaceAll: ["'zz', 'y'", '/z/g, "y"'],
    match: ['/z/'],
    search: ['/z/'],
    split: ["'zz'", '/z/'],
    startsWith: ['{b}'],
  }),
)
const LIST_ARGUMENTS = new Map(
  Object.entries({
    concat: '{texts}',
    includes: '{last}',
    indexOf: '{last}',
    lastIndexOf: '{last}',
    join: "''",
    reduce: '(all, x) => all === x, 1',
    reduceRight: '(all, x) => all === x, 1',
  }),
)
const CALLBACKS = ['every', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'flatMap', 'map', 'some']
const FEW_ARGUMENTS = new Map(
  Object.entries({
    toFixed: '100',
    toPrecision: '100',
    toExponential: '100',
    toString: '2',
  }),
)

function casesOf(): Record<string, string[]> {
  const text = [...STRING_METHODS.keys()].flatMap(name =>
    (TEXT_ARGUMENTS.get(name) ?? ['1']).flatMap(given => {
      const takesRegex = given.startsWith('/')
      return (takesRegex ? ['{short}'] : ['{a}', '{wide}', '{padded}']).map(on => `${on}.${name}(${given})`)
    }),
  )
  const lists = [...ARRAY_METHODS.keys()].map(name =>
    CALLBACKS.includes(name)
      ? `{texts}.${name}(x => x === {last})`
      : `{texts}.${name}(${LIST_ARGUMENTS.get(name) ?? ''})`,
  )
  const operands = ['{a}', '{b}', '{wide}', '{other}', '{digits}', '1']
  const pairs = [
    ['{a}', '{b}'],
    ['{wide}', '{other}'],
    ['{digits}', '1'],
    ['1', '{digits}'],
  ]
  const functions = [...NAMESPACES].flatMap(([space, { functions }]) =>
    [...functions.keys()].map(name => `${space}.${name}`),
  )
  return {
    text,
    lists,
    numbers: [...NUMBER_METHODS.keys()].map(name => `(1e20).${name}(${FEW_ARGUMENTS.get(name) ?? ''})`),
    booleans: [...BOOLEAN_METHODS.keys()].map(name => `(x > 5).${name}()`),
    dates: [...DATE_METHODS.keys()].map(name => `new Date(1e12).${name}()`),
    'regular expressions': [...REGEX_METHODS.keys()].map(name => `/z/.${name}({short})`),
    operators: [
      ...[...BINARY_OPERATORS.keys()].flatMap(sign =>
        sign === 'in' ? ['{a} in {object}'] : pairs.map(pair => pair.join(` ${sign} `)),
      ),
      ...[...UNARY_OPERATORS.keys()].flatMap(sign => operands.map(operand => `${sign} ${operand}`)),
      '{object}[{a}]',
      '`x{a}`',
    ],
    functions: [...GLOBAL_FUNCTIONS.keys(), ...functions].flatMap(name =>
      name === 'JSON.parse' ? [`JSON.parse('"' + {wide} + '"')`] : operandsOf(name).map(given => `${name}(${given})`),
    ),
    'new Date': ['new Date({digits})'],
  }
}

const operandsOf = (name: string) => (name.startsWith('Object.') ? ['{object}', '{short}'] : ['{digits}', '{wide}'])

/** Above one on a machine, or under a load, that is slower than the one of the budgets. */
function slowness(): number {
  const began = performance.now()
  wide.normalize('NFKD')
  return Math.max(1, (performance.now() - began) / PLAIN_MS)
}

/** How much longer it takes than it counts, at the best of several tries. */
function longerThanCounted(source: string): number {
  const { evaluate } = compileConditional(`{hundred}.map(x => ${source})`)
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least > LONGER_AT_MOST / 2; tries++) {
    let work = 0
    const began = performance.now()
    try {
      evaluate(
        name => values[name],
        spent => {
          work += spent
        },
      )
    } catch (error) {
      // What is refused counts as well; a text that is no number is refused by its value.
      if (!(error instanceof Error)) throw error
    }
    const microseconds = (performance.now() - began) * 1000
    least = Math.min(least, microseconds / (work / A_MICROSECOND + REFUSAL_MICROSECONDS) / slowness())
  }
  return least
}

/** What making the error of a refusal takes, and the looking at the clock. */
const REFUSAL_MICROSECONDS = 50

describe('N77 what an expression counts', () => {
  for (const [what, sources] of Object.entries(casesOf())) {
    it(`follows the time that it takes: ${what}`, () => {
      expect(sources.length).toBeGreaterThan(0)
      const undercounted = sources.map(source => [source, longerThanCounted(source)] as const)
      expect(undercounted.filter(([, ratio]) => ratio > LONGER_AT_MOST)).toEqual([])
    })
  }

  it('refuses to compare long texts thousands of times', () => {
    const long = { a: flat('x'.repeat(1_000_000)), b: flat('x'.repeat(1_000_000)), list: Array(1000).fill(0) }
    for (const compared of ['{a} === {b}', '{a} == {b}', '[{a}].includes({b})', '[{a}].indexOf({b}) < 0']) {
      const { evaluate } = compileConditional(`{list}.filter(x => ${compared}).length`)
      expect(() => evaluate(name => Reflect.get(long, name)), compared).toThrow(ExpressionBudgetError)
    }
  })
})

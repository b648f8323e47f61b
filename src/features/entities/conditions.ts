// What one criterion asks of a property: tests that all must hold. Pure.

import { type Needle, needleOf } from '../../platform/letter-case.ts'
import { CRITERIA_MAX_LETTER_FORMS } from '../../platform/limits.ts'
import { parseBetween, parseTime } from '../../platform/time-range.ts'
import type { Column } from './columns.ts'
import type { Criterion, End, Operator, Operators, Scalar } from './operators.ts'

export type Sign = '>' | '>=' | '<' | '<='
export interface Bound {
  sign: Sign
  value: End
}

/** Where a property holds a list, one of its elements must pass; of a range, one and the same all its bounds. */
export type Test =
  | { any: Scalar[] }
  | { range: Bound[] }
  | { anyRange: [number, number][] }
  | { contains: Needle }
  | { startsWith: Needle }
  | { absent: true }

export interface Filter {
  /** A column of the table, or else a property of the entity. */
  column?: Column
  property: string
  test: Test
  /** What the test leaves out is asked for. */
  isNot?: true
}

/** Tells what is wrong with an operator, or with the whole criterion. */
type Fail = (message: string, operator?: Operator) => void

const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const satisfies Partial<Record<Operator, Sign>>
const RANGES = Object.keys(SIGNS) as (keyof typeof SIGNS)[]

export function filtersOf(column: Column | undefined, property: string, criterion: Criterion, fail: Fail): Filter[] {
  const named = column ? { column, property } : { property }
  const isOperators = typeof criterion === 'object' && criterion !== null && !Array.isArray(criterion)
  const tests = isOperators ? testsOf(column, criterion, fail) : [{ test: plainTest(column, criterion, fail) }]
  return tests.map(test => ({ ...named, ...test }))
}

function plainTest(column: Column | undefined, value: Exclude<Criterion, Operators>, fail: Fail): Test {
  if (value === null) return { absent: true }
  const between = typeof value === 'string' ? parseBetween(value, endsOf(column)) : undefined
  if (between && 'range' in between) return rangeBetween(between.range)
  if (between) {
    fail(between.fault)
    return never()
  }
  return anyTest(column, Array.isArray(value) ? value : [value], fail)
}

function testsOf(column: Column | undefined, operators: Operators, fail: Fail): Pick<Filter, 'test' | 'isNot'>[] {
  const tests: Pick<Filter, 'test' | 'isNot'>[] = []
  const equals = (value: Scalar | null, operator: Operator): Test =>
    value === null ? { absent: true } : anyTest(column, [value], fail, operator)
  const { eq, not, exists, contains, startsWith, between } = operators
  if (eq !== undefined) tests.push({ test: equals(eq, 'eq') })
  if (not !== undefined) tests.push({ test: equals(not, 'not'), isNot: true })
  if (operators.in) tests.push({ test: anyTest(column, operators.in, fail, 'in') })
  if (operators.notIn) tests.push({ test: anyTest(column, operators.notIn, fail, 'notIn'), isNot: true })
  if (between) tests.push({ test: betweenTest(column, between, fail) })
  const range = rangeTest(column, operators, fail)
  if (range) tests.push({ test: range })
  if (contains !== undefined) tests.push({ test: textTest(column, 'contains', contains, fail) })
  if (startsWith !== undefined) tests.push({ test: textTest(column, 'startsWith', startsWith, fail) })
  if (exists !== undefined) tests.push(exists ? { test: { absent: true }, isNot: true } : { test: { absent: true } })
  return tests
}

/** Nothing passes. A new one each time: plans tell filters apart by their tests. */
const never = (): Test => ({ any: [] })

const NO_TIME = 'Expected a date (YYYY-MM-DD) or a time (ISO 8601).'

/** Types must agree: the number 1 is not the name "1". */
function canHold(column: Column | undefined, value: Scalar): boolean {
  return !column || typeof value === (column.number ? 'number' : 'string')
}

function anyTest(column: Column | undefined, values: Scalar[], fail: Fail, operator?: Operator): Test {
  if (!column?.time) return { any: values.filter(value => canHold(column, value)) }
  // A date stands for its whole day, a time for itself.
  const times = values.map(time => parseTime(String(time)))
  if (times.includes(undefined)) fail(operator ? NO_TIME : 'Expected a time, or "BETWEEN a and b".', operator)
  const ranges = times.map((time): [number, number] => [time?.first ?? 0, time?.last ?? 0])
  const [only] = ranges
  return ranges.length === 1 && only ? rangeBetween(only) : { anyRange: ranges }
}

function endsOf(column: Column | undefined): 'time' | 'text' | 'value' {
  if (column?.time) return 'time'
  return column && !column.number ? 'text' : 'value'
}

function rangeBetween([from, to]: readonly [End, End]): Test {
  return {
    range: [
      { sign: '>=', value: from },
      { sign: '<=', value: to },
    ],
  }
}

function betweenTest(column: Column | undefined, [from, to]: [End, End], fail: Fail): Test {
  const start = boundOf(column, '>=', from, 'between', fail)
  const end = boundOf(column, '<=', to, 'between', fail)
  if (typeof from !== typeof to) fail('The start and the end of a range must be of one type.', 'between')
  else if (start.value > end.value) fail('The start of the range is after its end.', 'between')
  return within(column, [start, end])
}

function rangeTest(column: Column | undefined, operators: Operators, fail: Fail): Test | undefined {
  const bounds = RANGES.flatMap((operator): Bound[] => {
    const value = operators[operator]
    return value === undefined ? [] : [boundOf(column, SIGNS[operator], value, operator, fail)]
  })
  if (bounds.length === 0) return undefined
  if (new Set(bounds.map(({ value }) => typeof value)).size > 1) fail('All ends of a range must be of one type.')
  return within(column, bounds)
}

/** After a day is after its last moment, from a day on is from its first. */
function boundOf(column: Column | undefined, sign: Sign, value: End, operator: Operator, fail: Fail): Bound {
  if (!column?.time) return { sign, value }
  const time = parseTime(String(value))
  if (!time) fail(NO_TIME, operator)
  const isLast = sign === '>' || sign === '<='
  return { sign, value: (isLast ? time?.last : time?.first) ?? 0 }
}

function within(column: Column | undefined, bounds: Bound[]): Test {
  const fits = column?.time || bounds.every(({ value }) => canHold(column, value))
  return fits ? { range: bounds } : never()
}

function textTest(column: Column | undefined, operator: 'contains' | 'startsWith', text: string, fail: Fail): Test {
  if (column?.time) fail('A time is no text: there are gt, gte, lt, lte and between.', operator)
  if (column?.number) return never()
  const needle = needleOf(text)
  return operator === 'contains' ? { contains: needle } : { startsWith: needle }
}

/** How many forms of letters the database has to replace for a filter. */
export function letterForms({ test }: Filter): number {
  if ('contains' in test) return test.contains.forms.length
  return 'startsWith' in test ? test.startsWith.forms.length : 0
}

export const TOO_MANY_LETTERS = `The texts of "contains" and "startsWith" have too many different letters beyond ASCII: at most ${CRITERIA_MAX_LETTER_FORMS} forms of them together.`

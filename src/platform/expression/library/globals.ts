// The functions and constants that have a name. Nothing else of JavaScript's globals exists here; what depends on the
// clock or on chance is left out, so that the same row always gives the same answer. // N31

import { checkDigits, toExactNumber, toNumber, toPrimitive, toText } from '../coerce.ts'
import { ExpressionBudgetError, ExpressionError } from '../errors.ts'
import type { Evaluation } from '../evaluation.ts'
import { JSON_TEXT_CHARACTERS } from '../limits.ts'
import { asData, describe, isObject, measure } from '../values.ts'
import { primitives } from './method.ts'

export type NamedFunction = (evaluation: Evaluation, args: unknown[]) => unknown

function parsedText(evaluation: Evaluation, value: unknown): string {
  const text = toText(evaluation, value)
  evaluation.reading(text.length)
  return text
}

const NUMBER: NamedFunction = (evaluation, args) => (args.length === 0 ? 0 : toExactNumber(evaluation, args[0]))
const PARSE_INT: NamedFunction = (evaluation, [value, radix]) =>
  Number.parseInt(withoutLoss(evaluation, parsedText(evaluation, value)), toNumber(evaluation, radix))
const PARSE_FLOAT: NamedFunction = (evaluation, [value]) =>
  Number.parseFloat(withoutLoss(evaluation, parsedText(evaluation, value)))

const LEADING_INTEGER = /^\s*([-+]?\d+)(?![\d.e])/i

function withoutLoss(evaluation: Evaluation, text: string): string {
  const [, digits] = LEADING_INTEGER.exec(text) ?? []
  if (digits !== undefined) checkDigits(evaluation, digits)
  return text
}

export const GLOBAL_FUNCTIONS: ReadonlyMap<string, NamedFunction> = new Map<string, NamedFunction>([
  ['Boolean', (_, [value]) => Boolean(value)],
  ['Number', NUMBER],
  ['String', (evaluation, args) => (args.length === 0 ? '' : toText(evaluation, args[0]))],
  ['isFinite', (evaluation, [value]) => Number.isFinite(toNumber(evaluation, value))],
  ['isNaN', (evaluation, [value]) => Number.isNaN(toNumber(evaluation, value))],
  ['parseFloat', PARSE_FLOAT],
  ['parseInt', PARSE_INT],
])

/** The own keys of what Object.keys takes: an object, an array or a string. */
function ownKeys(evaluation: Evaluation, value: unknown): string[] {
  if (value === null || value === undefined) throw new ExpressionError(`${value} has no keys`)
  if (typeof value === 'string') evaluation.step(value.length)
  const keys = Object.keys(Object(value))
  evaluation.step(keys.length)
  return keys
}

function own(value: unknown, key: string): unknown {
  return asData((value as Record<string, unknown>)[key])
}

/** How many times longer than copying the text; measured. */
const PARSE_JSON_TIMES = 20
const WRITE_JSON_TIMES = 60
const DATE_TIMES = 20

function parseJson(evaluation: Evaluation, [value]: unknown[]): unknown {
  const text = toText(evaluation, value)
  if (text.length > JSON_TEXT_CHARACTERS) {
    throw new ExpressionBudgetError(`JSON.parse() takes up to ${JSON_TEXT_CHARACTERS} characters`)
  }
  evaluation.reading(text.length, PARSE_JSON_TIMES)
  const parsed: unknown = JSON.parse(text)
  measure(evaluation, parsed)
  return parsed
}

function writeJson(evaluation: Evaluation, [value, replacer, space]: unknown[]): string | undefined {
  if (isObject(replacer))
    throw new ExpressionError(`JSON.stringify() takes no ${describe(replacer)} as its second argument`)
  measure(evaluation, value)
  const indent = typeof space === 'string' || typeof space === 'number' ? space : undefined
  const text = JSON.stringify(value, null, indent)
  if (text === undefined) return undefined
  if (text.length > JSON_TEXT_CHARACTERS) {
    throw new ExpressionBudgetError(`JSON.stringify() makes up to ${JSON_TEXT_CHARACTERS} characters`)
  }
  evaluation.reading(text.length, WRITE_JSON_TIMES)
  return evaluation.text(text)
}

const MATH_FUNCTIONS = [
  ...[Math.abs, Math.acos, Math.asin, Math.atan, Math.atan2, Math.cbrt, Math.ceil, Math.cos, Math.exp, Math.floor],
  ...[Math.hypot, Math.log, Math.log10, Math.log2, Math.max, Math.min, Math.pow, Math.round, Math.sign, Math.sin],
  ...[Math.sqrt, Math.tan, Math.trunc],
]

const VARIADIC: ReadonlySet<unknown> = new Set([Math.hypot, Math.max, Math.min])

function mathFunction(apply: (...values: number[]) => number): NamedFunction {
  const arity = VARIADIC.has(apply) ? Infinity : apply.length
  return (evaluation, args) => apply(...args.slice(0, arity).map(arg => toNumber(evaluation, arg)))
}

export interface Namespace {
  functions: ReadonlyMap<string, NamedFunction>
  constants: ReadonlyMap<string, number>
}

const NO_CONSTANTS: ReadonlyMap<string, number> = new Map()

export const NAMESPACES: ReadonlyMap<string, Namespace> = new Map<string, Namespace>([
  [
    'Math',
    {
      functions: new Map(MATH_FUNCTIONS.map(apply => [apply.name, mathFunction(apply as (...n: number[]) => number)])),
      constants: new Map(
        (['E', 'LN10', 'LN2', 'LOG10E', 'LOG2E', 'PI', 'SQRT1_2', 'SQRT2'] as const).map(name => [name, Math[name]]),
      ),
    },
  ],
  [
    'Number',
    {
      functions: new Map<string, NamedFunction>([
        ['isFinite', (_, [value]) => Number.isFinite(value)],
        ['isInteger', (_, [value]) => Number.isInteger(value)],
        ['isNaN', (_, [value]) => Number.isNaN(value)],
        ['isSafeInteger', (_, [value]) => Number.isSafeInteger(value)],
        ['parseFloat', PARSE_FLOAT],
        ['parseInt', PARSE_INT],
      ]),
      constants: new Map(
        (['EPSILON', 'MAX_SAFE_INTEGER', 'MAX_VALUE', 'MIN_SAFE_INTEGER', 'MIN_VALUE'] as const).map(name => [
          name,
          Number[name],
        ]),
      ),
    },
  ],
  [
    'Object',
    {
      functions: new Map<string, NamedFunction>([
        ['entries', (evaluation, [value]) => ownKeys(evaluation, value).map(key => [key, own(value, key)])],
        ['keys', (evaluation, [value]) => ownKeys(evaluation, value)],
        ['values', (evaluation, [value]) => ownKeys(evaluation, value).map(key => own(value, key))],
      ]),
      constants: NO_CONSTANTS,
    },
  ],
  [
    'Array',
    { functions: new Map([['isArray', (_, [value]) => Array.isArray(value)]] as const), constants: NO_CONSTANTS },
  ],
  [
    'JSON',
    {
      functions: new Map<string, NamedFunction>([
        ['parse', parseJson],
        ['stringify', writeJson],
      ]),
      constants: NO_CONSTANTS,
    },
  ],
])

/** `new Date(x)`. Without an argument it would be the clock, which is refused when the expression is compiled. */
export function makeDate(evaluation: Evaluation, args: unknown[]): Date {
  const [only] = args
  if (args.length === 1) {
    if (only instanceof Date) return new Date(only.getTime())
    const value = toPrimitive(evaluation, only, 'default')
    if (typeof value === 'string') {
      evaluation.reading(value.length, DATE_TIMES)
      return new Date(value)
    }
    return new Date(Number(value))
  }
  const [year, month, ...rest] = primitives(evaluation, args, ['number']).map(Number)
  return new Date(year ?? Number.NaN, month ?? Number.NaN, ...rest)
}

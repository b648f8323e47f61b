// The methods of numbers, booleans, dates and regular expressions. Dates give answers and take none.

import { toText } from '../coerce.ts'
import type { Evaluation } from '../evaluation.ts'
import type { SafeRegex } from '../regex/regex.ts'
import { type Method, type Methods, native } from './method.ts'

export const NUMBER_METHODS: Methods<number> = new Map<string, Method<number>>([
  ['toExponential', native(Number.prototype.toExponential, 'number')],
  ['toFixed', native(Number.prototype.toFixed, 'number')],
  ['toPrecision', native(Number.prototype.toPrecision, 'number')],
  ['toString', native(Number.prototype.toString, 'number')],
  ['valueOf', native(Number.prototype.valueOf)],
])

export const BOOLEAN_METHODS: Methods<boolean> = new Map<string, Method<boolean>>([
  ['toString', native(Boolean.prototype.toString)],
  ['valueOf', native(Boolean.prototype.valueOf)],
])

const date = Date.prototype

export const DATE_METHODS: Methods<Date> = new Map<string, Method<Date>>(
  [
    date.getDate,
    date.getDay,
    date.getFullYear,
    date.getHours,
    date.getMilliseconds,
    date.getMinutes,
    date.getMonth,
    date.getSeconds,
    date.getTime,
    date.getTimezoneOffset,
    date.getUTCDate,
    date.getUTCDay,
    date.getUTCFullYear,
    date.getUTCHours,
    date.getUTCMilliseconds,
    date.getUTCMinutes,
    date.getUTCMonth,
    date.getUTCSeconds,
    date.toISOString,
    date.toString,
    date.valueOf,
  ].map(method => [method.name, native(method)]),
)

function test(evaluation: Evaluation, receiver: SafeRegex, args: unknown[]): boolean {
  const text = toText(evaluation, args[0])
  return receiver.forText(evaluation, text).test(text)
}

function exec(evaluation: Evaluation, receiver: SafeRegex, args: unknown[]): unknown {
  const text = toText(evaluation, args[0])
  return receiver.forText(evaluation, text).exec(text)
}

export const REGEX_METHODS: Methods<SafeRegex> = new Map<string, Method<SafeRegex>>([
  ['exec', { call: exec }],
  ['test', { call: test }],
])

// JavaScript's conversions, written out so that no toString, valueOf or toJSON of a value is ever called. Native
// operations get primitives only.

import { isLostInteger } from '../formats/lost-integer.ts'
import { ExpressionBudgetError, ExpressionError } from './errors.ts'
import type { Evaluation } from './evaluation.ts'
import { VALUE_DEPTH } from './limits.ts'
import { isObject, measure, type Primitive } from './values.ts'

export type Hint = 'string' | 'number' | 'default'

/** Conversions of texts up to this length are not worth counting. */
const SHORT_TEXT_CHARACTERS = 256

export function toPrimitive(evaluation: Evaluation, value: unknown, hint: Hint, depth = 0): Primitive {
  if (!isObject(value)) {
    if (typeof value === 'string' && value.length > SHORT_TEXT_CHARACTERS) evaluation.characters(value.length)
    return value as Primitive
  }
  if (value instanceof Date) {
    return hint === 'number' ? Date.prototype.getTime.call(value) : Date.prototype.toString.call(value)
  }
  if (Array.isArray(value)) return joinArray(evaluation, value, ',', depth)
  if (Object.hasOwn(value, 'toString')) throw new ExpressionError('cannot turn an object into a text or a number')
  return '[object Object]'
}

export function joinArray(evaluation: Evaluation, array: readonly unknown[], separator: string, depth = 0): string {
  if (depth >= VALUE_DEPTH) throw new ExpressionBudgetError(`nests deeper than ${VALUE_DEPTH} levels`)
  evaluation.step(array.length)
  const pieces: string[] = []
  let length = separator.length * Math.max(0, array.length - 1)
  evaluation.room(length)
  for (const element of array) {
    const piece = element === null || element === undefined ? '' : toText(evaluation, element, depth + 1)
    length += piece.length
    evaluation.room(length)
    pieces.push(piece)
  }
  return evaluation.text(pieces.join(separator))
}

export function toText(evaluation: Evaluation, value: unknown, depth = 0): string {
  return typeof value === 'string' ? value : String(toPrimitive(evaluation, value, 'string', depth))
}

export function toNumber(evaluation: Evaluation, value: unknown): number {
  return typeof value === 'number' ? value : numberOf(evaluation, toPrimitive(evaluation, value, 'number'))
}

/** How many times longer than copying a text it takes to make a number of it, and to count its digits; measured. */
const NUMBER_TIMES = 20
const DIGITS_TIMES = 200

export function numberOf(evaluation: Evaluation, primitive: Primitive): number {
  if (typeof primitive === 'string') evaluation.reading(primitive.length, NUMBER_TIMES)
  return Number(primitive)
}

/** For what is computed with or kept: a number with more digits than JavaScript keeps is not rounded in silence. */
export function toExactNumber(evaluation: Evaluation, value: unknown): number {
  if (typeof value === 'number') return value
  const primitive = toPrimitive(evaluation, value, 'number')
  if (typeof primitive === 'string') checkDigits(evaluation, primitive.trim())
  return numberOf(evaluation, primitive)
}

export function checkDigits(evaluation: Evaluation, digits: string): void {
  evaluation.reading(digits.length, DIGITS_TIMES)
  if (digits.length > KEPT_DIGITS && isLostInteger(digits)) {
    throw new ExpressionError(`would round ${digits.slice(0, DIGITS_SHOWN)}; keep it as a text`)
  }
}

const KEPT_DIGITS = 15
const DIGITS_SHOWN = 60

/** A property key: arrays are mostly read by number, which native access takes as it is. */
export function toKey(evaluation: Evaluation, value: unknown): string | number {
  return typeof value === 'number' ? value : toText(evaluation, value)
}

/** A reference within text. Nothing is written for an absent value; objects are written as JSON. */
export function fillText(evaluation: Evaluation, value: unknown, depth = 0): string {
  if (value === null || value === undefined) return ''
  if (!isObject(value)) return String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
  if (Array.isArray(value)) {
    if (depth >= VALUE_DEPTH) throw new ExpressionBudgetError(`nests deeper than ${VALUE_DEPTH} levels`)
    evaluation.step(value.length)
    return value.map(element => evaluation.text(fillText(evaluation, element, depth + 1))).join(',')
  }
  measure(evaluation, value)
  return evaluation.text(JSON.stringify(value))
}

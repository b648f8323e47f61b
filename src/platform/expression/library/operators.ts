// The operators of the language over already evaluated operands, equal to JavaScript's.

import { numberOf, toExactNumber, toKey, toPrimitive } from '../coerce.ts'
import { ExpressionError } from '../errors.ts'
import type { Evaluation } from '../evaluation.ts'
import { describe, isObject, type Primitive } from '../values.ts'

export type BinaryOperator = (evaluation: Evaluation, left: unknown, right: unknown) => unknown

function add(evaluation: Evaluation, left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  const a = toPrimitive(evaluation, left, 'default')
  const b = toPrimitive(evaluation, right, 'default')
  if (typeof a === 'string' || typeof b === 'string') return evaluation.text(`${a}${b}`)
  return numberOf(evaluation, a) + numberOf(evaluation, b)
}

function arithmetic(apply: (a: number, b: number) => number): BinaryOperator {
  return (evaluation, left, right) => apply(toExactNumber(evaluation, left), toExactNumber(evaluation, right))
}

function comparison(apply: (a: number | string, b: number | string) => boolean): BinaryOperator {
  return (evaluation, left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return apply(left, right)
    const a = toPrimitive(evaluation, left, 'number')
    const b = toPrimitive(evaluation, right, 'number')
    return typeof a === 'string' && typeof b === 'string'
      ? apply(a, b)
      : apply(numberOf(evaluation, a), numberOf(evaluation, b))
  }
}

function identical(evaluation: Evaluation, left: unknown, right: unknown): boolean {
  evaluation.comparing(left, right)
  return left === right
}

function equalPrimitives(evaluation: Evaluation, a: Primitive, b: Primitive): boolean {
  if (a === null || a === undefined) return b === null || b === undefined
  if (b === null || b === undefined) return false
  return typeof a === typeof b ? identical(evaluation, a, b) : numberOf(evaluation, a) === numberOf(evaluation, b)
}

function looselyEqual(evaluation: Evaluation, left: unknown, right: unknown): boolean {
  if (isObject(left) && isObject(right)) return left === right
  if (left === null || left === undefined) return right === null || right === undefined
  if (right === null || right === undefined) return false
  const a = toPrimitive(evaluation, left, 'default')
  return equalPrimitives(evaluation, a, toPrimitive(evaluation, right, 'default'))
}

function hasOwnKey(evaluation: Evaluation, key: unknown, target: unknown): boolean {
  if (!isObject(target)) throw new ExpressionError(`cannot look with "in" into ${describe(target)}`)
  return Object.hasOwn(target, toKey(evaluation, key))
}

export const BINARY_OPERATORS: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>([
  ['+', add],
  ['-', arithmetic((a, b) => a - b)],
  ['*', arithmetic((a, b) => a * b)],
  ['/', arithmetic((a, b) => a / b)],
  ['%', arithmetic((a, b) => a % b)],
  ['**', arithmetic((a, b) => a ** b)],
  ['<', comparison((a, b) => a < b)],
  ['<=', comparison((a, b) => a <= b)],
  ['>', comparison((a, b) => a > b)],
  ['>=', comparison((a, b) => a >= b)],
  ['===', identical],
  ['!==', (evaluation, a, b) => !identical(evaluation, a, b)],
  ['==', looselyEqual],
  ['!=', (evaluation, a, b) => !looselyEqual(evaluation, a, b)],
  ['in', hasOwnKey],
])

export type UnaryOperator = (evaluation: Evaluation, operand: unknown) => unknown

export const UNARY_OPERATORS: ReadonlyMap<string, UnaryOperator> = new Map<string, UnaryOperator>([
  ['!', (_, operand) => !operand],
  ['-', (evaluation, operand) => -toExactNumber(evaluation, operand)],
  ['+', (evaluation, operand) => toExactNumber(evaluation, operand)],
  ['typeof', (_, operand) => typeof operand],
])

// Reading values: own properties only, and nothing but data comes out. Prototypes, constructors and functions stay
// out of reach whatever the caller's objects hold. // N31

import { ExpressionBudgetError, ExpressionError } from './errors.ts'
import type { Evaluation } from './evaluation.ts'
import { VALUE_DEPTH } from './limits.ts'

export type Primitive = string | number | boolean | null | undefined

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

export function isForbiddenName(name: string): boolean {
  return FORBIDDEN.has(name)
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Functions, symbols and big integers are no values of the language. */
export function asData(value: unknown): unknown {
  switch (typeof value) {
    case 'function':
    case 'symbol':
    case 'bigint':
      return undefined
    default:
      return value
  }
}

export function readOwn(target: unknown, key: string | number): unknown {
  if (typeof target === 'string') {
    if (key === 'length') return target.length
    return Object.hasOwn(Object(target), key) ? (target as unknown as Record<string, unknown>)[key] : undefined
  }
  if (typeof target === 'object' && target !== null) {
    return Object.hasOwn(target, key) ? asData((target as Record<string, unknown>)[key]) : undefined
  }
  if (target === undefined || target === null) throw new ExpressionError(`cannot read "${key}" of ${target}`)
  return undefined
}

export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Date) return 'a date'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/**
 * Counts a value as the tree it would be when written out: shared parts count each time, so that what is small in
 * memory and huge as text is refused.
 */
export function measure(evaluation: Evaluation, value: unknown, depth = 0): void {
  if (!isObject(value) || value instanceof Date) {
    if (typeof value === 'string') evaluation.characters(value.length)
    return
  }
  if (depth >= VALUE_DEPTH) throw new ExpressionBudgetError(`nests deeper than ${VALUE_DEPTH} levels`)
  if (Array.isArray(value)) {
    evaluation.step(value.length)
    for (const element of value) measure(evaluation, element, depth + 1)
    return
  }
  const keys = Object.keys(value)
  evaluation.step(keys.length)
  for (const key of keys) {
    if (key === '__proto__') throw new ExpressionError('holds the name "__proto__"')
    evaluation.characters(key.length)
    measure(evaluation, (value as Record<string, unknown>)[key], depth + 1)
  }
}

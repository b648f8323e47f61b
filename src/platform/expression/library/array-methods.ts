// The methods of arrays. None of them changes its receiver: rows belong to the caller, so sort() and reverse() give a
// changed copy. Native methods do the walking, which keeps the treatment of holes.

import { joinArray, toNumber, toText } from '../coerce.ts'
import { ExpressionBudgetError, ExpressionError } from '../errors.ts'
import type { Evaluation } from '../evaluation.ts'
import { VALUE_DEPTH } from '../limits.ts'
import { type Callback, callbackOf, type Method, type Methods, native, primitives } from './method.ts'

type Values = readonly unknown[]

function iterating(name: string, apply: (receiver: Values, callback: Callback) => unknown): [string, Method<Values>] {
  return [name, { callbackAt: 0, call: (_, receiver, args) => apply(receiver, callbackOf(name, args[0])) }]
}

/** A native method with values first and positions behind them; values are compared, never converted. */
function looking(method: (this: Values, value: unknown, from?: number) => unknown): Method<Values> {
  return {
    call: (evaluation, receiver, args) => {
      evaluation.step(receiver.length)
      for (const value of receiver) evaluation.comparing(value, args[0])
      return Reflect.apply(method, receiver, [args[0], ...primitives(evaluation, args.slice(1, 2), ['number'])])
    },
  }
}

function folding(name: 'reduce' | 'reduceRight'): [string, Method<Values>] {
  return [
    name,
    {
      callbackAt: 0,
      call: (_, receiver, args) => {
        const callback = callbackOf(name, args[0])
        if (args.length > 1) return receiver[name]((...given: unknown[]) => callback(...given), args[1])
        if (receiver.length === 0) throw new ExpressionError(`${name}() of an empty array needs a first value`)
        return receiver[name]((...given: unknown[]) => callback(...given))
      },
    },
  ]
}

function comparing(evaluation: Evaluation, comparator: unknown): (a: unknown, b: unknown) => number {
  if (comparator === undefined) {
    return (left, right) => {
      evaluation.step(1)
      const a = toText(evaluation, left)
      const b = toText(evaluation, right)
      evaluation.reading(Math.min(a.length, b.length))
      return a < b ? -1 : a > b ? 1 : 0
    }
  }
  const callback = callbackOf('sort', comparator)
  return (left, right) => toNumber(evaluation, callback(left, right))
}

function sorted(evaluation: Evaluation, receiver: Values, args: unknown[]): unknown[] {
  evaluation.step(receiver.length)
  return receiver.slice().sort(comparing(evaluation, args[0]))
}

function toSorted(evaluation: Evaluation, receiver: Values, args: unknown[]): unknown[] {
  evaluation.step(receiver.length)
  return receiver.toSorted(comparing(evaluation, args[0]))
}

function reversed(evaluation: Evaluation, receiver: Values): unknown[] {
  evaluation.step(receiver.length)
  return receiver.slice().reverse()
}

function concat(evaluation: Evaluation, receiver: Values, args: unknown[]): unknown[] {
  evaluation.step(args.reduce<number>((sum, arg) => sum + (Array.isArray(arg) ? arg.length : 1), receiver.length))
  return receiver.concat(...args)
}

function flattened(evaluation: Evaluation, values: Values, depth: number, level: number, into: unknown[]): unknown[] {
  if (level > VALUE_DEPTH) throw new ExpressionBudgetError(`nests deeper than ${VALUE_DEPTH} levels`)
  evaluation.step(values.length)
  values.forEach(value => {
    if (depth >= 1 && Array.isArray(value)) flattened(evaluation, value, depth - 1, level + 1, into)
    else into.push(value)
  })
  return into
}

function flat(evaluation: Evaluation, receiver: Values, args: unknown[]): unknown[] {
  const depth = args[0] === undefined ? 1 : toNumber(evaluation, args[0])
  return flattened(evaluation, receiver, depth, 0, [])
}

function flatMap(evaluation: Evaluation, receiver: Values, args: unknown[]): unknown[] {
  const callback = callbackOf('flatMap', args[0])
  return receiver.flatMap((...given: unknown[]) => {
    const made = callback(...given)
    evaluation.step(Array.isArray(made) ? made.length : 1)
    return made
  })
}

function join(evaluation: Evaluation, receiver: Values, [separator]: unknown[]): string {
  return joinArray(evaluation, receiver, separator === undefined ? ',' : toText(evaluation, separator))
}

function copying({ call }: Method<Values>): Method<Values> {
  return {
    call: (evaluation, receiver, args) => {
      evaluation.step(receiver.length)
      return call(evaluation, receiver, args)
    },
  }
}

const proto: Values = Array.prototype

export const ARRAY_METHODS: Methods<Values> = new Map<string, Method<Values>>([
  ['at', native(proto.at, 'number')],
  ['concat', { call: concat }],
  iterating('every', (receiver, callback) => receiver.every(callback)),
  iterating('filter', (receiver, callback) => receiver.filter(callback)),
  iterating('find', (receiver, callback) => receiver.find(callback)),
  iterating('findIndex', (receiver, callback) => receiver.findIndex(callback)),
  iterating('findLast', (receiver, callback) => receiver.findLast(callback)),
  iterating('findLastIndex', (receiver, callback) => receiver.findLastIndex(callback)),
  ['flat', { call: flat }],
  ['flatMap', { callbackAt: 0, call: flatMap }],
  ['includes', looking(proto.includes)],
  ['indexOf', looking(proto.indexOf)],
  ['join', { call: join }],
  ['lastIndexOf', looking(proto.lastIndexOf)],
  iterating('map', (receiver, callback) => receiver.map(callback)),
  folding('reduce'),
  folding('reduceRight'),
  ['reverse', { call: reversed }],
  ['slice', copying(native(proto.slice, 'number'))],
  iterating('some', (receiver, callback) => receiver.some(callback)),
  ['sort', { callbackAt: 0, call: sorted }],
  ['toReversed', copying(native(proto.toReversed))],
  ['toSorted', { callbackAt: 0, call: toSorted }],
  ['toString', { call: (evaluation, receiver) => joinArray(evaluation, receiver, ',') }],
])

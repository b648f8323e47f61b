import { type Hint, toPrimitive } from '../coerce.ts'
import { ExpressionError } from '../errors.ts'
import type { Evaluation } from '../evaluation.ts'
import type { Primitive } from '../values.ts'

/** An arrow function, or a function of the language given by name, bound to its evaluation. */
export type Callback = (...args: unknown[]) => unknown

/** A method of one type of receiver. Arguments are values, save for the places that take a callback or a regex. */
export interface Method<Receiver> {
  call: (evaluation: Evaluation, receiver: Receiver, args: unknown[]) => unknown
  /** The argument that may be a callback. */
  callbackAt?: number
  /** Whether the first argument may be a regular expression. */
  takesRegex?: boolean
}

export type Methods<Receiver> = ReadonlyMap<string, Method<Receiver>>

export function primitives(evaluation: Evaluation, args: unknown[], hints: readonly Hint[]): Primitive[] {
  return args.map((arg, index) => toPrimitive(evaluation, arg, hints[index] ?? hints.at(-1) ?? 'string'))
}

/** A native method that gets primitives only, and so can call nothing back. Arguments it does not take are left out. */
export function native<Receiver>(
  method: (this: Receiver, ...args: never[]) => unknown,
  ...hints: Hint[]
): Method<Receiver> {
  const arity = Math.max(method.length, hints.length)
  return {
    call: (evaluation, receiver, args) =>
      Reflect.apply(method, receiver, primitives(evaluation, args.slice(0, arity), hints)),
  }
}

export function callbackOf(name: string, value: unknown): Callback {
  if (typeof value !== 'function') throw new ExpressionError(`${name}() needs an arrow function`)
  return value as Callback
}

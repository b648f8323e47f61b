// Array and object literals, spreading, and reading members.

import type { Expression, MemberExpression, ObjectExpression, SpreadElement } from 'acorn'
import { toKey } from '../coerce.ts'
import { ExpressionError } from '../errors.ts'
import { CUT, type Evaluation, type Run } from '../evaluation.ts'
import { NAMESPACES } from '../library/globals.ts'
import { asData, describe, isForbiddenName, isObject, readOwn } from '../values.ts'
import type { Compiler } from './compiler.ts'

export function compileMember(compiler: Compiler, node: MemberExpression): Run {
  const { object, property, optional } = node
  if (object.type === 'Super' || property.type === 'PrivateIdentifier') return compiler.refuse('a private name', node)
  if (object.type === 'Identifier' && NAMESPACES.has(object.name) && compiler.isGlobal(object)) {
    const name = memberName(compiler, node)
    const constant = NAMESPACES.get(object.name)?.constants.get(name)
    if (constant === undefined) return compiler.refuse(`${object.name}.${name} as a value`, node)
    return () => constant
  }
  const target = compiler.compile(object)
  if (!node.computed) {
    const name = memberName(compiler, node)
    return evaluation => {
      const value = target(evaluation)
      if (value === CUT || (optional && (value === undefined || value === null))) return CUT
      return readOwn(value, name)
    }
  }
  const key = compiler.compile(property)
  return evaluation => {
    const value = target(evaluation)
    if (value === CUT || (optional && (value === undefined || value === null))) return CUT
    return readOwn(value, computedKey(evaluation, key(evaluation)))
  }
}

/** The name behind the dot. */
export function memberName(compiler: Compiler, node: MemberExpression): string {
  const { property } = node
  if (node.computed || property.type !== 'Identifier') return compiler.refuse('a computed name here', property)
  if (compiler.referencesAt.has(property.start)) return compiler.refuse('a reference behind a dot', property)
  if (isForbiddenName(property.name)) return compiler.refuse(`the name "${property.name}"`, property)
  return property.name
}

function computedKey(evaluation: Evaluation, value: unknown): string | number {
  const key = toKey(evaluation, value)
  if (typeof key === 'string' && isForbiddenName(key)) throw new ExpressionError(`the name "${key}" is not supported`)
  return key
}

/** The elements of an array literal or the arguments of a call. */
export function compileArray(compiler: Compiler, elements: (Expression | SpreadElement | null)[]): Run {
  const parts = elements.map(element => {
    if (element === null) return undefined
    if (element.type !== 'SpreadElement') return { spread: false, run: compiler.compile(element) }
    return { spread: true, run: compiler.compile(element.argument) }
  })
  return evaluation => {
    const made: unknown[] = []
    for (const part of parts) {
      if (part === undefined) made.length += 1
      else if (part.spread) spreadInto(evaluation, made, part.run(evaluation))
      else made.push(part.run(evaluation))
    }
    return made
  }
}

function spreadInto(evaluation: Evaluation, made: unknown[], value: unknown): void {
  if (typeof value !== 'string' && !Array.isArray(value)) {
    throw new ExpressionError(`cannot spread ${describe(value)} as an array`)
  }
  evaluation.step(value.length)
  for (const element of value) made.push(element)
}

export function compileObject(compiler: Compiler, node: ObjectExpression): Run {
  const parts = node.properties.map(property => {
    if (property.type === 'SpreadElement') return { key: undefined, run: compiler.compile(property.argument) }
    if (property.kind !== 'init' || property.method) return compiler.refuse('a method, getter or setter', property)
    return { key: propertyKey(compiler, property), run: compiler.compile(property.value) }
  })
  return evaluation => {
    const made: Record<string, unknown> = {}
    for (const part of parts) {
      if (part.key === undefined) copyOwn(evaluation, made, part.run(evaluation))
      else made[part.key(evaluation)] = part.run(evaluation)
    }
    return made
  }
}

function propertyKey(
  compiler: Compiler,
  property: Extract<ObjectExpression['properties'][number], { type: 'Property' }>,
): (evaluation: Evaluation) => string | number {
  const { key } = property
  if (property.computed) {
    const run = compiler.compile(key)
    return evaluation => computedKey(evaluation, run(evaluation))
  }
  if (compiler.referencesAt.has(key.start)) return compiler.refuse('a reference as a key (write [{name}])', key)
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined
  if (name === undefined) return compiler.refuse('this key', key)
  if (isForbiddenName(name)) return compiler.refuse(`the name "${name}"`, key)
  return () => name
}

function copyOwn(evaluation: Evaluation, made: Record<string, unknown>, value: unknown): void {
  if (!isObject(value) && typeof value !== 'string') return
  if (typeof value === 'string') evaluation.step(value.length)
  const keys = Object.keys(value)
  evaluation.step(keys.length)
  for (const key of keys) {
    if (isForbiddenName(key)) throw new ExpressionError(`the name "${key}" is not supported`)
    made[key] = asData((value as unknown as Record<string, unknown>)[key])
  }
}

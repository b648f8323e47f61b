// Array and object literals, spreading, and reading members.

import { toKey } from '../coerce.ts'
import { ExpressionError } from '../errors.ts'
import { CUT, type Evaluation, type Run } from '../evaluation.ts'
import { NAMESPACES } from '../library/globals.ts'
import type { EntryNode, IndexNode, ListNode, MemberNode, ObjectNode } from '../parse/nodes.ts'
import { asData, describe, isForbiddenName, isObject, readOwn } from '../values.ts'
import type { Compiler } from './compiler.ts'

export function compileMember(compiler: Compiler, node: MemberNode | IndexNode): Run {
  const { target: object, isOptional } = node
  if (object.kind === 'name' && NAMESPACES.has(object.name) && compiler.isGlobal(object)) {
    const name = memberName(compiler, node)
    const constant = NAMESPACES.get(object.name)?.constants.get(name)
    if (constant === undefined) return compiler.refuse(`${object.name}.${name} as a value`, node)
    return () => constant
  }
  const target = compiler.compile(object)
  if (node.kind === 'member') {
    const name = memberName(compiler, node)
    return evaluation => {
      const value = target(evaluation)
      if (value === CUT || (isOptional && (value === undefined || value === null))) return CUT
      return readOwn(value, name)
    }
  }
  const key = compiler.compile(node.key)
  return evaluation => {
    const value = target(evaluation)
    if (value === CUT || (isOptional && (value === undefined || value === null))) return CUT
    return readOwn(value, computedKey(evaluation, key(evaluation)))
  }
}

/** The name behind the dot. */
export function memberName(compiler: Compiler, node: MemberNode | IndexNode): string {
  if (node.kind === 'index') return compiler.refuse('a computed name here', node.key)
  const { property } = node
  if (property.kind === 'reference') return compiler.refuse('a reference behind a dot', property)
  if (isForbiddenName(property.name)) return compiler.refuse(`the name "${property.name}"`, property)
  return property.name
}

function computedKey(evaluation: Evaluation, value: unknown): string | number {
  const key = toKey(evaluation, value)
  if (typeof key === 'string' && isForbiddenName(key))
    throw new ExpressionError(`uses the name "${key}", which is not supported`)
  return key
}

/** The elements of an array literal or the arguments of a call. */
export function compileArray(compiler: Compiler, elements: ListNode['elements']): Run {
  const parts = elements.map(element => {
    if (element === undefined) return undefined
    if (element.kind !== 'spread') return { spread: false, run: compiler.compile(element) }
    return { spread: true, run: compiler.compile(element.value) }
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

export function compileObject(compiler: Compiler, { entries }: ObjectNode): Run {
  const parts = entries.map(entry => {
    if (entry.kind === 'spread') return { key: undefined, run: compiler.compile(entry.value) }
    return { key: entryKey(compiler, entry), run: compiler.compile(entry.value) }
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

function entryKey(compiler: Compiler, { key }: EntryNode): (evaluation: Evaluation) => string | number {
  if (key.kind === 'computed') {
    const run = compiler.compile(key.value)
    return evaluation => computedKey(evaluation, run(evaluation))
  }
  if (key.kind === 'reference') return compiler.refuse('a reference as a key (write [{name}])', key)
  const { name } = key
  if (isForbiddenName(name)) return compiler.refuse(`the name "${name}"`, key)
  return () => name
}

function copyOwn(evaluation: Evaluation, made: Record<string, unknown>, value: unknown): void {
  if (!isObject(value) && typeof value !== 'string') return
  if (typeof value === 'string') evaluation.step(value.length)
  const keys = Object.keys(value)
  evaluation.step(keys.length)
  for (const key of keys) {
    if (isForbiddenName(key)) throw new ExpressionError(`uses the name "${key}", which is not supported`)
    made[key] = asData((value as unknown as Record<string, unknown>)[key])
  }
}

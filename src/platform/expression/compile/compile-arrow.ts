import { ExpressionError } from '../errors.ts'
import type { Evaluation, Run } from '../evaluation.ts'
import type { Callback } from '../library/method.ts'
import type { ArrowNode, Node, SpreadNode } from '../parse/nodes.ts'
import { describe } from '../values.ts'
import type { Compiler } from './compiler.ts'

type Bind = (evaluation: Evaluation, value: unknown) => void

/** An arrow function as the argument of a method. Each call pays for every node of its body. */
export function compileArrow(compiler: Compiler, { parameters, body }: ArrowNode): Run {
  const names = new Map<string, number>()
  const binds = parameters.map(parameter => compileParameter(compiler, parameter, names))
  const before = compiler.nodeCount
  const run = compiler.within(names, () => compiler.compile(body))
  const cost = compiler.nodeCount - before
  return (evaluation): Callback =>
    (...args) => {
      evaluation.step(cost)
      for (let index = 0; index < binds.length; index += 1) binds[index]?.(evaluation, args[index])
      return run(evaluation)
    }
}

function compileParameter(compiler: Compiler, node: Node | SpreadNode, names: Map<string, number>): Bind {
  if (node.kind === 'name') {
    const slot = compiler.slotCount
    compiler.slotCount += 1
    names.set(node.name, slot)
    return (evaluation, value) => {
      evaluation.slots[slot] = value
    }
  }
  if (node.kind === 'reference') return compiler.refuse('a reference as a parameter', node)
  if (node.kind !== 'list') return compiler.refuse('a parameter other than a name or [names]', node)
  const elements = node.elements.map(element => element && compileParameter(compiler, element, names))
  return (evaluation, value) => {
    if (!Array.isArray(value) && typeof value !== 'string') {
      throw new ExpressionError(`cannot take ${describe(value)} apart as an array`)
    }
    const values = typeof value === 'string' ? firstCharacters(value, elements.length) : value
    for (const [index, bind] of elements.entries()) bind?.(evaluation, values[index])
  }
}

function firstCharacters(text: string, count: number): string[] {
  const found: string[] = []
  for (const character of text) {
    if (found.length >= count) break
    found.push(character)
  }
  return found
}

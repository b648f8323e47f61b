// What may be assigned to, and what may be a parameter. Nothing is ever assigned, and few parameters are supported; but what JavaScript
// cannot parse is text where it may be (N73).

import { broken } from '../errors.ts'
import type { Node, SpreadNode } from './nodes.ts'

/** Names that strict mode keeps to itself. */
const UNTOUCHABLE = new Set(['arguments', 'eval'])

/** Of an operator that writes to what it stands beside. */
export function checkTarget(node: Node): void {
  if (!isTarget(node)) throw broken('nothing can be assigned to this', node.start)
}

/** The left side of `=` may also be a pattern; anything else is meant as a comparison. */
export function checkLeftSide(node: Node, operatorAt: number): void {
  for (const leaf of leavesOf(node)) {
    if (isTarget(leaf)) continue
    if (leaf === node) throw broken('nothing can be assigned to what stands before = (to compare, use ===)', operatorAt)
    throw broken('nothing can be assigned to this', leaf.start)
  }
}

function isTarget(node: Node): boolean {
  const target = withoutParentheses(node)
  if (target.kind === 'name') return !UNTOUCHABLE.has(target.name)
  return target.kind === 'member' || target.kind === 'index' || target.kind === 'reference'
}

export function checkParameters(nodes: readonly (Node | SpreadNode)[]): void {
  const names = new Set<string>()
  for (const leaf of leavesOfAll(nodes)) {
    if (leaf.kind === 'reference') continue
    if (leaf.kind !== 'name' || UNTOUCHABLE.has(leaf.name)) throw broken('this cannot be a parameter', leaf.start)
    if (names.has(leaf.name)) throw broken(`two parameters have the name "${leaf.name}"`, leaf.start)
    names.add(leaf.name)
  }
}

/** The places of a pattern that get a value: a and c in `[a, {b: c = 1}]`. */
function leavesOf(node: Node): Node[] {
  if (node.kind === 'list') return leavesOfAll(node.elements)
  if (node.kind !== 'object') return [node]
  return leavesOfAll(node.entries.map(entry => (entry.kind === 'entry' ? entry.value : entry)))
}

function leavesOfAll(nodes: readonly (Node | SpreadNode | undefined)[]): Node[] {
  return nodes.flatMap((node, at) => {
    if (node === undefined) return []
    if (node.kind === 'assignment' && node.operator === '=') return leavesOf(node.target)
    if (node.kind !== 'spread') return leavesOf(node)
    if (at < nodes.length - 1) throw broken('... must come last here', node.start)
    return leavesOf(node.value)
  })
}

function withoutParentheses(node: Node): Node {
  return node.kind === 'group' ? withoutParentheses(node.inner) : node
}

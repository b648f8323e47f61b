// Text to tree.
import type { KnownNames } from '../references.ts'
import type { Node } from './nodes.ts'
import { Parser } from './parser.ts'
import { parseUnit } from './unit.ts'

export function parseExpression(source: string, knownNames?: KnownNames): Node {
  const parser = new Parser(source, knownNames, parseUnit)
  const node = parser.expression()
  parser.end()
  return node
}

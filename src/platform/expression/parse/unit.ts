// An operand with what follows it: members, calls, and the templates that would call it.

import { broken } from '../errors.ts'
import { parseAsyncArrow } from './arrow.ts'
import { parseArguments, parseTemplate } from './data.ts'
import type { NameNode, Node, ReferenceNode } from './nodes.ts'
import { parseOperand } from './operand.ts'
import type { Parser } from './parser.ts'

/** Behind `new` there is no call: the first parentheses are those of `new` itself. */
export function parseUnit(parser: Parser, mayCall: boolean): Node {
  const { start } = parser.token
  let node = parser.at('new') ? parseNew(parser) : parseOperand(parser)
  if (node.kind === 'arrow') return node
  let isChain = false
  for (;;) {
    const optionalAt = parser.token.start
    const isOptional = parser.eat('?.')
    if (isOptional && !mayCall) throw broken('?. cannot stand behind new', optionalAt)
    isChain ||= isOptional
    if (parser.at('[')) {
      parser.openBracket()
      const key = parser.expression()
      parser.closeBracket(']')
      node = { kind: 'index', target: node, key, isOptional, ...parser.from(start) }
    } else if (parser.at('(') && mayCall) {
      const mayBeAsync =
        node.kind === 'name' && node.name === 'async' && start === parser.arrowStart && !parser.token.isOnNewLine
      const args = parseArguments(parser)
      if (mayBeAsync && parser.atArrow()) return parseAsyncArrow(parser, start, args)
      node = { kind: 'call', callee: node, args, isOptional, ...parser.from(start) }
    } else if (parser.at('`')) {
      if (isChain) throw broken('?. cannot stand before a template', parser.token.start)
      parseTemplate(parser, true)
      node = { kind: 'unsupported', what: 'a tagged template', ...parser.from(start) }
    } else if (isOptional || parser.eat('.')) {
      const property = parseProperty(parser)
      node = { kind: 'member', target: node, property, isOptional, ...parser.from(start) }
    } else {
      return isChain ? { kind: 'chain', inner: node, ...parser.from(start) } : node
    }
  }
}

function parseNew(parser: Parser): Node {
  const { start } = parser.token
  parser.advance()
  if (parser.at('.')) throw broken('new.target stands in functions only', start)
  parser.enter()
  const callee = parseUnit(parser, false)
  parser.leave()
  const args = parser.at('(') ? parseArguments(parser) : []
  return { kind: 'new', callee, args, ...parser.from(start) }
}

function parseProperty(parser: Parser): NameNode | ReferenceNode {
  const { kind, text: name, start, end } = parser.token
  if (kind !== 'word' && kind !== 'key' && kind !== 'reference') parser.unexpected()
  parser.advance()
  return { kind: kind === 'reference' ? 'reference' : 'name', name, start, end }
}

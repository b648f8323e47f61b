import { ExpressionSyntaxError } from '../errors.ts'
import type { Node, SpreadNode } from './nodes.ts'
import type { Parser } from './parser.ts'
import { checkParameters } from './patterns.ts'

/** With what such a body starts, one that stands on one line looks like a reference. */
const BLOCK_START = /^(?:return|const|let|var|if|for|while|throw|switch|try)\b/

/** The arrow is the present token. */
export function parseArrow(parser: Parser, start: number, parameters: (Node | SpreadNode)[]): Node {
  checkParameters(parameters)
  parser.advance()
  const { token } = parser
  if (parser.at('{') || (token.kind === 'reference' && isBlock(parser, token.text))) {
    const message = 'an arrow function with a block body is not supported; an object is written ({…})'
    throw new ExpressionSyntaxError(message, token.start)
  }
  const body = parser.assignment()
  return { kind: 'arrow', parameters, body, ...parser.from(start) }
}

export function parseAsyncArrow(parser: Parser, start: number, parameters: (Node | SpreadNode)[]): Node {
  parseArrow(parser, start, parameters)
  return { kind: 'unsupported', what: 'an async function', ...parser.from(start) }
}

function isBlock(parser: Parser, name: string): boolean {
  return BLOCK_START.test(name) && !parser.tokens.knownNames?.has(name)
}

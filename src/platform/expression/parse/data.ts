// Literals that hold expressions: lists, objects, templates; and the arguments of a call.

import { broken, ExpressionSyntaxError } from '../errors.ts'
import { bigIntegerName, numberOf, unescaped } from './literals.ts'
import type { EntryNode, KeyNode, Node, SpreadNode } from './nodes.ts'
import type { Parser } from './parser.ts'
import type { Token } from './tokenizer.ts'
import { isReserved } from './words.ts'

export function parseList(parser: Parser): Node {
  const { start } = parser.token
  const elements: (Node | SpreadNode | undefined)[] = []
  parser.openBracket()
  while (!parser.at(']')) {
    if (parser.eat(',')) {
      elements.push(undefined)
      continue
    }
    elements.push(parseElement(parser))
    if (!parser.at(']')) parser.expect(',')
  }
  parser.closeBracket(']')
  return { kind: 'list', elements, ...parser.from(start) }
}

export function parseArguments(parser: Parser): (Node | SpreadNode)[] {
  const args: (Node | SpreadNode)[] = []
  parser.openBracket()
  while (!parser.at(')')) {
    args.push(parseElement(parser))
    if (!parser.at(')')) parser.expect(',')
  }
  parser.closeBracket(')')
  return args
}

export function parseElement(parser: Parser): Node | SpreadNode {
  const { start } = parser.token
  if (!parser.eat('...')) return parser.assignment()
  return { kind: 'spread', value: parser.assignment(), ...parser.from(start) }
}

export function parseObject(parser: Parser): Node {
  const { start } = parser.token
  const entries: (EntryNode | SpreadNode)[] = []
  parser.openBracket()
  while (!parser.at('}')) {
    entries.push(parseEntry(parser))
    if (!parser.at('}')) parser.expect(',')
  }
  parser.closeBracket('}')
  return { kind: 'object', entries, ...parser.from(start) }
}

function parseEntry(parser: Parser): EntryNode | SpreadNode {
  const { token } = parser
  const { start } = token
  if (parser.eat('...')) return { kind: 'spread', value: parser.assignment(), ...parser.from(start) }
  const key = parseKey(parser)
  if (parser.eat(':')) return { kind: 'entry', key, value: parser.assignment(), ...parser.from(start) }
  const isPrefix = isPrefixOfMethod(parser, token)
  if (isPrefix || parser.at('(')) return refuseMethod(parser, start, isPrefix)
  if (token.kind === 'word' && isReserved(token.text)) {
    throw broken(`"${token.text}" is a word of JavaScript that cannot stand here`, start)
  }
  if (key.kind === 'computed' || (token.kind !== 'word' && token.kind !== 'reference')) parser.unexpected(':')
  return { kind: 'entry', key, value: key, ...parser.from(start) }
}

/** Its body is not read: that there is one is enough to know it from a text. */
function refuseMethod(parser: Parser, start: number, isPrefix: boolean): never {
  if (isPrefix && (parser.eat('*') || !parser.at('('))) parseKey(parser)
  if (!parser.at('(')) parser.unexpected('(')
  parseArguments(parser)
  if (!parser.at('{') && parser.token.kind !== 'reference') parser.unexpected('{')
  throw new ExpressionSyntaxError('a method, getter or setter is not supported', start)
}

/** `get a() {…}`, `async a() {…}`, `*a() {…}`. */
function isPrefixOfMethod(parser: Parser, { kind, text }: Token): boolean {
  if (kind === 'sign') return text === '*'
  if (kind !== 'word' || !/^(?:get|set|async)$/.test(text)) return false
  return isKeyToken(parser.token) || parser.at('[') || parser.at('*')
}

function isKeyToken({ kind }: Token): boolean {
  return kind !== 'sign' && kind !== 'unclosed' && kind !== 'end'
}

function parseKey(parser: Parser): KeyNode {
  const { kind, text, start, end } = parser.token
  if (parser.at('[')) {
    parser.openBracket()
    const value = parser.assignment()
    parser.closeBracket(']')
    return { kind: 'computed', value, ...parser.from(start) }
  }
  if (!isKeyToken(parser.token) && !parser.at('*')) parser.unexpected()
  parser.advance()
  if (kind === 'reference') return { kind, name: text, start, end }
  const name = kind === 'number' ? String(numberOf(text, start)) : kind === 'big' ? bigIntegerName(text) : text
  return { kind: 'name', name, start, end }
}

/** A tagged template may hold an invalid escape; its value is not used. */
export function parseTemplate(parser: Parser, isTagged: boolean): Node {
  const { start, end } = parser.token
  const texts: string[] = []
  const values: Node[] = []
  let at = end
  for (;;) {
    const found = parser.tokens.templateText(at)
    if (!found) return parser.unclosedTemplate(start)
    texts.push(isTagged ? found.raw : unescaped(found.raw, at))
    parser.resume(found.end)
    if (!found.opensCode) return { kind: 'template', texts, values, ...parser.from(start) }
    parser.opened('${', found.end - 2)
    values.push(parser.expression())
    parser.closed('}')
    at = parser.token.end
  }
}

// What an expression is made of: literals, names, references, groups and arrow functions.

import { broken, ExpressionSyntaxError } from '../errors.ts'
import { REGEX_PATTERN_CHARACTERS } from '../limits.ts'
import { parseArrow, parseAsyncArrow } from './arrow.ts'
import { parseElement, parseList, parseObject, parseTemplate } from './data.ts'
import { numberOf } from './literals.ts'
import type { NameNode, Node, ReferenceNode, SpreadNode } from './nodes.ts'
import type { Parser } from './parser.ts'
import { isReserved } from './words.ts'

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

export function parseOperand(parser: Parser): Node {
  const { kind, text, start, end } = parser.token
  switch (kind) {
    case 'number':
      parser.advance()
      return { kind: 'literal', value: numberOf(text, start), start, end }
    case 'big':
      parser.advance()
      return { kind: 'unsupported', what: 'a big integer', start, end }
    case 'text':
      parser.advance()
      return { kind: 'text', text, start, end }
    case 'reference':
      parser.advance()
      return parseNamed(parser, { kind, name: text, start, end })
    case 'word':
      return parseWord(parser, text)
    case 'sign':
      return parseSign(parser, text)
    default:
      return parser.unexpected()
  }
}

function parseSign(parser: Parser, sign: string): Node {
  switch (sign) {
    case '(':
      return parseGroup(parser)
    case '[':
      return parseList(parser)
    case '{':
      return parseObject(parser)
    case '`':
      return parseTemplate(parser, false)
    case '/':
    case '/=':
      return parseRegex(parser)
    default:
      return parser.unexpected()
  }
}

function parseWord(parser: Parser, word: string): Node {
  const { start, end } = parser.token
  if (word === 'import') return parseImport(parser)
  if (word === 'function' || word === 'class') return refuseBody(parser, word)
  const literal = LITERALS.get(word)
  if (literal === undefined && word !== 'this' && isReserved(word)) {
    throw broken(`"${word}" is a word of JavaScript that cannot stand here`, start)
  }
  parser.advance()
  if (literal !== undefined) return { kind: 'literal', value: literal, start, end }
  if (word === 'this') return { kind: 'unsupported', what: 'this', start, end }
  if (word === 'async' && !parser.token.isOnNewLine) {
    if (parser.at('function')) return refuseBody(parser, 'function')
    if (parser.token.kind === 'word' && start === parser.arrowStart && !isReserved(parser.token.text)) {
      return parseAsyncName(parser, start)
    }
  }
  return parseNamed(parser, { kind: 'name', name: word, start, end })
}

/** A name or a reference, or the arrow function that has it as its parameter. */
function parseNamed(parser: Parser, node: NameNode | ReferenceNode): Node {
  return node.start === parser.arrowStart && parser.atArrow() ? parseArrow(parser, node.start, [node]) : node
}

function parseAsyncName(parser: Parser, start: number): Node {
  const { text: name, start: nameStart, end } = parser.token
  parser.advance()
  if (!parser.atArrow()) parser.unexpected('=>')
  return parseAsyncArrow(parser, start, [{ kind: 'name', name, start: nameStart, end }])
}

/** Parentheses around an expression, or around parameters. */
function parseGroup(parser: Parser): Node {
  const { start } = parser.token
  const mayBeArrow = start === parser.arrowStart
  const parts: (Node | SpreadNode)[] = []
  /** What only parameters may have. */
  let oddity: ExpressionSyntaxError | undefined
  let comma = start
  parser.openBracket()
  while (!parser.at(')')) {
    if (parser.at('...')) oddity ??= broken('"..." cannot stand here', parser.token.start)
    parts.push(parseElement(parser))
    if (parser.at(')')) break
    comma = parser.token.start
    parser.expect(',')
    if (!parser.at(')')) continue
    oddity ??= broken('nothing follows the comma', comma)
    if (parts.at(-1)?.kind === 'spread') throw oddity
  }
  if (parts.length === 0) oddity = broken('nothing is in these parentheses', start)
  parser.closeBracket(')')
  if (mayBeArrow && parser.atArrow()) return parseArrow(parser, start, parts)
  if (oddity) throw oddity
  return { kind: 'group', inner: sequence(parts, comma), ...parser.from(start) }
}

function sequence(parts: (Node | SpreadNode)[], at: number): Node {
  const [first] = parts
  const last = parts.at(-1)
  if (parts.length === 1 && first && first.kind !== 'spread') return first
  return { kind: 'unsupported', what: 'the comma operator', at, start: first?.start ?? 0, end: last?.end ?? 0 }
}

function parseRegex(parser: Parser): Node {
  const { start } = parser.token
  const { pattern, flags, end } = parser.tokens.regex(start) ?? parser.unclosedRegex(start)
  // A longer one is refused for its length.
  if (pattern.length <= REGEX_PATTERN_CHARACTERS) checkRegex(pattern, flags, start)
  parser.resume(end)
  return { kind: 'regex', pattern, flags, start, end }
}

function checkRegex(pattern: string, flags: string, start: number): void {
  try {
    new RegExp(pattern, flags)
  } catch (error) {
    throw broken(error instanceof Error ? error.message : 'a regular expression is wrong', start)
  }
}

function parseImport(parser: Parser): Node {
  const { start } = parser.token
  parser.advance()
  if (parser.eat('.')) {
    parser.expect('meta')
    return { kind: 'unsupported', what: 'import.meta', ...parser.from(start) }
  }
  if (!parser.at('(')) parser.unexpected('(')
  parser.openBracket()
  parser.assignment()
  parser.closeBracket(')')
  return { kind: 'unsupported', what: 'import', ...parser.from(start) }
}

/** What has statements in it is not read to its end: how it starts is enough to know it. */
function refuseBody(parser: Parser, word: 'function' | 'class'): never {
  const { start } = parser.token
  parser.advance()
  if (word === 'function') parser.eat('*')
  if (parser.token.kind === 'word' && !isReserved(parser.token.text)) parser.advance()
  const isOne = word === 'function' ? parser.at('(') : parser.at('{') || parser.at('extends')
  if (!isOne) parser.unexpected()
  throw new ExpressionSyntaxError(`a ${word} is not supported`, start)
}

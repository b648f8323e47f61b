// Operators, by precedence climbing. Operands are in unit.ts and operand.ts. The parser reads all of JavaScript's expressions but the bodies of functions
// and classes: whether a text is one at all decides what becomes of it (N73), and the compiler says best what is not supported.

import { broken, ExpressionSyntaxError, type SyntaxFault } from '../errors.ts'
import { SOURCE_BRACKETS, SOURCE_DEPTH } from '../limits.ts'
import type { KnownNames } from '../references.ts'
import { insteadOf } from './instead.ts'
import type { LogicalNode, Node, Place } from './nodes.ts'
import { checkLeftSide, checkTarget } from './patterns.ts'
import { type Token, Tokenizer } from './tokenizer.ts'

const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  [
    ['??', '||'],
    ['&&'],
    ['|'],
    ['^'],
    ['&'],
    ['==', '!=', '===', '!=='],
    ['<', '<=', '>', '>=', 'in', 'instanceof'],
    ['<<', '>>', '>>>'],
    ['+', '-'],
    ['*', '/', '%'],
  ].flatMap((operators, level) => operators.map(operator => [operator, level + 1] as const)),
)
const OF_AND = 2
const LOGICAL = new Set<string>(['&&', '||', '??'])
const PREFIXES = new Set(['!', '-', '+', '~', 'typeof', 'void', 'delete', 'await'])
const ASSIGNMENTS = new Set('= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??='.split(' '))

const TOKEN_SHOWN = 20

/** Reads an operand; given to the parser, because operands hold expressions again. */
export type ParseUnit = (parser: Parser, mayCall: boolean) => Node

export class Parser {
  readonly tokens: Tokenizer
  token: Token
  /** Where the token before this one ends. */
  lastEnd = 0
  /** Where an arrow function may start: where a whole expression does. */
  arrowStart = -1
  private depth = 0
  private readonly parseUnit: ParseUnit
  private readonly open: { bracket: string; start: number }[] = []

  constructor(source: string, knownNames: KnownNames | undefined, parseUnit: ParseUnit) {
    this.parseUnit = parseUnit
    this.tokens = new Tokenizer(source, knownNames)
    this.token = this.tokens.next()
  }

  advance(): void {
    const { kind, start, end } = this.token
    this.lastEnd = end
    this.token = this.tokens.next()
    // A value is no function, so this is text where it may be (N73).
    if (kind === 'reference' && this.at('(')) {
      throw new ExpressionSyntaxError('calling a reference is not supported', start, 'words')
    }
  }

  /** Goes on in code, behind what was read as something else. */
  resume(at: number): void {
    this.lastEnd = at
    this.tokens.resume(at)
    this.token = this.tokens.next()
  }

  at(text: string): boolean {
    return this.token.text === text && (this.token.kind === 'sign' || this.token.kind === 'word')
  }

  /** An arrow on the line where its parameters end. */
  atArrow(): boolean {
    return this.at('=>') && !this.token.isOnNewLine
  }

  eat(text: string): boolean {
    const isThere = this.at(text)
    if (isThere) this.advance()
    return isThere
  }

  expect(text: string): void {
    if (!this.eat(text)) this.unexpected(text)
  }

  /** An opening bracket is the present token. */
  openBracket(): void {
    this.opened(this.token.text, this.token.start)
    this.advance()
  }

  closeBracket(closing: string): void {
    this.closed(closing)
    this.advance()
  }

  opened(bracket: string, start: number): void {
    this.open.push({ bracket, start })
    if (this.open.length > SOURCE_BRACKETS) throw new ExpressionSyntaxError('nests too deeply', start)
  }

  /** The closing one is the present token. */
  closed(closing: string): void {
    if (!this.at(closing)) this.unexpected(closing)
    this.open.pop()
  }

  /** Goes one level deeper; an error ends everything, so that only success comes back. */
  enter(): void {
    this.depth += 1
    if (this.depth > SOURCE_DEPTH) throw new ExpressionSyntaxError('nests too deeply', this.token.start)
  }

  leave(): void {
    this.depth -= 1
  }

  unexpected(wanted?: string): never {
    const { kind, start, end } = this.token
    const bracket = this.open.at(-1)
    if (bracket && (kind === 'end' || kind === 'unclosed')) this.breaksOff(bracket)
    if (kind === 'unclosed') this.ends('a text in quotes is not closed', start)
    const instead = wanted === undefined ? '' : `${JSON.stringify(wanted)} is missing `
    if (kind === 'end') this.ends(wanted === undefined ? 'it ends too soon' : `${instead}at its end`, start)
    const shown = JSON.stringify(this.tokens.source.slice(start, Math.min(end, start + TOKEN_SHOWN)))
    throw broken(
      (wanted === undefined ? `${shown} cannot stand here` : `${instead}before ${shown}`) +
        insteadOf(this.tokens.source, start),
      start,
    )
  }

  /** A template that never ends. */
  unclosedTemplate(start: number): never {
    const bracket = this.open.at(-1)
    if (bracket) this.breaksOff(bracket)
    this.ends('a text in backticks is not closed', start)
  }

  /** A slash in a text may be no more than that. */
  unclosedRegex(start: number): never {
    const bracket = this.open.at(-1)
    if (bracket) this.breaksOff(bracket)
    throw broken('a regular expression is not closed', start)
  }

  private breaksOff({ bracket, start }: { bracket: string; start: number }): never {
    this.ends(`${JSON.stringify(bracket)} is not closed`, start, 'cut-off')
  }

  private ends(how: string, start: number, fault: SyntaxFault = 'ends'): never {
    throw new ExpressionSyntaxError(`breaks off: ${how}`, start, fault)
  }

  /** Nothing may follow a whole expression. */
  end(): void {
    const { kind, text, start } = this.token
    if (kind === 'end') return
    if (kind === 'unclosed') throw broken('a text in quotes is not closed', start)
    if (kind === 'sign' && /^[)\]}]$/.test(text)) throw broken(`"${text}" closes nothing`, start)
    throw new ExpressionSyntaxError(
      `holds more than one expression${insteadOf(this.tokens.source, start)}`,
      start,
      'broken',
    )
  }

  /** As wide as it gets: with commas. */
  expression(): Node {
    const first = this.assignment()
    const at = this.token.start
    if (!this.at(',')) return first
    while (this.eat(',')) this.assignment()
    return { kind: 'unsupported', what: 'the comma operator', at, ...this.from(first.start) }
  }

  /** An element, an argument, a value: what a comma ends. */
  assignment(): Node {
    this.enter()
    this.arrowStart = this.token.start
    const target = this.choice()
    const { kind, text: operator, start } = this.token
    const isAssignment = kind === 'sign' && ASSIGNMENTS.has(operator)
    if (isAssignment) {
      // What stands behind && is meant as a comparison: the compiler says so.
      if (operator !== '=') checkTarget(target)
      else if (target.kind !== 'logical') checkLeftSide(target, start)
      this.advance()
      this.assignment()
    }
    this.leave()
    return isAssignment ? { kind: 'assignment', operator, target, ...this.from(target.start) } : target
  }

  from(start: number): Place {
    return { start, end: this.lastEnd }
  }

  private choice(): Node {
    const test = this.binary(0)
    if (!this.eat('?')) return test
    const whenTrue = this.assignment()
    this.expect(':')
    const whenFalse = this.assignment()
    return { kind: 'choice', test, whenTrue, whenFalse, ...this.from(test.start) }
  }

  /** Operators that bind closer than `above`. */
  private binary(above: number): Node {
    let left = this.power()
    for (;;) {
      const { kind, text: operator } = this.token
      const precedence = kind === 'sign' || kind === 'word' ? (PRECEDENCE.get(operator) ?? 0) : 0
      if (precedence <= above) return left
      this.advance()
      this.enter()
      const right = this.binary(operator === '??' ? OF_AND : precedence)
      this.leave()
      const place = this.from(left.start)
      if (isLogical(operator)) {
        left = { kind: 'logical', operator, left, right, ...place }
        this.checkMixing(operator)
      } else {
        left = { kind: 'binary', operator, left, right, ...place }
      }
    }
  }

  /** JavaScript leaves it open which of them would bind closer. */
  private checkMixing(operator: LogicalNode['operator']): void {
    const { text, start } = this.token
    if (!this.at('??') && (operator !== '??' || !(this.at('&&') || this.at('||')))) return
    if (text !== operator) throw broken(`${operator} and ${text} need parentheses between them`, start)
  }

  private power(): Node {
    const base = this.prefixed()
    if (!this.at('**')) return base
    if (base.kind === 'unary') throw broken(`${base.operator} before ** needs parentheses`, base.start)
    this.advance()
    this.enter()
    const right = this.power()
    this.leave()
    return { kind: 'binary', operator: '**', left: base, right, ...this.from(base.start) }
  }

  private prefixed(): Node {
    const { kind, text: operator, start } = this.token
    const isSign = kind === 'sign' || kind === 'word'
    if (isSign && (PREFIXES.has(operator) || isUpdate(operator))) {
      this.advance()
      this.enter()
      const operand = this.prefixed()
      this.leave()
      if (!isUpdate(operator)) return { kind: 'unary', operator, operand, ...this.from(start) }
      checkTarget(operand)
      return { kind: 'unsupported', what: '++ or --', ...this.from(start) }
    }
    const operand = this.parseUnit(this, true)
    if (this.token.kind !== 'sign' || !isUpdate(this.token.text) || this.token.isOnNewLine) return operand
    checkTarget(operand)
    const at = this.token.start
    this.advance()
    return { kind: 'unsupported', what: '++ or --', at, ...this.from(start) }
  }
}

function isLogical(operator: string): operator is LogicalNode['operator'] {
  return LOGICAL.has(operator)
}

function isUpdate(operator: string): boolean {
  return operator === '++' || operator === '--'
}

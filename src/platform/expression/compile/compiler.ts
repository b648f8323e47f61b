// Turns acorn's tree into closures, once. What is not named here does not exist: any other kind of node is refused with
// its position. Arrow functions never become values, so one is never active twice and its parameters have fixed slots. // N31

import type { AnyNode, Expression, TemplateLiteral } from 'acorn'
import { nearest } from '../../nearest.ts'
import { fillText, toText } from '../coerce.ts'
import { ExpressionSyntaxError, type SyntaxFault } from '../errors.ts'
import { CUT, type Run } from '../evaluation.ts'
import { GLOBAL_FUNCTIONS, NAMESPACES } from '../library/globals.ts'
import { BINARY_OPERATORS, UNARY_OPERATORS } from '../library/operators.ts'
import { SOURCE_DEPTH } from '../limits.ts'
import { type KnownNames, type MarkedSource, type TextPart, textParts } from '../references.ts'
import { asData } from '../values.ts'
import { compileCall, compileNew } from './compile-call.ts'
import { compileArray, compileMember, compileObject } from './compile-data.ts'

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
])

const NODE_NAMES: Readonly<Record<string, string>> = {
  ArrowFunctionExpression: 'an arrow function that is not the argument of a method',
  AssignmentExpression: 'an assignment (to compare, use ===)',
  AwaitExpression: 'await',
  ClassExpression: 'a class',
  FunctionExpression: 'a function',
  ImportExpression: 'import',
  MetaProperty: 'import.meta',
  SequenceExpression: 'the comma operator',
  TaggedTemplateExpression: 'a tagged template',
  ThisExpression: 'this',
  UpdateExpression: '++ or --',
  YieldExpression: 'yield',
}

/** Whoever writes a method means one: also a distant one is named. */
const LETTERS_PER_SLIP = 2

const isKnown = (name: string) => GLOBAL_FUNCTIONS.has(name) || NAMESPACES.has(name)

export class Compiler {
  readonly references = new Set<string>()
  readonly referencesAt: ReadonlyMap<number, string>
  private readonly code: string
  private readonly knownNames: KnownNames | undefined
  private readonly parameters: Map<string, number>[] = []
  private depth = 0
  nodeCount = 0
  slotCount = 0

  constructor({ code, referencesAt }: MarkedSource, knownNames?: KnownNames) {
    this.code = code
    this.referencesAt = referencesAt
    this.knownNames = knownNames
  }

  refuse(what: string, node: { start: number }, fault: SyntaxFault = 'unsupported'): never {
    const position = this.referencesAt.has(node.start) ? node.start - 1 : node.start
    throw new ExpressionSyntaxError(`${what} is not supported`, position, fault)
  }

  /** A name that there is not among those that there are. */
  refuseName(what: string, name: string, known: Iterable<string>, node: { start: number }): never {
    const near = nearest(name, known, LETTERS_PER_SLIP)
    const advice = near === undefined ? '' : `; the nearest that is supported is ${near}()`
    throw new ExpressionSyntaxError(`${what} is not supported${advice}`, node.start)
  }

  /** Whether this is a word that means nothing here, as in a text. */
  isWord(node: AnyNode): boolean {
    if (node.type !== 'Identifier' || !this.isGlobal(node)) return false
    return !CONSTANTS.has(node.name) && !isKnown(node.name) && node.name !== 'Date'
  }

  /** A word that means nothing here. Code has no space before a bracket or a dot; words of a text have. */
  unknown({ name, start, end }: { name: string; start: number; end: number }): never {
    const near = nearest(name, [...GLOBAL_FUNCTIONS.keys(), ...NAMESPACES.keys()])
    const isCode = near !== undefined || /^[(.[]/.test(this.code.slice(end))
    const advice = near === undefined ? `a reference is written {${name}}` : `did you mean ${near}?`
    throw new ExpressionSyntaxError(`"${name}" is not known; ${advice}`, start, isCode ? 'unsupported' : 'words')
  }

  compile(node: Expression): Run {
    this.nodeCount += 1
    this.depth += 1
    if (this.depth > SOURCE_DEPTH) throw new ExpressionSyntaxError('nests too deeply', node.start)
    const run = this.compileNode(node)
    this.depth -= 1
    return run
  }

  reference(name: string): Run {
    this.references.add(name)
    return evaluation => asData(evaluation.scope(name))
  }

  text(parts: TextPart[]): Run {
    const [only] = parts
    if (only === undefined) return () => ''
    if (parts.length === 1 && typeof only === 'string') return () => only
    const runs = parts.map(part => (typeof part === 'string' ? part : this.reference(part.reference)))
    return evaluation => {
      let made = ''
      for (const run of runs) made += typeof run === 'string' ? run : fillText(evaluation, run(evaluation))
      return evaluation.text(made)
    }
  }

  /** The slot of a parameter of the arrow functions around this place. */
  parameter(name: string): number | undefined {
    return this.parameters.findLast(names => names.has(name))?.get(name)
  }

  within<Result>(names: Map<string, number>, compile: () => Result): Result {
    this.parameters.push(names)
    const result = compile()
    this.parameters.pop()
    return result
  }

  /** A name that stands for a function or a namespace here, unless a parameter hides it. */
  isGlobal(node: AnyNode, name?: string): boolean {
    if (node.type !== 'Identifier' || this.referencesAt.has(node.start)) return false
    return (name === undefined || node.name === name) && this.parameter(node.name) === undefined
  }

  private compileNode(node: Expression): Run {
    switch (node.type) {
      case 'Literal':
        return this.literal(node)
      case 'TemplateLiteral':
        return this.template(node)
      case 'Identifier':
        return this.identifier(node)
      case 'ParenthesizedExpression':
        return this.compile(node.expression)
      case 'UnaryExpression': {
        const operator = UNARY_OPERATORS.get(node.operator) ?? this.refuse(`the operator "${node.operator}"`, node)
        const operand = this.compile(node.argument)
        return evaluation => operator(evaluation, operand(evaluation))
      }
      case 'BinaryExpression': {
        if (node.left.type === 'PrivateIdentifier') return this.refuse('a private name', node)
        const operator = BINARY_OPERATORS.get(node.operator)
        if (!operator) {
          const isText = this.isWord(node.left) || this.isWord(node.right)
          return this.refuse(`the operator "${node.operator}"`, node, isText ? 'words' : 'unsupported')
        }
        const left = this.compile(node.left)
        const right = this.compile(node.right)
        return evaluation => operator(evaluation, left(evaluation), right(evaluation))
      }
      case 'LogicalExpression': {
        const left = this.compile(node.left)
        const right = this.compile(node.right)
        if (node.operator === '&&') return evaluation => left(evaluation) && right(evaluation)
        if (node.operator === '||') return evaluation => left(evaluation) || right(evaluation)
        return evaluation => left(evaluation) ?? right(evaluation)
      }
      case 'ConditionalExpression': {
        const test = this.compile(node.test)
        const consequent = this.compile(node.consequent)
        const alternate = this.compile(node.alternate)
        return evaluation => (test(evaluation) ? consequent(evaluation) : alternate(evaluation))
      }
      case 'ChainExpression': {
        const chain = this.compile(node.expression)
        return evaluation => {
          const value = chain(evaluation)
          return value === CUT ? undefined : value
        }
      }
      case 'ArrayExpression':
        return compileArray(this, node.elements)
      case 'ObjectExpression':
        return compileObject(this, node)
      case 'MemberExpression':
        return compileMember(this, node)
      case 'CallExpression':
        return compileCall(this, node)
      case 'NewExpression':
        return compileNew(this, node)
      default:
        return this.refuse(NODE_NAMES[node.type] ?? node.type, node)
    }
  }

  private literal(node: Extract<Expression, { type: 'Literal' }>): Run {
    const { value } = node
    if (node.regex) return this.refuse('a regular expression that is not used by a method', node)
    if (typeof value === 'bigint') return this.refuse('a big integer', node)
    return typeof value === 'string' ? this.text(textParts(value, this.knownNames)) : () => value
  }

  private template(node: TemplateLiteral): Run {
    const texts = node.quasis.map(quasi => this.text(textParts(quasi.value.cooked ?? '', this.knownNames)))
    const values = node.expressions.map(expression => this.compile(expression))
    return evaluation => {
      let made = ''
      for (const [index, text] of texts.entries()) {
        const value = values[index]
        made += text(evaluation)
        if (value) made += toText(evaluation, value(evaluation))
        evaluation.room(made.length)
      }
      return evaluation.text(made)
    }
  }

  private identifier(node: Extract<Expression, { type: 'Identifier' }>): Run {
    const referenced = this.referencesAt.get(node.start)
    if (referenced !== undefined) return this.reference(referenced)
    const slot = this.parameter(node.name)
    if (slot !== undefined) return evaluation => evaluation.slots[slot]
    if (CONSTANTS.has(node.name)) {
      const value = CONSTANTS.get(node.name)
      return () => value
    }
    if (isKnown(node.name)) return this.refuse(`${node.name} as a value`, node)
    return this.unknown(node)
  }
}

// Turns the tree into closures, once. What is not named here does not exist: any other kind of node is refused with
// its position. Arrow functions never become values, so one is never active twice and its parameters have fixed slots. // N31

import { nearest } from '../../nearest.ts'
import { fillText, toText } from '../coerce.ts'
import { ExpressionSyntaxError, type SyntaxFault } from '../errors.ts'
import { CUT, type Run } from '../evaluation.ts'
import { GLOBAL_FUNCTIONS, NAMESPACES } from '../library/globals.ts'
import { BINARY_OPERATORS, UNARY_OPERATORS } from '../library/operators.ts'
import { SOURCE_DEPTH } from '../limits.ts'
import type {
  CallNode,
  IndexNode,
  ListNode,
  MemberNode,
  NameNode,
  NewNode,
  Node,
  ObjectNode,
  TemplateNode,
} from '../parse/nodes.ts'
import { type KnownNames, type TextPart, textParts } from '../references.ts'
import { asData } from '../values.ts'

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
])

/** Methods that have another name here. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['trimLeft', 'trimStart()'],
  ['trimRight', 'trimEnd()'],
  ['strip', 'trim()'],
  ['contains', 'includes()'],
  ['upper', 'toUpperCase()'],
  ['lower', 'toLowerCase()'],
  ['left', 'slice()'],
  ['right', 'slice()'],
  ['mid', 'slice()'],
  ['length', '.length without parentheses, with the whole in parentheses: ({…}.length)'],
])

/** A method call means a method, so even a distant name is suggested. */
const LETTERS_PER_SLIP = 2

const isKnown = (name: string) => GLOBAL_FUNCTIONS.has(name) || NAMESPACES.has(name)

/** Compile kinds of nodes that hold others; given to the compiler, because they call it again. */
export interface NodeCompilers {
  array(compiler: Compiler, elements: ListNode['elements']): Run
  object(compiler: Compiler, node: ObjectNode): Run
  member(compiler: Compiler, node: MemberNode | IndexNode): Run
  call(compiler: Compiler, node: CallNode): Run
  make(compiler: Compiler, node: NewNode): Run
}

export class Compiler {
  readonly references = new Set<string>()
  private readonly compilers: NodeCompilers
  private readonly source: string
  private readonly knownNames: KnownNames | undefined
  private readonly parameters: Map<string, number>[] = []
  private depth = 0
  nodeCount = 0
  slotCount = 0

  constructor(compilers: NodeCompilers, source: string, knownNames?: KnownNames) {
    this.compilers = compilers
    this.source = source
    this.knownNames = knownNames
  }

  refuse(
    what: string,
    { start, at = start }: { start: number; at?: number },
    fault: SyntaxFault = 'unsupported',
  ): never {
    throw new ExpressionSyntaxError(`${what} is not supported`, at, fault)
  }

  /** A name that there is not among those that there are. */
  refuseName(what: string, name: string, known: Iterable<string>, node: { start: number }): never {
    const near = nearest(name, known, LETTERS_PER_SLIP)
    const meant = MEANT.get(name) ?? (near && `${near}()`)
    const advice = meant === undefined ? '' : `; the nearest that is supported is ${meant}`
    throw new ExpressionSyntaxError(`${what} is not supported${advice}`, node.start)
  }

  /** Whether this is a word that means nothing here, as in a text. */
  isWord(node: Node): boolean {
    if (node.kind !== 'name' || !this.isGlobal(node)) return false
    return !CONSTANTS.has(node.name) && !isKnown(node.name) && node.name !== 'Date'
  }

  /** Code has no space before a bracket or a dot; words of a text have. */
  isCode({ end }: NameNode): boolean {
    return /[(.[]/.test(this.source.charAt(end))
  }

  /** A word that means nothing here. */
  unknown(node: NameNode): never {
    const { name, start } = node
    const near = nearest(name, [...GLOBAL_FUNCTIONS.keys(), ...NAMESPACES.keys()])
    const isCode = near !== undefined || this.isCode(node)
    const advice = near === undefined ? `a reference is written {${name}}, a text '${name}'` : `did you mean ${near}?`
    throw new ExpressionSyntaxError(`"${name}" is not known; ${advice}`, start, isCode ? 'unsupported' : 'words')
  }

  compile(node: Node): Run {
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
  isGlobal(node: Node, name?: string): boolean {
    if (node.kind !== 'name') return false
    return (name === undefined || node.name === name) && this.parameter(node.name) === undefined
  }

  private compileNode(node: Node): Run {
    switch (node.kind) {
      case 'literal': {
        const { value } = node
        return () => value
      }
      case 'text':
        return this.text(textParts(node.text, this.knownNames))
      case 'template':
        return this.template(node)
      case 'regex':
        return this.refuse('a regular expression that is not used by a method', node)
      case 'reference':
        return this.reference(node.name)
      case 'name':
        return this.name(node)
      case 'group':
        return this.compile(node.inner)
      case 'unary': {
        const operator = UNARY_OPERATORS.get(node.operator) ?? this.refuse(`the operator "${node.operator}"`, node)
        const operand = this.compile(node.operand)
        return evaluation => operator(evaluation, operand(evaluation))
      }
      case 'binary': {
        const operator = BINARY_OPERATORS.get(node.operator)
        if (!operator) {
          const isText = this.isWord(node.left) || this.isWord(node.right)
          const place = this.operatorBehind(node.left, node.operator)
          return this.refuse(`the operator "${node.operator}"`, place, isText ? 'words' : 'unsupported')
        }
        const left = this.compile(node.left)
        const right = this.compile(node.right)
        return evaluation => operator(evaluation, left(evaluation), right(evaluation))
      }
      case 'logical': {
        const left = this.compile(node.left)
        const right = this.compile(node.right)
        if (node.operator === '&&') return evaluation => left(evaluation) && right(evaluation)
        if (node.operator === '||') return evaluation => left(evaluation) || right(evaluation)
        return evaluation => left(evaluation) ?? right(evaluation)
      }
      case 'choice': {
        const test = this.compile(node.test)
        const whenTrue = this.compile(node.whenTrue)
        const whenFalse = this.compile(node.whenFalse)
        return evaluation => (test(evaluation) ? whenTrue(evaluation) : whenFalse(evaluation))
      }
      case 'chain': {
        const chain = this.compile(node.inner)
        return evaluation => {
          const value = chain(evaluation)
          return value === CUT ? undefined : value
        }
      }
      case 'list':
        return this.compilers.array(this, node.elements)
      case 'object':
        return this.compilers.object(this, node)
      case 'member':
      case 'index':
        return this.compilers.member(this, node)
      case 'call':
        return this.compilers.call(this, node)
      case 'new':
        return this.compilers.make(this, node)
      case 'arrow':
        return this.refuse('an arrow function that is not the argument of a method', node)
      case 'assignment':
        return this.refuse('an assignment (to compare, use ===)', this.operatorBehind(node.target, node.operator))
      case 'unsupported':
        return this.refuse(node.what, node)
    }
  }

  private operatorBehind({ end }: Node, operator: string): { start: number } {
    return { start: this.source.indexOf(operator, end) }
  }

  private template({ texts, values }: TemplateNode): Run {
    const fixed = texts.map(text => this.text(textParts(text, this.knownNames)))
    const filled = values.map(value => this.compile(value))
    return evaluation => {
      let made = ''
      for (const [index, text] of fixed.entries()) {
        const value = filled[index]
        made += text(evaluation)
        if (value) made += toText(evaluation, value(evaluation))
        evaluation.room(made.length)
      }
      return evaluation.text(made)
    }
  }

  private name(node: NameNode): Run {
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

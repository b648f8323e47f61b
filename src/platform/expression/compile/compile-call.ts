// Calls. A method is called on its receiver by name and never read as a value; the receiver's type picks it from the
// allow-list at run time. Arrow functions and regular expressions stand only in the places that take them.

import { ExpressionError, ExpressionSyntaxError } from '../errors.ts'
import { CUT, type Evaluation, type Run } from '../evaluation.ts'
import { ARRAY_METHODS } from '../library/array-methods.ts'
import { GLOBAL_FUNCTIONS, makeDate, NAMESPACES, type NamedFunction } from '../library/globals.ts'
import type { Callback, Method } from '../library/method.ts'
import { BOOLEAN_METHODS, DATE_METHODS, NUMBER_METHODS, REGEX_METHODS } from '../library/scalar-methods.ts'
import { STRING_METHODS } from '../library/string-methods.ts'
import type { CallNode, MemberNode, NameNode, NewNode, Node, RegexNode, SpreadNode } from '../parse/nodes.ts'
import { SafeRegex } from '../regex/regex.ts'
import { describe, readOwn } from '../values.ts'
import { compileArrow } from './compile-arrow.ts'
import { compileArray, memberName } from './compile-data.ts'
import type { Compiler } from './compiler.ts'

type Arguments = (evaluation: Evaluation) => unknown[]

export function compileCall(compiler: Compiler, node: CallNode): Run {
  const callee = bare(node.callee)
  const named = namedFunction(compiler, callee)
  if (named) {
    if (node.isOptional) return compiler.refuse('?. on a function', node)
    const args = compileArguments(compiler, node, {})
    return evaluation => named(evaluation, args(evaluation))
  }
  if (callee.kind === 'name') {
    refuseFunction(compiler, callee, node.args[0])
    return compiler.parameter(callee.name) === undefined
      ? compiler.unknown(callee)
      : compiler.refuse(`calling "${callee.name}"`, node)
  }
  if (callee.kind === 'index') return compiler.refuse('calling a computed name', node)
  if (callee.kind !== 'member') return compiler.refuse('calling anything but a method by its name', node)
  const target = bare(callee.target)
  if (target.kind !== 'regex') return compileMethodCall(compiler, node, callee)
  return compileRegexCall(compiler, node, callee, safeRegex(target))
}

export function compileNew(compiler: Compiler, node: NewNode): Run {
  if (!compiler.isGlobal(node.callee, 'Date')) return compiler.refuse('new of anything but Date', node)
  if (node.args.length === 0) return compiler.refuse('new Date() without an argument', node)
  if (node.args.some(isSpread)) return compiler.refuse('spread in new', node)
  const args = compileArguments(compiler, node, {})
  return evaluation => makeDate(evaluation, args(evaluation))
}

function compileRegexCall(compiler: Compiler, node: CallNode, callee: MemberNode, regex: SafeRegex): Run {
  const name = memberName(compiler, callee)
  const method = REGEX_METHODS.get(name) ?? compiler.refuse(`${name}() of a regular expression`, callee.property)
  const args = compileArguments(compiler, node, {})
  return evaluation => method.call(evaluation, regex, args(evaluation))
}

function compileMethodCall(compiler: Compiler, node: CallNode, callee: MemberNode): Run {
  const name = memberName(compiler, callee)
  const onString = STRING_METHODS.get(name)
  const onArray = ARRAY_METHODS.get(name)
  const onNumber = NUMBER_METHODS.get(name)
  const onBoolean = BOOLEAN_METHODS.get(name)
  const onDate = DATE_METHODS.get(name)
  const any = onString ?? onArray ?? onNumber ?? onBoolean ?? onDate
  if (!any) {
    // What is made there may be at fault.
    if (callee.target.kind === 'new') compiler.compile(callee.target)
    if (callee.target.kind === 'name' && compiler.isWord(callee.target)) return compiler.unknown(callee.target)
    return compiler.refuseName(`the method ${name}()`, name, METHOD_NAMES, callee.property)
  }
  const target = compiler.compile(callee.target)
  const args = compileArguments(compiler, node, any)

  return evaluation => {
    const receiver = target(evaluation)
    if (typeof receiver === 'string' && onString) {
      evaluation.characters(receiver.length)
      const result = onString.call(evaluation, receiver, args(evaluation))
      return typeof result === 'string' ? evaluation.text(result) : result
    }
    if (typeof receiver === 'number' && onNumber) return onNumber.call(evaluation, receiver, args(evaluation))
    if (typeof receiver === 'boolean' && onBoolean) return onBoolean.call(evaluation, receiver, args(evaluation))
    if (Array.isArray(receiver) && onArray) return onArray.call(evaluation, receiver, args(evaluation))
    if (receiver instanceof Date && onDate) return onDate.call(evaluation, receiver, args(evaluation))
    if (receiver === CUT) return CUT
    if (callee.isOptional && (receiver === undefined || receiver === null)) return CUT
    if (node.isOptional && isAbsent(readOwn(receiver, name))) return CUT
    throw new ExpressionError(`cannot call ${name}() on ${describe(receiver)}`)
  }
}

/** What spreadsheets have as a function is a method here. */
function refuseFunction(compiler: Compiler, callee: NameNode, on: Node | SpreadNode | undefined): void {
  const { name, start } = callee
  const instead = OF_SHEETS.get(name.toLowerCase())
  if (instead !== undefined && compiler.isCode(callee) && compiler.parameter(name) === undefined) {
    throw new ExpressionSyntaxError(`there is no function ${name}; write ${instead}`, start)
  }
  const method = METHOD_NAMES.find(one => one.toLowerCase().includes(name.toLowerCase()))
  if (!method || name.length < 3 || on?.kind !== 'reference' || compiler.parameter(name) !== undefined) return
  throw new ExpressionSyntaxError(`there is no function ${name}; write {${on.name}}.${method}()`, start)
}

/** What they have as a function, and what is written here. */
const OF_SHEETS: ReadonlyMap<string, string> = new Map([
  ['left', '{…}.slice(0, 2)'],
  ['len', '({…}.length)'],
])

const METHOD_NAMES = [STRING_METHODS, ARRAY_METHODS, NUMBER_METHODS, BOOLEAN_METHODS, DATE_METHODS].flatMap(methods => [
  ...methods.keys(),
])

/** Whether nothing else is called like that: `.at` and `.test` are ends of addresses and files, too. */
export function isOnlyMethod(name: string): boolean {
  return name === 'length' || (name.length > 4 && METHOD_NAMES.includes(name))
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

/** `parseInt`, `Math.max`: a function of the language by its name. */
function namedFunction(compiler: Compiler, callee: Node): NamedFunction | undefined {
  if (callee.kind === 'name') return compiler.isGlobal(callee) ? GLOBAL_FUNCTIONS.get(callee.name) : undefined
  if ((callee.kind !== 'member' && callee.kind !== 'index') || callee.target.kind !== 'name') return undefined
  const namespace = compiler.isGlobal(callee.target) ? NAMESPACES.get(callee.target.name) : undefined
  if (!namespace) return undefined
  const name = memberName(compiler, callee)
  const space = callee.target.name
  if (name === 'random') compiler.refuse('Math.random() (the same row gives the same answer)', callee)
  const known = [...namespace.functions.keys()].map(one => `${space}.${one}`)
  return namespace.functions.get(name) ?? compiler.refuseName(`${space}.${name}()`, `${space}.${name}`, known, callee)
}

function compileArguments(
  compiler: Compiler,
  node: CallNode | NewNode,
  method: Pick<Method<never>, 'callbackAt' | 'takesRegex'>,
): Arguments {
  const special = node.args.map((argument, index): Run | undefined => {
    if (isSpread(argument)) return undefined
    const inner = bare(argument)
    if (inner.kind === 'regex' && index === 0 && method.takesRegex) {
      const regex = safeRegex(inner)
      return () => regex
    }
    if (index !== method.callbackAt || node.args[0]?.kind === 'spread') return undefined
    return inner.kind === 'arrow' ? compileArrow(compiler, inner) : namedCallback(inner)
  })
  if (node.args.some(isSpread)) {
    if (special.some(run => run !== undefined)) return compiler.refuse('spread beside this argument', node)
    return compileArray(compiler, node.args) as Arguments
  }
  const runs = node.args.flatMap((argument, index) =>
    isSpread(argument) ? [] : [special[index] ?? compiler.compile(argument)],
  )
  const [first, second] = runs
  if (!first) return () => []
  if (!second) return evaluation => [first(evaluation)]
  if (runs.length === 2) return evaluation => [first(evaluation), second(evaluation)]
  return evaluation => runs.map(run => run(evaluation))

  function namedCallback(inner: Node): Run | undefined {
    const named = isNamed(compiler, inner) ? namedFunction(compiler, inner) : undefined
    if (!named) return undefined
    return (evaluation): Callback =>
      (...args) => {
        evaluation.step(1)
        return named(evaluation, args)
      }
  }
}

/** Whether an argument is such a name, and not a constant like Math.PI. */
function isNamed(compiler: Compiler, node: Node): boolean {
  if (node.kind === 'name') return GLOBAL_FUNCTIONS.has(node.name)
  if (node.kind !== 'member' || node.target.kind !== 'name' || node.property.kind !== 'name') return false
  return compiler.isGlobal(node.target) && Boolean(NAMESPACES.get(node.target.name)?.functions.has(node.property.name))
}

function isSpread(node: Node | SpreadNode): node is SpreadNode {
  return node.kind === 'spread'
}

function bare(node: Node): Node {
  return node.kind === 'group' ? bare(node.inner) : node
}

function safeRegex({ pattern, flags, start }: RegexNode): SafeRegex {
  return new SafeRegex(pattern, flags, start)
}

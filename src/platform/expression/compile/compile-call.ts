// Calls. A method is called on its receiver by name and never read as a value; the receiver's type picks it from the
// allow-list at run time. Arrow functions and regular expressions stand only in the places that take them.

import type { ArrowFunctionExpression, CallExpression, Expression, MemberExpression, NewExpression } from 'acorn'
import { ExpressionError } from '../errors.ts'
import { CUT, type Evaluation, type Run } from '../evaluation.ts'
import { ARRAY_METHODS } from '../library/array-methods.ts'
import { GLOBAL_FUNCTIONS, makeDate, NAMESPACES, type NamedFunction } from '../library/globals.ts'
import type { Callback, Method } from '../library/method.ts'
import { BOOLEAN_METHODS, DATE_METHODS, NUMBER_METHODS, REGEX_METHODS } from '../library/scalar-methods.ts'
import { STRING_METHODS } from '../library/string-methods.ts'
import { SafeRegex } from '../regex/regex.ts'
import { describe, readOwn } from '../values.ts'
import { compileArrow } from './compile-arrow.ts'
import { compileArray, memberName } from './compile-data.ts'
import type { Compiler } from './compiler.ts'

type Arguments = (evaluation: Evaluation) => unknown[]

export function compileCall(compiler: Compiler, node: CallExpression): Run {
  const callee = bare(node.callee)
  const named = namedFunction(compiler, callee)
  if (named) {
    if (node.optional) return compiler.refuse('?. on a function', node)
    const args = compileArguments(compiler, node, {})
    return evaluation => named(evaluation, args(evaluation))
  }
  if (callee.type === 'Identifier') {
    if (compiler.referencesAt.has(callee.start)) return compiler.refuse('calling a reference', callee)
    return compiler.parameter(callee.name) === undefined
      ? compiler.unknown(callee)
      : compiler.refuse(`calling "${callee.name}"`, node)
  }
  if (callee.type !== 'MemberExpression') return compiler.refuse('calling anything but a method by its name', node)
  if (callee.computed) return compiler.refuse('calling a computed name', node)
  const regex = regexLiteral(bare(callee.object))
  return regex ? compileRegexCall(compiler, node, callee, regex) : compileMethodCall(compiler, node, callee)
}

export function compileNew(compiler: Compiler, node: NewExpression): Run {
  if (!compiler.isGlobal(node.callee, 'Date')) return compiler.refuse('new of anything but Date', node)
  if (node.arguments.length === 0) return compiler.refuse('new Date() without an argument', node)
  if (node.arguments.some(argument => argument.type === 'SpreadElement')) return compiler.refuse('spread in new', node)
  const args = compileArguments(compiler, node, {})
  return evaluation => makeDate(evaluation, args(evaluation))
}

function compileRegexCall(compiler: Compiler, node: CallExpression, callee: MemberExpression, regex: SafeRegex): Run {
  const name = memberName(compiler, callee)
  const method = REGEX_METHODS.get(name) ?? compiler.refuse(`${name}() of a regular expression`, callee.property)
  const args = compileArguments(compiler, node, {})
  return evaluation => method.call(evaluation, regex, args(evaluation))
}

function compileMethodCall(compiler: Compiler, node: CallExpression, callee: MemberExpression): Run {
  const name = memberName(compiler, callee)
  const onString = STRING_METHODS.get(name)
  const onArray = ARRAY_METHODS.get(name)
  const onNumber = NUMBER_METHODS.get(name)
  const onBoolean = BOOLEAN_METHODS.get(name)
  const onDate = DATE_METHODS.get(name)
  const any = onString ?? onArray ?? onNumber ?? onBoolean ?? onDate
  if (!any || callee.object.type === 'Super') {
    if (callee.object.type === 'Identifier' && compiler.isWord(callee.object)) return compiler.unknown(callee.object)
    return compiler.refuseName(`the method ${name}()`, name, METHOD_NAMES, callee.property)
  }
  const target = compiler.compile(callee.object)
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
    if (callee.optional && (receiver === undefined || receiver === null)) return CUT
    if (node.optional && isAbsent(readOwn(receiver, name))) return CUT
    throw new ExpressionError(`cannot call ${name}() on ${describe(receiver)}`)
  }
}

const METHOD_NAMES = [STRING_METHODS, ARRAY_METHODS, NUMBER_METHODS, BOOLEAN_METHODS, DATE_METHODS].flatMap(methods => [
  ...methods.keys(),
])

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

/** `parseInt`, `Math.max`: a function of the language by its name. */
function namedFunction(compiler: Compiler, callee: Expression | CallExpression['callee']): NamedFunction | undefined {
  if (callee.type === 'Identifier') return compiler.isGlobal(callee) ? GLOBAL_FUNCTIONS.get(callee.name) : undefined
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined
  const namespace = compiler.isGlobal(callee.object) ? NAMESPACES.get(callee.object.name) : undefined
  if (!namespace) return undefined
  const name = memberName(compiler, callee)
  const space = callee.object.name
  const known = [...namespace.functions.keys()].map(one => `${space}.${one}`)
  return namespace.functions.get(name) ?? compiler.refuseName(`${space}.${name}()`, `${space}.${name}`, known, callee)
}

function compileArguments(
  compiler: Compiler,
  node: CallExpression | NewExpression,
  method: Pick<Method<never>, 'callbackAt' | 'takesRegex'>,
): Arguments {
  const special = node.arguments.map((argument, index): Run | undefined => {
    if (argument.type === 'SpreadElement') return undefined
    const inner = bare(argument)
    const regex = index === 0 && method.takesRegex ? regexLiteral(inner) : undefined
    if (regex) return () => regex
    if (index !== method.callbackAt || node.arguments[0]?.type === 'SpreadElement') return undefined
    if (inner.type === 'ArrowFunctionExpression') return compileArrow(compiler, inner as ArrowFunctionExpression)
    const named = inner.type === 'Identifier' || inner.type === 'MemberExpression' ? namedCallback(inner) : undefined
    return named
  })
  if (node.arguments.some(argument => argument.type === 'SpreadElement')) {
    if (special.some(run => run !== undefined)) return compiler.refuse('spread beside this argument', node)
    return compileArray(compiler, node.arguments) as Arguments
  }
  const runs = node.arguments.map((argument, index) => special[index] ?? compiler.compile(argument as Expression))
  const [first, second] = runs
  if (!first) return () => []
  if (!second) return evaluation => [first(evaluation)]
  if (runs.length === 2) return evaluation => [first(evaluation), second(evaluation)]
  return evaluation => runs.map(run => run(evaluation))

  function namedCallback(inner: Expression): Run | undefined {
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
function isNamed(compiler: Compiler, node: Expression): boolean {
  if (node.type !== 'MemberExpression') return node.type === 'Identifier' && GLOBAL_FUNCTIONS.has(node.name)
  if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier' || node.computed) return false
  return compiler.isGlobal(node.object) && Boolean(NAMESPACES.get(node.object.name)?.functions.has(node.property.name))
}

function bare<Node extends { type: string }>(node: Node): Node | Expression {
  return node.type === 'ParenthesizedExpression'
    ? bare((node as unknown as { expression: Expression }).expression)
    : node
}

function regexLiteral(node: { type: string }): SafeRegex | undefined {
  if (node.type !== 'Literal') return undefined
  const { regex, start } = node as Extract<Expression, { type: 'Literal' }>
  return regex ? new SafeRegex(regex.pattern, regex.flags, start) : undefined
}

// The expression language of conditionals, values and defaults: compiled once, then evaluated for each row or event.
// It reads what the scope gives, changes nothing, and reaches nothing else. // N31

import { ExpressionError, ExpressionSyntaxError } from '../errors.ts'
import { Evaluation, type Run, type Scope } from '../evaluation.ts'
import { SOURCE_CHARACTERS } from '../limits.ts'
import { parseExpression } from '../parse/parse.ts'
import { type KnownNames, type TextPart, textParts } from '../references.ts'
import { isObject, measure } from '../values.ts'
import { compileCall, compileNew, isOnlyMethod } from './compile-call.ts'
import { compileArray, compileMember, compileObject } from './compile-data.ts'
import { Compiler, type NodeCompilers } from './compiler.ts'

const COMPILERS: NodeCompilers = {
  array: compileArray,
  object: compileObject,
  member: compileMember,
  call: compileCall,
  make: compileNew,
}

export interface Compiled {
  /** The names referred to, each once, in the order of their appearance. */
  references: string[]
  /**
   * Throws an ExpressionError where the value does not allow the operation, or a budget is used up. `spend` is told of the work
   * that it took, also then.
   */
  evaluate(scope: Scope, spend?: (work: number) => void): unknown
}

/** One JavaScript expression with `{name}` references; throws an ExpressionSyntaxError. */
export function compileConditional(source: string, knownNames?: KnownNames): Compiled {
  checkLength(source)
  const compiler = new Compiler(COMPILERS, source, knownNames)
  return compiled(compiler, compiler.compile(parseExpression(source, knownNames)), source)
}

export interface CompiledTemplate {
  compiled: Compiled
  /** `literal` holds no reference; `text` always gives a string; `expression` may give any value. */
  kind: 'literal' | 'text' | 'expression'
  /** Why something that looks like an expression is taken as text. */
  warning?: string
}

/** Quotes, brackets, parentheses and operators besides `-`, `/`, `.` and `:`; one of them makes an expression. */
const EXPRESSION_SIGN = /['"`()[\]+*%<>=!&|^~?]/

/** Quotes and operators among them. */
const CODE_SIGN = /['"`+*%<>=!&|^~?]/

/** A method that is called, beside which nothing else is needed to tell. */
const CALL_SIGN = /\.[\w$]+\(/

/** `18+`, `100 %`: what ends with one of these is no code that breaks off. */
const LAST_SIGN = /(?<!\s)[+*?!]$|%\s*$/

/** A value or default: text with references, a lone reference, or an expression. */
export function compileTemplate(source: string, knownNames?: KnownNames): CompiledTemplate {
  if (!source.includes('{')) return { compiled: literal(source), kind: 'literal' }
  checkLength(source)
  const parts = textParts(source, knownNames)
  const [only] = parts
  if (parts.length === 1 && typeof only === 'object') return { compiled: lone(only.reference), kind: 'expression' }
  if (!EXPRESSION_SIGN.test(withoutReferences(parts))) return { ...asText(), ...oddityOf(source, parts) }
  try {
    return { compiled: compileConditional(source, knownNames), kind: 'expression' }
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error
    const { fault, position } = error
    // What there is of it up to its end can only be code.
    const rest = withoutReferences(textParts(source.slice(0, position), knownNames))
    const isCode = CALL_SIGN.test(rest) || CODE_SIGN.test(rest.replace(LAST_SIGN, ''))
    if (fault === 'unsupported' || fault === 'cut-off' || (fault === 'ends' && isCode)) throw error
    return { ...asText(), warning: `taken as text, because it is no expression: ${error.message}` }
  }

  function asText(): CompiledTemplate {
    if (parts.every(part => typeof part === 'string')) return { compiled: literal(source), kind: 'literal' }
    const compiler = new Compiler(COMPILERS, source, knownNames)
    return { compiled: compiled(compiler, compiler.text(parts), source), kind: 'text' }
  }
}

const UNCLOSED = /\{[^\s{}][^{}]*$/
const METHOD_AS_TEXT = /^\.(\w+)/

/** What is text by rule, and was hardly meant as one. */
function oddityOf(source: string, parts: readonly TextPart[]): { warning?: string } {
  const unclosed = UNCLOSED.exec(source)
  if (unclosed) return { warning: `taken as text, because a brace is not closed (at character ${unclosed.index + 1})` }
  const method = parts
    .map((part, at) => (typeof part === 'string' && at > 0 ? METHOD_AS_TEXT.exec(part)?.[1] : undefined))
    .find(name => name !== undefined && isOnlyMethod(name))
  if (method === undefined) return {}
  const meant = method === 'length' ? '({…}.length)' : `{…}.${method}()`
  return { warning: `taken as text; as an expression it is ${meant}` }
}

function withoutReferences(parts: readonly TextPart[]): string {
  return parts.filter(part => typeof part === 'string').join('')
}

function literal(source: string): Compiled {
  return { references: [], evaluate: () => source }
}

function lone(name: string): Compiled {
  const compiler = new Compiler(COMPILERS, '')
  const run = compiler.reference(name)
  return {
    references: [name],
    evaluate(scope, spend) {
      spend?.(1)
      return run(new Evaluation(scope, 0))
    },
  }
}

/** Straight-line work is bounded by the length of the source. */
const SOURCE_A_WORK = 5

function compiled(compiler: Compiler, run: Run, source: string): Compiled {
  const { slotCount } = compiler
  const straight = 1 + source.length / SOURCE_A_WORK
  return {
    references: [...compiler.references],
    evaluate(scope, spend) {
      const evaluation = new Evaluation(scope, slotCount)
      try {
        const result = run(evaluation)
        if (isObject(result)) measure(new Evaluation(scope, 0), result)
        return result
      } catch (error) {
        if (error instanceof ExpressionError) throw error
        // Native methods refuse some arguments themselves: toFixed(101), JSON.parse('{').
        throw new ExpressionError(error instanceof Error ? error.message : 'cannot be evaluated', { cause: error })
      } finally {
        spend?.(straight + evaluation.work)
      }
    },
  }
}

function checkLength(source: string): void {
  if (source.length > SOURCE_CHARACTERS) {
    throw new ExpressionSyntaxError(`is longer than ${SOURCE_CHARACTERS} characters`, SOURCE_CHARACTERS)
  }
  if (source.trim() === '') throw new ExpressionSyntaxError('is empty', 0)
}

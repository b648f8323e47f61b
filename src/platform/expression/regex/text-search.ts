// Searching and replacing in strings, by text or by regular expression, with every result bounded before it is built.

import { toNumber, toText } from '../coerce.ts'
import { ExpressionError } from '../errors.ts'
import type { Evaluation } from '../evaluation.ts'
import type { Callback } from '../library/method.ts'
import { EVALUATION_STEPS } from '../limits.ts'
import { SafeRegex } from './regex.ts'

/** Native search compares up to the whole needle at each place; this many comparisons count as one character. */
const COMPARISONS_PER_CHARACTER = 50
/** How many times longer it takes to look through letters beyond Latin than to copy them; measured. */
const SEARCH_TIMES = 30

export function searchWork(evaluation: Evaluation, text: string, needle: string): void {
  if (needle.length <= text.length) {
    evaluation.reading(text.length, SEARCH_TIMES)
    evaluation.characters(Math.floor((text.length * needle.length) / COMPARISONS_PER_CHARACTER))
  }
}

function regexOf(name: string, value: unknown): SafeRegex {
  // In JavaScript a text given here becomes a pattern; only literals are allowed to.
  if (!(value instanceof SafeRegex)) throw new ExpressionError(`${name}() needs a regular expression like /a/`)
  return value
}

export function match(evaluation: Evaluation, text: string, [pattern]: unknown[]): unknown {
  const found = text.match(regexOf('match', pattern).forText(evaluation, text))
  evaluation.step(found?.length ?? 0)
  return found
}

export function search(evaluation: Evaluation, text: string, [pattern]: unknown[]): number {
  return text.search(regexOf('search', pattern).forText(evaluation, text))
}

export function split(evaluation: Evaluation, text: string, [separator, limit]: unknown[]): string[] {
  const most = limit === undefined ? 2 ** 32 - 1 : toNumber(evaluation, limit) >>> 0
  const bounded = Math.min(most, EVALUATION_STEPS + 1)
  if (separator instanceof SafeRegex) return counted(text.split(separator.forText(evaluation, text, true), bounded))
  if (separator === undefined) return bounded === 0 ? [] : [text]
  const needle = toText(evaluation, separator)
  searchWork(evaluation, text, needle)
  return counted(text.split(needle, bounded))

  function counted(pieces: string[]): string[] {
    evaluation.step(pieces.length)
    return pieces
  }
}

export function replace(evaluation: Evaluation, text: string, args: unknown[]): string {
  const [pattern] = args
  const piece = replacer(evaluation, text, args)
  if (pattern instanceof SafeRegex) return text.replace(pattern.forText(evaluation, text), piece)
  const needle = toText(evaluation, pattern)
  searchWork(evaluation, text, needle)
  return text.replace(needle, piece)
}

export function replaceAll(evaluation: Evaluation, text: string, args: unknown[]): string {
  const [pattern] = args
  const piece = replacer(evaluation, text, args)
  if (pattern instanceof SafeRegex) {
    if (!pattern.global) throw new ExpressionError('replaceAll() needs the flag g on its regular expression')
    return text.replaceAll(pattern.forText(evaluation, text), piece)
  }
  const needle = toText(evaluation, pattern)
  searchWork(evaluation, text, needle)
  return text.replaceAll(needle, piece)
}

/** What stands in for each match. The total is watched here, before the native method puts the pieces together. */
function replacer(evaluation: Evaluation, text: string, args: unknown[]): (...found: unknown[]) => string {
  const replacement = args[1]
  const make: (found: unknown[]) => string =
    typeof replacement === 'function'
      ? found => toText(evaluation, (replacement as Callback)(...found))
      : expansion(evaluation, text, toText(evaluation, replacement))
  let total = text.length
  return (...found) => {
    evaluation.step(1)
    const piece = make(found)
    total += piece.length
    evaluation.room(total)
    return piece
  }
}

const PLACEHOLDER = /\$(?:[$&`']|\d{1,2})/g
const PLACEHOLDER_OR_NAME = /\$(?:[$&`']|\d{1,2}|<[^>]*>)/g

/** The `$1`, `$&` and `$<name>` of a replacement, as JavaScript writes them out. */
function expansion(evaluation: Evaluation, text: string, template: string): (found: unknown[]) => string {
  if (!template.includes('$')) return () => template
  return found => {
    // A match comes as: the match, its groups, the offset, the text, and the named groups where there are any.
    const named = typeof found.at(-1) === 'object' ? (found.at(-1) as Record<string, string | undefined>) : undefined
    const groups = found.slice(1, named ? -3 : -2) as (string | undefined)[]
    const offset = Number(found[groups.length + 1])
    const matched = String(found[0])
    let length = template.length
    return template.replace(named ? PLACEHOLDER_OR_NAME : PLACEHOLDER, placeholder => {
      const piece = expand(placeholder)
      length += piece.length
      evaluation.room(length)
      return piece
    })

    function namedGroup(name: string): string {
      return named && Object.hasOwn(named, name) ? (named[name] ?? '') : ''
    }

    function expand(placeholder: string): string {
      if (placeholder === '$$') return '$'
      if (placeholder === '$&') return matched
      if (placeholder === '$`') return text.slice(0, offset)
      if (placeholder === "$'") return text.slice(offset + matched.length)
      if (placeholder.startsWith('$<')) return namedGroup(placeholder.slice(2, -1))
      const both = Number(placeholder.slice(1))
      if (both >= 1 && both <= groups.length) return groups[both - 1] ?? ''
      const one = Number(placeholder[1])
      const rest = placeholder.slice(2)
      return rest !== '' && one >= 1 && one <= groups.length ? (groups[one - 1] ?? '') + rest : placeholder
    }
  }
}

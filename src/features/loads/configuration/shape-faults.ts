// What is said of a configuration of the wrong shape: the value that stands there, and what to write instead. Pure.
import type * as z from 'zod'
import { errorsOf, type FieldError, UNKNOWN_PROPERTY } from '../../../platform/errors.ts'
import { AdviceBudget, didYouMean, listed } from '../../../platform/nearest.ts'
import { AssortmentSplit, ColumnDefinition, Condition, LoaderConfiguration, SplitValue } from '../contract.ts'
import { shown } from '../rows/cell-readers.ts'

/** What stands on each level, and by which end of a path it is known. */
const LEVELS: readonly (readonly [RegExp, readonly string[], called: string])[] = [
  [/\/conditions\/\d+$/, Object.keys(Condition.shape), 'an entry of conditions'],
  [/\/conditionalColumns\/\d+$/, Object.keys(ColumnDefinition.shape), 'an entry of conditionalColumns'],
  [/\/values\/\d+$/, Object.keys(SplitValue.shape), 'an entry of assortmentSplit.values'],
  [/\/assortmentSplit$/, Object.keys(AssortmentSplit.shape), 'assortmentSplit'],
  [/^$/, Object.keys(LoaderConfiguration.shape), 'the configuration itself'],
]
/** A property may stand on the wrong one. */
const NAMES = LEVELS.flatMap(([, names]) => names)

export function shapeFaults(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const budget = new AdviceBudget()
  return errorsOf(issues).map(({ path, message }) => {
    if (message !== UNKNOWN_PROPERTY) return { path, message }
    const at = path.lastIndexOf('/')
    const own = LEVELS.find(([end]) => end.test(path.slice(0, at)))?.[1] ?? []
    const name = path.slice(at + 1)
    const elsewhere = LEVELS.find(([, names]) => names.includes(name))?.[2]
    const place = elsewhere && ` It belongs into ${elsewhere}.`
    return { path, message: message + (place ?? (didYouMean(name, own, budget) || didYouMean(name, NAMES, budget))) }
  })
}

/** Undefined: the schema's own message says enough. */
export function adviceOn(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue
  const isText = typeof input === 'string'
  if (input === undefined && MISSING.has(issue.code)) return 'Required.'
  if (issue.code === 'invalid_value') return `${shown(input)} is none of ${listed(issue.values.map(String))}.`
  if (issue.code === 'too_small' && input === '') return 'Must not be empty.'
  if (issue.code === 'invalid_key') return 'A name must not be empty.'
  if (issue.code === 'too_big' && isText) return `Has ${input.length} characters; at most ${issue.maximum} are taken.`
  if (issue.code !== 'invalid_type') return undefined
  if (input === null) return 'Nothing stands here: write a value, or leave the name out.'
  if (issue.expected === 'array') return `Write a list: [${isText ? partsOf(input) : '…'}].`
  if (issue.expected === 'boolean') return `Write true or false, without quotes, not ${shown(input)}.`
  if (issue.expected === 'record')
    return `Write names with a value each ("name": "Style"), not ${Array.isArray(input) ? 'a list' : shown(input)}.`
  if (issue.expected === 'object')
    return `Write names with a value each, not ${Array.isArray(input) ? 'a list' : shown(input)}.`
  if (issue.expected !== 'string') return undefined
  if (Array.isArray(input)) return 'Write a single text, not a list.'
  if (typeof input === 'object') return bracesAdvice(input) ?? 'Write a text, not an object.'
  const asThere = issue.path?.at(-1) === 'value' ? ', as it stands in the file' : ''
  return `${String(input)} is a ${typeof input}, not a text: write it in quotes${asThere}.`
}

/** Several in one text are told apart by commas. */
const partsOf = (text: string) =>
  text
    .split(',')
    .map(part => shown(part.trim()))
    .join(', ')

const MISSING = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

/** YAML takes braces for an object. */
export function bracesAdvice(value: object | null): string | undefined {
  const [[name, inner] = [], ...others] = Object.entries(value ?? {})
  if (name === undefined || inner !== null || others.length > 0) return undefined
  return `This is an object, not a reference to the column ${name}. Quote it: "{${name}}".`
}

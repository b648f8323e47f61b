// What is said of a configuration of the wrong shape: the value that stands there, and what to write instead. Pure.
import type * as z from 'zod'
import { errorsOf, type FieldError, UNKNOWN_PROPERTY } from '../../../platform/errors.ts'
import { AdviceBudget, didYouMean, listed } from '../../../platform/nearest.ts'
import { AssortmentSplit, ColumnDefinition, Condition, LoaderConfiguration, SplitValue } from '../contract.ts'
import { shown } from '../rows/cell-readers.ts'

/** Of all levels: a property may stand on the wrong one. */
const NAMES = [LoaderConfiguration, ColumnDefinition, Condition, AssortmentSplit, SplitValue].flatMap(({ shape }) =>
  Object.keys(shape),
)

export function shapeFaults(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const budget = new AdviceBudget()
  return errorsOf(issues).map(({ path, message }) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return { path, message: message + (message === UNKNOWN_PROPERTY ? didYouMean(name, NAMES, budget) : '') }
  })
}

/** Undefined: the schema's own message says enough. */
export function adviceOn(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue
  const isText = typeof input === 'string'
  if (issue.code === 'invalid_value' && isText) return `${shown(input)} is none of ${listed(issue.values.map(String))}.`
  if (issue.code !== 'invalid_type') return undefined
  if (issue.expected === 'array' && isText) return `Write a list: [${shown(input)}].`
  if (issue.expected !== 'string' || input === undefined) return undefined
  return typeof input === 'object' ? bracesAdvice(input) : `Write it in quotes: ${shown(input)}.`
}

/** YAML takes braces for an object. */
export function bracesAdvice(value: object | null): string | undefined {
  const [[name, inner] = [], ...others] = Object.entries(value ?? {})
  if (name === undefined || inner !== null || others.length > 0) return undefined
  return `This is an object, not a reference to the column ${name}. Quote it: "{${name}}".`
}

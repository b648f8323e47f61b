// The shapes of criteria (N16, N48): a value, a list, null or an object of operators for each property, and `or` beside
// them. Pure.
import * as z from 'zod'
import { errorsOf, pointerParts } from '../../platform/errors.ts'
import { CRITERION_MAX_VALUES, CRITERION_TEXT_MAX_LENGTH, PROPERTY_NAME_MAX_LENGTH } from '../../platform/limits.ts'
import { didYouMean } from '../../platform/nearest.ts'

const Scalar = z.union([z.string(), z.number(), z.boolean()], 'Expected text, a number, true or false.')
export type Scalar = z.output<typeof Scalar>

const ScalarOrNull = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: ({ input }) =>
    Array.isArray(input)
      ? 'Expected one value; for a list there are "in" and "notIn".'
      : 'Expected text, a number, true, false or null.',
})
const Values = z
  .array(Scalar, 'Expected a list of values.')
  .min(1, 'Expected at least one value.')
  .max(CRITERION_MAX_VALUES, `At most ${CRITERION_MAX_VALUES} values.`)
const End = z.union([z.string(), z.number()], 'Expected a number or text.')
export type End = z.output<typeof End>
const Text = z
  .string('Expected text.')
  .min(1, 'Expected text, at least one character of it.')
  .max(CRITERION_TEXT_MAX_LENGTH, `At most ${CRITERION_TEXT_MAX_LENGTH} characters.`)

const Operators = z
  .strictObject({
    eq: ScalarOrNull,
    not: ScalarOrNull,
    in: Values,
    notIn: Values,
    gt: End,
    gte: End,
    lt: End,
    lte: End,
    between: z.tuple([End, End], 'Expected a list of two: the start and the end of the range.'),
    contains: Text,
    startsWith: Text,
    exists: z.boolean('Expected true or false.'),
  })
  .partial()
  .refine(operators => Object.keys(operators).length > 0, 'Expected at least one operator.')
export type Operators = z.output<typeof Operators>
export type Operator = keyof Operators

export const OPERATORS = Object.keys(Operators.shape) as Operator[]

const Plain = z.union([Scalar, z.null(), z.array(Scalar).min(1).max(CRITERION_MAX_VALUES)], {
  error: 'Expected a value, a list of values, null, "BETWEEN a and b", or an object of operators.',
})

export type Criterion = z.output<typeof Plain> | Operators
export type PropertyCriteria = Record<string, Criterion>
export interface Criteria {
  [property: string]: Criterion | PropertyCriteria[]
}

const Names = z.record(z.string().min(1).max(PROPERTY_NAME_MAX_LENGTH), z.unknown())

type Fail = (path: PropertyKey[], message: string) => void

export const Criteria = Names.transform((given, context): Criteria => {
  const fail: Fail = (path, message) => context.addIssue({ code: 'custom', path, message })
  const criteria: Criteria = {}
  for (const [name, value] of Object.entries(given)) {
    criteria[name] = isAlternatives(name, value) ? alternatives(value, fail) : criterion(value, [name], fail)
  }
  return criteria
})

/** A property may be named `or`; only a list of objects under that name is something else. */
export function isAlternatives(name: string, value: unknown): value is object[] {
  return name === 'or' && Array.isArray(value) && value.some(each => typeof each === 'object' && each !== null)
}

function alternatives(values: unknown[], fail: Fail): PropertyCriteria[] {
  return values.map((value, at) => {
    const names = Names.safeParse(value)
    if (!names.success) {
      for (const { path, message } of errorsOf(names.error.issues)) fail(['or', at, ...pointerParts(path)], message)
      return {}
    }
    const entries = Object.entries(names.data)
    if (entries.length === 0) fail(['or', at], 'Expected at least one criterion.')
    return Object.fromEntries(
      entries.map(([name, inner]): [string, Criterion] => {
        if (isAlternatives(name, inner)) fail(['or', at, 'or'], '"or" cannot stand inside "or".')
        return [name, criterion(inner, ['or', at, name], fail)]
      }),
    )
  })
}

function criterion(value: unknown, path: PropertyKey[], fail: Fail): Criterion {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const parsed = (isObject ? Operators : Plain).safeParse(value)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) fail([...path, key], noOperator(key))
    else fail([...path, ...issue.path], issue.message)
  }
  return null
}

function noOperator(name: string): string {
  const near = didYouMean(name, OPERATORS)
  return `There is no operator ${JSON.stringify(name)}.${near || ` Operators are ${OPERATORS.join(', ')}.`}`
}

// Whether properties fit what their type defines (N21). Pure. Properties that no type defines are accepted as they come.

import { type FieldError, pointer } from '../../platform/errors.ts'
import { parseTime } from '../../platform/time-range.ts'
import type { Option, PropertyDefinition } from './contract.ts'
import type { Definitions } from './definitions.ts'
import { isWebAddress } from './web-address.ts'

type PropertyType = PropertyDefinition['propertyType']
type Fits = (value: unknown, definition: PropertyDefinition) => string | undefined

const isText = (value: unknown): value is string => typeof value === 'string'

export const optionValue = (option: Option): string => (typeof option === 'string' ? option : option.value)

const text: Fits = value => (isText(value) ? undefined : 'Expected a text.')
const number: Fits = value => (typeof value === 'number' && Number.isFinite(value) ? undefined : 'Expected a number.')

const date: Fits = value =>
  isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value) && parseTime(value) ? undefined : 'Expected a date (YYYY-MM-DD).'

const url: Fits = value => (isText(value) && isWebAddress(value) ? undefined : 'Expected an http or https address.')

const choice: Fits = (value, { options }) => {
  if (!isText(value)) return 'Expected the value of an option.'
  if (!options || options.some(option => optionValue(option) === value)) return undefined
  return `"${value.slice(0, 100)}" is not one of the options.`
}

const listOf =
  (each: Fits, what: string): Fits =>
  (value, definition) => {
    if (!Array.isArray(value)) return `Expected a list of ${what}.`
    if (new Set(value).size !== value.length) return 'The same value stands twice in the list.'
    return value.map(part => each(part, definition)).find(fault => fault !== undefined)
  }

const reference: Fits = value => (isText(value) && value !== '' ? undefined : 'Expected the id of an entity.')

const FITS: Record<PropertyType, Fits> = {
  string: text,
  text,
  number,
  currency: number,
  percent: number,
  boolean: value => (typeof value === 'boolean' ? undefined : 'Expected true or false.'),
  date,
  choice,
  multi_select: listOf(choice, 'option values'),
  url,
  object_reference: reference,
  object_ref_list: listOf(reference, 'ids'),
  json: () => undefined,
}

/** Nobody can be asked for what nobody can fill in any more: an archived property is never required (N67). */
export const isRequired = ({ required, archived }: PropertyDefinition) => Boolean(required) && !archived

/** Of the fields sent; a type may define far more than that, and an update is held against every type of its kind. */
function definedIn(definitions: Definitions, fields: Record<string, unknown>): PropertyDefinition[] {
  return Object.keys(fields).flatMap(slug => definitions.get(slug) ?? [])
}

/** Faults of the fields sent. A create also answers for what it left out. */
export function faultsOf(definitions: Definitions, fields: Record<string, unknown>, isCreate: boolean): FieldError[] {
  const faults: FieldError[] = []
  for (const definition of isCreate ? definitions.values() : definedIn(definitions, fields)) {
    const { slug } = definition
    // A property may be called `toString`, which every object has.
    const value = Object.hasOwn(fields, slug) ? fields[slug] : undefined
    const isAbsent = value === null || value === undefined
    const message = isAbsent
      ? isRequired(definition) && (isCreate || value === null)
        ? 'This property is required.'
        : undefined
      : FITS[definition.propertyType](value, definition)
    if (message) faults.push({ path: pointer([slug]), message })
  }
  return faults
}

/** The ids that defined reference properties name, with where each stands. */
export function referencesOf(
  definitions: Definitions,
  fields: Record<string, unknown>,
): { pointer: string; id: string }[] {
  return definedIn(definitions, fields).flatMap(({ slug, propertyType }) => {
    const value = fields[slug]
    if (propertyType === 'object_reference' && isText(value)) return [{ pointer: slug, id: value }]
    if (propertyType !== 'object_ref_list' || !Array.isArray(value)) return []
    return value.map((id, at) => ({ pointer: `${slug}/${at}`, id: String(id) }))
  })
}

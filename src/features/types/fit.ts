// Whether properties fit what their type defines (N21). Pure. Properties that no type defines are accepted as they come.

import { type FieldError, pointer } from '../../platform/errors.ts'
import { parseTime } from '../../platform/time-range.ts'
import type { Option, PropertyDefinition } from './contract.ts'
import { type Definitions, isRequired } from './definitions.ts'
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

/** Long lists of values are held against long lists of options. */
const valuesOfOptions = new WeakMap<readonly Option[], ReadonlySet<string>>()

function valuesOf(options: readonly Option[]): ReadonlySet<string> {
  const values = valuesOfOptions.get(options) ?? new Set(options.map(optionValue))
  valuesOfOptions.set(options, values)
  return values
}

const choice: Fits = (value, { options }) => {
  if (!isText(value)) return 'Expected the value of an option.'
  if (!options || valuesOf(options).has(value)) return undefined
  return `"${value.slice(0, 100)}" is not one of the options.`
}

const listOf =
  (each: Fits, what: string): Fits =>
  (value, definition) => {
    if (!Array.isArray(value)) return `Expected a list of ${what}.`
    const seen = new Set<unknown>()
    for (const part of value) {
      const fault = seen.has(part) ? 'The same value stands twice in the list.' : each(part, definition)
      if (fault) return fault
      seen.add(part)
    }
    return undefined
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

/** Of the fields sent; a type may define far more than that. */
function definedIn(definitions: Definitions, fields: Record<string, unknown>): PropertyDefinition[] {
  return Object.keys(fields).flatMap(slug => definitions.get(slug) ?? [])
}

/** `undefined` was left out, which only a create answers for. */
function faultOf(definition: PropertyDefinition, value: unknown, isCreate: boolean): FieldError | undefined {
  const isAbsent = value === null || value === undefined
  const message = isAbsent
    ? isRequired(definition) && (isCreate || value === null)
      ? 'This property is required.'
      : undefined
    : FITS[definition.propertyType](value, definition)
  return message === undefined ? undefined : { path: pointer([definition.slug]), message }
}

/** Faults of the fields sent. A create also answers for what it left out; all else that its type defines is not looked at (N77). */
export function faultsOf(definitions: Definitions, fields: Record<string, unknown>, isCreate: boolean): FieldError[] {
  const sent = definedIn(definitions, fields).flatMap(
    definition => faultOf(definition, fields[definition.slug], isCreate) ?? [],
  )
  if (!isCreate) return sent
  // A property may be called `toString`, which every object has.
  const missing = definitions.required.filter(({ slug }) => !Object.hasOwn(fields, slug))
  return [...missing.flatMap(definition => faultOf(definition, undefined, isCreate) ?? []), ...sent]
}

/** The faults of one value that is sent, by the definition that it is held against; what says the same is asked once. */
export function faultsIn(value: unknown): (definition: PropertyDefinition) => FieldError | undefined {
  const known = new Map<unknown, FieldError | undefined>()
  return definition => {
    const { propertyType, options } = definition
    const isChosen = propertyType === 'choice' || propertyType === 'multi_select'
    const says = value === null ? isRequired(definition) : isChosen && options ? options : propertyType
    if (!known.has(says)) known.set(says, faultOf(definition, value, false))
    return known.get(says)
  }
}

/** Whether such a property names entities with such a value. */
export function refers({ propertyType }: PropertyDefinition, value: unknown): boolean {
  return propertyType === 'object_reference'
    ? isText(value)
    : propertyType === 'object_ref_list' && Array.isArray(value)
}

type NamedId = { pointer: string; id: string }

/** The ids that a value names, with where each stands. */
export function idsIn(slug: string, value: unknown): NamedId[] {
  const place = pointer([slug]).slice(1)
  if (!Array.isArray(value)) return [{ pointer: place, id: String(value) }]
  return value.map((id, at) => ({ pointer: `${place}/${at}`, id: String(id) }))
}

/** The ids that defined reference properties name. */
export function referencesOf(definitions: Definitions, fields: Record<string, unknown>): NamedId[] {
  const defined = definedIn(definitions, fields).filter(definition => refers(definition, fields[definition.slug]))
  return defined.flatMap(({ slug }) => idsIn(slug, fields[slug]))
}

// Forms from the JSON Schema of a type (N53): which fields there are, which are needed, what each takes. Pure.
import type { TypeProperty } from '../../typescript/index.ts'
import { parseCell } from './cell-text.ts'
import { labelOf } from './labels.ts'
import { ownValue } from './own-value.ts'
import { type Schema, schemaFault } from './schema-check.ts'

export interface FormField {
  slug: string
  label: string
  isRequired: boolean
  /** What its value should be, beyond what the input itself shows. */
  hint: string | undefined
  /** By which its input is chosen and its text is read. */
  property: TypeProperty
  schema: Schema
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const propertiesIn = (schema: Schema) => (isSchema(schema.properties) ? Object.entries(schema.properties) : [])

/** What can be filled in, in the order of the schema; archived properties and what only the service sets are not there. */
export function formFields(schema: Schema): FormField[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : [])
  return propertiesIn(schema).flatMap(([slug, own]) => {
    if (!isSchema(own) || own.readOnly === true || own.deprecated === true || slug === 'typePath') return []
    const property = propertyOf(slug, own)
    return [
      {
        slug,
        label: labelOf(slug, property),
        isRequired: required.has(slug),
        hint: hintOf(own),
        property,
        schema: own,
      },
    ]
  })
}

/** A key that a load names it by; other types have one too, and hardly ever use it. */
const IDENTIFIED = new Set(['workspace', 'project', 'assortment'])

/** Those that people look for at this entity type. */
export const fieldsFor = (entityName: string, schema: Schema): FormField[] =>
  formFields(schema).filter(({ slug }) => slug !== 'identifier' || IDENTIFIED.has(entityName))

/** Undefined where the schema says nothing of it, or the value fits. */
export function fieldFault(schema: Schema, slug: string, value: unknown): string | undefined {
  const own =
    isSchema(schema.properties) && Object.hasOwn(schema.properties, slug) ? schema.properties[slug] : undefined
  return isSchema(own) ? schemaFault(own, value) : undefined
}

/** Where an absent value is allowed by `anyOf`, what is there besides. */
function bare(schema: Schema): Schema {
  if (!Array.isArray(schema.anyOf)) return schema
  const rest = schema.anyOf.filter(isSchema).filter(({ type }) => type !== 'null')
  return rest.length === 1 ? { ...schema, ...rest[0] } : schema
}

const LONG = 'A longer text.'

function propertyOf(slug: string, schema: Schema): TypeProperty {
  const own = bare(schema)
  const label = typeof schema.title === 'string' ? { label: schema.title } : {}
  const options = optionsIn(own)
  const made = (propertyType: TypeProperty['propertyType']) => ({
    slug,
    ...label,
    propertyType,
    ...(options && { options }),
  })
  if (options && own.type === 'array') return made('multi_select')
  if (options) return made('choice')
  switch (own.type) {
    case 'number':
    case 'integer':
      return made('number')
    case 'boolean':
      return made('boolean')
    case 'array':
      return made(isSchema(own.items) && bare(own.items).type === 'string' ? 'object_ref_list' : 'json')
    case 'string':
      return made(own.format === 'date' ? 'date' : own.description === LONG ? 'text' : 'string')
    default:
      return made('json')
  }
}

function optionsIn(schema: Schema): { value: string; label: string }[] | undefined {
  if (schema.type === 'array') return isSchema(schema.items) ? optionsIn(bare(schema.items)) : undefined
  if (Array.isArray(schema.enum)) return schema.enum.map(value => ({ value: String(value), label: String(value) }))
  if (!Array.isArray(schema.oneOf) || !schema.oneOf.every(each => isSchema(each) && 'const' in each)) return undefined
  return (schema.oneOf as Schema[]).map(each => ({
    value: String(each.const),
    label: String(each.title ?? each.const),
  }))
}

function hintOf(schema: Schema): string | undefined {
  const { description, type, minimum, maximum } = bare(schema)
  const options = type === 'array' ? optionsIn(bare(schema)) : undefined
  const words = [
    typeof description === 'string' && description !== LONG && description,
    minimum !== undefined && maximum !== undefined && isUsual(minimum, maximum) && `${minimum} to ${maximum}.`,
    type === 'array' && severalWords(options?.map(({ label }) => label)),
  ]
  const text = words.filter(Boolean).join(' ')
  return text === '' ? undefined : text
}

const OPTIONS_SHOWN = 20

/** How a list is written, and of which options, where there are some: they are typed, not chosen. */
export function severalWords(options: readonly string[] = []): string {
  const more = options.length - OPTIONS_SHOWN
  const named = `${options.slice(0, OPTIONS_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `Several with | between them${options.length > 0 ? `: ${named}` : ''}.`
}

/** Whole numbers end somewhere, which tells nobody anything. */
const isUsual = (minimum: unknown, maximum: unknown) =>
  Math.max(Math.abs(Number(minimum)), Math.abs(Number(maximum))) < Number.MAX_SAFE_INTEGER

/** What is sent; what is wrong by field, and under the empty name what concerns several. */
export function bodyOf(
  fields: readonly FormField[],
  texts: Readonly<Record<string, string>>,
  typePath: string,
  schema: Schema,
): { body: Record<string, unknown>; wrong: Record<string, string> } {
  const body: Record<string, unknown> = { typePath }
  const wrong: Record<string, string> = {}
  for (const { slug, property, isRequired, schema: own } of fields) {
    const parsed = parseCell(ownValue(texts, slug) ?? '', property, undefined)
    if ('fault' in parsed) wrong[slug] = parsed.fault
    else if (parsed.value !== null) body[slug] = parsed.value
    const isThere = Object.hasOwn(body, slug)
    const fault = isThere ? schemaFault(own, body[slug]) : isRequired ? 'This is needed.' : undefined
    if (fault !== undefined && !Object.hasOwn(wrong, slug)) wrong[slug] = fault
  }
  const whole = Object.keys(wrong).length === 0 ? schemaFault(schema, body) : undefined
  return { body, wrong: whole === undefined ? wrong : { '': whole } }
}

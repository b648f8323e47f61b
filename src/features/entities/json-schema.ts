// A resolved type as JSON Schema 2020-12 (N53): the fields of its entity type and the properties that it defines or
// inherits, in one of three variants. What it takes, the API takes for its fields, and the other way round; besides, the
// API refuses what no schema can say: ids that lead nowhere, keys that are taken, JSON that is too large or too deep. Pure.
import type * as z from 'zod'
import { commonFields } from '../../platform/entity-shape.ts'
import { pointer } from '../../platform/errors.ts'
import { inline, type JsonSchema } from '../../platform/http/openapi/schemas.ts'
import { HOSTILE_NAMES } from '../../platform/json-safety.ts'
import { COMMON_READ_ONLY, type Kind, relationNames } from '../../platform/kind.ts'
import { ENTITY_MAX_PROPERTIES, KEY_TEXT_MAX_LENGTH, PROPERTY_NAME_MAX_LENGTH } from '../../platform/limits.ts'
import type { PropertyDefinition } from '../types/contract.ts'
import type { Definitions } from '../types/definitions.ts'
import { isRequired } from '../types/definitions.ts'
import { annotationsOf, valueSchema } from '../types/property-schema.ts'

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

export const VARIANTS = ['create', 'update', 'read'] as const
export type Variant = (typeof VARIANTS)[number]

export interface Described {
  kind: Kind
  typePath: string
  label?: string | null | undefined
  definitions: Definitions
}

/** Of a type that stands alone, or among others: then what it inherits is said where it comes from. */
export type Place = 'alone' | 'among others'

interface Fields {
  properties: Record<string, JsonSchema>
  required: string[]
}

export function entitySchema(type: Described, variant: Variant, place: Place = 'alone'): JsonSchema {
  const { kind, typePath, label, definitions } = type
  const isShared = place === 'among others' && typePath !== kind.name
  const base = baseOf(kind, variant)
  const ignored = new Set<string>([...Object.keys(base.properties), ...relationNames(kind)])
  const properties: Record<string, JsonSchema> = isShared
    ? Object.fromEntries(Object.keys(base.properties).map(name => [name, within(kind.name, name)]))
    : { ...base.properties }
  const required = [...base.required]
  properties.typePath = pathSchema(type, variant)
  if (variant === 'read' || (variant === 'create' && typePath !== kind.name)) required.push('typePath')
  for (const definition of definitions.values()) {
    const { slug, inheritedFrom } = definition
    if (ignored.has(slug)) continue
    const isElsewhere = place === 'among others' && inheritedFrom != null
    properties[slug] = isElsewhere ? within(inheritedFrom, slug) : definedSchema(definition, variant)
    if (variant !== 'update' && isRequired(definition)) required.push(slug)
  }
  return {
    title: label ?? typePath,
    ...(typePath === kind.name && kind.about ? { description: kind.about } : {}),
    ...(variant === 'read' && isReadOnly(kind) ? { readOnly: true } : {}),
    type: 'object',
    properties,
    ...(required.length ? { required: [...new Set(required)] } : {}),
    ...(variant === 'read' ? {} : { ...NAMES, maxProperties: ENTITY_MAX_PROPERTIES, ...kind.rulesSchema }),
  }
}

const NAMES = {
  propertyNames: {
    pattern: `^[^"\\\\\\p{Cc}]{1,${PROPERTY_NAME_MAX_LENGTH}}$`,
    not: { enum: [...HOSTILE_NAMES] },
  },
}

const Name: JsonSchema = { type: 'string', maxLength: KEY_TEXT_MAX_LENGTH, pattern: '^\\P{Cc}*$' }
const Key: JsonSchema = { ...Name, minLength: 1 }

/** What takes anything takes `null`, too. */
const nullable = (schema: JsonSchema): JsonSchema =>
  Object.keys(schema).length ? { anyOf: [schema, { type: 'null' }] } : schema

/** A property of another type of the same document. */
function within(typePath: string, name: string): JsonSchema {
  const place = pointer(['$defs', typePath, 'properties', name])
  return { $ref: `#${place.split('/').map(encodeURIComponent).join('/')}` }
}

function pathSchema({ kind, typePath }: Described, variant: Variant): JsonSchema {
  // The path of a type is that of the entities which it describes.
  const own: JsonSchema = kind.ownRoot ? { const: typePath } : { type: 'string' }
  return variant === 'create' && typePath === kind.name && kind.ownRoot ? nullable(own) : own
}

/** `null` clears a property, and is nothing on creating; a required one can be neither. */
function definedSchema(definition: PropertyDefinition, variant: Variant): JsonSchema {
  const fitting = valueSchema(definition)
  const isBare = variant === 'read' || isRequired(definition)
  return { ...annotationsOf(definition), ...(isBare ? withoutNull(definition, fitting, variant) : nullable(fitting)) }
}

/** `json` takes anything, but a required one is there. */
function withoutNull({ propertyType }: PropertyDefinition, fitting: JsonSchema, variant: Variant): JsonSchema {
  return propertyType === 'json' && variant !== 'read' ? { not: { type: 'null' } } : fitting
}

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success

function baseOf(kind: Kind, variant: Variant): Fields {
  const known = made.get(kind)?.[variant]
  if (known) return known
  const base = variant === 'read' ? shownFields(kind) : sentFields(kind, variant)
  made.set(kind, { ...made.get(kind), [variant]: base })
  return base
}

const made = new WeakMap<Kind, Partial<Record<Variant, Fields>>>()

function sentFields(kind: Kind, variant: Variant): Fields {
  const own = Object.entries(kind.fields)
  const properties = Object.fromEntries(
    own.map(([name, field]) => [name, isOptional(field) ? nullable(inline(field)) : inline(field)]),
  )
  const required = own.filter(([, field]) => variant === 'create' && !isOptional(field)).map(([name]) => name)
  // Fields that only the service sets are ignored, so that a fetched entity can be sent back (N14).
  const ignored = [...COMMON_READ_ONLY, ...Object.keys(kind.readOnly)].map(name => [name, { readOnly: true }])
  return {
    properties: {
      typePath: {},
      name: nullable(Name),
      federatedId: nullable(Key),
      identifier: nullable(Key),
      ...properties,
      ...Object.fromEntries(ignored),
    },
    required,
  }
}

function shownFields(kind: Kind): Fields {
  const { answer, fields, readOnly } = kind
  const shape: Record<string, z.ZodType> = answer ? answer.shape : { ...commonFields, ...fields, ...readOnly }
  const set = new Set<string>([...COMMON_READ_ONLY, ...Object.keys(readOnly)])
  const properties = Object.entries(shape).map(([name, field]): [string, JsonSchema] => [
    name,
    { ...inline(field, 'output'), ...(set.has(name) ? { readOnly: true } : {}), ...relationOf(kind, name) },
  ])
  const required = Object.keys(shape).filter(name => isAlwaysShown(kind, name, shape[name]))
  return {
    properties: { ...Object.fromEntries(properties), ...(answer ? {} : { identifier: Key }) },
    required,
  }
}

/** What `relations` calls the entities that it names; there is no keyword for it. */
function relationOf({ references }: Kind, name: string): JsonSchema {
  const found = references.find(({ field }) => field === name)
  return found ? { $comment: `relation ${found.relation}: ${found.target}` } : {}
}

function isAlwaysShown({ readOnly }: Kind, name: string, field: z.ZodType | undefined): boolean {
  return field !== undefined && !isOptional(field) && !Object.hasOwn(readOnly, name)
}

/** What only the service makes and changes. */
const isReadOnly = (kind: Kind) => variantsOf(kind).length === 1

/** What can be done with entities of the type, and so be asked for; what is shown of any other way can be read. */
export function variantsOf({ operations }: Kind): Variant[] {
  return VARIANTS.filter(variant => variant === 'read' || operations.includes(variant))
}

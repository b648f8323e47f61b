// Types and the properties they define (N20).
import * as z from 'zod'
import { commonFields } from '../../platform/entity-shape.ts'
import { named } from '../../platform/http/components.ts'
import { HOSTILE_NAMES } from '../../platform/json-safety.ts'
import { COMMON_READ_ONLY } from '../../platform/kind.ts'
import {
  KEY_TEXT_MAX_LENGTH,
  PROPERTY_NAME_MAX_LENGTH,
  TYPE_MAX_OPTIONS,
  TYPE_MAX_PROPERTIES,
} from '../../platform/limits.ts'

export const PROPERTY_TYPES = [
  'string',
  'text',
  'number',
  'currency',
  'percent',
  'boolean',
  'date',
  'choice',
  'multi_select',
  'url',
  'object_reference',
  'object_ref_list',
  'json',
] as const

const Text = z.string().max(KEY_TEXT_MAX_LENGTH)
/** Names of every entity, and names that no property can have. */
const RESERVED = new Set<string>([...COMMON_READ_ONLY, 'typePath', 'name', 'federatedId', 'identifier'])

/** A plain text is an option whose label is its value. */
export const Option = z.union([Text.min(1), z.strictObject({ value: Text.min(1), label: Text.optional() })])
export type Option = z.output<typeof Option>

export const PropertyDefinition = named(
  'PropertyDefinition',
  z.strictObject({
    slug: z
      .string()
      .min(1)
      .max(PROPERTY_NAME_MAX_LENGTH)
      .regex(/^[^"\\\p{Cc}]+$/u, 'A property cannot have this name.')
      .refine(slug => !RESERVED.has(slug), 'Every entity has this property already.')
      .refine(slug => !HOSTILE_NAMES.has(slug), 'A property cannot have this name.'),
    label: Text.nullish(),
    propertyType: z.enum(PROPERTY_TYPES),
    options: z.array(Option).max(TYPE_MAX_OPTIONS).nullish(),
    level: z.enum(['family', 'option', 'all', 'override']).nullish(),
    archived: z.boolean().nullish(),
    required: z.boolean().nullish(),
    indexed: z
      .boolean()
      .nullish()
      .describe('Found, ranged and ordered by an index of its own, like `name`, for all entities of the entity type.'),
    /** On reading: the type path that defines it. Such entries are dropped on writing. */
    inheritedFrom: z.string().max(KEY_TEXT_MAX_LENGTH).nullish(),
  }),
  { slug: 'season', label: 'Season', propertyType: 'choice', options: ['SS27', 'FW27'] },
)
export type PropertyDefinition = z.output<typeof PropertyDefinition>

const LISTS: readonly string[] = ['multi_select', 'object_ref_list', 'json'] satisfies (typeof PROPERTY_TYPES)[number][]

function singleValuesIndexed(properties: PropertyDefinition[], context: z.RefinementCtx): void {
  for (const [at, { indexed, propertyType }] of properties.entries()) {
    if (indexed && LISTS.includes(propertyType)) {
      const message = `An index holds single values; a property of type ${propertyType} cannot be indexed.`
      context.addIssue({ code: 'custom', path: [at, 'indexed'], message })
    }
  }
}

function uniqueSlugs(properties: PropertyDefinition[], context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [at, { slug }] of properties.entries()) {
    if (seen.has(slug))
      context.addIssue({ code: 'custom', path: [at, 'slug'], message: 'Another property has this slug.' })
    seen.add(slug)
  }
}

export const typeFields = {
  label: Text.optional(),
  properties: z
    .array(PropertyDefinition)
    .overwrite(properties => properties.filter(property => property.inheritedFrom == null))
    .max(TYPE_MAX_PROPERTIES)
    .superRefine(uniqueSlugs)
    .superRefine(singleValuesIndexed)
    .optional(),
}

export const typeExample = {
  typePath: 'item:shirt',
  label: 'Shirt',
  properties: [
    { slug: 'season', label: 'Season', propertyType: 'choice', options: ['SS27', 'FW27'], required: true },
    { slug: 'price', label: 'Price', propertyType: 'currency' },
  ],
}

/** What `criteria.entityType` of the change history takes, for each entity type. */
export const EntityType = named(
  'EntityType',
  z.object({ entityType: z.string(), rootTypePath: z.string(), path: z.string(), about: z.string() }),
  { entityType: 'item', rootTypePath: 'item', path: 'items', about: 'Products and materials.' },
)

/** How far the indexes of its properties are (N49). */
export const TypeIndexes = z
  .array(
    z.strictObject({
      property: z.string(),
      state: z.enum(['filling', 'ready']),
      done: z.int(),
      total: z.int().nullable().describe('Entities that there were when filling began; null before that.'),
    }),
  )
  .describe('Of the properties that are indexed: whether all entities are in the index yet.')

/** A type as it is read, with inherited properties. A path without a description has no record, and so no common fields. */
export const ResolvedType = named(
  'ResolvedType',
  z
    .looseObject(commonFields)
    .partial()
    .extend({
      typePath: z.string(),
      rootTypePath: z.string(),
      label: z.string().nullish(),
      properties: z.array(PropertyDefinition),
      indexes: TypeIndexes.optional(),
    }),
)

// Types: what properties the entities of a type path have.

import { segment } from './address.ts'
import { Entities } from './entities.ts'
import type { CommonFields, ListParams, Page } from './entity.ts'
import type { CallOptions, Requests } from './request.ts'

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
export type PropertyType = (typeof PROPERTY_TYPES)[number]

export interface TypeProperty {
  slug: string
  propertyType: PropertyType
  label?: string | null | undefined
  /** Of choice and multi_select; a plain text is an option whose label is its value. */
  options?: readonly (string | { value: string; label?: string | undefined })[] | null | undefined
  level?: 'family' | 'option' | 'all' | 'override' | null | undefined
  archived?: boolean | null | undefined
  required?: boolean | null | undefined
  /** Found, ranged and ordered by an index of its own. */
  indexed?: boolean | null | undefined
  /** On reading: the type path above that defines it. */
  inheritedFrom?: string | null | undefined
}

export interface TypeFields {
  label: string | null
  rootTypePath: string
  properties: TypeProperty[]
  /** Of the properties that are indexed: whether all entities are in the index yet. */
  indexes?: { property: string; state: 'filling' | 'ready'; done: number; total: number | null }[]
  [property: string]: unknown
}
export type EntityType = CommonFields & TypeFields

/** An entity type of the service, described by the organization or not. */
export interface RootType {
  entityType: string
  /** What `criteria.entityType` of the change history takes. */
  rootTypePath: string
  /** The plural in REST paths. */
  path: string
  about: string
}

export interface TypePage extends Page<EntityType> {
  entityTypes: RootType[]
}

export interface SchemaArgs {
  typePath?: string | undefined
  /** What a create takes (where there is one, the usual), what an update takes, or what is read. */
  variant?: 'create' | 'update' | 'read' | undefined
}

export interface PlannedType {
  typePath: string
  label?: string | null | undefined
  properties?: readonly TypeProperty[] | undefined
}

/** What would become of stored entities. */
export interface TypeCheck {
  /** Entities that this call has looked at. */
  checked: number
  /** Those of them that fit now and would no longer. */
  unfit: number
  /** The first of those. */
  examples: {
    entityType: string
    id: string
    typePath: string
    name: string | null
    errors: { path: string; message: string }[]
  }[]
  /** Send it with the same types to look at more; null at the end. */
  nextPageKey: string | null
}

export class EntityTypes {
  readonly #requests: Requests
  readonly #entities: Entities

  constructor(requests: Requests) {
    this.#requests = requests
    this.#entities = new Entities(requests)
  }

  /** The types that the organization describes, and beside them every entity type there is. */
  async list(args: { queryParams?: ListParams | undefined } & CallOptions = {}): Promise<TypePage> {
    const beside = await this.#entities.list<TypeFields, { entityTypes?: RootType[] }>({ ...args, entityName: 'type' })
    return { ...beside, entityTypes: beside.entityTypes ?? [] }
  }

  /** The type of a path with the properties of the paths above it, for example `item:material`. */
  async get(args: { typePath: string } & CallOptions): Promise<EntityType> {
    const { typePath, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: `/types/${segment('typePath', typePath)}` })
  }

  /** What entities of the type are, as JSON Schema; without a path, those of all types under `$defs`. */
  async schema(args: SchemaArgs & CallOptions = {}): Promise<Record<string, unknown>> {
    const { typePath, variant, ...options } = args
    const path = typePath === undefined ? '/types' : `/types/${segment('typePath', typePath)}`
    return this.#requests.json({ ...options, method: 'GET', path, query: { format: 'json-schema', variant } })
  }

  /** Which stored entities would no longer fit, if the types were these. Nothing is written. */
  async check(
    args: { types: readonly PlannedType[]; nextPageKey?: string | undefined } & CallOptions,
  ): Promise<TypeCheck> {
    const { types, nextPageKey, ...options } = args
    const json = { types, nextPageKey }
    return this.#requests.json({ ...options, method: 'POST', path: '/types/check', json, idempotent: true })
  }
}

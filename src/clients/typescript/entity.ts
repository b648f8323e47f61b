// The shapes of entities as they travel. A caller may give its own type for the properties of an entity.

/** Any other text, too, so that an older client can talk to a newer service; editors suggest the names that are known. */
type Open<T extends string> = T | (string & Record<never, never>)

export const ENTITY_NAMES = [
  'item',
  'project-item',
  'assortment-item',
  'assortment',
  'project',
  'workspace',
  'color',
  'custom-entity',
  'size-range-template',
  'type',
  'event-workflow',
  'webhook',
  'file',
  'loader-process',
  'revert-process',
  'event-workflow-process',
  'event-workflow-task',
] as const

/** Singular, for example `item` or `custom-entity`. */
export type EntityName = Open<(typeof ENTITY_NAMES)[number]>

export const ORDER_FIELDS = ['createdOn', 'updatedOn', 'name', 'federatedId', 'identifier'] as const
export type OrderField = Open<(typeof ORDER_FIELDS)[number]>

/** What every entity carries; the service sets all of it except name, federatedId and typePath. */
export interface CommonFields {
  id: string
  orgId: string
  typePath: string
  name: string | null
  federatedId: string | null
  createdOn: string
  updatedOn: string
  createdById: string | null
  updatedById: string | null
  version: number
}

export type Properties = Record<string, unknown>

/** An entity with the properties T, for example `Entity<{ hex: string }>`. */
export type Entity<T extends object = Properties> = CommonFields & T

/** What create takes: any property of T, and the common fields a caller may set. */
export type NewEntity<T extends object = Properties> = Partial<T> & {
  name?: string | null | undefined
  typePath?: string | undefined
  federatedId?: string | null | undefined
}

/** What update takes: the fields to change, each whole; null clears one. */
export type EntityChange<T extends object = Properties> = { [K in keyof T]?: T[K] | null } & {
  name?: string | null | undefined
  typePath?: string | undefined
  federatedId?: string | null | undefined
}

/** A value (equality), a list (any of), null (absent), or text such as `BETWEEN 2026-01-01 and 2026-01-31`. */
export type Criterion = string | number | boolean | null | readonly (string | number | boolean)[]
export type Criteria = Readonly<Record<string, Criterion>>

export interface Order {
  orderField: OrderField
  order: 'asc' | 'desc'
}

export interface Page<T> {
  results: T[]
  /** Send it back as the query parameter of the same name; null at the end. */
  nextPageKey: string | null
  /** The service stopped looking before the page was full: more may fit behind `nextPageKey` (N71). */
  isPartial?: boolean | undefined
}

export interface ListParams {
  /** 1 to 1000; the service's default is 100. */
  limit?: number | undefined
  nextPageKey?: string | null | undefined
  criteria?: Criteria | undefined
  order?: Order | undefined
  /** Referenced entities to add beside their ids, for example `['item', 'item.itemFamily']`. */
  relations?: string | readonly string[] | undefined
}

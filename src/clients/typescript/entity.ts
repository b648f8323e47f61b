// The shapes of entities as they travel. A caller may give its own type for the properties of an entity.

import type { NameOr, RegisteredEntities } from './registry.ts'

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
  'saved-view',
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
export type EntityName = NameOr<Open<(typeof ENTITY_NAMES)[number]>>

export const ORDER_FIELDS = ['createdOn', 'updatedOn', 'name', 'federatedId', 'identifier'] as const
type KnownOrderField = (typeof ORDER_FIELDS)[number]
/** Where types are registered, exactly these. */
export type OrderField = RegisteredEntities extends undefined ? Open<KnownOrderField> : KnownOrderField

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

/** The common fields that a caller may set. */
export interface SentFields {
  typePath?: string | null | undefined
  name?: string | null | undefined
  federatedId?: string | null | undefined
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

export type CriterionValue = string | number | boolean

/** Conditions on one property, all of which must hold. `contains` and `startsWith` ignore case. */
export interface Operators {
  eq?: CriterionValue | null | undefined
  /** Everything that `eq` leaves out, entities without the property among it. */
  not?: CriterionValue | null | undefined
  in?: readonly CriterionValue[] | undefined
  notIn?: readonly CriterionValue[] | undefined
  gt?: string | number | undefined
  gte?: string | number | undefined
  lt?: string | number | undefined
  lte?: string | number | undefined
  /** Both ends included. */
  between?: readonly [string, string] | readonly [number, number] | undefined
  contains?: string | undefined
  startsWith?: string | undefined
  exists?: boolean | undefined
}

/** A value (equality), a list (any of), null (absent), `BETWEEN 2026-01-01 and 2026-01-31`, or operators. */
export type Criterion = CriterionValue | null | readonly CriterionValue[] | Operators
export type PropertyCriteria = Readonly<Record<string, Criterion>>

/** All must hold; of a list under `or`, one. */
export interface Criteria {
  readonly or?: Criterion | readonly PropertyCriteria[] | undefined
  readonly [property: string]: Criterion | readonly PropertyCriteria[] | undefined
}

/** An entity that a search over all types has found. */
export type FoundEntity<T extends object = Properties> = Entity<T> & { entityType: string }

export interface SearchParams {
  q: string
  entityType?: EntityName | undefined
  limit?: number | undefined
  nextPageKey?: string | null | undefined
}

export interface EntityCount {
  count: number
  /** False where there are at least as many, and counting stopped. */
  isExact: boolean
}

/** By one of the fields that every entity has, or by an indexed property. */
export interface Order<F extends string = OrderField> {
  orderField: F
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
  /** Words or beginnings of words that all must be found; without `order`, whole keys come first. */
  q?: string | undefined
  order?: Order | undefined
  /** Referenced entities to add beside their ids, for example `['item', 'item.itemFamily']`. */
  relations?: string | readonly string[] | undefined
}

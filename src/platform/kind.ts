// What an entity type may declare about itself. The rows stand in src/kinds.ts; nothing else asks for a type by name.
import type * as z from 'zod'
import type { Statement } from './db/client.ts'
import type { PropertyColumn } from './db/schema/entities.ts'
import type { FieldError } from './errors.ts'

export type EntityOperation = 'get' | 'list' | 'create' | 'update' | 'delete'

interface ReferenceOf {
  /** The entity type that it must name. */
  target: string
  /** What `relations` calls it. */
  relation: string
  /** There is nothing deeper: what it names has no such reference itself. */
  isFlat?: true
}

/** A property that holds an id and has a column with an index on it, or a list of ids, which has none. */
export type Reference = ReferenceOf & ({ field: PropertyColumn; list?: never } | { field: string; list: true })

export type Referrer = Reference & { kind: string }

export interface Kind {
  /** Singular name, root of the type path, `entityType` of its change records. */
  name: string
  /** Plural name in paths. */
  path: string
  /** One sentence for the API reference. */
  about: string
  /** Own properties with a fixed shape. All others are accepted as they come (N21). */
  fields: Readonly<Record<string, z.ZodType>>
  /** Properties that only the service sets; in a body they are ignored. */
  readOnly: readonly string[]
  references: readonly Reference[]
  /** Who may refer to it; derived from all rows by `kindTable`. */
  referrers: readonly Referrer[]
  /** Properties of which no two entities may share all values; each has a column of its own. */
  uniqueBy?: readonly PropertyColumn[]
  federatedScope: 'kind' | 'typePath'
  /** Whether its type path must begin with its own name. */
  ownRoot: boolean
  recorded: boolean
  operations: readonly EntityOperation[]
  /** Rules across properties, over the entity (create) or the fields sent (update). */
  rules?: (fields: Record<string, unknown>) => FieldError[]
  /** Statements that go with every write of this type, in its transaction. */
  rides?: (orgId: string) => Statement[]
}

export type KindRow = Omit<Kind, 'referrers'>

/** Rows become the table: each learns who refers to it. */
export function kindTable(rows: readonly KindRow[]): Kind[] {
  const referrers = rows.flatMap(row => row.references.map(reference => ({ ...reference, kind: row.name })))
  return rows.map(row => ({ ...row, referrers: referrers.filter(referrer => referrer.target === row.name) }))
}

export const COMMON_READ_ONLY = [
  'id',
  'orgId',
  'createdOn',
  'updatedOn',
  'createdById',
  'updatedById',
  'version',
] as const

export function relationNames(kind: Kind): string[] {
  return kind.references.map(reference => reference.relation)
}

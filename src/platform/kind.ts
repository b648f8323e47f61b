// What an entity type may declare about itself, and the table of all types. Each row stands in the `kind.ts` of the feature
// that owns it; src/kinds.ts gathers them when the Worker is loaded.
import type * as z from 'zod'
import type { Org } from './context.ts'
import type { Database, Statement } from './db/client.ts'
import type { StoredRow } from './db/row.ts'
import type { PropertyColumn } from './db/schema/entities.ts'
import type { Env } from './env.ts'
import type { Fault, FieldError } from './errors.ts'

export type EntityOperation = 'get' | 'list' | 'create' | 'update' | 'delete'

export type KindGroup = 'Product data' | 'Files and loads' | 'Workflows'

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

/** An entity must stay for as long as one that names it has one of these statuses. */
export interface Holding {
  field: string
  target: string
  statuses: readonly string[]
}

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
  readOnly: Readonly<Record<string, z.ZodType>>
  /** What an entity of the type looks like, where its feature says it whole. */
  answer?: z.ZodObject
  /** The properties of one that a caller might make, for the API reference. */
  example?: Readonly<{ typePath?: string; name?: string } & Record<string, unknown>>
  /** Where the API reference tells of it. */
  group: KindGroup
  references: readonly Reference[]
  /** Who may refer to it; found by `gatherKinds` in all the rows. */
  readonly referrers: Referrer[]
  /** Properties of which no two entities may share all values; each has a column of its own. */
  uniqueBy?: readonly PropertyColumn[]
  federatedScope: 'kind' | 'typePath'
  /** Whether its type path must begin with its own name. */
  ownRoot: boolean
  recorded: boolean
  operations: readonly EntityOperation[]
  /** Rules across properties, over the entity (create) or the fields sent (update). */
  rules?: (fields: Record<string, unknown>) => FieldError[]
  /** The same rules as keywords of JSON Schema, as far as it has words for them (N53). */
  rulesSchema?: Readonly<Record<string, unknown>>
  guard?: (orgId: string, writes: readonly Write[]) => Guard
  /** The entity types that such an entity acts on, regardless of who wrote it; null for what reaches beyond entities. */
  reaches?: (fields: Record<string, unknown>) => (string | null)[]
  address?: Address
  /** Statements that go with every write of this type, in its transaction. */
  alongside?: (orgId: string) => Statement[]
  holds?: readonly Holding[]
  /** Files that it needs and names nowhere: a statement that fails where one is such, and what that failure says. */
  keepsFile?: { check(orgId: string, fileId: string): Statement; words(failure: string): string | undefined }
  /** An entity that is `ready` has a content of `size` bytes, in the bucket. */
  hasContent?: true
  /** Removes what lies outside the tables, when its organization is deleted; safe to repeat. */
  forget?: (env: Env, orgId: string, ids: readonly string[]) => Promise<void>
  /** Sets going again, or ends, what no archive can hold, when its organization is brought back (N63); safe to repeat. */
  revive?: Reviving
  /** Entities of this type wait for events, each for that of its `triggerKey`. */
  listens?: true
}

export type Properties = Record<string, unknown>

interface WriteOf<Op extends string> {
  op: Op
  kind: Kind
  id: string
  unrecorded?: true
}

/** `version`: an entity that was deleted returns and counts on, so that no version ever means two states (N52). */
export type CreateWrite = WriteOf<'create'> & { data: Properties; version?: number }
/** The top-level fields to replace, each whole; `null` clears one (N14). */
export type UpdateWrite = WriteOf<'update'> & { patch: Properties; versions?: readonly number[] | undefined }
export type DeleteWrite = WriteOf<'delete'> & { versions?: readonly number[] | undefined }
export type Write = CreateWrite | UpdateWrite | DeleteWrite

/** Rules that only the store can check, in the transaction of the writes: statements that fail on purpose. */
export interface Guard {
  before?: Statement[]
  after?: Statement[]
  /** What the failure of one of them says; undefined where the message is not theirs. `place`: where a write stands. */
  refusal?(message: string, place: (index: number) => string): Fault | undefined
}

export interface Reviving {
  /** Those of its entities that are under way. */
  statuses: readonly string[]
  act(env: Env, org: Org, rows: readonly StoredRow[]): Promise<void>
}

/** What stands for an entity in paths, where its id is not the only thing that does. */
export interface Address {
  parameter: string
  idOf(db: Database, orgId: string, address: string): Promise<string | undefined>
}

const ALL: readonly EntityOperation[] = ['get', 'list', 'create', 'update', 'delete']

/** A row of the table. What it does not say is as for most types. */
export function kind(name: string, path: string, about: string, own: Partial<Omit<Kind, 'referrers'>> = {}): Kind {
  return {
    name,
    path,
    about,
    fields: {},
    readOnly: {},
    references: [],
    federatedScope: 'kind',
    ownRoot: true,
    recorded: true,
    operations: ALL,
    group: 'Product data',
    ...own,
    referrers: [],
  }
}

/** A property `<relation>Id` that names an entity. */
export function reference(field: PropertyColumn, target: string): Reference {
  return { field, target, relation: field.slice(0, -'Id'.length) }
}

const table = new Map<string, Kind>()

/** Rows become the table: each learns who refers to it. */
export function gatherKinds(rows: readonly Kind[]): readonly Kind[] {
  for (const row of rows) {
    table.set(row.name, row)
    for (const { references, name } of rows) {
      for (const one of references) if (one.target === row.name) row.referrers.push({ ...one, kind: name })
    }
  }
  return rows
}

export function allKinds(): Kind[] {
  return [...table.values()]
}

export function findKind(name: string): Kind | undefined {
  return table.get(name)
}

export function kindNamed(name: string): Kind {
  const found = table.get(name)
  if (!found) throw new Error(`no entity type ${name}`)
  return found
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

/** What each entity has, and what no limit of properties counts. */
export const COMMON_NAMES = ['typePath', 'name', 'federatedId'] as const

/** What a body may hold because an answer does, and what nothing is written of. */
export function ignoredNames(kind: Kind): Set<string> {
  return new Set<string>([...COMMON_READ_ONLY, ...Object.keys(kind.readOnly), ...relationNames(kind)])
}

export function relationNames(kind: Kind): string[] {
  return kind.references.map(reference => reference.relation)
}

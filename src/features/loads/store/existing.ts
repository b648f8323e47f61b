// Finds the entities that a load may already have, by federatedId or by what they belong to. Large entities are read a
// few at a time, so that memory stays bounded whatever lies in the table.
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { slices } from '../../../platform/db/json-slices.ts'
import { ENTITY_INDEX, entities } from '../../../platform/db/schema/entities.ts'
import { loadClaims } from '../../../platform/db/schema/loads.ts'
import { columns, from, indexedBy, named, prepared, type Statement } from '../../../platform/db/sql.ts'
import { KB, MB } from '../../../platform/limits.ts'
import type { Properties } from '../drafts/row-values.ts'

export interface Existing {
  id: string
  data: Properties
}

const DATA_MAX_BYTES = 16 * KB
const LARGE_AT_ONCE = 8

const e = named(entities, 'e')
const o = named(entities, 'o')
const c = named(loadClaims, 'c')

/** `data` is null where it is large: see `read`. */
type Found = { key: string; id: string; data: string | null }

const found = (key: SQL) => sql`SELECT ${key} AS key, ${columns(e, ['id'])},
  CASE WHEN octet_length(${e.data}) <= ${sql.raw(String(DATA_MAX_BYTES))} THEN ${e.data} END AS data`

const readLarge = prepared<{ orgId: string; ids: string }, { id: string; data: string }>(
  ({ orgId, ids }) => sql`SELECT ${columns(e, ['id', 'data'])} FROM ${from(e)} ${indexedBy(ENTITY_INDEX.id)}
    WHERE ${e.orgId} = ${orgId} AND ${e.id} IN (SELECT value FROM json_each(${ids}))`,
)

async function read(db: Database, orgId: string, statements: Statement<Found>[]): Promise<Map<string, Existing>> {
  const all = new Map<string, Existing>()
  if (statements.length === 0) return all
  const large: { key: string; id: string }[] = []
  for (const { results } of await db.batch(statements)) {
    for (const { key, id, data } of results) {
      if (data === null) large.push({ key, id })
      else all.set(key, { id, data: JSON.parse(data) as Properties })
    }
  }
  for (let at = 0; at < large.length; at += LARGE_AT_ONCE) {
    const some = new Map(large.slice(at, at + LARGE_AT_ONCE).map(({ key, id }) => [id, key]))
    const rows = await db.all(readLarge({ orgId, ids: JSON.stringify([...some.keys()]) }))
    for (const { id, data } of rows) all.set(some.get(id) ?? '', { id, data: JSON.parse(data) as Properties })
  }
  return all
}

type KeysOf = { keys: string; orgId: string; scope: string }

const hasKey = ({ orgId, scope }: { orgId: unknown; scope: unknown }) => sql`CROSS JOIN ${from(e)}
  ${indexedBy(ENTITY_INDEX.federated)} ON ${e.orgId} = ${orgId} AND ${e.federatedScope} = ${scope} AND ${e.federatedId} = k.value`

const selectByKey = prepared<KeysOf, Found>(
  given => sql`${found(sql`k.value`)} FROM json_each(${given.keys}) k ${hasKey(given)}`,
)

/** `scope`: the entity type, or the type path of custom entities. */
export function findByKey(
  db: Database,
  orgId: string,
  scope: string,
  keys: readonly string[],
): Promise<Map<string, Existing>> {
  return read(
    db,
    orgId,
    slices(keys).map(text => selectByKey({ keys: text, orgId, scope })),
  )
}

/** What a row's key leads to. `data` is null where it is too large to be held beside all others of a chunk. */
export interface Stored {
  key: string
  itemFamilyId: string | null
  bytes: number
  data: string | null
}

const selectStored = prepared<KeysOf & { maxBytes: number }, Stored>(
  given => sql`SELECT k.value AS key, ${columns(e, ['itemFamilyId'])}, octet_length(${e.data}) AS bytes,
    CASE WHEN octet_length(${e.data}) <= ${given.maxBytes} THEN ${e.data} END AS data
    FROM json_each(${given.keys}) k ${hasKey(given)}`,
)

/** Of all that are found. */
const STORED_MAX_BYTES = 8 * MB

export function storedUnder(
  orgId: string,
  scope: string,
  keys: readonly string[],
  hasData: boolean,
): Statement<Stored>[] {
  const maxBytes = hasData ? Math.min(DATA_MAX_BYTES, Math.floor(STORED_MAX_BYTES / keys.length)) : 0
  return slices(keys).map(text => selectStored({ keys: text, orgId, scope, maxBytes }))
}

const selectTypePaths = prepared<KeysOf, { key: string; typePath: string }>(
  given => sql`SELECT k.value AS key, ${columns(e, ['typePath'])} FROM json_each(${given.keys}) k ${hasKey(given)}`,
)

/** The type paths of those that there are. */
export async function typePathsOf(
  db: Database,
  orgId: string,
  root: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const results = await db.batch(slices(keys).map(text => selectTypePaths({ keys: text, orgId, scope: root })))
  return new Map(results.flatMap(({ results: rows }) => rows.map(({ key, typePath }) => [key, typePath] as const)))
}

const selectProjectItems = prepared<{ itemIds: string; orgId: string; projectId: string }, Found>(
  ({ itemIds, orgId, projectId }) => sql`${found(sql`k.value`)} FROM json_each(${itemIds}) k
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.projectItem)}
    ON ${e.orgId} = ${orgId} AND ${e.kind} = 'project-item' AND ${e.itemId} = k.value AND ${e.projectId} = ${projectId}`,
)

/** Project items of one project, by the id of their item. */
export function findProjectItems(db: Database, orgId: string, projectId: string, itemIds: readonly string[]) {
  return read(
    db,
    orgId,
    slices(itemIds).map(text => selectProjectItems({ itemIds: text, orgId, projectId })),
  )
}

export function pairKey(assortmentId: string, itemId: string): string {
  return `${assortmentId}\n${itemId}`
}

const selectAssortmentItems = prepared<{ pairs: string; orgId: string }, Found>(
  ({ pairs, orgId }) => sql`${found(sql`k.value ->> 0 || char(10) || (k.value ->> 1)`)} FROM json_each(${pairs}) k
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.assortmentItem)} ON ${e.orgId} = ${orgId} AND ${e.kind} = 'assortment-item'
      AND ${e.itemId} = k.value ->> 1 AND ${e.assortmentId} = k.value ->> 0`,
)

export function findAssortmentItems(
  db: Database,
  orgId: string,
  pairs: readonly (readonly [assortmentId: string, itemId: string])[],
) {
  return read(
    db,
    orgId,
    slices(pairs).map(text => selectAssortmentItems({ pairs: text, orgId })),
  )
}

type Named = { name: string; id: string }

const namedById = prepared<{ names: string; orgId: string }, Named>(
  ({ names, orgId }) => sql`SELECT k.value AS name, ${columns(e, ['id'])} FROM json_each(${names}) k
    CROSS JOIN ${from(e)} ON ${e.id} = k.value AND ${e.orgId} = ${orgId}`,
)

const namedByKey = prepared<{ names: string; orgId: string; kinds: string }, Named>(
  ({ names, orgId, kinds }) => sql`SELECT k.value AS name, ${columns(e, ['id'])} FROM json_each(${names}) k
    CROSS JOIN json_each(${kinds}) t CROSS JOIN ${from(e)}
    ON ${e.orgId} = ${orgId} AND ${e.kind} = t.value AND ${e.federatedId} = k.value`,
)

/** What a cell may name: an id, or the one entity with this federatedId. */
export async function findReferenced(db: Database, orgId: string, names: readonly string[], kinds: readonly string[]) {
  const results = await db.batch(
    slices(names).flatMap(text => [
      namedById({ names: text, orgId }),
      namedByKey({ names: text, orgId, kinds: JSON.stringify(kinds) }),
    ]),
  )
  const all = new Map<string, Set<string>>()
  for (const { results: rows } of results) {
    for (const { name, id } of rows) all.set(name, (all.get(name) ?? new Set()).add(id))
  }
  return all
}

export interface StoredOption extends Existing {
  familyId: string
}

const listOptions = prepared<
  { orgId: string; familyIds: string; after: number; limit: number; unnamedBy: string | null },
  { seq: number; id: string; itemFamilyId: string; isNamed: 0 | 1 }
>(
  ({ orgId, familyIds, after, limit, unnamedBy }) => sql`SELECT page.*, EXISTS (SELECT 1 FROM ${from(c)}
      WHERE ${c.loadId} = ${unnamedBy} AND ${c.space} = 'item' AND ${c.key} = ${o.federatedId}) AS "isNamed"
    FROM (SELECT ${columns(e, ['seq', 'id', 'itemFamilyId'])} FROM json_each(${familyIds}) f
      CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.itemFamilyId)} ON ${e.orgId} = ${orgId} AND ${e.kind} = 'item'
        AND ${e.itemFamilyId} = f.value AND ${e.seq} > ${after} ORDER BY ${e.seq} LIMIT ${limit}) page
    CROSS JOIN ${from(o)} ON ${o.seq} = page.seq AND ${o.orgId} = ${orgId} ORDER BY page.seq`,
)

const selectByIds = prepared<{ orgId: string; ids: string }, Found>(
  ({ orgId, ids }) => sql`${found(sql`k.value`)} FROM json_each(${ids}) k
    CROSS JOIN ${from(e)} ON ${e.id} = k.value AND ${e.orgId} = ${orgId}`,
)

/** By id. */
export function findByIds(db: Database, orgId: string, ids: readonly string[]): Promise<Map<string, Existing>> {
  return read(
    db,
    orgId,
    slices(ids).map(text => selectByIds({ orgId, ids: text })),
  )
}

/**
 * Options of these families in the order of their creation, after one of them; `last` where there may be more. Without those that
 * rows of the load `unnamedBy` name; however many these are, a page looks at no more than `limit`.
 */
export async function optionsOf(
  db: Database,
  orgId: string,
  familyIds: readonly string[],
  after: number,
  limit: number,
  unnamedBy: string | null = null,
): Promise<{ rows: StoredOption[]; last: number | undefined }> {
  if (familyIds.length === 0) return { rows: [], last: undefined }
  const listed = await db.all(listOptions({ orgId, familyIds: JSON.stringify(familyIds), after, limit, unnamedBy }))
  const unnamed = listed.filter(({ isNamed }) => !isNamed)
  const families = new Map(unnamed.map(({ id, itemFamilyId }) => [id, itemFamilyId]))
  const options = await findByIds(db, orgId, [...families.keys()])
  const rows = [...options.values()].map(option => ({ ...option, familyId: families.get(option.id) ?? '' }))
  return { rows, last: listed.length === limit ? listed.at(-1)?.seq : undefined }
}

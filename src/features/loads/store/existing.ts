// Finds the entities that a load may already have, by federatedId or by what they belong to. Large entities are read a
// few at a time, so that memory stays bounded whatever lies in the table.
import type { Database, Statement } from '../../../platform/db/client.ts'
import { slices } from '../../../platform/db/json-slices.ts'
import type { Properties } from '../drafts/row-values.ts'

export interface Existing {
  id: string
  data: Properties
}

const DATA_MAX_BYTES = 16 * 1024
const LARGE_AT_ONCE = 8

const COLUMNS = `e.id, CASE WHEN octet_length(e.data) <= ${DATA_MAX_BYTES} THEN e.data END AS data`

async function read(db: Database, statements: Statement[]): Promise<Map<string, Existing>> {
  const found = new Map<string, Existing>()
  if (statements.length === 0) return found
  const large: { key: string; id: string }[] = []
  for (const { results } of await db.batch(statements)) {
    for (const { key, id, data } of results) {
      if (typeof data === 'string') found.set(String(key), { id: String(id), data: JSON.parse(data) as Properties })
      else large.push({ key: String(key), id: String(id) })
    }
  }
  for (let at = 0; at < large.length; at += LARGE_AT_ONCE) {
    const some = new Map(large.slice(at, at + LARGE_AT_ONCE).map(({ key, id }) => [id, key]))
    const rows = await db.all({
      sql: 'SELECT id, data FROM entities WHERE id IN (SELECT value FROM json_each(?1))',
      params: [JSON.stringify([...some.keys()])],
    })
    for (const { id, data } of rows) {
      found.set(some.get(String(id)) ?? '', { id: String(id), data: JSON.parse(String(data)) as Properties })
    }
  }
  return found
}

/** `scope`: the entity type, or the type path of custom entities. */
export function findByKey(
  db: Database,
  orgId: string,
  scope: string,
  keys: readonly string[],
): Promise<Map<string, Existing>> {
  return read(
    db,
    slices(keys).map(text => ({
      sql: `SELECT k.value AS key, ${COLUMNS} FROM json_each(?1) k CROSS JOIN entities e INDEXED BY entities_federated
        ON e.org_id = ?2 AND e.federated_scope = ?3 AND e.federated_id = k.value`,
      params: [text, orgId, scope],
    })),
  )
}

/** The type paths of those that are not of the root type. */
export async function typePathsOf(
  db: Database,
  orgId: string,
  root: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const results = await db.batch(
    slices(keys).map(text => ({
      sql: `SELECT k.value AS key, e.type_path FROM json_each(?1) k CROSS JOIN entities e INDEXED BY entities_federated
        ON e.org_id = ?2 AND e.federated_scope = ?3 AND e.federated_id = k.value AND e.type_path <> ?3`,
      params: [text, orgId, root],
    })),
  )
  return new Map(
    results.flatMap(({ results: rows }) => rows.map(row => [String(row.key), String(row.type_path)] as const)),
  )
}

/** Project items of one project, by the id of their item. */
export function findProjectItems(db: Database, orgId: string, projectId: string, itemIds: readonly string[]) {
  return read(
    db,
    slices(itemIds).map(text => ({
      sql: `SELECT k.value AS key, ${COLUMNS} FROM json_each(?1) k CROSS JOIN entities e INDEXED BY entities_project_item
        ON e.org_id = ?2 AND e.kind = 'project-item' AND e.item_id = k.value AND e.project_id = ?3`,
      params: [text, orgId, projectId],
    })),
  )
}

export function pairKey(assortmentId: string, itemId: string): string {
  return `${assortmentId}\n${itemId}`
}

export function findAssortmentItems(
  db: Database,
  orgId: string,
  pairs: readonly (readonly [assortmentId: string, itemId: string])[],
) {
  return read(
    db,
    slices(pairs).map(text => ({
      sql: `SELECT k.value ->> 0 || char(10) || (k.value ->> 1) AS key, ${COLUMNS} FROM json_each(?1) k
        CROSS JOIN entities e INDEXED BY entities_assortment_item
        ON e.org_id = ?2 AND e.kind = 'assortment-item' AND e.item_id = k.value ->> 1 AND e.assortment_id = k.value ->> 0`,
      params: [text, orgId],
    })),
  )
}

/** What a cell may name: an id, or the one entity with this federatedId. */
export async function findReferenced(db: Database, orgId: string, names: readonly string[], kinds: readonly string[]) {
  const results = await db.batch(
    slices(names).flatMap(text => [
      {
        sql: `SELECT k.value AS name, e.id FROM json_each(?1) k CROSS JOIN entities e ON e.id = k.value AND e.org_id = ?2`,
        params: [text, orgId],
      },
      {
        sql: `SELECT k.value AS name, e.id FROM json_each(?1) k CROSS JOIN json_each(?3) t CROSS JOIN entities e
          ON e.org_id = ?2 AND e.kind = t.value AND e.federated_id = k.value`,
        params: [text, orgId, JSON.stringify(kinds)],
      },
    ]),
  )
  const found = new Map<string, Set<string>>()
  for (const { results: rows } of results) {
    for (const { name, id } of rows) {
      const ids = found.get(String(name)) ?? new Set()
      found.set(String(name), ids.add(String(id)))
    }
  }
  return found
}

export interface StoredOption extends Existing {
  familyId: string
}

/** Options of these families in the order of their creation, after one of them; `last` where there may be more. */
export async function optionsOf(
  db: Database,
  orgId: string,
  familyIds: readonly string[],
  after: number,
  limit: number,
): Promise<{ rows: StoredOption[]; last: number | undefined }> {
  if (familyIds.length === 0) return { rows: [], last: undefined }
  const listed = await db.all({
    sql: `SELECT e.seq, e.id, e.item_family_id FROM json_each(?2) f CROSS JOIN entities e INDEXED BY entities_item_family_id
      ON e.org_id = ?1 AND e.kind = 'item' AND e.item_family_id = f.value AND e.seq > ?3 ORDER BY e.seq LIMIT ?4`,
    params: [orgId, JSON.stringify(familyIds), after, limit],
  })
  const families = new Map(listed.map(row => [String(row.id), String(row.item_family_id)]))
  const found = await read(db, [
    {
      sql: `SELECT k.value AS key, ${COLUMNS} FROM json_each(?1) k CROSS JOIN entities e ON e.id = k.value AND e.org_id = ?2`,
      params: [JSON.stringify([...families.keys()]), orgId],
    },
  ])
  const rows = [...found.values()].map(option => ({ ...option, familyId: families.get(option.id) ?? '' }))
  return { rows, last: listed.length === limit ? Number(listed.at(-1)?.seq) : undefined }
}

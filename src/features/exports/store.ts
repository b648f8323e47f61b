// What an export looks up beside its pages (N51).
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { slices } from '../../platform/db/json-slices.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { columns, from, indexedBy, named, prepared } from '../../platform/db/sql.ts'
import { CRITERION_MAX_VALUES } from '../../platform/limits.ts'

const e = named(entities, 'e')
const o = named(entities, 'o')

type WindowValues = { orgId: string; kind: string; time: number; seq: number; limit: number }

type FoundRow = { key: string | null; type: string | null; time: number | null; seq: number | null; n: number | null }

const WINDOW = (given: { [Name in keyof WindowValues]: unknown }) => sql`w AS MATERIALIZED (
  SELECT ${columns(e, ['seq', 'createdOn', 'data'])} FROM ${from(e)} ${indexedBy(ENTITY_INDEX.createdOn)}
  WHERE ${e.orgId} = ${given.orgId} AND ${e.kind} = ${given.kind} AND (${e.createdOn}, ${e.seq}) > (${given.time}, ${given.seq})
  ORDER BY ${e.createdOn}, ${e.seq} LIMIT ${given.limit})`

const selectFound = prepared<WindowValues, FoundRow>(
  given => sql`WITH ${WINDOW(given)}
    SELECT j.key AS key, j.type AS type, NULL AS time, NULL AS seq, NULL AS n FROM w, json_each(w.data) j GROUP BY j.key, j.type
    UNION ALL SELECT * FROM (SELECT NULL, NULL, w."createdOn", w.seq, count(*) OVER () FROM w
      ORDER BY w."createdOn" DESC, w.seq DESC LIMIT 1)`,
)

const ROWS_A_LOOK = 5000

/** Every property that entities of the type have, with the JSON types of its values; a bounded number of them at a time. */
export async function propertiesFound(
  db: Database,
  orgId: string,
  kind: string,
  pause: () => Promise<void>,
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  for (let at = { time: -1, seq: -1 }; ; ) {
    const rows = await db.all(selectFound({ orgId, kind, ...at, limit: ROWS_A_LOOK }))
    let last: FoundRow | undefined
    for (const row of rows) {
      if (row.key === null || row.type === null) last = row
      else found.set(row.key, (found.get(row.key) ?? new Set()).add(row.type))
    }
    if (!last || (last.n ?? 0) < ROWS_A_LOOK) return found
    at = { time: last.time ?? 0, seq: last.seq ?? 0 }
    await pause()
  }
}

const selectKeys = prepared<
  { orgId: string; ids: string },
  { id: string; federatedId: string | null; typePath: string | null }
>(
  ({ orgId, ids }) => sql`SELECT ${columns(e, ['id', 'federatedId', 'typePath'])} FROM json_each(${ids}) k
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.id)} ON ${e.id} = k.value WHERE ${e.orgId} = ${orgId}`,
)

/** Keys and type paths of entities, by id; those that are not there are not among them. */
export async function keysOf(db: Database, orgId: string, ids: readonly string[]) {
  const found = new Map<string, { id: string; federatedId: string | null; typePath: string | null }>()
  if (ids.length === 0) return found
  const results = await db.batch(slices(ids).map(slice => selectKeys({ orgId, ids: slice })))
  for (const { results: rows } of results) for (const row of rows) found.set(row.id, row)
  return found
}

const selectKeylessFamilies = prepared<
  { orgId: string; seq: number; limit: number },
  { ids: string; seq: number | null }
>(
  ({ orgId, seq, limit }) => sql`WITH w AS MATERIALIZED (
      SELECT ${columns(e, ['seq', 'id'])} FROM ${from(e)} ${indexedBy(ENTITY_INDEX.federatedId)}
      WHERE ${e.orgId} = ${orgId} AND ${e.kind} = 'item' AND ${e.federatedId} IS NULL AND ${e.seq} > ${seq}
      ORDER BY ${e.seq} LIMIT ${limit})
    SELECT json_group_array(w.id) FILTER (WHERE EXISTS (SELECT 1 FROM ${from(o)} ${indexedBy(ENTITY_INDEX.itemFamilyId)}
      WHERE ${o.orgId} = ${orgId} AND ${o.kind} = 'item' AND ${o.itemFamilyId} = w.id)) AS ids, max(w.seq) AS seq FROM w`,
)

/** Items without a federatedId that have options; as many at a time as a criterion takes. */
export async function* keylessFamilies(db: Database, orgId: string): AsyncGenerator<string[]> {
  for (let at: number | null = 0; at !== null; ) {
    const [look]: { ids: string; seq: number | null }[] = await db.all(
      selectKeylessFamilies({ orgId, seq: at, limit: CRITERION_MAX_VALUES }),
    )
    const ids = JSON.parse(look?.ids ?? '[]') as string[]
    if (ids.length) yield ids
    at = look?.seq ?? null
  }
}

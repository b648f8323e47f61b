// Reads the types of an organization with the stamp that they belong to.
import type { Database, Statement } from '../../platform/db/client.ts'
import { REFUSED } from '../../platform/db/commit/check.ts'
import { type Entity, type EntityRow, entityOf, ROW_COLUMNS } from '../../platform/db/row.ts'
import type { Address } from '../../platform/kind.ts'
import { TYPES_MAX, TYPES_MAX_BYTES } from '../../platform/limits.ts'
import { type TypeRow, TypeTable } from './table.ts'

export async function readTypes(db: Database, orgId: string): Promise<TypeTable> {
  const [stamp, rows] = await db.batch([
    {
      sql: `SELECT coalesce(max(seq), 0) AS stamp FROM changes WHERE org_id = ?1 AND entity_type = 'type'`,
      params: [orgId],
    },
    {
      sql: `SELECT type_path, data -> '$.label' AS label, data -> '$.properties' AS properties FROM entities
        WHERE org_id = ?1 AND kind = 'type' LIMIT ?2`,
      params: [orgId, TYPES_MAX],
    },
  ])
  const types = (rows?.results ?? []).map(
    (row): TypeRow => ({
      typePath: String(row.type_path),
      label: row.label === null ? null : (JSON.parse(String(row.label)) as string),
      properties: row.properties === null ? [] : (JSON.parse(String(row.properties)) as TypeRow['properties']),
    }),
  )
  return new TypeTable(Number(stamp?.results[0]?.stamp ?? 0), types)
}

/** What makes a type a type in paths: its type path, or its id. */
export const typeAddress: Address = {
  parameter: 'typePath',
  idOf: async (db, orgId, address) => (await findType(db, orgId, address))?.id,
}

/** By type path or by id. */
export async function findType(db: Database, orgId: string, address: string): Promise<Entity | undefined> {
  const [row] = await db.all({
    sql: `SELECT ${ROW_COLUMNS} FROM entities WHERE org_id = ?1 AND kind = 'type' AND type_path = ?2
      UNION ALL SELECT ${ROW_COLUMNS} FROM entities WHERE id = ?2 AND org_id = ?1 AND kind = 'type' LIMIT 1`,
    params: [orgId, address],
  })
  return row && entityOf(row as unknown as EntityRow)
}

/** Begin the messages of writes that are refused. */
export const FULL = 'types full'
export const DECLARED = 'slugs declared '

type Placed = readonly [index: number, id: string]

const ROOT = `substr(t.type_path, 1, instr(t.type_path || ':', ':') - 1)`
/** `;` comes next to `:`, so that this is a range of the index. */
const BELOW = `x.type_path > t.type_path || ':' AND x.type_path < t.type_path || ';'`
const USER = `SELECT 1 FROM entities x INDEXED BY entities_type_path WHERE x.org_id = ?1`

/** Fails where an entity, or a type that stays, is of a type that is to be deleted, or of one below it. */
export function typesInUse(orgId: string, removed: readonly Placed[]): Statement {
  const by = `CASE WHEN EXISTS (${USER} AND x.kind = ${ROOT} AND x.type_path = t.type_path)
      OR EXISTS (${USER} AND x.kind = ${ROOT} AND ${BELOW}) THEN ${ROOT}
    WHEN EXISTS (${USER} AND x.kind = 'type' AND ${BELOW} AND x.id NOT IN (SELECT value ->> 1 FROM json_each(?2))) THEN 'type' END`
  return {
    sql: `SELECT json_extract('{}', '${REFUSED}' || group_concat(n || ':in_use:' || user, ' ')) FROM (
      SELECT w.value ->> 0 AS n, ${by} AS user FROM json_each(?2) w
      CROSS JOIN entities t ON t.id = w.value ->> 1 AND t.org_id = ?1 AND t.kind = 'type') WHERE user IS NOT NULL`,
    params: [orgId, JSON.stringify(removed)],
  }
}

export function typesWithinLimits(orgId: string): Statement {
  return {
    sql: `SELECT json_extract('{}', '${FULL}') FROM (SELECT count(*) AS types, sum(octet_length(data)) AS bytes
      FROM entities INDEXED BY entities_type_path WHERE org_id = ?1 AND kind = 'type') WHERE types > ?2 OR bytes > ?3`,
    params: [orgId, TYPES_MAX, TYPES_MAX_BYTES],
  }
}

/** Fails where a type that was written has a property of a name that its entity type declares. */
export function declaredSlugs(
  orgId: string,
  written: readonly Placed[],
  declared: Record<string, string[]>,
): Statement {
  return {
    sql: `SELECT json_extract('{}', '${DECLARED}' || group_concat(w.value ->> 0 || ':' || p.key, ' ')) FROM json_each(?2) w
      CROSS JOIN entities t ON t.id = w.value ->> 1 AND t.org_id = ?1 CROSS JOIN json_each(t.data, '$.properties') p
      WHERE p.value ->> '$.slug' IN (SELECT s.value FROM json_each(?3) d, json_each(d.value) s WHERE d.key = ${ROOT})`,
    params: [orgId, JSON.stringify(written), JSON.stringify(declared)],
  }
}

// Reads the types of an organization with the stamp that they belong to.
import type { Database } from '../../platform/db/client.ts'
import { type Entity, type EntityRow, entityOf, ROW_COLUMNS } from '../../platform/db/row.ts'
import { TYPES_MAX } from '../../platform/limits.ts'
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

/** By type path or by id. */
export async function findType(db: Database, orgId: string, address: string): Promise<Entity | undefined> {
  const [row] = await db.all({
    sql: `SELECT ${ROW_COLUMNS} FROM entities WHERE org_id = ?1 AND kind = 'type' AND type_path = ?2
      UNION ALL SELECT ${ROW_COLUMNS} FROM entities WHERE id = ?2 AND org_id = ?1 AND kind = 'type' LIMIT 1`,
    params: [orgId, address],
  })
  return row && entityOf(row as unknown as EntityRow)
}

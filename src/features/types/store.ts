// Reads the types of an organization with the stamp that they belong to.
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { type Entity, entityOf, rowColumns, type StoredRow } from '../../platform/db/row.ts'
import { changes, entities } from '../../platform/db/schema/entities.ts'
import { columns, prepared } from '../../platform/db/sql.ts'
import { TYPES_MAX } from '../../platform/limits.ts'
import { type TypeRow, TypeTable } from './table.ts'

const readStamp = prepared<{ orgId: string }, { stamp: number }>(
  ({ orgId }) => sql`SELECT coalesce(max(${changes.seq}), 0) AS stamp FROM ${changes}
    WHERE ${changes.orgId} = ${orgId} AND ${changes.entityType} = 'type'`,
)

type TypeTexts = { typePath: string; label: string | null; properties: string | null }

const readAll = prepared<{ orgId: string; limit: number }, TypeTexts>(
  ({ orgId, limit }) => sql`SELECT ${columns(entities, ['typePath'])}, ${entities.data} -> '$.label' AS label,
      ${entities.data} -> '$.properties' AS properties
    FROM ${entities} WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = 'type' LIMIT ${limit}`,
)

export async function readTypes(db: Database, orgId: string): Promise<TypeTable> {
  const [stamp, rows] = await db.batch([readStamp({ orgId }), readAll({ orgId, limit: TYPES_MAX })])
  const types = rows.results.map(
    ({ typePath, label, properties }): TypeRow => ({
      typePath,
      label: label === null ? null : (JSON.parse(label) as string),
      properties: properties === null ? [] : (JSON.parse(properties) as TypeRow['properties']),
    }),
  )
  return new TypeTable(stamp.results[0]?.stamp ?? 0, types)
}

const readType = prepared<{ orgId: string; address: string }, StoredRow>(
  ({ orgId, address }) => sql`SELECT ${rowColumns()} FROM ${entities}
      WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = 'type' AND ${entities.typePath} = ${address}
    UNION ALL SELECT ${rowColumns()} FROM ${entities}
      WHERE ${entities.id} = ${address} AND ${entities.orgId} = ${orgId} AND ${entities.kind} = 'type' LIMIT 1`,
)

/** By type path or by id. */
export async function findType(db: Database, orgId: string, address: string): Promise<Entity | undefined> {
  const row = await db.first(readType({ orgId, address }))
  return row && entityOf(row)
}

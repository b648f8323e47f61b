// Reads the types of an organization with the stamp that they belong to.
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { REFUSED } from '../../platform/db/commit/check.ts'
import { stampOfTypes } from '../../platform/db/commit/type-checks.ts'
import { withinQuota } from '../../platform/db/quota.ts'
import { type Entity, entityOf, rowColumns, type StoredRow } from '../../platform/db/row.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { columns, from, indexedBy, named, prepared, type Statement, statement } from '../../platform/db/sql.ts'
import type { Address } from '../../platform/kind.ts'
import { QUOTAS_MOST } from '../../platform/limits.ts'
import { type TypeRow, TypeTable } from './table.ts'

const readStamp = prepared<{ orgId: string }, { stamp: number }>(
  ({ orgId }) => sql`SELECT ${stampOfTypes(orgId)} AS stamp`,
)

/** What a type takes beside its properties, and an organization without any. */
const TYPE_ROW_BYTES = 500

type TypeTexts = { typePath: string; label: string | null; properties: string | null }

const readAll = prepared<{ orgId: string; limit: number }, TypeTexts>(
  ({ orgId, limit }) => sql`SELECT ${columns(entities, ['typePath'])}, ${entities.data} -> '$.label' AS label,
      ${entities.data} -> '$.properties' AS properties
    FROM ${entities} WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = 'type' LIMIT ${limit}`,
)

export async function readTypes(db: Database, orgId: string): Promise<TypeTable> {
  const [stamp, rows] = await db.batch([readStamp({ orgId }), readAll({ orgId, limit: QUOTAS_MOST.types })])
  const types = rows.results.map(
    ({ typePath, label, properties }): TypeRow => ({
      typePath,
      label: label === null ? null : (JSON.parse(label) as string),
      properties: properties === null ? [] : (JSON.parse(properties) as TypeRow['properties']),
    }),
  )
  const bytes = rows.results.reduce(
    (sum, { properties }) => sum + (properties?.length ?? 0) + TYPE_ROW_BYTES,
    TYPE_ROW_BYTES,
  )
  return new TypeTable(stamp.results[0]?.stamp ?? 0, types, bytes)
}

/** The stamp alone. */
export async function readTypesStamp(db: Database, orgId: string): Promise<number> {
  return (await db.first(readStamp({ orgId })))?.stamp ?? 0
}

/** What makes a type a type in paths: its type path, or its id. */
export const typeAddress: Address = {
  parameter: 'typePath',
  idOf: async (db, orgId, address) => (await findType(db, orgId, address))?.id,
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

/** Begins the message of writes that are refused. */
export const DECLARED = 'slugs declared '

type Placed = readonly [index: number, id: string]

/** A type in statements, and the entity type that its path belongs to. */
export const t = named(entities, 't')
const x = named(entities, 'x')

export const ROOT = sql`substr(${t.typePath}, 1, instr(${t.typePath} || ':', ':') - 1)`
/** `;` comes next to `:`, so that this is a range of the index. */
const BELOW = sql`${x.typePath} > ${t.typePath} || ':' AND ${x.typePath} < ${t.typePath} || ';'`

const failing = (message: string, more: SQL = sql``) => sql`json_extract('{}', ${sql.raw(`'${message}'`)}${more})`

/** A type that is to be deleted, or to have another path. */
type Removed = readonly [index: number, id: string, typePath: string | null]

/** Fails where an entity, or a type that stays, is of a path that is to be described no longer, or of one below it. */
export function typesInUse(orgId: string, removed: readonly Removed[]): Statement {
  const sent = JSON.stringify(removed)
  const going = sql`json_each(${sent}) w CROSS JOIN ${from(t)}
    ON ${t.id} = w.value ->> 1 AND ${t.orgId} = ${orgId} AND ${t.kind} = 'type' AND ${t.typePath} IS NOT w.value ->> 2`
  const user = (condition: SQL) => sql`EXISTS (SELECT 1 FROM ${from(x)} ${indexedBy(ENTITY_INDEX.typePath)}
    WHERE ${x.orgId} = ${orgId} AND ${condition})`
  const stays = sql`${x.id} NOT IN (SELECT w.value ->> 1 FROM ${going})`
  const by = sql`CASE WHEN ${user(sql`${x.kind} = ${ROOT} AND ${x.typePath} = ${t.typePath}`)}
      OR ${user(sql`${x.kind} = ${ROOT} AND ${BELOW}`)} THEN ${ROOT}
    WHEN ${user(sql`${x.kind} = 'type' AND ${BELOW} AND ${stays}`)} THEN 'type' END`
  return statement(sql`SELECT ${failing(REFUSED, sql` || group_concat(n || ':in_use:' || holder, ' ')`)} FROM (
    SELECT w.value ->> 0 AS n, ${by} AS holder FROM ${going}) WHERE holder IS NOT NULL`)
}

export function typesWithinQuotas(orgId: string): Statement[] {
  const present = sql`FROM ${from(t)} ${indexedBy(ENTITY_INDEX.typePath)} WHERE ${t.orgId} = ${orgId} AND ${t.kind} = 'type'`
  return [
    statement(withinQuota(orgId, 'types', sql`SELECT count(*) ${present}`)),
    statement(withinQuota(orgId, 'typeBytes', sql`SELECT sum(octet_length(${t.data})) ${present}`)),
  ]
}

/** Fails where a type that was written has a property of a name that its entity type declares. */
export function declaredSlugs(
  orgId: string,
  written: readonly Placed[],
  declared: Record<string, string[]>,
): Statement {
  return statement(sql`SELECT ${failing(DECLARED, sql` || group_concat(w.value ->> 0 || ':' || p.key, ' ')`)}
    FROM json_each(${JSON.stringify(written)}) w
    CROSS JOIN ${from(t)} ON ${t.id} = w.value ->> 1 AND ${t.orgId} = ${orgId} CROSS JOIN json_each(${t.data}, '$.properties') p
    WHERE p.value ->> '$.slug' IN (
      SELECT s.value FROM json_each(${JSON.stringify(declared)}) d, json_each(d.value) s WHERE d.key = ${ROOT})`)
}

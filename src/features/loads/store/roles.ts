// Which stored items are other than a load's file says: options of another family, or none, and owners of identifiers.
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { slices } from '../../../platform/db/json-slices.ts'
import { ENTITY_INDEX, entities } from '../../../platform/db/schema/entities.ts'
import { columns, from, indexedBy, named, prepared, type Statement } from '../../../platform/db/sql.ts'

const e = named(entities, 'e')
const f = named(entities, 'f')
const x = named(entities, 'x')

const isItem = (table: typeof e, orgId: unknown, key: unknown) =>
  sql`${table.orgId} = ${orgId} AND ${table.federatedScope} = 'item' AND ${table.federatedId} = ${key}`

/** A stored item that is not the option of the family that the file names. */
export interface OtherRole {
  key: string
  /** The family that it has; none: it is no option so far. */
  itemFamilyId: string | null
  isFamily: 0 | 1
}

const selectOthers = prepared<{ orgId: string; pairs: string }, OtherRole>(
  ({ orgId, pairs }) => sql`SELECT k.value ->> 0 AS key, ${columns(e, ['itemFamilyId'])},
      ${e.itemFamilyId} IS NULL AND (EXISTS (SELECT 1 FROM json_each(${e.data}, '$.roles') r WHERE r.value = 'family')
        OR EXISTS (SELECT 1 FROM ${from(x)} ${indexedBy(ENTITY_INDEX.itemFamilyId)}
          WHERE ${x.orgId} = ${orgId} AND ${x.kind} = 'item' AND ${x.itemFamilyId} = ${e.id})) AS "isFamily"
    FROM json_each(${pairs}) k
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.federated)} ON ${isItem(e, orgId, sql`k.value ->> 0`)}
    LEFT JOIN ${from(f)} ${indexedBy(ENTITY_INDEX.federated)} ON ${isItem(f, orgId, sql`k.value ->> 1`)}
    WHERE ${e.itemFamilyId} IS NULL OR ${f.id} IS NULL OR ${e.itemFamilyId} <> ${f.id}`,
)

/** Finds those of the options that are not stored as the pair says. */
export function otherRoles(
  orgId: string,
  options: readonly (readonly [option: string, family: string])[],
): Statement<OtherRole>[] {
  return slices(options).map(pairs => selectOthers({ orgId, pairs }))
}

const selectIdentified = prepared<
  { orgId: string; kind: string; identifiers: string },
  { identifier: string; federatedId: string | null; federatedScope: string }
>(
  ({
    orgId,
    kind,
    identifiers,
  }) => sql`SELECT ${columns(e, ['identifier', 'federatedId', 'federatedScope'])} FROM json_each(${identifiers}) k
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.identifier)}
      ON ${e.orgId} = ${orgId} AND ${e.kind} = ${kind} AND ${e.identifier} = k.value`,
)

/** Whose identifiers these are: a federatedId, and that within which it is one entity's. */
export async function ownersOf(
  db: Database,
  orgId: string,
  kind: string,
  identifiers: readonly string[],
): Promise<Map<string, { federatedId: string | null; federatedScope: string }>> {
  const results = await db.batch(slices(identifiers).map(text => selectIdentified({ orgId, kind, identifiers: text })))
  return new Map(results.flatMap(({ results: rows }) => rows.map(row => [row.identifier, row] as const)))
}

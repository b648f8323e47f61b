// Members of assortments: those that a load's file names, and those that it leaves out.
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { ENTITY_INDEX, entities } from '../../../platform/db/schema/entities.ts'
import { loadClaims } from '../../../platform/db/schema/loads.ts'
import { columns, from, indexedBy, named, prepared } from '../../../platform/db/sql.ts'

export interface Member {
  id: string
  itemId: string
  assortmentId: string
}

export type Pair = readonly [assortmentId: string, itemKey: string]

const e = named(entities, 'e')
const i = named(entities, 'i')
const c = named(loadClaims, 'c')

const MEMBER = columns(e, ['id', 'itemId', 'assortmentId'])

type AbsentValues = { orgId: string; loadId: string; assortmentId: string; after: number; limit: number }

const selectMembers = prepared<AbsentValues, Member & { seq: number; isNamed: 0 | 1 }>(
  ({ orgId, loadId, assortmentId, after, limit }) => sql`SELECT ${columns(e, ['seq'])}, ${MEMBER}, EXISTS (
      SELECT 1 FROM ${from(i)} CROSS JOIN ${from(c)} ON ${c.loadId} = ${loadId} AND ${c.space} = 'member'
        AND ${c.key} = ${assortmentId} || char(10) || ${i.federatedId}
      WHERE ${i.id} = ${e.itemId} AND ${i.orgId} = ${orgId}) AS "isNamed"
    FROM ${from(e)} ${indexedBy(ENTITY_INDEX.assortmentId)} WHERE ${e.orgId} = ${orgId} AND ${e.kind} = 'assortment-item'
      AND ${e.assortmentId} = ${assortmentId} AND ${e.seq} > ${after} ORDER BY ${e.seq} LIMIT ${limit}`,
)

/** One page of an assortment's members, with those that no row of the file names. */
export async function absentMembers(
  db: Database,
  page: AbsentValues,
): Promise<{ absent: Member[]; last: number | undefined }> {
  const rows = await db.all(selectMembers(page))
  return {
    absent: rows.filter(row => row.isNamed === 0),
    last: rows.length === page.limit ? rows.at(-1)?.seq : undefined,
  }
}

type PairValues = { orgId: string; pairs: string }

const membersOf = ({ orgId, pairs }: { orgId: unknown; pairs: unknown }) => sql`FROM json_each(${pairs}) k
  CROSS JOIN ${from(i)} ${indexedBy(ENTITY_INDEX.federated)}
    ON ${i.orgId} = ${orgId} AND ${i.federatedScope} = 'item' AND ${i.federatedId} = k.value ->> 1
  CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.assortmentItem)} ON ${e.orgId} = ${orgId} AND ${e.kind} = 'assortment-item'
    AND ${e.itemId} = ${i.id} AND ${e.assortmentId} = k.value ->> 0`

const selectNamed = prepared<PairValues, Member>(given => sql`SELECT ${MEMBER} ${membersOf(given)}`)

export async function membersNamed(db: Database, orgId: string, pairs: readonly Pair[]): Promise<Member[]> {
  return db.all(selectNamed({ orgId, pairs: JSON.stringify(pairs) }))
}

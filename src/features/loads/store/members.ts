// Members of assortments: which a load leaves out, and which it has changed.
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { slices } from '../../../platform/db/json-slices.ts'
import { ENTITY_INDEX, entities } from '../../../platform/db/schema/entities.ts'
import { loadClaims, loadMembers } from '../../../platform/db/schema/loads.ts'
import {
  bare,
  columns,
  from,
  indexedBy,
  insertInto,
  named,
  prepared,
  type Statement,
} from '../../../platform/db/sql.ts'

export interface Member {
  id: string
  itemId: string
  assortmentId: string
}

export type Pair = readonly [assortmentId: string, itemKey: string]

const e = named(entities, 'e')
const i = named(entities, 'i')
const o = named(entities, 'o')
const m = named(entities, 'm')
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

const selectLeft = prepared<PairValues & { loadId: string }, Member>(
  given => sql`SELECT DISTINCT ${MEMBER} ${membersOf(given)}
    WHERE NOT EXISTS (SELECT 1 FROM ${from(c)} WHERE ${c.loadId} = ${given.loadId} AND ${c.space} = 'member'
        AND ${c.key} = k.value ->> 0 || char(10) || (k.value ->> 1))
      AND NOT EXISTS (SELECT 1 FROM ${from(o)} ${indexedBy(ENTITY_INDEX.itemFamilyId)}
        CROSS JOIN ${from(m)} ${indexedBy(ENTITY_INDEX.assortmentItem)} ON ${m.orgId} = ${given.orgId}
          AND ${m.kind} = 'assortment-item' AND ${m.itemId} = ${o.id} AND ${m.assortmentId} = ${e.assortmentId}
        WHERE ${o.orgId} = ${given.orgId} AND ${o.kind} = 'item' AND ${o.itemFamilyId} = ${i.id})`,
)

/** Families among the pairs that have no option left in the assortment, and that no row of the load adds. */
export async function familiesLeft(
  db: Database,
  orgId: string,
  loadId: string,
  pairs: readonly Pair[],
): Promise<Member[]> {
  return db.all(selectLeft({ orgId, loadId, pairs: JSON.stringify(pairs) }))
}

export type MemberChange = { assortmentId: string; itemId: string; change: 'add' | 'update' | 'delete' }

const insertChanges = prepared<{ loadId: string; changes: string }>(
  ({ loadId, changes }) => sql`${insertInto(loadMembers, ['loadId', 'assortmentId', 'itemId', 'change'])}
    SELECT ${loadId}, value ->> 0, value ->> 1, value ->> 2 FROM json_each(${changes}) WHERE true
    ON CONFLICT DO UPDATE SET ${bare(loadMembers.change)} = excluded.${bare(loadMembers.change)}
      WHERE excluded.${bare(loadMembers.change)} = 'delete'`,
)

/** Kept for the publish that follows: the last change of a member is what it lists, but an added one stays added. */
export function noteChanges(loadId: string, changes: readonly MemberChange[]): Statement[] {
  const rows = changes.map(({ assortmentId, itemId, change }) => [assortmentId, itemId, change])
  return slices(rows).map(text => insertChanges({ loadId, changes: text }))
}

const countByChange = prepared<{ loadId: string; assortmentId: string }, { change: string; n: number }>(
  ({ loadId, assortmentId }) => sql`SELECT ${columns(loadMembers, ['change'])}, count(*) AS n FROM ${loadMembers}
    WHERE ${loadMembers.loadId} = ${loadId} AND ${loadMembers.assortmentId} = ${assortmentId} GROUP BY ${loadMembers.change}`,
)

export async function countChanges(db: Database, loadId: string, assortmentId: string) {
  const rows = await db.all(countByChange({ loadId, assortmentId }))
  const counts = new Map(rows.map(({ change, n }) => [change, n]))
  return { adds: counts.get('add') ?? 0, updates: counts.get('update') ?? 0, deletes: counts.get('delete') ?? 0 }
}

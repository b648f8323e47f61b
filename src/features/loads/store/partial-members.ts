// What a partial update takes out of assortments (N32): see phases/remove-members.ts. The statements count on nothing being removed
// before, so that a dry run comes to the same.
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { ENTITY_INDEX, entities } from '../../../platform/db/schema/entities.ts'
import { loadClaims } from '../../../platform/db/schema/loads.ts'
import { columns, from, indexedBy, named, prepared } from '../../../platform/db/sql.ts'
import type { Space } from '../drafts/claims.ts'
import type { Member, Pair } from './members.ts'

const e = named(entities, 'e')
const f = named(entities, 'f')
const o = named(entities, 'o')
const x = named(entities, 'x')
const m = named(entities, 'm')
const c = named(loadClaims, 'c')

type PairValues = { orgId: string; loadId: string; pairs: string }
type Place = { orgId: unknown; loadId: unknown; pairs: unknown }

/** The load's claim on an item within the pair's assortment; `key` is the item's federatedId. */
const isClaimed = (loadId: unknown, space: Space, key: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${from(c)} WHERE ${c.loadId} = ${loadId} AND ${c.space} = ${sql.raw(`'${space}'`)}
    AND ${c.key} = k.value ->> 0 || char(10) || ${key})`

const FAMILY = sql`(k.value ->> 1)`

const familyOf = ({ orgId, pairs }: Place) => sql`FROM json_each(${pairs}) k
  CROSS JOIN ${from(f)} ${indexedBy(ENTITY_INDEX.federated)}
    ON ${f.orgId} = ${orgId} AND ${f.federatedScope} = 'item' AND ${f.federatedId} = k.value ->> 1`

const isMember = (table: typeof e, orgId: unknown, itemId: unknown) =>
  sql`${table.orgId} = ${orgId} AND ${table.kind} = 'assortment-item' AND ${table.itemId} = ${itemId}
    AND ${table.assortmentId} = k.value ->> 0`

/** Those that the family has when the load is done: a dry run has not moved any. */
const isOption = ({ orgId, loadId }: Place) => sql`${o.orgId} = ${orgId} AND ${o.id} IN (
    SELECT ${x.id} FROM ${from(x)} ${indexedBy(ENTITY_INDEX.itemFamilyId)}
    WHERE ${x.orgId} = ${orgId} AND ${x.kind} = 'item' AND ${x.itemFamilyId} = ${f.id}
      AND NOT EXISTS (SELECT 1 FROM ${from(c)} WHERE ${c.loadId} = ${loadId} AND ${c.space} = 'item'
        AND ${c.key} = ${x.federatedId} AND ${c.claim} -> 2 ->> 0 <> ${FAMILY})
    UNION SELECT ${x.id} FROM ${from(c)} CROSS JOIN ${from(x)} ${indexedBy(ENTITY_INDEX.federated)}
      ON ${x.orgId} = ${orgId} AND ${x.federatedScope} = 'item' AND ${x.federatedId} = substr(${c.key}, length(${FAMILY}) + 2)
    WHERE ${c.loadId} = ${loadId} AND ${c.space} = 'moved' AND ${c.key} > ${FAMILY} || char(10) AND ${c.key} < ${FAMILY} || char(11))`

const MEMBER = columns(e, ['seq', 'id', 'itemId', 'assortmentId'])

const selectOptions = prepared<PairValues & { after: number; limit: number }, Member & { seq: number }>(
  given => sql`SELECT ${MEMBER} ${familyOf(given)}
    CROSS JOIN ${from(o)} ${indexedBy(ENTITY_INDEX.id)} ON ${isOption(given)}
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.assortmentItem)} ON ${isMember(e, given.orgId, o.id)}
    WHERE ${e.seq} > ${given.after} AND NOT ${isClaimed(given.loadId, 'member', sql`${o.federatedId}`)}
    ORDER BY ${e.seq} LIMIT ${given.limit}`,
)

/** Members that are options of these families and that no row names, in the order of their creation. */
export async function optionsOfDropped(
  db: Database,
  orgId: string,
  loadId: string,
  pairs: readonly Pair[],
  after: number,
  limit: number,
): Promise<{ members: Member[]; last: number | undefined }> {
  const members = await db.all(selectOptions({ orgId, loadId, pairs: JSON.stringify(pairs), after, limit }))
  return { members, last: members.length === limit ? members.at(-1)?.seq : undefined }
}

const isDropped = ({ loadId }: Place) =>
  sql`(${isClaimed(loadId, 'drop', sql`${o.federatedId}`)}
    OR (${isClaimed(loadId, 'drop', FAMILY)} AND NOT ${isClaimed(loadId, 'member', sql`${o.federatedId}`)}))`

const selectFamilies = prepared<PairValues, Member>(
  given => sql`SELECT DISTINCT ${MEMBER} ${familyOf(given)}
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.assortmentItem)} ON ${isMember(e, given.orgId, f.id)}
    WHERE NOT ${isClaimed(given.loadId, 'added', FAMILY)}
      AND NOT (${isClaimed(given.loadId, 'stays', FAMILY)} AND NOT ${isClaimed(given.loadId, 'drop', FAMILY)})
      AND NOT EXISTS (SELECT 1 FROM ${from(o)} ${indexedBy(ENTITY_INDEX.id)}
        CROSS JOIN ${from(m)} ${indexedBy(ENTITY_INDEX.assortmentItem)} ON ${isMember(m, given.orgId, o.id)}
        WHERE ${isOption(given)} AND NOT ${isDropped(given)})`,
)

/** Families that have no option left in the assortment, and that no row adds or leaves there. */
export async function familiesLeft(
  db: Database,
  orgId: string,
  loadId: string,
  pairs: readonly Pair[],
): Promise<Member[]> {
  return db.all(selectFamilies({ orgId, loadId, pairs: JSON.stringify(pairs) }))
}

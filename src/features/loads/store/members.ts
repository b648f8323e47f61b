// Members of assortments: which a load leaves out, and which it has changed.
import type { Database, Statement } from '../../../platform/db/client.ts'
import { slices } from '../../../platform/db/json-slices.ts'

export interface Member {
  id: string
  itemId: string
  assortmentId: string
}

export type Pair = readonly [assortmentId: string, itemKey: string]

function memberOf(row: Record<string, unknown>): Member {
  return { id: String(row.id), itemId: String(row.item_id), assortmentId: String(row.assortment_id) }
}

/** One page of an assortment's members, with those that no row of the file names. */
export async function absentMembers(
  db: Database,
  {
    orgId,
    loadId,
    assortmentId,
    after,
    limit,
  }: { orgId: string; loadId: string; assortmentId: string; after: number; limit: number },
): Promise<{ absent: Member[]; last: number | undefined }> {
  const rows = await db.all({
    sql: `SELECT e.seq, e.id, e.item_id, e.assortment_id, EXISTS (
        SELECT 1 FROM entities i CROSS JOIN load_claims c ON c.load_id = ?4 AND c.space = 'member' AND c.key = ?2 || char(10) || i.federated_id
        WHERE i.id = e.item_id) AS is_named
      FROM entities e INDEXED BY entities_assortment_id
      WHERE e.org_id = ?1 AND e.kind = 'assortment-item' AND e.assortment_id = ?2 AND e.seq > ?3 ORDER BY e.seq LIMIT ?5`,
    params: [orgId, assortmentId, after, loadId, limit],
  })
  const isFull = rows.length === limit
  return {
    absent: rows.filter(row => row.is_named === 0).map(memberOf),
    last: isFull ? Number(rows.at(-1)?.seq) : undefined,
  }
}

const MEMBERS = `FROM json_each(?2) k
  CROSS JOIN entities i INDEXED BY entities_federated ON i.org_id = ?1 AND i.federated_scope = 'item' AND i.federated_id = k.value ->> 1
  CROSS JOIN entities e INDEXED BY entities_assortment_item
    ON e.org_id = ?1 AND e.kind = 'assortment-item' AND e.item_id = i.id AND e.assortment_id = k.value ->> 0`

export async function membersNamed(db: Database, orgId: string, pairs: readonly Pair[]): Promise<Member[]> {
  const rows = await db.all({
    sql: `SELECT e.id, e.item_id, e.assortment_id ${MEMBERS}`,
    params: [orgId, JSON.stringify(pairs)],
  })
  return rows.map(memberOf)
}

/** Families among the pairs that have no option left in the assortment, and that no row of the load adds. */
export async function familiesLeft(
  db: Database,
  orgId: string,
  loadId: string,
  pairs: readonly Pair[],
): Promise<Member[]> {
  const rows = await db.all({
    sql: `SELECT DISTINCT e.id, e.item_id, e.assortment_id ${MEMBERS}
      WHERE NOT EXISTS (SELECT 1 FROM load_claims c
          WHERE c.load_id = ?3 AND c.space = 'member' AND c.key = k.value ->> 0 || char(10) || (k.value ->> 1))
        AND NOT EXISTS (SELECT 1 FROM entities o INDEXED BY entities_item_family_id
          CROSS JOIN entities m INDEXED BY entities_assortment_item
            ON m.org_id = ?1 AND m.kind = 'assortment-item' AND m.item_id = o.id AND m.assortment_id = e.assortment_id
          WHERE o.org_id = ?1 AND o.kind = 'item' AND o.item_family_id = i.id)`,
    params: [orgId, JSON.stringify(pairs), loadId],
  })
  return rows.map(memberOf)
}

export type MemberChange = { assortmentId: string; itemId: string; change: 'add' | 'update' | 'delete' }

/** Kept for the publish that follows: the last change of a member is what it lists, but an added one stays added. */
export function noteChanges(loadId: string, changes: readonly MemberChange[]): Statement[] {
  return slices(changes.map(({ assortmentId, itemId, change }) => [assortmentId, itemId, change])).map(text => ({
    sql: `INSERT INTO load_members (load_id, assortment_id, item_id, change)
      SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) WHERE true
      ON CONFLICT DO UPDATE SET change = excluded.change WHERE excluded.change = 'delete'`,
    params: [loadId, text],
  }))
}

export async function countChanges(db: Database, loadId: string, assortmentId: string) {
  const rows = await db.all({
    sql: 'SELECT change, count(*) AS n FROM load_members WHERE load_id = ?1 AND assortment_id = ?2 GROUP BY change',
    params: [loadId, assortmentId],
  })
  const counts = new Map(rows.map(row => [String(row.change), Number(row.n)]))
  return { adds: counts.get('add') ?? 0, updates: counts.get('update') ?? 0, deletes: counts.get('delete') ?? 0 }
}

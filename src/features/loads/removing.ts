// Takes items out of assortments, after all rows are written (N29): what a full load's file no longer has, or what the
// rows of a partial one drop, families included whose last option goes.
import { kindNamed } from '../../kinds.ts'
import type { Database, Statement } from '../../platform/db/client.ts'
import type { Write } from '../../platform/db/write.ts'
import { addCount, type LoadState } from './state.ts'
import { advance, type LoadScope } from './step.ts'
import { claimsAfter, type Load } from './store.ts'
import { partsOf } from './transform/claims.ts'
import { isPartial } from './transform/split.ts'

const PAGE = 1000
const ASSORTMENT_ITEM = kindNamed('assortment-item')

interface Member {
  id: string
  itemId: string
  assortmentId: string
}

export async function remove(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  const { configuration } = load.state
  const passes = !configuration.loadType.includes('ASSORTMENT')
    ? []
    : isPartial(configuration)
      ? [dropItems, dropFamilies]
      : [removeAbsent]
  while (load.state.at < Math.max(passes.length, passes[0] === removeAbsent ? load.state.assortments.length : 0)) {
    const pass = passes[0] === removeAbsent ? removeAbsent : passes[load.state.at]
    if (!pass) break
    load = await pass(scope, load)
    if (!(await mayGoOn())) return load
  }
  return advance(scope, load, { ...load.state, phase: 'publishing', at: 0, after: '' })
}

/** One page of one assortment: members that no row of the file names. */
async function removeAbsent(scope: LoadScope, load: Load): Promise<Load> {
  const { state } = load
  const assortmentId = state.assortments[state.at] ?? ''
  const rows = await scope.db.all({
    sql: `SELECT e.seq, e.id, e.item_id, e.assortment_id, EXISTS (
        SELECT 1 FROM entities i CROSS JOIN load_claims c ON c.load_id = ?4 AND c.space = 'member' AND c.key = ?2 || char(10) || i.federated_id
        WHERE i.id = e.item_id) AS is_named
      FROM entities e INDEXED BY entities_assortment_id
      WHERE e.org_id = ?1 AND e.kind = 'assortment-item' AND e.assortment_id = ?2 AND e.seq > ?3 ORDER BY e.seq LIMIT ${PAGE}`,
    params: [scope.org.id, assortmentId, Number(state.after || 0), load.id],
  })
  const gone = rows.filter(row => row.is_named === 0).map(memberOf)
  const isLast = rows.length < PAGE
  const place = isLast ? { at: state.at + 1, after: '' } : { after: String(rows.at(-1)?.seq) }
  return removeMembers(scope, load, gone, { ...state, ...place })
}

async function dropItems(scope: LoadScope, load: Load): Promise<Load> {
  const { claims, place } = await nextDrops(scope, load)
  const pairs = claims.map(({ key }) => partsOf(key)).map(({ assortmentId, itemKey }) => [assortmentId, itemKey])
  const found = await scope.db.all({
    sql: `SELECT e.id, e.item_id, e.assortment_id FROM json_each(?2) k
      CROSS JOIN entities i INDEXED BY entities_federated ON i.org_id = ?1 AND i.federated_scope = 'item' AND i.federated_id = k.value ->> 1
      CROSS JOIN entities e INDEXED BY entities_assortment_item
        ON e.org_id = ?1 AND e.kind = 'assortment-item' AND e.item_id = i.id AND e.assortment_id = k.value ->> 0`,
    params: [scope.org.id, JSON.stringify(pairs)],
  })
  return removeMembers(scope, load, found.map(memberOf), { ...load.state, ...place })
}

/** A family that stands in an assortment for its options leaves with the last of them, unless a row adds it. */
async function dropFamilies(scope: LoadScope, load: Load): Promise<Load> {
  const { claims, place } = await nextDrops(scope, load)
  const pairs = claims
    .filter(({ shared }) => shared !== '')
    .map(({ key, shared }) => [partsOf(key).assortmentId, shared])
  const found = await scope.db.all({
    sql: `SELECT DISTINCT e.id, e.item_id, e.assortment_id FROM json_each(?2) k
      CROSS JOIN entities i INDEXED BY entities_federated ON i.org_id = ?1 AND i.federated_scope = 'item' AND i.federated_id = k.value ->> 1
      CROSS JOIN entities e INDEXED BY entities_assortment_item
        ON e.org_id = ?1 AND e.kind = 'assortment-item' AND e.item_id = i.id AND e.assortment_id = k.value ->> 0
      WHERE NOT EXISTS (SELECT 1 FROM load_claims c
          WHERE c.load_id = ?3 AND c.space = 'member' AND c.key = k.value ->> 0 || char(10) || (k.value ->> 1))
        AND NOT EXISTS (SELECT 1 FROM entities o INDEXED BY entities_item_family_id
          CROSS JOIN entities m INDEXED BY entities_assortment_item
            ON m.org_id = ?1 AND m.kind = 'assortment-item' AND m.item_id = o.id AND m.assortment_id = e.assortment_id
          WHERE o.org_id = ?1 AND o.kind = 'item' AND o.item_family_id = i.id)`,
    params: [scope.org.id, JSON.stringify(pairs), load.id],
  })
  return removeMembers(scope, load, found.map(memberOf), { ...load.state, ...place })
}

async function nextDrops({ db }: { db: Database }, { id, state }: Load) {
  const claims = await claimsAfter(db, id, 'drop', state.after, PAGE)
  const isLast = claims.length < PAGE
  return { claims, place: isLast ? { at: state.at + 1, after: '' } : { after: claims.at(-1)?.key ?? '' } }
}

function memberOf(row: Record<string, unknown>): Member {
  return { id: String(row.id), itemId: String(row.item_id), assortmentId: String(row.assortment_id) }
}

async function removeMembers(scope: LoadScope, load: Load, members: Member[], state: LoadState): Promise<Load> {
  const skips = state.configuration.shouldSkipAssortmentPublish ?? false
  const results = { ...state.results }
  if (members.length > 0) addCount(results, 'assortment-item', { removed: members.length })
  const next = { ...state, results, unrecorded: state.unrecorded + (skips ? members.length : 0) }
  if (state.configuration.dryRun) return advance(scope, load, next)
  const writes = members.map(
    ({ id }): Write => ({ op: 'delete', kind: ASSORTMENT_ITEM, id, ...(skips && { unrecorded: true as const }) }),
  )
  return advance(scope, load, next, {
    writes,
    statements: skips || members.length === 0 ? [] : [noteRemoved(load, members)],
  })
}

function noteRemoved({ id }: Load, members: Member[]): Statement {
  return {
    sql: `INSERT INTO load_members (load_id, assortment_id, item_id, change)
      SELECT ?1, value ->> 0, value ->> 1, 'delete' FROM json_each(?2) WHERE true ON CONFLICT DO UPDATE SET change = 'delete'`,
    params: [id, JSON.stringify(members.map(({ assortmentId, itemId }) => [assortmentId, itemId]))],
  }
}

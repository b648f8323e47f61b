// Takes items out of assortments, after all rows are written (N29): what a full load's file no longer has, or what the
// rows of a partial one drop, families included whose last option goes.
import { kindNamed } from '../../../kinds.ts'
import type { Write } from '../../../platform/db/commit/write.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { isPartial } from '../drafts/assortment-split.ts'
import { partsOf } from '../drafts/claims.ts'
import { addCount, type LoadState } from '../state.ts'
import { claimsAfter } from '../store/claims.ts'
import type { Load } from '../store/loads.ts'
import { absentMembers, familiesLeft, type Member, membersNamed, noteChanges } from '../store/members.ts'

const PAGE = 1000
const ASSORTMENT_ITEM = kindNamed('assortment-item')

type Pass = (scope: LoadScope, load: Load) => Promise<Load>

/** `state.at` counts the passes that are done. */
function passes({ configuration, assortments }: LoadState): Pass[] {
  if (!configuration.loadType.includes('ASSORTMENT')) return []
  return isPartial(configuration) ? [dropItems, dropFamilies] : assortments.map(() => removeAbsent)
}

export async function remove(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  const all = passes(load.state)
  for (let pass = all[load.state.at]; pass; pass = all[load.state.at]) {
    load = await pass(scope, load)
    if (!(await mayGoOn())) return load
  }
  return advance(scope, load, { ...load.state, phase: 'publishing', at: 0, after: '' })
}

async function removeAbsent(scope: LoadScope, load: Load): Promise<Load> {
  const { state } = load
  const assortmentId = state.assortments[state.at] ?? ''
  const page = { orgId: scope.org.id, loadId: load.id, assortmentId, after: Number(state.after || 0), limit: PAGE }
  const { absent, last } = await absentMembers(scope.db, page)
  const place = last === undefined ? { at: state.at + 1, after: '' } : { after: String(last) }
  return removeMembers(scope, load, absent, { ...state, ...place })
}

async function dropItems(scope: LoadScope, load: Load): Promise<Load> {
  const { claims, place } = await nextDrops(scope, load)
  const pairs = claims
    .map(({ key }) => partsOf(key))
    .map(({ assortmentId, itemKey }) => [assortmentId, itemKey] as const)
  const members = await membersNamed(scope.db, scope.org.id, pairs)
  return removeMembers(scope, load, members, { ...load.state, ...place })
}

/** A family that stands in an assortment for its options leaves with the last of them, unless a row adds it. */
async function dropFamilies(scope: LoadScope, load: Load): Promise<Load> {
  const { claims, place } = await nextDrops(scope, load)
  const pairs = claims
    .filter(({ shared }) => shared !== '')
    .map(({ key, shared }) => [partsOf(key).assortmentId, shared] as const)
  const members = await familiesLeft(scope.db, scope.org.id, load.id, pairs)
  return removeMembers(scope, load, members, { ...load.state, ...place })
}

async function nextDrops({ db }: LoadScope, { id, state }: Load) {
  const claims = await claimsAfter(db, id, 'drop', 'option', state.after, PAGE)
  const isLast = claims.length < PAGE
  return { claims, place: isLast ? { at: state.at + 1, after: '' } : { after: claims.at(-1)?.key ?? '' } }
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
  const changes = members.map(({ assortmentId, itemId }) => ({ assortmentId, itemId, change: 'delete' as const }))
  return advance(scope, load, next, { writes, statements: skips ? [] : noteChanges(load.id, changes) })
}

// Takes items out of assortments, after all rows are written (N29): what a full load's file no longer has, or what the
// rows of a partial one drop. A dropped family takes its options along, save for those that rows of their own speak of; a
// family whose last option goes leaves as well.
import type { Write } from '../../../platform/db/commit/write.ts'
import { ASSORTMENT_ITEM } from '../../assortments/kind.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { isPartial } from '../drafts/assortment-split.ts'
import { type Claim, partsOf } from '../drafts/claims.ts'
import { addCount, type LoadState } from '../state.ts'
import { claimsAfter } from '../store/claims.ts'
import type { Load } from '../store/loads.ts'
import { absentMembers, type Member, membersNamed, type Pair } from '../store/members.ts'
import { familiesLeft, optionsOfDropped } from '../store/partial-members.ts'
import { fills } from '../targets.ts'

const PAGE = 1000

type Pass = (scope: LoadScope, load: Load) => Promise<Load>

/** The cursor is the last member or claim of the pass under way, the part the last option of that claim. */
function passes({ configuration, assortments }: LoadState): Pass[] {
  if (!fills(configuration, 'assortmentId')) return []
  return isPartial(configuration) ? [dropOptions, dropTheirOptions, dropFamilies] : assortments.map(() => removeAbsent)
}

export async function remove(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  const all = passes(load.state)
  for (let pass = all[load.state.pass]; pass; pass = all[load.state.pass]) {
    load = await pass(scope, load)
    if (!(await mayGoOn())) return load
  }
  return advance(scope, load, { ...load.state, phase: 'publishing', pass: 0, cursor: '', part: 0 })
}

async function removeAbsent(scope: LoadScope, load: Load): Promise<Load> {
  const { state } = load
  const assortmentId = state.assortments[state.pass] ?? ''
  const page = { orgId: scope.org.id, loadId: load.id, assortmentId, after: Number(state.cursor || 0), limit: PAGE }
  const { absent, last } = await absentMembers(scope.db, page)
  const place = last === undefined ? { pass: state.pass + 1, cursor: '' } : { cursor: String(last) }
  return removeMembers(scope, load, absent, { ...state, ...place })
}

const isFamily = ({ shared }: Claim) => shared === ''

const pairsOf = (claims: readonly Claim[]) =>
  claims.map(({ key }): Pair => {
    const { assortmentId, itemKey } = partsOf(key)
    return [assortmentId, itemKey]
  })

async function dropOptions(scope: LoadScope, load: Load): Promise<Load> {
  const { claims, place } = await nextDrops(scope, load)
  const pairs = pairsOf(claims.filter(claim => !isFamily(claim)))
  return removeMembers(scope, load, await membersNamed(scope.db, scope.org.id, pairs), { ...load.state, ...place })
}

async function dropTheirOptions(scope: LoadScope, load: Load): Promise<Load> {
  const { state, id } = load
  const { claims, place } = await nextDrops(scope, load)
  const pairs = pairsOf(claims.filter(isFamily))
  const { members, last } = await optionsOfDropped(scope.db, scope.org.id, id, pairs, state.part, PAGE)
  const next = last === undefined ? { ...place, part: 0 } : { part: last }
  return removeMembers(scope, load, members, { ...state, ...next })
}

async function dropFamilies(scope: LoadScope, load: Load): Promise<Load> {
  const { claims, place } = await nextDrops(scope, load)
  const pairs = claims.map(({ key, shared }): Pair => {
    const { assortmentId, itemKey } = partsOf(key)
    return [assortmentId, String(shared) || itemKey]
  })
  const members = await familiesLeft(scope.db, scope.org.id, load.id, pairs)
  return removeMembers(scope, load, members, { ...load.state, ...place })
}

async function nextDrops({ db }: LoadScope, { id, state }: Load) {
  const claims = await claimsAfter(db, id, 'drop', 'option', state.cursor, PAGE)
  const isLast = claims.length < PAGE
  return { claims, place: isLast ? { pass: state.pass + 1, cursor: '' } : { cursor: claims.at(-1)?.key ?? '' } }
}

async function removeMembers(scope: LoadScope, load: Load, members: Member[], state: LoadState): Promise<Load> {
  const skips = state.configuration.shouldSkipAssortmentPublish ?? false
  const results = structuredClone(state.results)
  if (members.length > 0) addCount(results, ASSORTMENT_ITEM.name, 'removed', members.length)
  const next = { ...state, results, unrecorded: state.unrecorded + (skips ? members.length : 0) }
  if (state.configuration.dryRun) return advance(scope, load, next)
  const writes = members.map(
    ({ id }): Write => ({ op: 'delete', kind: ASSORTMENT_ITEM, id, ...(skips && { unrecorded: true as const }) }),
  )
  return advance(scope, load, next, { writes })
}

// What the file says of a family reaches all of its options, also those that the file does not name (N32): level `family`
// always, level `override` where the option has no value of its own. Only loads that say such things come here.
import { kindNamed } from '../../../kinds.ts'
import type { Write } from '../../../platform/db/commit/write.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import type { Claim } from '../drafts/claims.ts'
import type { Draft } from '../drafts/draft.ts'
import { inherit, isInherited } from '../drafts/inherited-values.ts'
import { addCount, type LoadState } from '../state.ts'
import { claimsAfter } from '../store/claims.ts'
import { findByKey, optionsOf } from '../store/existing.ts'
import type { Load } from '../store/loads.ts'
import { differences } from './write-plan.ts'

const FAMILIES = 200
const OPTIONS = 1000
const ITEM = kindNamed('item')

/** `state.after` is the last family that is done; `state.at` the last option of the families under way. */
export async function spread(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  const { inherits, configuration } = load.state
  let isDone = !inherits || (configuration.dryRun ?? false)
  while (!isDone) {
    const claims = await claimsAfter(scope.db, load.id, 'item', 'family', load.state.after, FAMILIES)
    if (claims.length === 0) isDone = true
    else load = await spreadFamilies(scope, load, claims)
    if (!(await mayGoOn())) return load
  }
  return advance(scope, load, { ...load.state, phase: 'removing', at: 0, after: '' })
}

async function spreadFamilies(scope: LoadScope, load: Load, claims: readonly Claim[]): Promise<Load> {
  const { state } = load
  const families = claims.filter(isInherited)
  const found = await findByKey(
    scope.db,
    scope.org.id,
    'item',
    families.map(({ key }) => key),
  )
  const byId = new Map(
    families.flatMap(claim => {
      const family = found.get(claim.key)
      return family ? [[family.id, claim] as const] : []
    }),
  )
  const options = await optionsOf(scope.db, scope.org.id, [...byId.keys()], state.at, OPTIONS)
  const writes = options.rows.flatMap(({ id, familyId, data }): Write[] => {
    const claim = byId.get(familyId)
    if (!claim) return []
    const draft: Draft = { target: 'item', key: '', line: 0, set: {}, make: {} }
    inherit(draft, claim)
    const absent = Object.entries(draft.make).filter(([slug]) => data[slug] === undefined)
    const patch = differences(data, { ...draft.set, ...Object.fromEntries(absent) })
    return patch ? [{ op: 'update', kind: ITEM, id, patch }] : []
  })
  const place = options.last === undefined ? { at: 0, after: claims.at(-1)?.key ?? '' } : { at: options.last }
  return advance(scope, load, { ...state, ...place, results: updatedBy(state, writes.length) }, { writes })
}

function updatedBy(state: LoadState, updated: number): LoadState['results'] {
  const results = { ...state.results }
  if (updated > 0) addCount(results, 'item', { updated })
  return results
}

// Copies what the file says of a family down to its options (N32): level `family` always, level `override` where the
// option says nothing of its own.
import type { Target } from '../rows/property.ts'
import type { Claim } from './claims.ts'
import type { Draft } from './draft.ts'
import type { Shared } from './item-rows.ts'
import type { Properties } from './row-values.ts'

/** The order in which a claim lists its values. */
const PLACES: Partial<Record<Target, number>> = { item: 0, 'project-item': 1, 'assortment-item': 0 }

export function inherit(draft: Draft, family: Pick<Claim, 'shared' | 'ownShared'>): void {
  const place = PLACES[draft.target] ?? 0
  const { fixed = [], loose = [] } = JSON.parse(family.shared) as Shared
  const own = family.ownShared ? (JSON.parse(family.ownShared) as Properties[]) : []
  Object.assign(draft.set, fixed[place])
  for (const [slug, value] of Object.entries({ ...own[place], ...loose[place] })) {
    if (value === null) continue
    if (draft.set[slug] === null) draft.set[slug] = value
    else if (draft.set[slug] === undefined) draft.make[slug] = value
  }
}

/** Whether any row says anything that must be copied down. */
export function isInherited({ shared, ownShared }: Pick<Claim, 'shared' | 'ownShared'>): boolean {
  if (shared === '') return false
  const { fixed = [], loose = [] } = JSON.parse(shared) as Shared
  const own = ownShared ? (JSON.parse(ownShared) as Properties[]) : []
  return [...fixed, ...loose, ...own].some(values => Object.keys(values).length > 0)
}

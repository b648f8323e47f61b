// Rows that say what is stored already are done with when they are read: nothing of them is staged, or looked at again. That is as if
// they were written then; what others change before the load writes comes after them.

import type { Reading } from '../drafts/chunk-reader.ts'
import type { Draft } from '../drafts/draft.ts'
import type { Properties } from '../drafts/row-values.ts'
import { inheritedBy } from '../rows/effective-properties.ts'
import type { TypeSource } from '../rows/property.ts'
import { addCount, type LoadState, type Settled } from '../state.ts'
import type { Stored } from '../store/existing.ts'
import { differences, lacksRole } from './write-plan.ts'

/** Where a row makes one entity. What belongs to others follows from more than the row. */
export const maySettle = ({ targets }: Reading) => targets.length === 1

export interface Parted {
  /** What is left to write. */
  drafts: Draft[]
  settled: Settled
  /** Whether none of the drafts was stored, and none needs what is. */
  areNew: boolean
}

export function settle(
  drafts: Draft[],
  rows: number,
  reading: Reading,
  stored: readonly Stored[],
  types: TypeSource,
  { configuration, settled: before = { rows: 0, results: {} } }: LoadState,
): Parted {
  const { inherits } = reading
  const byKey = new Map(stored.map(each => [each.key, each]))
  const isNew = ({ key, family }: Draft) => family === undefined && !byKey.has(key)
  const left = byKey.size === 0 ? drafts : drafts.filter(draft => !isSettled(draft, byKey.get(draft.key)))
  const results = { ...before.results }
  const unchanged = drafts.length - left.length
  if (unchanged > 0) addCount(results, reading.targets[0].name, { unchanged })
  const settled = { rows: before.rows + (left.length === 0 ? rows : 0), results }
  return { drafts: left, settled, areNew: left.every(isNew) }

  function isSettled(draft: Draft, found: Stored | undefined): boolean {
    if (!found || found.data === null || !isAllToldOf(draft)) return false
    const data = JSON.parse(found.data) as Properties
    if (draft.family !== undefined && inheritedBy(types, typePathOf(draft, data)).length > 0) return false
    if (configuration.unchangedMark === undefined && lacksRole(data, draft.make.roles)) return false
    return differences(data, draft.set) === undefined
  }

  /** Neither a later row of the family nor what options get of it makes a difference. */
  function isAllToldOf({ key, line, family, movedFrom }: Draft): boolean {
    if (!reading.targets[0].hasFamilies) return true
    if (family !== undefined) return movedFrom === undefined
    return !inherits && reading.claims.held('item', key)?.ownLine === line
  }
}

const typePathOf = ({ set }: Draft, data: Properties) => String(set.typePath ?? data.typePath)

// Rows that say what is stored already are done with when they are read: nothing of them is staged, or looked at again. That is as if
// they were written then; what others change before the load writes comes after them. Pure.
import type { Reading } from '../drafts/chunk-reader.ts'
import type { Draft } from '../drafts/draft.ts'
import { differences, lacksRole, madeOf, typePathOf } from '../drafts/draft-data.ts'
import { FAMILY_ROLES } from '../drafts/item-drafts.ts'
import type { Properties } from '../drafts/row-values.ts'
import { inheritedBy } from '../rows/effective-properties.ts'
import type { TypeSource } from '../rows/property.ts'
import { isExport } from '../rows/unchanged-cells.ts'
import type { LoadState, Skipped } from '../state.ts'
import type { Stored } from '../store/existing.ts'

/** Where a row makes one entity. What belongs to others follows from more than the row. */
export const maySettle = ({ targets }: Reading) => targets.length === 1

export interface Settled {
  /** What is left to write. */
  drafts: Draft[]
  unchanged: number
  /** Whether none of the drafts was stored, and none needs what is. */
  areNew: boolean
}

export function settle(
  drafts: Draft[],
  reading: Reading,
  stored: readonly Stored[],
  types: TypeSource,
  { configuration }: LoadState,
): Settled {
  const { inherits } = reading
  const byKey = new Map(stored.map(each => [each.key, each]))
  const families = new Map<string, boolean>()
  let isAsMade = true
  const isNew = ({ key, family }: Draft) => family === undefined && !byKey.has(key)
  const left = byKey.size === 0 ? drafts : drafts.filter(draft => !isSettled(draft, byKey.get(draft.key)))
  return { drafts: left, unchanged: drafts.length - left.length, areNew: left.every(isNew) }

  function isSettled(draft: Draft, found: Stored | undefined): boolean {
    if (!found || found.data === null || !isAllToldOf(draft)) return false
    if (isTextOf(draft, found.data)) return true
    const data = JSON.parse(found.data) as Properties
    if (draft.family !== undefined && inheritedBy(types, typePathOf(draft, data.typePath)).length > 0) return false
    if (!isExport(configuration) && !haveRoles(draft, data)) return false
    return differences(data, draft.set) === undefined
  }

  /** What such a load has made is there in the very same words: most files hold either only such rows, or none. */
  function isTextOf(draft: Draft, text: string): boolean {
    isAsMade &&= draft.family === undefined && JSON.stringify(madeOf(draft)) === text
    return isAsMade
  }

  /** An option makes its family one. */
  function haveRoles({ make, family }: Draft, data: Properties): boolean {
    return !lacksRole(data, make.roles) && (family === undefined || isFamily(family))
  }

  function isFamily(key: string): boolean {
    const data = byKey.get(key)?.data
    const known = families.get(key) ?? (data != null && !lacksRole(JSON.parse(data), FAMILY_ROLES))
    families.set(key, known)
    return known
  }

  /** Neither a later row of the family nor what options get of it makes a difference. */
  function isAllToldOf({ key, line, family, movedFrom }: Draft): boolean {
    if (!reading.targets[0].hasFamilies) return true
    if (family !== undefined) return movedFrom === undefined
    return !inherits && reading.claims.held('item', key)?.ownLine === line
  }
}

/** What a load remembers is bounded: with more of them a chunk is staged although it is empty. */
const RANGES_MAX = 100

/** With the chunk that is read next; undefined where it has to be staged. */
export function skip({ skipped, chunks }: LoadState, rows: number, settled: Settled): Skipped | undefined {
  if (settled.drafts.length > 0 || settled.unchanged === 0) return undefined
  const before = skipped.ranges.slice(0, -1)
  const [from, to] = skipped.ranges.at(-1) ?? [chunks, chunks]
  const ranges: Skipped['ranges'] =
    to === chunks ? [...before, [from, chunks + 1]] : [...skipped.ranges, [chunks, chunks + 1]]
  if (ranges.length > RANGES_MAX) return undefined
  return { ranges, rows: skipped.rows + rows, unchanged: skipped.unchanged + settled.unchanged }
}

/** The chunk, or the next one that is staged. */
export function pastSkipped({ skipped }: LoadState, chunk: number): number {
  return skipped.ranges.find(([from, to]) => from <= chunk && chunk < to)?.[1] ?? chunk
}

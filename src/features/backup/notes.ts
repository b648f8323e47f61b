// What a restore remembers from one part to the next. Pure.
import type { Clock, End, Organization } from './lines.ts'

export interface Notes {
  /** What is added to the places of each table's rows; nothing: they keep theirs. */
  shifts: Record<string, number>
  isShifted: boolean
  /** The highest place of each table's rows, as the archive says. */
  highest: End['highest']
  isSuspended: boolean
  /** People who have another id here. */
  people: Record<string, string>
  /** Lines that tell of the whole: `archive`, `organization`, `clock`, `end`. */
  told: { organization?: Organization; clock?: Clock; end?: End }
  leftOut: { passwords: number; endpoints: string[]; identityProvider: boolean }
  /** How far entities have been set going again: which of the kinds and statuses, and behind which place. */
  revived: { at: number; afterSeq: number }
}

export const newNotes = (begun: Pick<Notes, 'shifts' | 'isShifted' | 'highest' | 'isSuspended'>): Notes => ({
  ...begun,
  people: {},
  told: {},
  leftOut: { passwords: 0, endpoints: [], identityProvider: false },
  revived: { at: 0, afterSeq: 0 },
})

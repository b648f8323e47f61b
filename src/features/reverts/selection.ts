// Which change records a revert takes back. Pure.
import type { ChangeRow } from '../history/store.ts'

export interface Selection {
  createdById: string | null
  createdByType: string | null
  /** Null: all. */
  entityTypes: readonly string[] | null
  entityId: string | null
  /** Times of the first and the last record, inclusive. */
  since: number
  until: number
  /** The same in commit order of the history. */
  firstSeq: number
  lastSeq: number
}

/** Where a record lies: in the history, or aside of it. */
export type Source = 'changes' | 'aside'

export type Recorded = Pick<
  ChangeRow,
  'seq' | 'entityType' | 'entityId' | 'changeType' | 'createdOn' | 'createdById' | 'createdByType' | 'version'
> & {
  source: Source
  /** None where nobody needs it: of a create. */
  detail: string | null
}

export function matches(selection: Selection, record: Omit<Recorded, 'detail' | 'version' | 'changeType'>): boolean {
  const { createdById, createdByType, entityTypes, entityId } = selection
  return (
    isWithin(selection, record) &&
    (createdById === null || createdById === record.createdById) &&
    (createdByType === null || createdByType === record.createdByType) &&
    (entityTypes === null || entityTypes.includes(record.entityType)) &&
    (entityId === null || entityId === record.entityId)
  )
}

function isWithin(
  { since, until, firstSeq, lastSeq }: Selection,
  { source, seq, createdOn }: Pick<Recorded, 'source' | 'seq' | 'createdOn'>,
): boolean {
  // Where the range of commit order was wrong, nothing older than asked for would be taken back all the same.
  if (createdOn < since) return false
  return source === 'changes' ? seq >= firstSeq && seq <= lastSeq : createdOn <= until
}

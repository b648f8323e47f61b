// The passes of a backup after the first: what has been written since the one before began, until nothing came in between.
import type { Database } from '../../platform/db/client.ts'
import { Fault } from '../../platform/errors.ts'
import { allKinds } from '../../platform/kind.ts'
import { EXPORT_MAX_PASSES } from '../../platform/limits.ts'
import { type Cursor, FOLLOW, LIVE, raised, SETTINGS } from './cursor.ts'
import { clockLine, type Line } from './lines.ts'
import type { ArchivedName } from './store/archived-tables.ts'
import { type ClockRow, PAGE_ROWS, type Page, readFollowing } from './store/read.ts'

export interface Step {
  lines: Line[]
  cursor: Cursor
}

export const kindNames = () => allKinds().map(({ name }) => name)

export function linesOf(table: ArchivedName, { rows }: Page): Line[] {
  return rows.map(row => ({ table, ...row }))
}

/** What the key leads to is not there as it was. */
export const expired = (why: string) => new Fault('sync_key_expired', `${why} Begin anew, without \`after\`.`)

/** Positions that were read before a move tell nothing of what is given out elsewhere (N57). */
export function checkPlace({ epoch }: Cursor, clock: ClockRow | undefined): void {
  if (clock && (clock.epoch !== epoch || clock.state === 'moved')) {
    throw expired('The organization has moved to another database meanwhile.')
  }
}

/** Where no commit has come since the pass began, what was read is one state; else what was written since is read again. */
export function endOfPass({ lines, cursor }: Step, clock: ClockRow | undefined, isOneBatch = false): Step {
  const isOneState = isOneBatch || (clock?.commits ?? 0) === cursor.commits
  if (isOneState) {
    return {
      lines: [...lines, ...(clock ? [clockLine(clock)] : [])],
      cursor: { ...cursor, stage: SETTINGS, place: null },
    }
  }
  if (cursor.pass >= EXPORT_MAX_PASSES) {
    const detail =
      'The organization changes faster than it can be read. Suspend it for the time of the backup, or try again later.'
    throw new Fault('conflict', detail)
  }
  const since = cursor.time
  return {
    lines,
    cursor: {
      ...cursor,
      pass: cursor.pass + 1,
      passOn: Date.now(),
      commits: -1,
      since,
      stage: FOLLOW,
      place: null,
      kinds: Object.fromEntries(kindNames().map(kind => [kind, [since, -1]])),
    },
  }
}

export async function follow(db: Database, orgId: string, cursor: Cursor): Promise<Step> {
  const read = await readFollowing(db, orgId, cursor)
  const { clock, deleted, deletedUnrecorded } = read
  checkPlace(cursor, clock)
  const isFiled = (clock?.filedSeq ?? 0) > Math.min(cursor.seqs.deleted ?? 0, cursor.seqs.changes ?? 0)
  if (isFiled || (clock?.historyFloor ?? 0) > (cursor.seqs.deleted ?? 0)) {
    throw expired('Records of deletions have been swept meanwhile.')
  }
  const lines: Line[] = [...deleted, ...deletedUnrecorded].map(({ kind, id }) => ({ table: 'deleted', kind, id }))
  const next: Cursor = { ...cursor, seqs: { ...cursor.seqs }, kinds: { ...cursor.kinds } }
  for (const { kind, page } of read.kinds) {
    lines.push(...linesOf('entities', page))
    next.highest = raised(next.highest, 'entities', page.rows)
    const last = page.rows.at(-1)
    next.kinds[kind] = page.place ?? (last ? [Number(last.updatedOn), Number(last.seq)] : (cursor.kinds[kind] ?? []))
  }
  for (const [at, name] of LIVE.entries()) {
    const page = read.tables[at] ?? { rows: [], place: null }
    lines.push(...linesOf(name, page))
    next.highest = raised(next.highest, name, page.rows)
    next.seqs[name] = Math.max(cursor.seqs[name] ?? 0, Number(page.rows.at(-1)?.seq ?? 0))
  }
  next.seqs.deleted = deleted.at(-1)?.seq ?? cursor.seqs.deleted ?? 0
  next.seqs.deletedUnrecorded = deletedUnrecorded.at(-1)?.seq ?? cursor.seqs.deletedUnrecorded ?? 0
  const isFirst = cursor.commits === -1
  if (isFirst) Object.assign(next, { commits: clock?.commits ?? 0, time: clock?.time ?? 0 })
  const hasMore =
    [...read.kinds.map(({ page }) => page), ...read.tables].some(({ place }) => place !== null) ||
    [deleted, deletedUnrecorded].some(({ length }) => length === PAGE_ROWS)
  return hasMore ? { lines, cursor: next } : endOfPass({ lines, cursor: next }, clock, isFirst)
}

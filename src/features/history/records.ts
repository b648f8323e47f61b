// Pages of the change history, read on from the table into files and the other way round (N58): the caller sees one history. What
// is in the table and which files a page comes to is read in one round trip, so that records that move meanwhile are seen once.

import { type Database, databaseFor } from '../../platform/db/client.ts'
import { HISTORY_PAGE_FILES } from '../../platform/db/limits.ts'
import type { Env } from '../../platform/env.ts'
import { textBytes } from '../../platform/json-size.ts'
import { PAGE_MAX_BYTES } from '../../platform/limits.ts'
import { FileGone, type HistoryFile, readHistoryFile, unreadable } from './history-file.ts'
import { filesStatement } from './history-files-store.ts'
import { type ChangeRow, clockStatement, newestRecord, type RecordsQuery, recordsStatement } from './store.ts'

export interface Records {
  rows: ChangeRow[]
  /** Where the next page goes on; none: nothing follows. */
  next: number | undefined
  /** Commit order of the organization's newest record; 0 where there is none. */
  newest: number
  /** Records up to here have been swept. */
  floor: number
}

export async function readRecords(env: Env, db: Database, query: RecordsQuery): Promise<Records> {
  try {
    return await readOnce(env, db, query)
  } catch (error) {
    if (!(error instanceof FileGone)) throw error
  }
  // Swept since its row was read, maybe from a replica: at the primary the row is gone as well.
  try {
    return await readOnce(env, databaseFor(env, query.orgId, null), query)
  } catch (error) {
    throw error instanceof FileGone ? unreadable(error.message, 'it is not there') : error
  }
}

async function readOnce(env: Env, db: Database, query: RecordsQuery): Promise<Records> {
  const { orgId, descending } = query
  const [inTable, newest, clock, files] = await db.batch([
    recordsStatement({ ...query, limit: query.limit + 1 }),
    newestRecord({ orgId }),
    clockStatement({ orgId }),
    filesStatement(query, HISTORY_PAGE_FILES + 1),
  ])
  const page = new Page(query.limit)
  const filed = () => readFiles(env, query, files.results, page)
  const table = async () => page.takeAll(inTable.results)
  for (const read of descending ? [table, filed] : [filed, table]) if (!page.isFull) await read()
  const { historyFloor: floor = 0, filedSeq = 0 } = clock.results[0] ?? {}
  const { rows, next } = page
  return { rows, next, newest: Math.max(newest.results[0]?.seq ?? 0, floor, filedSeq), floor }
}

/** Records as they come, up to the limit or to the first that brings their bytes to the bound. */
class Page {
  readonly rows: ChangeRow[] = []
  next: number | undefined
  #bytes = 0
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Nothing more is taken: what comes next is for the next page. */
  get isFull(): boolean {
    return this.next !== undefined
  }

  takeAll(rows: readonly ChangeRow[]): void {
    for (const { bytes: _, ...row } of rows as readonly (ChangeRow & { bytes?: number })[]) {
      const last = this.rows.at(-1)?.seq
      if (this.rows.length === this.#limit) this.next = last
      if (this.isFull) return
      this.rows.push(row)
      this.#bytes += textBytes(row.detail)
      if (this.#bytes >= PAGE_MAX_BYTES) this.next = row.seq
    }
  }
}

async function readFiles(env: Env, query: RecordsQuery, files: readonly HistoryFile[], page: Page): Promise<void> {
  for (const file of files.slice(0, HISTORY_PAGE_FILES)) {
    page.takeAll(await matchingOnce(env, query, file))
    if (page.isFull) return
  }
  const last = files[HISTORY_PAGE_FILES - 1]
  // The page holds all records of these files that fit; the next page begins at the end of the last file.
  if (last && files.length > HISTORY_PAGE_FILES) page.next = query.descending ? last.firstSeq : last.lastSeq
}

/** What a file has of a query's records, in its order, for whom a file that is gone is a reason to begin again. */
export async function matchingIn(env: Env, query: RecordsQuery, file: HistoryFile): Promise<ChangeRow[]> {
  try {
    return await matchingOnce(env, query, file)
  } catch (error) {
    throw error instanceof FileGone ? unreadable(error.message, 'it is not there') : error
  }
}

async function matchingOnce(env: Env, query: RecordsQuery, file: HistoryFile): Promise<ChangeRow[]> {
  const { entity, descending } = query
  const rows = await readHistoryFile(env, file, entity && (line => line.includes(entity.id)))
  const wanted = rows.filter(row => matches(query, row))
  return descending ? wanted.reverse() : wanted
}

function matches({ entityTypes, entity, createdOn, descending, afterSeq }: RecordsQuery, row: ChangeRow): boolean {
  if (afterSeq !== undefined && (descending ? row.seq >= afterSeq : row.seq <= afterSeq)) return false
  if (createdOn && (row.createdOn < createdOn[0] || row.createdOn > createdOn[1])) return false
  if (entity) return row.entityType === entity.type && row.entityId === entity.id
  return entityTypes.length === 0 || entityTypes.includes(row.entityType)
}

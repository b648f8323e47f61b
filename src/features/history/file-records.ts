// Moves old change records into files (N58): by age, or the oldest of very many. First the object, then one transaction with its index
// rows, the removal of these very records, and how far files reach: whatever dies in between, all of them are in one place. An
// object that no row leads to is swept with others of its kind.

import { databaseFor } from '../../platform/db/client.ts'
import {
  HISTORY_FILE_MAX_BYTES,
  HISTORY_FILE_MAX_RECORDS,
  HISTORY_FILE_WAIT_DAYS,
  HISTORY_FILES_AN_HOUR,
  HISTORY_FILES_AN_HOUR_OF_ALL,
  HISTORY_ROWS_MAX,
} from '../../platform/db/limits.ts'
import type { Env } from '../../platform/env.ts'
import { textBytes } from '../../platform/json-size.ts'
import { dueStatement, isOvertaken, orgsWithFiles, putIntoFile } from './file-records-store.ts'
import { writeHistoryFile } from './history-file.ts'
import { type ChangeRow, recordsStatement } from './store.ts'

const DAY_MS = 86_400_000
const RECORDS_A_READ = 2000

export interface FileBounds {
  records: number
  bytes: number
  /** How many records stay in the table regardless of age; records of the last day always stay. */
  rows: number
  files: number
}

const BOUNDS: FileBounds = {
  records: HISTORY_FILE_MAX_RECORDS,
  bytes: HISTORY_FILE_MAX_BYTES,
  rows: HISTORY_ROWS_MAX,
  files: HISTORY_FILES_AN_HOUR,
}

export async function fileAllRecords(env: Env, now: number): Promise<void> {
  let left = HISTORY_FILES_AN_HOUR_OF_ALL
  for (const { id, days } of await orgsWithFiles(env)) {
    if (left <= 0) return
    const files = Math.min(left, BOUNDS.files)
    // Its database may be away; those of others are not.
    left -= await fileRecords(env, id, days, now, { ...BOUNDS, files }).catch(error => {
      console.error('history files of', id, error)
      return 0
    })
  }
}

/** How many files were made. */
export async function fileRecords(
  env: Env,
  orgId: string,
  days: number,
  now: number,
  bounds: FileBounds = BOUNDS,
): Promise<number> {
  for (let made = 0; ; made++) {
    if (made === bounds.files || !(await fileSome(env, orgId, now - days * DAY_MS, now, bounds))) return made
  }
}

/** Whether there was a file full of records, or some that have waited long enough for more. */
async function fileSome(env: Env, orgId: string, old: number, now: number, bounds: FileBounds): Promise<boolean> {
  const db = databaseFor(env, orgId)
  const due = await db.first(dueStatement({ orgId, records: bounds.records, rows: bounds.rows }))
  if (!due) return false
  const { filedSeq, dispatchedSeq, oldestOn, fullOn, surplusOn } = due
  const before = surplusOn === null ? old : Math.max(old, Math.min(surplusOn + 1, now - DAY_MS))
  const isFull = fullOn !== null && fullOn < before
  const hasWaited = oldestOn !== null && oldestOn < before - HISTORY_FILE_WAIT_DAYS * DAY_MS
  if (!isFull && !hasWaited) return false
  // What has not been dispatched stays where it is looked for.
  const upTo = dispatchedSeq ?? Number.MAX_SAFE_INTEGER
  const isOld = ({ createdOn, seq }: ChangeRow) => createdOn < before && seq <= upTo
  const records: ChangeRow[] = []
  for (let bytes = 0; bytes < bounds.bytes && records.length < bounds.records; ) {
    const limit = Math.min(RECORDS_A_READ, bounds.records - records.length)
    const afterSeq = records.at(-1)?.seq ?? filedSeq
    const page = await db.all(recordsStatement({ ...EVERYTHING, orgId, afterSeq, limit }))
    for (const { bytes: _, ...record } of page) {
      if (!isOld(record) || bytes >= bounds.bytes) break
      records.push(record)
      bytes += textBytes(record.detail)
    }
    if (page.length === 0 || records.at(-1)?.seq !== page.at(-1)?.seq) break
  }
  if (records.length === 0) return false
  const written = await writeHistoryFile(env, orgId, records)
  try {
    await putIntoFile(db, orgId, filedSeq, records, written)
    return true
  } catch (error) {
    // Another worker committed first, or records were swept: the next sweep tries again.
    if (isOvertaken(error)) return false
    throw error
  }
}

const EVERYTHING = { entityTypes: [], entity: undefined, createdOn: undefined, descending: false } as const

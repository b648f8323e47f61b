// All records of one entity, newest first: those of the history, in the table and behind it in files (N58), and those that were kept
// aside. Each version has one, so that versions join them.
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import {
  CHANGE_INDEX,
  changes,
  clocks,
  UNRECORDED_INDEX,
  unrecordedChanges,
} from '../../platform/db/schema/entities.ts'
import { columns, from, type Given, indexedBy, named, prepared, withinBytes } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import { PAGE_MAX_BYTES } from '../../platform/limits.ts'
import { filesStatement } from './history-files-store.ts'
import { matchingIn } from './records.ts'
import type { ChangeRow, RecordsQuery } from './store.ts'

type Values = { orgId: string; type: string; id: string; before: number; limit: number }

type Table = typeof changes | typeof unrecordedChanges

const pageOf = (table: Table, index: string) => {
  const c = named(table, 'c')
  return prepared<Values, ChangeRow & { bytes: number }>(
    given => sql`SELECT ${columns(c)}, b.bytes FROM ${withinBytes(walkOf(table, index, given), PAGE_MAX_BYTES / 2)} b
      CROSS JOIN ${from(c)} ON ${c.seq} = b.seq AND ${c.orgId} = ${given.orgId}`,
  )
}

const walkOf = (table: Table, index: string, { orgId, type, id, before, limit }: Given<Values>): SQL =>
  sql`SELECT ${table.seq} AS seq, octet_length(${table.detail}) AS size FROM ${table} ${indexedBy(index)}
    WHERE ${table.orgId} = ${orgId} AND ${table.entityType} = ${type} AND ${table.entityId} = ${id} AND ${table.seq} < ${before}
    ORDER BY ${table.seq} DESC LIMIT ${limit}`

const recordedPage = pageOf(changes, CHANGE_INDEX.entity)
const asidePage = pageOf(unrecordedChanges, UNRECORDED_INDEX.entity)

const RECORDS_A_PAGE = 500

/** One of them: where it goes on, and the version that it has come down to. */
interface Walk {
  before: number
  lowest: number
  isAtEnd: boolean
}

const walkThrough = (): Walk => ({
  before: Number.MAX_SAFE_INTEGER,
  lowest: Number.MAX_SAFE_INTEGER,
  isAtEnd: false,
})

interface Place {
  env: Env
  db: Database
  orgId: string
  type: string
  id: string
}

/** Walks back through an entity's records, a page at a time. */
export class RecordsBack {
  readonly #of: Place
  readonly #recorded = { ...walkThrough(), page: recordedPage }
  readonly #aside = { ...walkThrough(), page: asidePage }
  /** Behind the records of the table: what moves there meanwhile is met there. */
  readonly #filed = walkThrough()
  readonly #byVersion = new Map<number, ChangeRow>()
  /** Of the newest record that was read; 0 where there is none. */
  newest = 0

  constructor(of: Place) {
    this.#of = of
  }

  /** The record that made this version, to be asked for from the newest down: each is handed out once. */
  async of(version: number): Promise<ChangeRow | undefined> {
    while (!this.#byVersion.has(version) && (await this.#readDownTo(version)));
    const record = this.#byVersion.get(version)
    this.#byVersion.delete(version)
    return record
  }

  /** Reads the first page of each, and of the files where the table has none of the history: the newest may be there. */
  async begin(): Promise<void> {
    await this.#readDownTo(0)
    if (this.#recorded.before === Number.MAX_SAFE_INTEGER) await this.#readFile()
  }

  /** False where there is nothing more to read. */
  async #readDownTo(version: number): Promise<boolean> {
    const walks = [this.#recorded, this.#aside].filter(walk => !walk.isAtEnd && walk.lowest > version)
    if (walks.length === 0) return this.#filed.lowest > version && this.#readFile()
    const { db, orgId, type, id } = this.#of
    const pages = walks.map(({ page, before }) => page({ orgId, type, id, before, limit: RECORDS_A_PAGE }))
    const results = await db.batch(pages)
    for (const [at, walk] of walks.entries()) this.#takePage(walk, results[at]?.results ?? [])
    return true
  }

  /** The next file that has records of the entity. */
  async #readFile(): Promise<boolean> {
    const walk = this.#filed
    if (walk.isAtEnd) return false
    const { env, db, orgId, type, id } = this.#of
    const query: RecordsQuery = {
      orgId,
      entity: { type, id },
      entityTypes: [],
      createdOn: undefined,
      descending: true,
      afterSeq: Math.min(walk.before, this.#recorded.before),
      limit: RECORDS_A_PAGE,
    }
    const file = await db.first(filesStatement(query, 1))
    walk.isAtEnd = file === undefined
    if (!file) return false
    this.#take(walk, await matchingIn(env, query, file))
    walk.before = file.firstSeq
    return true
  }

  #takePage(walk: Walk, rows: (ChangeRow & { bytes: number })[]): void {
    this.#take(walk, rows)
    walk.isAtEnd = rows.length < RECORDS_A_PAGE && (rows.at(-1)?.bytes ?? 0) < PAGE_MAX_BYTES / 2
  }

  #take(walk: Walk, rows: readonly ChangeRow[]): void {
    for (const row of rows) {
      this.#byVersion.set(row.version, row)
      this.newest = Math.max(this.newest, row.version)
    }
    const last = rows.at(-1)
    walk.before = last?.seq ?? walk.before
    walk.lowest = last?.version ?? walk.lowest
  }
}

const floorOf = prepared<{ orgId: string }, { historyFloor: number }>(
  ({ orgId }) => sql`SELECT ${columns(clocks, ['historyFloor'])} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}`,
)

/** Whether any record of the organization has been swept. */
export async function isSwept(db: Database, orgId: string): Promise<boolean> {
  return ((await db.first(floorOf({ orgId })))?.historyFloor ?? 0) > 0
}

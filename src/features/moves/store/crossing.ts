// The two databases of a move, and how rows get from one to the other: what differs is written, what is too much is removed.
import { and, eq, getTableColumns, gte, sql } from 'drizzle-orm'
import { type Database, databaseAt } from '../../../platform/db/client.ts'
import { rangeIn, rangeOf, takeRange } from '../../../platform/db/positions.ts'
import { Queueing } from '../../../platform/db/queueing.ts'
import { changes, idempotency, idempotencyRows } from '../../../platform/db/schema/entities.ts'
import { propertyIndexes } from '../../../platform/db/schema/property-index.ts'
import type { Env } from '../../../platform/env.ts'
import { changedIn, differing, entitiesWithin, readBlocks, rowsIn, type Span } from './blocks.ts'
import type { MoveRow } from './moves.ts'
import { copyIndexes } from './property-indexes.ts'
import {
  BETWEEN_ROWS,
  type Difference,
  keyOf,
  type Place,
  type Row,
  readAt,
  readBetween,
  readSlice,
  type Slice,
  type Turn,
  writeRows,
} from './rows.ts'
import { type ClockRow, copyClock } from './sites.ts'
import { ANSWERS, ENTITIES, LARGE, type Large, type Moved } from './tables.ts'

/** False: its time is up. */
export type MayGoOn = () => boolean

export class TimeIsUp extends Error {}

export class Crossing {
  readonly source: Database
  readonly target: Database
  readonly turn: Turn
  readonly #env: Env
  readonly #name: string
  #range: number | undefined

  constructor(env: Env, { orgId, step, source, target }: MoveRow) {
    this.source = databaseAt(env, source, undefined, new Queueing())
    this.target = databaseAt(env, target, undefined, new Queueing())
    this.turn = { orgId, step }
    this.#env = env
    this.#name = target
  }

  async rest(): Promise<void> {
    await Promise.all([this.source.rest(), this.target.rest()])
  }

  /** The next rows of a table. `isEmpty`: nothing of it is in the target yet. */
  async slice(moved: Moved, after: Place | null, isEmpty: boolean) {
    const { orgId } = this.turn
    const { rows, place } = await readSlice(this.source, moved, orgId, after)
    let changed = 0
    // An earlier try may have left far more behind than there is now.
    for (let isCut = true; isCut; ) {
      const there = isEmpty ? [] : await readBetween(this.target, moved, orgId, after, place)
      const difference = differenceOf(moved, rows, there)
      await this.#write(moved, difference)
      changed += difference.written.length + difference.removed.length
      isCut = there.length === BETWEEN_ROWS
    }
    return { rows: rows.length, changed, place }
  }

  /** All of a small table. */
  async whole(moved: Moved, mayGoOn: MayGoOn): Promise<{ rows: number; changed: number }> {
    const sum = { rows: 0, changed: 0 }
    for (let place: Place | null = null; ; ) {
      const done = await this.slice(moved, place, false)
      sum.rows += done.rows
      sum.changed += done.changed
      place = done.place
      if (place === null) return sum
      if (!mayGoOn()) throw new TimeIsUp()
    }
  }

  /** What has changed in a large table, by its blocks. How many rows that was. However little time there is, something is done. */
  async follow(large: Large, mayGoOn: MayGoOn): Promise<number> {
    const { orgId } = this.turn
    let changed = 0
    const { blocks } = await this.#compared(large)
    for (const [at, block] of blocks.entries()) {
      if (at > 0 && !mayGoOn()) throw new TimeIsUp()
      const { copied, gone } = await changedIn(this.source, this.target, large, orgId, block)
      changed += copied.length + gone.length
      await this.#write(large, { written: [], removed: [], gone })
      await this.#copyAt(large, copied, mayGoOn)
    }
    return changed
  }

  /** The next entities that were written within a span of time, and where to go on. */
  async recent(span: Span, after: Place | null): Promise<{ recent: number; place: Place | null }> {
    const found = await entitiesWithin(this.source, this.turn.orgId, span, after)
    const looked = await this.#copySome(
      ENTITIES,
      found.map(({ seq }) => seq),
    )
    const last = found[looked - 1]
    return { recent: looked, place: last ? [last.time, last.seq] : null }
  }

  async #copyAt(large: Large, seqs: readonly number[], mayGoOn: MayGoOn): Promise<void> {
    for (let left = seqs; left.length > 0; ) {
      left = left.slice(await this.#copySome(large, left))
      if (left.length > 0 && !mayGoOn()) throw new TimeIsUp()
    }
  }

  /** As many as make a slice. */
  async #copySome(large: Large, seqs: readonly number[]): Promise<number> {
    const { rows, looked } = await readAt(this.source, large, this.turn.orgId, seqs)
    await this.#write(large, { written: rows, removed: [], gone: seqs.slice(0, looked) })
    return looked
  }

  /** Answers that were kept since. */
  async answersSince(time: number, mayGoOn: MayGoOn): Promise<void> {
    const { orgId } = this.turn
    const isOwn = and(eq(idempotency.orgId, orgId), gte(idempotency.createdOn, time))
    const isRecent = sql`(${idempotencyRows.credentialId}, ${idempotencyRows.key}) IN (
      SELECT ${idempotency.credentialId}, ${idempotency.key} FROM ${idempotency} WHERE ${isOwn})`
    const claims = (place: Place | null) => this.#read(ANSWERS.claims, place ?? [time, '', ''])
    await this.#copyAll(ANSWERS.claims, claims, mayGoOn)
    const rows = (place: Place | null) => readSlice(this.source, ANSWERS.rows, orgId, place, isRecent)
    await this.#copyAll(ANSWERS.rows, rows, mayGoOn)
  }

  #read(moved: Moved, place: Place): Promise<Slice> {
    return readSlice(this.source, moved, this.turn.orgId, place)
  }

  async #copyAll(moved: Moved, read: (place: Place | null) => Promise<Slice>, mayGoOn: MayGoOn): Promise<void> {
    for (let place: Place | null = null; ; ) {
      const slice: Slice = await read(place)
      await this.#write(moved, { written: slice.rows, removed: [] })
      place = slice.place
      if (place === null) return
      if (!mayGoOn()) throw new TimeIsUp()
    }
  }

  async #compared(large: Large) {
    const [there, here] = await Promise.all([
      readBlocks(this.source, large, this.turn.orgId),
      readBlocks(this.target, large, this.turn.orgId),
    ])
    return { rows: rowsIn(there), blocks: differing(there, here) }
  }

  /** How many rows the source has of each large table, and those where the target has others. */
  async compare(): Promise<{ rows: [Large, number][]; differ: Large[] }> {
    const found = await Promise.all(LARGE.map(async large => ({ large, ...(await this.#compared(large)) })))
    return {
      rows: found.map(({ large, rows }) => [large, rows]),
      differ: found.filter(({ blocks }) => blocks.length > 0).map(({ large }) => large),
    }
  }

  async #write(moved: Moved, difference: Difference): Promise<void> {
    if (difference.written.length) await this.#makeRange(moved, difference.written)
    await writeRows(this.target, moved, this.turn, difference)
  }

  /** The positions that the target gives out come behind all that it is given. */
  async #makeRange({ table }: Moved, rows: readonly Row[]): Promise<void> {
    const at = Object.keys(getTableColumns(table)).indexOf('seq')
    if (at < 0) return
    await this.#holdRange(rows.reduce((most, row) => Math.max(most, rangeOf(table, Number(row[at]))), 0))
  }

  /** What the clock says. Records that it tells of may be gone by now: what the target gives out comes behind them all the same. */
  async clock(clock: ClockRow): Promise<void> {
    const positions = [clock.historyFloor, clock.filedSeq, clock.typesSeq, clock.dispatchedSeq]
    await this.#holdRange(Math.max(...positions.map(position => rangeOf(changes, position ?? 0))))
    await copyClock(this.target, this.turn, clock)
  }

  /** Those of properties. They count by themselves: the target's counter must not run into a range of others. */
  indexes(isFirst: boolean): Promise<number[]> {
    const makeRange = (ids: readonly number[]) =>
      this.#holdRange(ids.reduce((most, id) => Math.max(most, rangeOf(propertyIndexes, id)), 0))
    return copyIndexes(this.source, this.target, this.turn, isFirst, makeRange)
  }

  async #holdRange(range: number): Promise<void> {
    this.#range ??= await rangeIn(this.#env, this.#name)
    if (range > this.#range) this.#range = await takeRange(this.#env, this.#name, range)
  }
}

/** What must be written and removed so that the target has what the source has. Pure. */
export function differenceOf(moved: Moved, rows: readonly Row[], there: readonly Row[]): Difference {
  const key = keyOf(moved)
  const known = new Map(there.map(row => [key(row), row]))
  const written: Row[] = []
  const removed: Row[] = []
  for (const row of rows) {
    const own = known.get(key(row))
    known.delete(key(row))
    if (own && JSON.stringify(own) === JSON.stringify(row)) continue
    if (own) removed.push(own)
    written.push(row)
  }
  return { written, removed: moved.keepsOthers ? removed : [...removed, ...known.values()] }
}

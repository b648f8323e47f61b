// The clock of an organization in the two databases of its move: it stops and opens writes, and tells late steps from present ones.
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { PLATFORM_TIME } from '../../../platform/db/commit/clock.ts'
import { clocks } from '../../../platform/db/schema/entities.ts'
import { searchProgress } from '../../../platform/db/schema/search.ts'
import { bare, columns, insertInto, type RowOf, statement } from '../../../platform/db/sql.ts'
import { type Turn, turnStatements } from './rows.ts'

export type ClockRow = RowOf<typeof clocks>

export async function readClock(db: Database, orgId: string): Promise<ClockRow | undefined> {
  return db.first(statement(sql<ClockRow>`SELECT ${columns(clocks)} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}`))
}

const NAMES = ['orgId', 'time', 'epoch', 'state', 'moveStep'] as const
const conflict = sql`ON CONFLICT (${bare(clocks.orgId)}) DO UPDATE SET`
const ownState = bare(clocks.state)
const ownStep = bare(clocks.moveStep)

/** Stops writes in the source. One that comes late, after writes were opened again, does nothing. */
export async function stopWrites(db: Database, { orgId, step }: Turn, epoch: number): Promise<boolean> {
  await db.batch([
    statement(sql`${insertInto(clocks, NAMES)} VALUES (${orgId}, ${PLATFORM_TIME}, ${epoch}, 'moving', ${step})
      ${conflict} ${ownState} = 'moving', ${ownStep} = ${step}
      WHERE ${clocks.epoch} = ${epoch} AND ${clocks.state} IN ('open', 'moving') AND ${clocks.moveStep} < ${step}`),
  ])
  const clock = await readClock(db, orgId)
  return clock?.state === 'moving' && clock.moveStep === step && clock.epoch === epoch
}

/** Opens writes in the source again, and keeps those who come late from stopping them. */
export async function openSource(db: Database, { orgId, step }: Turn, epoch: number): Promise<void> {
  await db.batch([
    statement(sql`${insertInto(clocks, NAMES)} VALUES (${orgId}, ${PLATFORM_TIME}, ${epoch}, 'open', ${step})
      ${conflict} ${ownState} = 'open', ${ownStep} = ${step}
      WHERE ${clocks.epoch} = ${epoch} AND ${clocks.state} IN ('open', 'moving') AND ${clocks.moveStep} <= ${step}`),
  ])
}

/** Nobody is to read there any more. */
export async function leaveSource(db: Database, { orgId, step }: Turn, epoch: number): Promise<void> {
  await db.batch([
    statement(sql`UPDATE ${clocks} SET ${ownState} = 'moved', ${ownStep} = ${step}
      WHERE ${clocks.orgId} = ${orgId} AND ${clocks.epoch} = ${epoch} AND ${clocks.moveStep} <= ${step}`),
  ])
}

/** From here on this move, and no earlier one, writes in the target. */
export async function prepareTarget(db: Database, { orgId, step }: Turn, epoch: number): Promise<void> {
  await db.batch([
    statement(sql`${insertInto(clocks, NAMES)} VALUES (${orgId}, 0, ${epoch}, 'moving', ${step})
      ${conflict} ${ownState} = 'moving', ${ownStep} = ${step}, ${bare(clocks.epoch)} = ${epoch}, ${bare(clocks.time)} = 0
      WHERE ${clocks.moveStep} < ${step}`),
  ])
}

/** The move is given up: what is in the target is an old copy. */
export async function leaveTarget(db: Database, { orgId, step }: Turn): Promise<void> {
  await db.batch([
    statement(sql`UPDATE ${clocks} SET ${ownState} = 'moved', ${ownStep} = ${step}
      WHERE ${clocks.orgId} = ${orgId} AND ${clocks.state} = 'moving' AND ${clocks.moveStep} <= ${step}`),
  ])
}

const COPIED = [
  'time',
  'historyFloor',
  'filedSeq',
  'typesSeq',
  'dispatchedSeq',
  'listensTo',
  'entities',
  'quotas',
  'commits',
] as const

/** Everything that the clock says, but whether it is open. */
export async function copyClock(db: Database, turn: Turn, clock: ClockRow): Promise<void> {
  const set = COPIED.map(name => sql`${bare(clocks[name])} = ${clock[name]}`)
  await db.batch([
    ...turnStatements(turn),
    statement(sql`UPDATE ${clocks} SET ${sql.join(set, sql`, `)} WHERE ${clocks.orgId} = ${turn.orgId}`),
  ])
}

/** The last act of a move. */
export async function openTarget(db: Database, { orgId, step }: Turn, epoch: number): Promise<void> {
  await db.batch([
    statement(sql`UPDATE ${clocks} SET ${ownState} = 'open' WHERE ${clocks.orgId} = ${orgId}
      AND ${clocks.epoch} = ${epoch} AND ${clocks.state} = 'moving' AND ${clocks.moveStep} <= ${step}`),
  ])
}

/** The search index of the target looks once more at everything that came since this time. */
export async function searchAgainFrom(db: Database, turn: Turn, time: number): Promise<void> {
  const { orgId } = turn
  const earlier = sql`(SELECT json_group_object(p.key, json_array(min(p.value ->> 0, ${time}), 0))
    FROM json_each(${searchProgress.positions}) p)`
  await db.batch([
    ...turnStatements(turn),
    statement(sql`UPDATE ${searchProgress} SET ${bare(searchProgress.positions)} = ${earlier},
      ${bare(searchProgress.time)} = min(${searchProgress.time}, ${time}) WHERE ${searchProgress.orgId} = ${orgId}`),
  ])
}

// The table of loads: what each remembers, and the guard that lets a step through only once.
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { withinQuota } from '../../../platform/db/quota.ts'
import { clocks, ENTITY_INDEX, entities } from '../../../platform/db/schema/entities.ts'
import { loadClaims, loadMembers, loads } from '../../../platform/db/schema/loads.ts'
import {
  build,
  columns,
  from,
  indexedBy,
  named,
  prepared,
  type RowOf,
  type Statement,
  selection,
  statement,
} from '../../../platform/db/sql.ts'
import type { LoadState } from '../state.ts'
import { readState } from '../stored-state.ts'

export interface Load {
  id: string
  orgId: string
  step: number
  attempts: number
  touchedOn: number
  isCancelled: boolean
  state: LoadState
}

function loadOf({ id, orgId, step, attempts, touchedOn, isCancelled, state }: RowOf<typeof loads>): Load {
  return {
    id,
    orgId,
    step,
    attempts,
    touchedOn,
    isCancelled: isCancelled === 1,
    state: readState(state),
  }
}

export function insertLoad(id: string, orgId: string, state: LoadState, now: number): Statement {
  const row = { id, orgId, step: 0, attempts: 0, isCancelled: false, state: JSON.stringify(state), touchedOn: now }
  return statement(build.insert(loads).values(row))
}

/** Fails where too many wait or run already. */
export function oneMoreLoad(orgId: string): Statement {
  const waiting = sql`SELECT count(*) + 1 FROM ${loads} WHERE ${loads.orgId} = ${orgId}`
  return statement(withinQuota(orgId, 'concurrentLoads', waiting))
}

/** The load whose turn it is; the look itself is counted as an attempt. */
export async function takeFirst(db: Database, orgId: string): Promise<Load | undefined> {
  const l = named(loads, 'l')
  const first = sql`(SELECT min(${l.seq}) FROM ${from(l)} WHERE ${l.orgId} = ${orgId})`
  const row = await db.first(
    statement(
      build
        .update(loads)
        .set({ attempts: sql`${loads.attempts} + 1` })
        .where(eq(loads.seq, first))
        .returning(selection(loads)),
    ),
  )
  return row && loadOf(row)
}

const isLoad = (orgId: string, id: string) => and(eq(loads.id, id), eq(loads.orgId, orgId))

export async function readLoad(db: Database, orgId: string, id: string): Promise<Load | undefined> {
  const row = await db.first(statement(build.select(selection(loads)).from(loads).where(isLoad(orgId, id))))
  return row && loadOf(row)
}

export async function hasLoads(db: Database, orgId: string): Promise<boolean> {
  const query = build.select({ id: loads.id }).from(loads).where(eq(loads.orgId, orgId)).limit(1)
  return (await db.first(statement(query))) !== undefined
}

export async function organizationsWithLoads(db: Database): Promise<string[]> {
  const rows = await db.all(statement(build.selectDistinct({ orgId: selection(loads).orgId }).from(loads)))
  return rows.map(({ orgId }) => orgId)
}

/** Begins the message of a step that came too late. */
export const MOVED = 'load moved'

const guardLoad = prepared<{ id: string; orgId: string; step: number; mayBeCancelled: number }>(
  ({ id, orgId, step, mayBeCancelled }) => sql`SELECT json_extract('{}', ${sql.raw(`'${MOVED}'`)})
    WHERE NOT EXISTS (SELECT 1 FROM ${loads} WHERE ${loads.id} = ${id} AND ${loads.orgId} = ${orgId} AND ${loads.step} = ${step}
      AND (${loads.isCancelled} = 0 OR ${mayBeCancelled} = 1))`,
)

/** Fails the batch on purpose unless the load stands where this step began (N34). */
export function guard({ id, orgId, step }: Load, mayBeCancelled: boolean): Statement {
  return guardLoad({ id, orgId, step, mayBeCancelled: mayBeCancelled ? 1 : 0 })
}

export function moveOn({ id, orgId, step }: Load, state: LoadState, now: number): Statement {
  const moved = { step: step + 1, attempts: 0, state: JSON.stringify(state), touchedOn: now }
  return statement(
    build
      .update(loads)
      .set(moved)
      .where(and(isLoad(orgId, id), eq(loads.step, step))),
  )
}

/** What a step that threw adds to the attempts; a wake-up that only came too early adds one. */
export const FAILURE = 100

export function noteFailure({ id, orgId, step }: Load): Statement {
  const more = { attempts: sql`${loads.attempts} + ${FAILURE}` }
  return statement(
    build
      .update(loads)
      .set(more)
      .where(and(isLoad(orgId, id), eq(loads.step, step))),
  )
}

export function removeLoad(orgId: string, id: string): Statement {
  return statement(build.delete(loads).where(isLoad(orgId, id)))
}

export function cancelLoad(orgId: string, id: string): Statement<{ id: string }> {
  const { id: cancelled } = selection(loads)
  return statement(build.update(loads).set({ isCancelled: true }).where(isLoad(orgId, id)).returning({ id: cancelled }))
}

const KEPT = [loadClaims, loadMembers]

/** Removes what a load has kept, some of it at a time; true when nothing is left. */
export async function forget(db: Database, loadId: string, limit: number): Promise<boolean> {
  const results = await db.batch(
    KEPT.map(table =>
      statement(sql`DELETE FROM ${table} WHERE rowid IN (
        SELECT rowid FROM ${table} WHERE ${table.loadId} = ${loadId} LIMIT ${limit})`),
    ),
  )
  return results.every(({ meta }) => meta.changes < limit)
}

/** Loads that are no more but have left claims or members; each id is one step along the index. */
export async function orphans(db: Database): Promise<string[]> {
  const results = await db.batch(
    KEPT.map(table =>
      statement(sql<{ id: string }>`WITH RECURSIVE ids(id) AS (SELECT min(${table.loadId}) FROM ${table}
          UNION ALL SELECT (SELECT min(${table.loadId}) FROM ${table} WHERE ${table.loadId} > ids.id) FROM ids WHERE ids.id IS NOT NULL)
        SELECT id FROM ids WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${loads} WHERE ${loads.id} = ids.id) LIMIT 1000`),
    ),
  )
  return [...new Set(results.flatMap(({ results: rows }) => rows.map(({ id }) => id)))]
}

export interface EndedLoad {
  id: string
  orgId: string
  /** Its reports. */
  fileIds: string[]
}

const e = named(entities, 'e')

const selectEnded = prepared<
  { before: number; limit: number },
  { id: string; orgId: string; issues: string | null; annotated: string | null }
>(
  ({ before, limit }) => sql`SELECT ${columns(e, ['id', 'orgId'])}, ${e.data} ->> '$.issuesFileId' AS issues,
      ${e.data} ->> '$.annotatedFileId' AS annotated
    FROM ${clocks} CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.updatedOn)}
      ON ${e.orgId} = ${clocks.orgId} AND ${e.kind} = 'loader-process' AND ${e.updatedOn} < ${before}
    WHERE ${e.data} ->> '$.endedOn' IS NOT NULL LIMIT ${limit}`,
)

export async function endedLoads(db: Database, before: number, limit: number): Promise<EndedLoad[]> {
  const rows = await db.all(selectEnded({ before, limit }))
  return rows.map(({ id, orgId, issues, annotated }) => ({
    id,
    orgId,
    fileIds: [issues, annotated].filter(fileId => fileId !== null),
  }))
}

// The table of loads: what each remembers, and the guard that lets a step through only once.
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { withinQuota } from '../../../platform/db/quota.ts'
import {
  clocks,
  ENTITY_INDEX,
  entities,
  UNRECORDED_INDEX,
  unrecordedChanges,
} from '../../../platform/db/schema/entities.ts'
import { loadClaims, loadMembers, loads } from '../../../platform/db/schema/loads.ts'
import {
  bare,
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
import { REVERT_FORM, type RevertState } from '../../reverts/state.ts'
import type { LoadState } from '../state.ts'
import { readState } from '../stored-state.ts'

interface Queued<State> {
  id: string
  orgId: string
  step: number
  attempts: number
  touchedOn: number
  isCancelled: boolean
  state: State
}

/** Loads and reverts of an organization stand in one line: what one of them does, the next one finds done. */
export type Load = Queued<LoadState>
export type Revert = Queued<RevertState>

export function isRevert(queued: Load | Revert): queued is Revert {
  return queued.state.form === REVERT_FORM
}

function queuedOf({ id, orgId, step, attempts, touchedOn, isCancelled, state }: RowOf<typeof loads>): Load | Revert {
  const queued = { id, orgId, step, attempts, touchedOn, isCancelled: isCancelled === 1 }
  const isOfRevert = state.startsWith(REVERT_START)
  return isOfRevert ? { ...queued, state: JSON.parse(state) as RevertState } : { ...queued, state: readState(state) }
}

/** The form comes first in what is stored. */
const REVERT_START = `{"form":${JSON.stringify(REVERT_FORM)}`

export function insertLoad(id: string, orgId: string, state: LoadState | RevertState, now: number): Statement {
  const row = { id, orgId, step: 0, attempts: 0, isCancelled: false, state: JSON.stringify(state), touchedOn: now }
  return statement(build.insert(loads).values(row))
}

/** Fails where too many wait or run already. */
export function oneMoreLoad(orgId: string): Statement {
  const waiting = sql`SELECT count(*) + 1 FROM ${loads} WHERE ${loads.orgId} = ${orgId}`
  return statement(withinQuota(orgId, 'concurrentLoads', waiting))
}

/** The load whose turn it is; the look itself is counted as an attempt. */
export async function takeFirst(db: Database, orgId: string): Promise<Load | Revert | undefined> {
  const l = named(loads, 'l')
  const first = sql`(SELECT min(${l.seq}) FROM ${from(l)} WHERE ${l.orgId} = ${orgId})`
  const row = await db.first(
    statement(
      build
        .update(loads)
        .set({ attempts: sql`${loads.attempts} + 1` })
        .where(and(eq(loads.seq, first), eq(loads.orgId, orgId)))
        .returning(selection(loads)),
    ),
  )
  return row && queuedOf(row)
}

const isLoad = (orgId: string, id: string) => and(eq(loads.id, id), eq(loads.orgId, orgId))

export async function readQueued(db: Database, orgId: string, id: string): Promise<Load | Revert | undefined> {
  const row = await db.first(statement(build.select(selection(loads)).from(loads).where(isLoad(orgId, id))))
  return row && queuedOf(row)
}

export async function readLoad(db: Database, orgId: string, id: string): Promise<Load | undefined> {
  const queued = await readQueued(db, orgId, id)
  return queued && !isRevert(queued) ? queued : undefined
}

export async function readRevert(db: Database, orgId: string, id: string): Promise<Revert | undefined> {
  const queued = await readQueued(db, orgId, id)
  return queued && isRevert(queued) ? queued : undefined
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
export function guard({ id, orgId, step }: Load | Revert, mayBeCancelled: boolean): Statement {
  return guardLoad({ id, orgId, step, mayBeCancelled: mayBeCancelled ? 1 : 0 })
}

const moveLoad = prepared<{ id: string; orgId: string; step: number; state: string; now: number }>(
  ({
    id,
    orgId,
    step,
    state,
    now,
  }) => sql`UPDATE ${loads} SET ${bare(loads.step)} = ${loads.step} + 1, ${bare(loads.attempts)} = 0,
    ${bare(loads.state)} = ${state}, ${bare(loads.touchedOn)} = ${now}
    WHERE ${loads.id} = ${id} AND ${loads.orgId} = ${orgId} AND ${loads.step} = ${step}`,
)

export function moveOn({ id, orgId, step }: Load | Revert, state: LoadState | RevertState, now: number): Statement {
  return moveLoad({ id, orgId, step, state: JSON.stringify(state), now })
}

/** What a step that threw adds to the attempts; a wake-up that only came too early adds one. */
export const FAILURE = 100

export async function noteFailure(db: Database, { id, orgId, step }: Load | Revert): Promise<void> {
  const more = { attempts: sql`${loads.attempts} + ${FAILURE}` }
  const noted = build
    .update(loads)
    .set(more)
    .where(and(isLoad(orgId, id), eq(loads.step, step)))
  await db.batch([statement(noted)])
}

export function removeLoad(orgId: string, id: string): Statement {
  return statement(build.delete(loads).where(isLoad(orgId, id)))
}

/** False where it has ended meanwhile. */
export async function cancelLoad(db: Database, orgId: string, id: string): Promise<boolean> {
  const isUnderWay = and(isLoad(orgId, id), sql`${loads.state} ->> '$.outcome' IS NULL`)
  return (await db.run(statement(build.update(loads).set({ isCancelled: true }).where(isUnderWay)))) > 0
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

const removeAside = prepared<{ before: number; limit: number }>(
  ({ before, limit }) => sql`DELETE FROM ${unrecordedChanges} WHERE ${unrecordedChanges.seq} IN (
    SELECT ${unrecordedChanges.seq} FROM ${unrecordedChanges} ${indexedBy(UNRECORDED_INDEX.createdOn)}
    WHERE ${unrecordedChanges.createdOn} < ${before} LIMIT ${limit})`,
)

/** What was kept aside for reverts of loads that are no more. */
export async function forgetAside(db: Database, before: number, limit: number): Promise<number> {
  const [removed] = await db.batch([removeAside({ before, limit })])
  return removed.meta.changes
}

/** Loads that are no more but have left claims or members, but for ids between the two given; each id is one step along the index. */
export async function orphans(db: Database, { from, to }: { from: string; to: string }): Promise<string[]> {
  const results = await db.batch(
    KEPT.map(table =>
      statement(sql<{ id: string }>`WITH RECURSIVE ids(id) AS (SELECT min(${table.loadId}) FROM ${table}
          UNION ALL SELECT (SELECT min(${table.loadId}) FROM ${table} WHERE ${table.loadId} > ids.id) FROM ids WHERE ids.id IS NOT NULL)
        SELECT id FROM ids WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${loads} WHERE ${loads.id} = ids.id)
          AND NOT (id > ${from} AND id < ${to}) LIMIT 1000`),
    ),
  )
  return [...new Set(results.flatMap(({ results: rows }) => rows.map(({ id }) => id)))]
}

const readUnderWay = prepared<{ ids: string }, { id: string }>(
  ({ ids }) =>
    sql`SELECT ${columns(loads, ['id'])} FROM json_each(${ids}) i CROSS JOIN ${loads} ON ${loads.id} = i.value`,
)

/** Those of the loads and reverts that have not ended; of all organizations. */
export async function underWay(db: Database, ids: readonly string[]): Promise<string[]> {
  return (await db.all(readUnderWay({ ids: JSON.stringify(ids) }))).map(({ id }) => id)
}

export interface EndedLoad {
  id: string
  orgId: string
  kind: string
  /** Its reports, and the file that came with it. */
  fileIds: string[]
}

const e = named(entities, 'e')

const selectEnded = prepared<
  { before: number; limit: number },
  { id: string; orgId: string; kind: string; issues: string | null; annotated: string | null; own: string | null }
>(
  ({ before, limit }) => sql`SELECT ${columns(e, ['id', 'orgId', 'kind'])}, ${e.data} ->> '$.issuesFileId' AS issues,
      ${e.data} ->> '$.annotatedFileId' AS annotated,
      CASE WHEN ${e.data} ->> '$.ownsFile' THEN ${e.data} ->> '$.fileLocation' END AS own
    FROM ${clocks} CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.updatedOn)}
      ON ${e.orgId} = ${clocks.orgId} AND ${e.kind} IN ('loader-process', 'revert-process') AND ${e.updatedOn} < ${before}
    WHERE ${clocks.state} = 'open' AND ${e.data} ->> '$.endedOn' IS NOT NULL LIMIT ${limit}`,
)

export async function endedLoads(db: Database, before: number, limit: number): Promise<EndedLoad[]> {
  const rows = await db.all(selectEnded({ before, limit }))
  return rows.map(({ id, orgId, kind, issues, annotated, own }) => ({
    id,
    orgId,
    kind,
    fileIds: [issues, annotated, own].filter(fileId => fileId !== null),
  }))
}

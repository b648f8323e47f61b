// The tables of jobs: what each remembers, and the guard that lets a step count once (N34).
import { and, eq, sql } from 'drizzle-orm'
import { type Database, databaseFor, directory } from '../db/client.ts'
import { directoryJobs, jobs } from '../db/schema/jobs.ts'
import {
  bare,
  build,
  columns,
  from,
  insertInto,
  named,
  prepared,
  type RowOf,
  type Statement,
  selection,
  statement,
} from '../db/sql.ts'
import type { Env } from '../env.ts'
import type { Home, Job, JobState } from './job.ts'

/** Begins the message of a step that came too late. */
export const SUPERSEDED = 'job step superseded'

type Table = typeof jobs

const TABLES: Record<Home, Table> = { organization: jobs, directory: directoryJobs as unknown as Table }

export const databaseOfJobs = (env: Env, home: Home, orgId: string): Database =>
  home === 'organization' ? databaseFor(env, orgId) : directory(env)

function jobOf(home: Home, row: RowOf<Table>): Job<unknown> {
  const { id, orgId, kind, step, attempts, failures, isCancelled, wakeOn, touchedOn, state } = row
  const stored: unknown = JSON.parse(state)
  return {
    id,
    orgId,
    home,
    kind,
    step,
    attempts,
    failures,
    isCancelled: isCancelled === 1,
    wakeOn,
    touchedOn,
    state: stored,
  }
}

export type NewJob = {
  id: string
  orgId: string
  lane: string
  kind: string
  state: JobState
  now: number
  isAlone?: boolean
}

const NEW = [
  'id',
  'orgId',
  'lane',
  'seq',
  'kind',
  'step',
  'attempts',
  'failures',
  'isCancelled',
  'wakeOn',
  'touchedOn',
  'state',
] as const
const others = named(jobs, 'o')

/** Behind all jobs of its lane. */
export function insertJob({ id, orgId, lane, kind, state, now, isAlone }: NewJob): Statement {
  return statement(sql`${insertInto(jobs, NEW)} SELECT ${id}, ${orgId}, ${lane}, coalesce(max(${others.seq}), 0) + 1,
    ${kind}, 0, 0, 0, 0, 0, ${now}, ${JSON.stringify(state)}
    FROM ${from(others)} WHERE ${others.orgId} = ${orgId} AND ${others.lane} = ${lane}
    ${isAlone ? sql`HAVING count(*) = 0` : sql``}`)
}

type At = { id: string; orgId: string; step: number }

const statementsOn = (table: Table) => ({
  guard: prepared<At & { mayBeCancelled: number }>(
    ({ id, orgId, step, mayBeCancelled }) => sql`SELECT json_extract('{}', ${sql.raw(`'${SUPERSEDED}'`)})
      WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${id} AND ${table.orgId} = ${orgId} AND ${table.step} = ${step}
        AND (${table.isCancelled} = 0 OR ${mayBeCancelled} = 1))`,
  ),
  moveOn: prepared<At & { state: string; wakeOn: number; now: number }>(
    ({ id, orgId, step, state, wakeOn, now }) => sql`UPDATE ${table} SET ${bare(table.step)} = ${table.step} + 1,
      ${bare(table.attempts)} = 0, ${bare(table.failures)} = 0, ${bare(table.state)} = ${state},
      ${bare(table.wakeOn)} = ${wakeOn}, ${bare(table.touchedOn)} = ${now}
      WHERE ${table.id} = ${id} AND ${table.orgId} = ${orgId} AND ${table.step} = ${step}`,
  ),
})

const STATEMENTS = { organization: statementsOn(jobs), directory: statementsOn(TABLES.directory) }

type Known = Pick<Job<unknown>, 'id' | 'orgId' | 'home' | 'step'>

/** Fails the batch unless the job stands where this step began. */
export function guard({ id, orgId, home, step }: Known, mayBeCancelled: boolean): Statement {
  return STATEMENTS[home].guard({ id, orgId, step, mayBeCancelled: mayBeCancelled ? 1 : 0 })
}

export function moveOn({ id, orgId, home, step }: Known, state: JobState, wakeOn: number, now: number): Statement {
  return STATEMENTS[home].moveOn({ id, orgId, step, state: JSON.stringify(state), wakeOn, now })
}

const isJob = (table: Table, orgId: string, id: string) => and(eq(table.id, id), eq(table.orgId, orgId))

export function removeJob({ id, orgId, home }: Pick<Known, 'id' | 'orgId' | 'home'>): Statement {
  return statement(build.delete(TABLES[home]).where(isJob(TABLES[home], orgId, id)))
}

/** The job of the lane whose turn it is; the look itself is counted as an attempt. */
export async function takeFirst(
  db: Database,
  home: Home,
  orgId: string,
  lane: string,
  before: readonly Statement[] = [],
): Promise<{ job: Job<unknown> | undefined; before: D1Result[] }> {
  const table = TABLES[home]
  const l = named(table, 'l')
  const first = sql`(SELECT ${l.id} FROM ${from(l)} WHERE ${l.orgId} = ${orgId} AND ${l.lane} = ${lane}
    ORDER BY ${l.seq} LIMIT 1)`
  const take = build
    .update(table)
    .set({ attempts: sql`${table.attempts} + 1` })
    .where(and(eq(table.id, first), eq(table.orgId, orgId)))
    .returning(selection(table))
  const results = await db.batch([...before, statement(take)])
  const [row] = (results.at(-1)?.results ?? []) as RowOf<Table>[]
  return { job: row && jobOf(home, row), before: results.slice(0, -1) }
}

export async function readJob(db: Database, home: Home, orgId: string, id: string): Promise<Job<unknown> | undefined> {
  const table = TABLES[home]
  const row = await db.first(
    statement(
      build
        .select(selection(table))
        .from(table)
        .where(isJob(table, orgId, id)),
    ),
  )
  return row && jobOf(home, row)
}

/** The job whose turn it is, without taking it. */
export async function readFirst(
  db: Database,
  home: Home,
  orgId: string,
  lane: string,
): Promise<Job<unknown> | undefined> {
  const table = TABLES[home]
  const ofLane = and(eq(table.orgId, orgId), eq(table.lane, lane))
  const first = build.select(selection(table)).from(table).where(ofLane).orderBy(table.seq).limit(1)
  const row = await db.first(statement(first))
  return row && jobOf(home, row)
}

export async function hasJobs(db: Database, home: Home, orgId: string, lane: string): Promise<boolean> {
  return (await readFirst(db, home, orgId, lane)) !== undefined
}

/** A step that threw. */
export async function noteFailure(db: Database, { id, orgId, home, step }: Known): Promise<void> {
  const table = TABLES[home]
  const noted = build
    .update(table)
    .set({ failures: sql`${table.failures} + 1` })
    .where(and(isJob(table, orgId, id), eq(table.step, step)))
  await db.run(statement(noted))
}

/** False where the job has ended, or it is known already how it ends. */
export async function cancelJob(db: Database, home: Home, orgId: string, id: string): Promise<boolean> {
  const table = TABLES[home]
  const isUnderWay = and(isJob(table, orgId, id), sql`${table.state} ->> '$.outcome' IS NULL`)
  return (await db.run(statement(build.update(table).set({ isCancelled: true }).where(isUnderWay)))) > 0
}

/** Lanes with jobs, of all organizations. */
export function lanesUnderWay(db: Database, home: Home): Promise<{ orgId: string; lane: string }[]> {
  const table = TABLES[home]
  return db.all(
    statement(sql<{ orgId: string; lane: string }>`SELECT DISTINCT ${columns(table, ['orgId', 'lane'])} FROM ${table}`),
  )
}

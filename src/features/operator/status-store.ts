// Counts over all organizations, each bounded.
import { count, gte, isNotNull, isNull, min, sql } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { allDatabases, currentDirectory, type Database } from '../../platform/db/client.ts'
import { deadLetters, deliveries } from '../../platform/db/schema/events.ts'
import { loads } from '../../platform/db/schema/loads.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import { build, statement } from '../../platform/db/sql.ts'

export interface Counts {
  organizations: number
  suspended: number
  loads: number
  oldestLoadStep: number | null
  deadLetters: number
  oldestDeadLetter: number | null
  deliveries: { status: string; deliveries: number }[]
}

/** The deliveries since a time, up to so many of each database. */
export async function countAll(env: Env, since: number, most: number): Promise<Counts> {
  const [[organizations, dead], ...data] = await Promise.all([
    currentDirectory(env).batch([
      statement(
        build
          .select({
            organizations: count().as('organizations'),
            suspended: sql<number>`count(CASE WHEN ${isNotNull(orgs.suspendedOn)} THEN 1 END)`.as('suspended'),
          })
          .from(orgs)
          .where(isNull(orgs.deletedOn)),
      ),
      statement(
        build
          .select({ letters: count().as('letters'), oldest: min(deadLetters.createdOn).as('oldest') })
          .from(deadLetters),
      ),
    ]),
    ...allDatabases(env).map(db => countIn(db, since, most)),
  ])
  const steps = data.flatMap(({ running }) => (running?.oldest == null ? [] : [running.oldest]))
  return {
    organizations: organizations.results[0]?.organizations ?? 0,
    suspended: organizations.results[0]?.suspended ?? 0,
    loads: data.reduce((sum, { running }) => sum + (running?.loads ?? 0), 0),
    oldestLoadStep: steps.length ? Math.min(...steps) : null,
    deadLetters: dead.results[0]?.letters ?? 0,
    oldestDeadLetter: dead.results[0]?.oldest ?? null,
    deliveries: added(data.flatMap(({ sent }) => sent)),
  }
}

async function countIn(db: Database, since: number, most: number) {
  const recent = build
    .select({ status: deliveries.status })
    .from(deliveries)
    .where(gte(deliveries.createdOn, since))
    .limit(most)
  const [running, sent] = await db.batch([
    statement(build.select({ loads: count().as('loads'), oldest: min(loads.touchedOn).as('oldest') }).from(loads)),
    statement(
      sql<Counts['deliveries'][number]>`SELECT status, count(*) AS deliveries FROM (${recent}) GROUP BY status`,
    ),
  ])
  return { running: running.results[0], sent: sent.results }
}

function added(counted: Counts['deliveries']): Counts['deliveries'] {
  const sums = new Map<string, number>()
  for (const { status, deliveries: some } of counted) sums.set(status, (sums.get(status) ?? 0) + some)
  return [...sums].map(([status, some]) => ({ status, deliveries: some }))
}

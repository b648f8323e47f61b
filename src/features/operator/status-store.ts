// Counts over all organizations, each bounded.
import { count, desc, eq, gte, isNotNull, isNull, min, sql } from 'drizzle-orm'
import { type Database, directory } from '../../platform/db/client.ts'
import { deadLetters, deliveries } from '../../platform/db/schema/events.ts'
import { jobs } from '../../platform/db/schema/jobs.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import { build, statement } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'

export async function countDirectory(env: Env) {
  const [organizations, dead] = await directory(env).batch([
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
  ])
  const letters = dead.results[0]
  return {
    organizations: organizations.results[0]?.organizations ?? 0,
    suspended: organizations.results[0]?.suspended ?? 0,
    deadLetters: letters?.letters ?? 0,
    oldestDeadLetter: letters?.oldest ?? null,
  }
}

interface Sent {
  status: string
  deliveries: number
}

/** The loads of a database, and its deliveries since a time, the newest so many. */
export async function countIn(db: Database, since: number, most: number) {
  const recent = build
    .select({ status: deliveries.status })
    .from(deliveries)
    .where(gte(deliveries.createdOn, since))
    .orderBy(desc(deliveries.createdOn))
    .limit(most)
  const [running, sent] = await db.batch([
    statement(
      build
        .select({ loads: count().as('loads'), oldest: min(jobs.touchedOn).as('oldest') })
        .from(jobs)
        .where(eq(jobs.lane, 'load')),
    ),
    statement(sql<Sent>`SELECT status, count(*) AS deliveries FROM (${recent}) GROUP BY status`),
  ])
  return { loads: running.results[0]?.loads ?? 0, oldestStep: running.results[0]?.oldest ?? null, sent: sent.results }
}

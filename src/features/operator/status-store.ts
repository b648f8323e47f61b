// Counts over all organizations, each bounded.
import { count, gte, isNotNull, isNull, min, sql } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { allDatabases } from '../../platform/db/client.ts'
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

/** The deliveries since a time, up to so many. */
export async function countAll(env: Env, since: number, most: number): Promise<Counts> {
  const [db] = allDatabases(env)
  if (!db) throw new Error('no database')
  const recent = build
    .select({ status: deliveries.status })
    .from(deliveries)
    .where(gte(deliveries.createdOn, since))
    .limit(most)
  const [organizations, running, dead, sent] = await db.batch([
    statement(
      build
        .select({
          organizations: count().as('organizations'),
          suspended: sql<number>`count(CASE WHEN ${isNotNull(orgs.suspendedOn)} THEN 1 END)`.as('suspended'),
        })
        .from(orgs)
        .where(isNull(orgs.deletedOn)),
    ),
    statement(build.select({ loads: count().as('loads'), oldest: min(loads.touchedOn).as('oldest') }).from(loads)),
    statement(
      build
        .select({ letters: count().as('letters'), oldest: min(deadLetters.createdOn).as('oldest') })
        .from(deadLetters),
    ),
    statement(
      sql<{
        status: string
        deliveries: number
      }>`SELECT status, count(*) AS deliveries FROM (${recent}) GROUP BY status`,
    ),
  ])
  return {
    organizations: organizations.results[0]?.organizations ?? 0,
    suspended: organizations.results[0]?.suspended ?? 0,
    loads: running.results[0]?.loads ?? 0,
    oldestLoadStep: running.results[0]?.oldest ?? null,
    deadLetters: dead.results[0]?.letters ?? 0,
    oldestDeadLetter: dead.results[0]?.oldest ?? null,
    deliveries: sent.results,
  }
}

// Loads and reverts that the release before the job runner has begun, in a table of their own. That release goes on with those that it
// has touched in the last minute; the others become jobs, before all jobs of this release.
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { jobs } from '../../../platform/db/schema/jobs.ts'
import { loads } from '../../../platform/db/schema/loads.ts'
import { build, insertInto, type Statement, selection, statement } from '../../../platform/db/sql.ts'

const SILENT_MS = 60_000
/** Above all positions of the old table. */
const BEFORE_ALL = 2 ** 52
/** What a step that threw added to the attempts. */
const FAILURE = 100

export function takeOverLoads(orgId: string, now: number): Statement[] {
  const silent = and(eq(loads.orgId, orgId), lt(loads.touchedOn, now - SILENT_MS))
  return [
    statement(sql`${insertInto(jobs, ['id', 'orgId', 'lane', 'seq', 'kind', 'step', 'attempts', 'failures', 'isCancelled', 'wakeOn', 'touchedOn', 'state'])}
      SELECT ${loads.id}, ${loads.orgId}, 'load', ${loads.seq} - ${BEFORE_ALL},
        CASE WHEN ${loads.state} ->> '$.form' = 'revert 1' THEN 'revert' ELSE 'load' END,
        ${loads.step}, ${loads.attempts} % ${FAILURE}, ${loads.attempts} / ${FAILURE}, ${loads.isCancelled}, 0,
        ${loads.touchedOn}, ${loads.state} FROM ${loads} WHERE ${silent}`),
    statement(build.delete(loads).where(silent)),
    statement(
      build
        .select(selection(loads, ['id']))
        .from(loads)
        .where(eq(loads.orgId, orgId))
        .limit(1),
    ),
  ]
}

export async function organizationsWithOldLoads(db: Database): Promise<string[]> {
  const rows = await db.all(statement(build.selectDistinct({ orgId: selection(loads).orgId }).from(loads)))
  return rows.map(({ orgId }) => orgId)
}

// How many workflows and runs an organization may have (N60), counted where they are written.
import { sql } from 'drizzle-orm'
import { quotaOf, withinQuota } from '../../platform/db/quota.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { from, indexedBy, named, prepared, type Statement, statement } from '../../platform/db/sql.ts'
import type { Kind } from '../../platform/kind.ts'

const DAY_MS = 24 * 3600 * 1000

const e = named(entities, 'e')

/** Each of them runs at every event of its trigger key. */
export const workflowGuard: NonNullable<Kind['guard']> = (orgId, writes) => {
  const written = writes.flatMap(({ op, id }) => (op === 'delete' ? [] : [id]))
  const kind = writes[0]?.kind.name ?? ''
  return { after: written.length ? [workflowsWithinQuota(orgId, kind, written)] : [] }
}

function workflowsWithinQuota(orgId: string, kind: string, written: readonly string[]): Statement {
  const keys = sql`SELECT ${e.triggerKey} FROM ${from(e)} WHERE ${e.id} IN (SELECT value FROM json_each(${JSON.stringify(written)}))
    AND ${e.orgId} = ${orgId}`
  const most = sql`SELECT max(n) FROM (SELECT count(*) AS n FROM ${entities} ${indexedBy(ENTITY_INDEX.triggerKey)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind} AND ${entities.triggerKey} IN (${keys})
    GROUP BY ${entities.triggerKey})`
  return statement(withinQuota(orgId, 'workflowsPerTrigger', most))
}

type RunValues = { orgId: string; kind: string; since: number }

/** Those of the last day, counted no further than one beyond the quota. */
const countRuns = ({ orgId, kind, since }: { [Name in keyof RunValues]: Parameters<typeof sql>[1] }) =>
  sql<number>`SELECT count(*) FROM (SELECT 1 FROM ${entities} ${indexedBy(ENTITY_INDEX.createdOn)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind} AND ${entities.createdOn} > ${since}
    LIMIT ${quotaOf(orgId, 'runsPerDay')} + 1)`

/** Fails where `more` runs would be too many. */
export function moreRuns(orgId: string, kind: string, more: number, now: number): Statement {
  const count = sql`SELECT (${countRuns({ orgId, kind, since: now - DAY_MS })}) + ${more}`
  return statement(withinQuota(orgId, 'runsPerDay', count))
}

const readRunsLeft = prepared<RunValues, { left: number; most: number }>(
  given => sql`SELECT ${quotaOf(given.orgId, 'runsPerDay')} - (${countRuns(given)}) AS "left",
    ${quotaOf(given.orgId, 'runsPerDay')} AS most`,
)

export const runsLeft = (orgId: string, kind: string, now: number) => readRunsLeft({ orgId, kind, since: now - DAY_MS })

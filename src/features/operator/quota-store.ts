// Quotas that the operator has set, and what of them is used.
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import type { Quota } from '../../platform/db/quota.ts'
import { clocks, ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { jobs } from '../../platform/db/schema/jobs.ts'
import { bare, indexedBy, insertInto, prepared } from '../../platform/db/sql.ts'

const DAY_MS = 24 * 3600 * 1000

const isOf = (orgId: Parameters<typeof sql>[1], kind: string) =>
  sql`${entities.orgId} = ${orgId} AND ${entities.kind} = ${sql.raw(`'${kind}'`)}`

type Used = Record<Quota, number>

const readUsed = prepared<{ orgId: string; since: number }, Used & { quotas: string | null }>(
  ({ orgId, since }) => sql`SELECT c.quotas, coalesce(c.entities, 0) AS "entities",
    (SELECT coalesce(sum(${entities.data} ->> '$.size'), 0) FROM ${entities} WHERE ${isOf(orgId, 'file')}) AS "fileBytes",
    (SELECT count(*) FROM ${entities} WHERE ${isOf(orgId, 'type')}) AS "types",
    (SELECT coalesce(sum(octet_length(${entities.data})), 0) FROM ${entities} WHERE ${isOf(orgId, 'type')}) AS "typeBytes",
    (SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM ${entities} ${indexedBy(ENTITY_INDEX.triggerKey)}
      WHERE ${isOf(orgId, 'event-workflow')} AND ${entities.triggerKey} IS NOT NULL GROUP BY ${entities.triggerKey})) AS "workflowsPerTrigger",
    (SELECT count(*) FROM ${entities} ${indexedBy(ENTITY_INDEX.createdOn)}
      WHERE ${isOf(orgId, 'event-workflow-process')} AND ${entities.createdOn} > ${since}) AS "runsPerDay",
    (SELECT count(*) FROM ${jobs} WHERE ${jobs.orgId} = ${orgId} AND ${jobs.lane} = 'load') AS "concurrentLoads"
    FROM (SELECT 1) LEFT JOIN (SELECT ${clocks.quotas} AS quotas, ${clocks.entities} AS entities FROM ${clocks}
      WHERE ${clocks.orgId} = ${orgId}) c`,
)

export async function readQuotas(db: Database, orgId: string, now: number) {
  const row = await db.first(readUsed({ orgId, since: now - DAY_MS }))
  if (!row) throw new Error('the quotas did not come back')
  const { quotas, ...used } = row
  return { set: JSON.parse(quotas ?? '{}') as Partial<Used>, used: used as Used }
}

/** What is null in `changed` is as usual again. */
const patch = prepared<{ orgId: string; changed: string }>(
  ({
    orgId,
    changed,
  }) => sql`${insertInto(clocks, ['orgId', 'time', 'quotas'])} VALUES (${orgId}, 0, json_patch('{}', ${changed}))
    ON CONFLICT (${bare(clocks.orgId)}) DO UPDATE SET ${bare(clocks.quotas)} = json_patch(coalesce(${clocks.quotas}, '{}'), ${changed})`,
)

export async function writeQuotas(db: Database, orgId: string, changed: Record<string, unknown>): Promise<void> {
  await db.batch([patch({ orgId, changed: JSON.stringify(changed) })])
}

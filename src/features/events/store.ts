// Who listens, and whether anything is left to be looked after. Answers rows, decides nothing.
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { clocks, ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { DELIVERY_INDEX, deliveries } from '../../platform/db/schema/events.ts'
import { columns, indexedBy, prepared } from '../../platform/db/sql.ts'
import { newestEvents, type UpTo } from '../history/unread-store.ts'
import { endpointsStatement } from '../outbound/store.ts'
import { PROCESS } from '../workflows/kind.ts'
import { listeningWorkflows } from '../workflows/store.ts'

const NOTHING: UpTo = { changeSeq: 0, publishedSeq: 0 }

export async function readListeners(db: Database, orgId: string) {
  const [workflows, endpoints, newest] = await db.batch([
    listeningWorkflows(orgId),
    endpointsStatement(orgId),
    newestEvents({ orgId }),
  ])
  return { workflows: workflows.results, endpoints: endpoints.results, upTo: newest.results[0] ?? NOTHING }
}

/** There are listeners, unfinished runs, or undelivered calls. */
const isUnfinished = sql`(${clocks.dispatchedSeq} IS NOT NULL
    OR EXISTS (SELECT 1 FROM ${entities} ${indexedBy(ENTITY_INDEX.status)} WHERE ${entities.orgId} = ${clocks.orgId}
      AND ${entities.kind} = ${PROCESS.name} AND ${entities.status} IN ('pending', 'active'))
    OR EXISTS (SELECT 1 FROM ${deliveries} ${indexedBy(DELIVERY_INDEX.due)}
      WHERE ${deliveries.orgId} = ${clocks.orgId} AND ${deliveries.status} = 'pending'))`

const readUnfinished = prepared<{ orgId: string }, { orgId: string }>(
  ({ orgId }) =>
    sql`SELECT ${columns(clocks, ['orgId'])} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId} AND ${isUnfinished}`,
)

/** Whether anything of the organization still needs looking after. */
export async function hasUnfinished(db: Database, orgId: string): Promise<boolean> {
  return (await db.first(readUnfinished({ orgId }))) !== undefined
}

const readSomeUnfinished = prepared<{ limit: number }, { orgId: string }>(
  ({ limit }) => sql`SELECT ${columns(clocks, ['orgId'])} FROM ${clocks}
    WHERE ${clocks.state} = 'open' AND ${isUnfinished} ORDER BY random() LIMIT ${limit}`,
)

const ORGANIZATIONS_AT_ONCE = 500

/** Some of them, other ones each time: a Worker may only make so many calls at once. */
export async function unfinishedOrganizations(db: Database): Promise<string[]> {
  return (await db.all(readSomeUnfinished({ limit: ORGANIZATIONS_AT_ONCE }))).map(({ orgId }) => orgId)
}

// Who listens, and whether anything is left to be looked after. Answers rows, decides nothing.
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { clocks, ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { DELIVERY_INDEX, deliveries } from '../../platform/db/schema/events.ts'
import { indexedBy, prepared } from '../../platform/db/sql.ts'
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

const readUnfinished = prepared<{ orgId: string }, { unfinished: 0 | 1 }>(
  ({
    orgId,
  }) => sql`SELECT EXISTS (SELECT 1 FROM ${clocks} WHERE ${clocks.orgId} = ${orgId} AND ${clocks.dispatchedSeq} IS NOT NULL)
    OR EXISTS (SELECT 1 FROM ${entities} ${indexedBy(ENTITY_INDEX.status)} WHERE ${entities.orgId} = ${orgId}
      AND ${entities.kind} = ${PROCESS.name} AND ${entities.status} IN ('pending', 'active'))
    OR EXISTS (SELECT 1 FROM ${deliveries} ${indexedBy(DELIVERY_INDEX.due)}
      WHERE ${deliveries.orgId} = ${orgId} AND ${deliveries.status} = 'pending') AS unfinished`,
)

/** Whether anything of the organization still needs looking after. */
export async function hasUnfinished(db: Database, orgId: string): Promise<boolean> {
  return (await db.first(readUnfinished({ orgId })))?.unfinished === 1
}

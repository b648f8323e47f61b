// Brings an organization's clock back that is far ahead of the platform's, because that was wrong for a while: as long as it is,
// all commits have the same time, and pollers by time see none of them (N23). Records from the future get the present time, the
// earliest first: their times never run backwards in commit order, also for readers in between.
import { sql } from 'drizzle-orm'
import { CLOCK_AHEAD_MAX_MS } from '../../limits.ts'
import type { Database } from '../client.ts'
import { CHANGE_INDEX, changes, clocks, entities } from '../schema/entities.ts'
import { endpoints } from '../schema/events.ts'
import { bare, from, indexedBy, named, prepared } from '../sql.ts'
import { PLATFORM_TIME } from './clock.ts'

const RECORDS_A_STEP = 500

type Values = { orgId: string }

const c = named(changes, 'c')
const bounded = sql.raw(String(RECORDS_A_STEP))

/** The earliest records of the future. */
const ahead = (orgId: Parameters<typeof sql>[1]) => sql`FROM ${from(c)} ${indexedBy(CHANGE_INDEX.createdOn)}
  WHERE ${c.orgId} = ${orgId} AND ${c.createdOn} > ${PLATFORM_TIME} ORDER BY ${c.createdOn}, ${c.seq} LIMIT ${bounded}`

const healEntities = prepared<Values>(
  ({ orgId }) => sql`UPDATE ${entities} SET ${bare(entities.createdOn)} = min(${entities.createdOn}, ${PLATFORM_TIME}),
      ${bare(entities.updatedOn)} = min(${entities.updatedOn}, ${PLATFORM_TIME})
    WHERE ${entities.orgId} = ${orgId} AND ${entities.id} IN (SELECT ${c.entityId} ${ahead(orgId)})`,
)

const healRecords = prepared<Values>(
  ({ orgId }) => sql`UPDATE ${changes} SET ${bare(changes.createdOn)} = ${PLATFORM_TIME}
    WHERE ${changes.orgId} = ${orgId} AND ${changes.seq} IN (SELECT ${c.seq} ${ahead(orgId)})`,
)

const healEndpoints = prepared<Values>(
  ({
    orgId,
  }) => sql`UPDATE ${endpoints} SET ${bare(endpoints.createdOn)} = min(${endpoints.createdOn}, ${PLATFORM_TIME})
    WHERE ${endpoints.orgId} = ${orgId}`,
)

const healClocks = prepared<Values>(
  ({
    orgId,
  }) => sql`UPDATE ${clocks} SET ${bare(clocks.time)} = ${PLATFORM_TIME}, ${bare(clocks.commits)} = ${clocks.commits} + 1
    WHERE ${clocks.orgId} = ${orgId} AND ${clocks.time} > ${PLATFORM_TIME} AND NOT EXISTS (SELECT 1 ${ahead(orgId)})`,
)

/** Whether a commit's time is further ahead than it may be. */
export const isAhead = (time: number) => time > Date.now() + CLOCK_AHEAD_MAX_MS

export async function healClock(db: Database, orgId: string): Promise<void> {
  const values = { orgId }
  for (;;) {
    const heal = [healEntities(values), healRecords(values), healEndpoints(values), healClocks(values)]
    const [, records] = await db.batch(heal)
    if ((records?.meta.changes ?? 0) < RECORDS_A_STEP) return
  }
}

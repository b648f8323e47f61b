// The organization's clock: commit times never run backwards (N23). The time is the platform's, taken where the commit is made:
// however long a request was on its way, nothing is committed long after its own time, and a poller that goes by its clock sees it.
// A worker that knows the organization from before it moved to another database fails here, with everything it writes (N56).
// Moving the clock tells for free whether anybody listens, and makes a check on the way: every statement of a batch costs,
// however little it does.
import { type SQL, sql } from 'drizzle-orm'
import { fenced } from '../fence.ts'
import { exceeded, quotaIn } from '../quota.ts'
import { clocks } from '../schema/entities.ts'
import { bare, columns, type Given, insertInto, prepared, type RowOf } from '../sql.ts'
import type { Write } from './write.ts'

export type Ticked = Pick<RowOf<typeof clocks>, 'time' | 'listensTo'>
/** `more`: how many entities there will be more than before. `epoch`: under which the organization is known to the writer. */
export type ClockValues = { orgId: string; more: number; epoch: number }

/** Milliseconds by the database's own clock. */
export const PLATFORM_TIME = sql<number>`CAST(round(unixepoch('subsec') * 1000) AS INTEGER)`

/** The check finds nothing, or fails the batch. */
export function moveClock({ orgId, more, epoch }: Given<ClockValues>, check?: SQL): SQL<Ticked> {
  const isOpen = sql`${clocks.state} = 'open' AND ${clocks.epoch} = excluded.${bare(clocks.epoch)}`
  const time = check ? sql`coalesce((${check}), ${PLATFORM_TIME})` : PLATFORM_TIME
  const entities = bare(clocks.entities)
  return sql`${insertInto(clocks, ['orgId', 'time', 'entities', 'commits', 'epoch'])} VALUES (${orgId}, ${time}, ${more}, 1, ${epoch})
    ON CONFLICT (${bare(clocks.orgId)}) DO UPDATE SET ${bare(clocks.time)} = CASE WHEN ${isOpen}
        THEN max(${clocks.time}, excluded.${bare(clocks.time)}) ELSE ${fenced} END,
      ${bare(clocks.commits)} = ${clocks.commits} + 1,
      ${entities} = CASE WHEN excluded.${entities} > 0 AND ${clocks.entities} + excluded.${entities} > ${quotaIn('entities')}
        THEN ${exceeded('entities', quotaIn('entities'))} ELSE ${clocks.entities} + excluded.${entities} END
    RETURNING ${columns(clocks, ['time', 'listensTo'])}`
}

/** How many entities writes make more than they delete, of the types that have change records. */
export function moreEntities(writes: readonly Pick<Write, 'op' | 'kind'>[]): number {
  let more = 0
  for (const { op, kind } of writes) if (kind.recorded && op !== 'update') more += op === 'create' ? 1 : -1
  return more
}

export const tick = prepared<ClockValues, Ticked>(given => moveClock(given))

/** Where the clock stands, inside a statement that comes after it was moved. */
export const clockOf = (orgId: Parameters<typeof sql>[1]) =>
  sql<number>`(SELECT ${clocks.time} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId})`

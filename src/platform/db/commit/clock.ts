// The organization's clock: commit times never run backwards (N23). The time is the platform's, taken where the commit is made:
// however long a request was on its way, nothing is committed long after its own time, and a poller that goes by its clock sees it.
// Moving the clock tells for free whether anybody listens, and makes a check on the way: every statement of a batch costs,
// however little it does.
import { type SQL, sql } from 'drizzle-orm'
import { clocks } from '../schema/entities.ts'
import { bare, columns, type Given, insertInto, prepared, type RowOf } from '../sql.ts'

export type Ticked = Pick<RowOf<typeof clocks>, 'time' | 'dispatchedSeq'>
export type ClockValues = { orgId: string }

/** Milliseconds by the database's own clock. */
export const PLATFORM_TIME = sql<number>`CAST(round(unixepoch('subsec') * 1000) AS INTEGER)`

/** The check finds nothing, or fails by itself. */
export function moveClock({ orgId }: Given<ClockValues>, check?: SQL): SQL<Ticked> {
  const time = check ? sql`coalesce((${check}), ${PLATFORM_TIME})` : PLATFORM_TIME
  return sql`${insertInto(clocks, ['orgId', 'time'])} VALUES (${orgId}, ${time})
    ON CONFLICT (${bare(clocks.orgId)}) DO UPDATE SET ${bare(clocks.time)} = max(${clocks.time}, excluded.${bare(clocks.time)})
    RETURNING ${columns(clocks, ['time', 'dispatchedSeq'])}`
}

export const tick = prepared<ClockValues, Ticked>(given => moveClock(given))

/** Where the clock stands, inside a statement that comes after it was moved. */
export const clockOf = (orgId: Parameters<typeof sql>[1]) =>
  sql<number>`(SELECT ${clocks.time} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId})`

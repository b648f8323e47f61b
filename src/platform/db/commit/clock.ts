// The organization's clock: commit times never run backwards (N23). Moving it tells for free whether anybody listens, and makes
// a check on the way: every statement of a batch costs, however little it does.
import { type SQL, sql } from 'drizzle-orm'
import { clocks } from '../schema/entities.ts'
import { bare, columns, type Given, insertInto, prepared, type RowOf } from '../sql.ts'

export type Ticked = Pick<RowOf<typeof clocks>, 'time' | 'dispatchedSeq'>
export type ClockValues = { orgId: string; now: number }

/** The check finds nothing, or fails by itself. */
export function moveClock({ orgId, now }: Given<ClockValues>, check?: SQL): SQL<Ticked> {
  const time = check ? sql`coalesce((${check}), ${now})` : sql`${now}`
  return sql`${insertInto(clocks, ['orgId', 'time'])} VALUES (${orgId}, ${time})
    ON CONFLICT (${bare(clocks.orgId)}) DO UPDATE SET ${bare(clocks.time)} = max(${clocks.time}, excluded.${bare(clocks.time)})
    RETURNING ${columns(clocks, ['time', 'dispatchedSeq'])}`
}

export const tick = prepared<ClockValues, Ticked>(given => moveClock(given))

// The organization's clock: commit times never run backwards (N23). Moving it tells for free whether anybody listens, and makes
// a check on the way: every statement of a batch costs, however little it does.
import { type SQL, sql } from 'drizzle-orm'
import { clocks } from '../schema/entities.ts'
import { bare, columns, type Given, insertInto, prepared, type RowOf } from '../sql.ts'

export type Ticked = Pick<RowOf<typeof clocks>, 'time' | 'heardSeq'>
export type ClockValues = { orgId: string; now: number }

const moved = ({ orgId }: Given<ClockValues>, time: SQL): SQL<Ticked> => sql`
  ${insertInto(clocks, ['orgId', 'time'])} VALUES (${orgId}, ${time})
  ON CONFLICT (${bare(clocks.orgId)}) DO UPDATE SET ${bare(clocks.time)} = max(${clocks.time}, excluded.${bare(clocks.time)})
  RETURNING ${columns(clocks, ['time', 'heardSeq'])}`

export const tick = prepared<ClockValues, Ticked>(given => moved(given, sql`${given.now}`))

/** Moves the clock where the check finds nothing; the check itself fails where it does. */
export function tickAfter<Values extends Record<string, string | number | null>>(
  check: (given: Given<Values & ClockValues>) => SQL,
) {
  return prepared<Values & ClockValues, Ticked>(given => moved(given, sql`coalesce((${check(given)}), ${given.now})`))
}

// The job of a move, for a move under way that has none: it has just begun, or an earlier release has begun it.
import { sql } from 'drizzle-orm'
import { directoryJobs } from '../../../platform/db/schema/jobs.ts'
import { moves } from '../../../platform/db/schema/organizations.ts'
import { bare, from, insertInto, named, type Statement, statement } from '../../../platform/db/sql.ts'

const d = named(directoryJobs, 'd')
const COLUMNS = [
  'id',
  'orgId',
  'lane',
  'seq',
  'kind',
  'step',
  'attempts',
  'failures',
  'isCancelled',
  'wakeOn',
  'touchedOn',
  'state',
] as const

export const takeOverMove = (orgId: string): Statement[] => [
  statement(sql`${insertInto(directoryJobs, COLUMNS)}
    SELECT ${moves.id}, ${moves.orgId}, 'move', 1, 'move', 0, 0, 0, 0, 0, ${moves.touchedOn}, '{"phase":"moving"}' FROM ${moves}
    WHERE ${moves.orgId} = ${orgId} AND ${moves.endedOn} IS NULL
      AND NOT EXISTS (SELECT 1 FROM ${from(d)} WHERE ${d.orgId} = ${orgId} AND ${d.lane} = 'move')`),
]

/** A job that waits for its time is due now. */
export const wakeMoveNow = (orgId: string): Statement =>
  statement(sql`UPDATE ${directoryJobs} SET ${bare(directoryJobs.wakeOn)} = 0
    WHERE ${directoryJobs.orgId} = ${orgId} AND ${directoryJobs.lane} = 'move'`)

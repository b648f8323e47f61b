// What a task's object tells D1 must follow from what D1 knows.
import { sql } from 'drizzle-orm'
import type { Statement } from '../../../platform/db/client.ts'
import { entities } from '../../../platform/db/schema/entities.ts'
import { from, named, prepared } from '../../../platform/db/sql.ts'
import { PROCESS, TASK } from '../kind.ts'

/** Begin the messages of transactions that come too late, or too early. */
export const TASK_MISSING = 'task is missing'
export const TASK_ENDED = 'task has ended'
export const RUN_ENDED = 'run has ended'

const task = named(entities, 'task')
const run = named(entities, 'run')
const literal = (text: string) => sql.raw(`'${text}'`)

const guard = prepared<{ orgId: string; taskId: string; processId: string | null }>(
  ({ orgId, taskId, processId }) => sql`SELECT json_extract('{}', CASE
    coalesce((SELECT ${task.status} IN ('pending', 'active', 'awaiting') FROM ${from(task)}
      WHERE ${task.id} = ${taskId} AND ${task.orgId} = ${orgId} AND ${task.kind} = ${TASK.name}), 2)
    WHEN 2 THEN ${literal(TASK_MISSING)} WHEN 0 THEN ${literal(TASK_ENDED)} ELSE CASE
    WHEN EXISTS (SELECT 1 FROM ${from(run)} WHERE ${run.id} = ${processId} AND ${run.orgId} = ${orgId}
      AND ${run.kind} = ${PROCESS.name} AND ${run.status} IN ('complete', 'failed', 'cancelled')) THEN ${literal(RUN_ENDED)}
    END END)`,
)

/** Fails the transaction where the task is not there or has ended, or the run that it would move. */
export function underWayGuard(orgId: string, taskId: string, processId: string | null): Statement {
  return guard({ orgId, taskId, processId })
}

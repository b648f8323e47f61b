// What a task's object tells D1 must follow from what D1 knows.
import { sql } from 'drizzle-orm'
import type { Statement } from '../../../platform/db/client.ts'
import { entities } from '../../../platform/db/schema/entities.ts'
import { from, named, prepared } from '../../../platform/db/sql.ts'
import { PROCESS, TASK } from '../kind.ts'

/** Begin the messages of transactions that come too late. */
export const TASK_ENDED = 'task has ended'
export const RUN_ENDED = 'run has ended'

const task = named(entities, 'task')
const run = named(entities, 'run')
const literal = (text: string) => sql.raw(`'${text}'`)

const guard = prepared<{ orgId: string; taskId: string; processId: string | null }>(
  ({ orgId, taskId, processId }) => sql`SELECT json_extract('{}', CASE
    WHEN NOT EXISTS (SELECT 1 FROM ${from(task)} WHERE ${task.id} = ${taskId} AND ${task.orgId} = ${orgId}
      AND ${task.kind} = ${TASK.name} AND ${task.status} IN ('pending', 'active', 'awaiting')) THEN ${literal(TASK_ENDED)}
    WHEN EXISTS (SELECT 1 FROM ${from(run)} WHERE ${run.id} = ${processId} AND ${run.orgId} = ${orgId}
      AND ${run.kind} = ${PROCESS.name} AND ${run.status} IN ('complete', 'failed', 'cancelled')) THEN ${literal(RUN_ENDED)}
    END)`,
)

/** Fails the transaction where the task has ended, or the run that it would move. */
export function underWayGuard(orgId: string, taskId: string, processId: string | null): Statement {
  return guard({ orgId, taskId, processId })
}

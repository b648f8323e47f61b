// The way to the objects of tasks.

import type { Org } from '../../../platform/context.ts'
import type { Place } from '../../../platform/db/placement.ts'
import type { EntityRow } from '../../../platform/db/row.ts'
import { entityOf, type StoredRow } from '../../../platform/db/row.ts'
import { type Env, namespaceOf } from '../../../platform/env.ts'
import { TASK_TIMEOUT_DEFAULT_SECONDS } from '../../../platform/limits.ts'
import type { Outcome, Received, TaskInput, TaskState, Verdict } from './machine.ts'

export interface OpenTask {
  orgId: string
  taskId: string
  processId: string | null
  timeoutSeconds: number
  output: Record<string, unknown>
  logs: string[]
  /** It has no code of its own: it waits from its first moment on. */
  waits: boolean
  /** When it stops waiting, where that is known already. */
  deadline?: number
}

export interface TaskAnswer {
  /** `unwritten`: decided, but D1 does not know it yet; the alarm tells it. */
  verdict: Verdict | 'unknown' | 'unwritten'
  outcome: Outcome | null
  status: TaskState['status'] | null
  row: EntityRow | null
  /** From where on the decision is to be seen; null where this object has not told it since it was woken. */
  bookmark: string | null
}

/** What the object of a task takes. Its class cannot be named here: it imports the table of types, which imports this file. */
export interface TaskCalls {
  open(task: OpenTask): Promise<boolean>
  settle(result: Omit<TaskInput & { type: 'settle' }, 'type' | 'now'>): Promise<TaskAnswer>
  callback(received: Received, orgId?: string, place?: Place): Promise<TaskAnswer>
  cancel(actorId: string): Promise<TaskAnswer>
  forget(): Promise<void>
}

export function taskObject(env: Pick<Env, 'TASKS'>, orgId: string, taskId: string) {
  return namespaceOf<TaskCalls & Rpc.DurableObjectBranded>(env.TASKS).getByName(`${orgId}:${taskId}`)
}

/** Their organization is gone. */
export async function forgetTasks(env: Env, orgId: string, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map(id => taskObject(env, orgId, id).forget()))
}

/** Of tasks that wait, in an organization that was brought back: their objects were not in the archive. */
export async function reopenTasks(env: Env, org: Org, rows: readonly StoredRow[]): Promise<void> {
  await Promise.all(
    rows.map(row => {
      const { id, processId, timeoutSeconds, output, logs, expiresOn } = entityOf(row)
      return taskObject(env, org.id, id).open({
        orgId: org.id,
        taskId: id,
        processId: typeof processId === 'string' ? processId : null,
        timeoutSeconds: Number(timeoutSeconds ?? TASK_TIMEOUT_DEFAULT_SECONDS),
        output: (output ?? {}) as Record<string, unknown>,
        logs: (logs ?? []) as string[],
        waits: true,
        ...(typeof expiresOn === 'string' && { deadline: Date.parse(expiresOn) }),
      })
    }),
  )
}

// The way to the objects of tasks.
import type { Env } from '../../../env.ts'
import type { Org } from '../../../platform/context.ts'
import { entityOf, type StoredRow } from '../../../platform/db/row.ts'
import { TASK_TIMEOUT_DEFAULT_SECONDS } from '../../../platform/limits.ts'

export function taskObject(env: Pick<Env, 'TASKS'>, orgId: string, taskId: string) {
  return env.TASKS.getByName(`${orgId}:${taskId}`)
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

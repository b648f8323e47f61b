// The way to the objects of tasks.
import type { Env } from '../../../env.ts'

export function taskObject(env: Pick<Env, 'TASKS'>, orgId: string, taskId: string) {
  return env.TASKS.getByName(`${orgId}:${taskId}`)
}

/** Their organization is gone. */
export async function forgetTasks(env: Env, orgId: string, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map(id => taskObject(env, orgId, id).forget()))
}

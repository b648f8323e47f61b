// The token that an async task hands to the system it calls (N39): good for the callback of that task alone. It proves
// itself by a signature, so that a callback needs no look-up; that the task still waits is for the task to say.
import { isSigned, type SecretsEnv, signed } from '../../platform/secrets.ts'

const TOKEN = /^task\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/

export interface TaskTokenOwner {
  orgId: string
  taskId: string
}

const PURPOSE = 'task tokens'

export async function taskToken(env: SecretsEnv, { orgId, taskId }: TaskTokenOwner): Promise<string> {
  return `task.${orgId}.${taskId}.${await signed(env, PURPOSE, `${orgId}.${taskId}`)}`
}

export function looksLikeTaskToken(token: string): boolean {
  return token.startsWith('task.')
}

/** Whose token it is; undefined where it is not one of ours. */
export async function ownerOfTaskToken(env: SecretsEnv, token: string): Promise<TaskTokenOwner | undefined> {
  const [, orgId, taskId, mac] = TOKEN.exec(token) ?? []
  if (!orgId || !taskId || !mac) return undefined
  return (await isSigned(env, PURPOSE, `${orgId}.${taskId}`, mac)) ? { orgId, taskId } : undefined
}

// The token that an async task hands to the system it calls (N39): good for the callback of that task alone. It proves
// itself by a signature, so that a callback needs no look-up; that the task still waits is for the task to say.
import type { Env } from '../../env.ts'
import { equalSecrets } from '../../platform/digest.ts'
import { secretsKeyOf, signatureOf } from '../../platform/secrets.ts'

const TOKEN = /^task\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/

export interface TaskTokenOwner {
  orgId: string
  taskId: string
}

const signature = (secretsKey: string, { orgId, taskId }: TaskTokenOwner) =>
  signatureOf(secretsKey, 'task tokens', `${orgId}.${taskId}`)

export async function taskToken(env: Pick<Env, 'SECRETS_KEY'>, owner: TaskTokenOwner): Promise<string> {
  return `task.${owner.orgId}.${owner.taskId}.${await signature(secretsKeyOf(env), owner)}`
}

export function looksLikeTaskToken(token: string): boolean {
  return token.startsWith('task.')
}

/** Whose token it is; undefined where it is not one of ours. */
export async function ownerOfTaskToken(
  env: Pick<Env, 'SECRETS_KEY'>,
  token: string,
): Promise<TaskTokenOwner | undefined> {
  const [, orgId, taskId, mac] = TOKEN.exec(token) ?? []
  if (!orgId || !taskId || !mac || !env.SECRETS_KEY) return undefined
  const owner = { orgId, taskId }
  return (await equalSecrets(mac, await signature(env.SECRETS_KEY, owner))) ? owner : undefined
}

// The Idempotency-Key header (N18): read here; claimed by the request's first commit, or before its work (N64).
import { canonical } from '../canonical.ts'
import type { Idempotency } from '../context.ts'
import { digestOf } from '../digest.ts'
import { type Fault, invalid } from '../errors.ts'
import { ID_LENGTH } from '../ids.ts'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../limits.ts'
import { type SecretsEnv, signed } from '../secrets.ts'
import type { Operation } from './operation.ts'

const KEY = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`)

export async function idempotencyOf(
  operation: Operation,
  request: Request,
  { params, sent }: { params: Record<string, string>; sent: unknown },
  credentialId: string | undefined,
  env: SecretsEnv,
): Promise<Idempotency | undefined> {
  const key = request.headers.get('Idempotency-Key')
  if (key === null || operation.method !== 'POST') return undefined
  if (operation.issuesCredential) throw refused('This call issues a credential, which is never kept for a repeat.')
  if (!KEY.test(key)) throw refused(`Expected 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} visible ASCII characters.`)
  if (credentialId === undefined) return undefined
  // The same call in another spelling is the same request: the singular path, the order of parameters and of keys.
  const query = [...new URL(request.url).searchParams].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const whole = JSON.stringify([operation.method, operation.path, canonical([params, sent ?? null]), query])
  const digest = operation.takesPassword ? await signed(env, 'idempotency', whole) : await digestOf(whole)
  return { credentialId, key, digest }
}

export async function repeatIdOf({ credentialId, key, digest }: Idempotency): Promise<string> {
  return (await digestOf(['repeat', credentialId, key, digest].join('\n'))).slice(0, ID_LENGTH)
}

/** With a body that the handler reads: other content under the same key is another request (N64). */
export async function withContent<C extends { idempotency?: Idempotency | undefined }>(
  context: C,
  content: string,
): Promise<C> {
  const { idempotency } = context
  if (!idempotency) return context
  const digest = await digestOf(`${idempotency.digest}\n${content}`)
  return { ...context, idempotency: { ...idempotency, digest } }
}

function refused(message: string): Fault {
  return invalid([{ path: '/Idempotency-Key', message }])
}

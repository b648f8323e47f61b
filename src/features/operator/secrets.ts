// How far a change of SECRETS_KEY has come.
import type { OpenContext } from '../../platform/context.ts'
import { sealedNow } from '../../platform/secrets.ts'
import { sealsOf } from './store.ts'

/** `v2.<name of the key>.…`; the first release named none. */
const keyIn = (sealed: string) => (sealed.startsWith('v1.') ? 'unnamed' : (sealed.split('.')[1] ?? ''))

export async function secretsByKey({ env }: Pick<OpenContext, 'env'>) {
  const counts = new Map<string, number>()
  for (const { seal, secrets } of await sealsOf(env)) counts.set(keyIn(seal), (counts.get(keyIn(seal)) ?? 0) + secrets)
  const inForce = env.SECRETS_KEY ? keyIn(await sealedNow(env)) : undefined
  return { results: [...counts].map(([key, secrets]) => ({ key, isInForce: key === inForce, secrets })) }
}

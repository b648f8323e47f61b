// Seals the secrets of identity providers anew after a change of SECRETS_KEY.
import type { Env } from '../../platform/env.ts'
import { resealRows } from '../../platform/reseal.ts'
import { sealedNow } from '../../platform/secrets.ts'
import { resealed } from './provider-settings.ts'
import { type ProviderRow, providersSealedBefore, replaceSecret } from './store.ts'

export async function resealProviders(env: Env): Promise<void> {
  if (!env.SECRETS_KEYS_OLD) return
  const inForce = await sealedNow(env)
  await resealRows<ProviderRow>(
    (after, limit) => providersSealedBefore(env, inForce, after, limit),
    async provider => replaceSecret(env, provider, await resealed(env, provider)),
  )
}

// Seals the secrets of identity providers anew after a change of SECRETS_KEY.
import type { Env } from '../../env.ts'
import { sealedNow } from '../../platform/secrets.ts'
import { resealed } from './provider-settings.ts'
import { providersSealedBefore, replaceSecret } from './store.ts'

const PROVIDERS_A_SWEEP = 100

export async function resealProviders(env: Env): Promise<void> {
  if (!env.SECRETS_KEYS_OLD) return
  for (const provider of await providersSealedBefore(env, await sealedNow(env), PROVIDERS_A_SWEEP)) {
    try {
      await replaceSecret(env, provider, await resealed(env, provider))
    } catch (error) {
      // One that no key opens does not hold up the others.
      console.error('identity provider of', provider.orgId, 'is not sealed anew', error)
    }
  }
}

// Seals the secrets of endpoints anew after a change of SECRETS_KEY.
import type { Env } from '../../env.ts'
import { inEachDatabase } from '../../platform/db/client.ts'
import { decryptSecret, encryptSecret, sealedNow } from '../../platform/secrets.ts'
import { secretOwner } from './call.ts'
import { endpointsSealedBefore, replaceSecrets } from './store.ts'

const ENDPOINTS_A_SWEEP = 100

export async function resealEndpoints(env: Env): Promise<void> {
  if (!env.SECRETS_KEYS_OLD) return
  await inEachDatabase(env, async db => {
    for (const endpoint of await endpointsSealedBefore(db, await sealedNow(env), ENDPOINTS_A_SWEEP)) {
      const owner = secretOwner(endpoint.orgId, endpoint.name)
      const again = async (sealed: string | null) =>
        sealed === null ? null : encryptSecret(env, owner, await decryptSecret(env, owner, sealed))
      try {
        const sealedSecret = await again(endpoint.sealedSecret)
        await replaceSecrets(db, endpoint, { sealedSecret, sealedOldSecret: await again(endpoint.sealedOldSecret) })
      } catch (error) {
        // One that no key opens does not hold up the others.
        console.error('endpoint', endpoint.orgId, endpoint.name, 'is not sealed anew', error)
      }
    }
  })
}

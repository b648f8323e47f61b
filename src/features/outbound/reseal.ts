// Seals the secrets of endpoints anew after a change of SECRETS_KEY.

import { inEachDatabase } from '../../platform/db/client.ts'
import type { Env } from '../../platform/env.ts'
import { resealRows } from '../../platform/reseal.ts'
import { decryptSecret, encryptSecret, sealedNow } from '../../platform/secrets.ts'
import { secretOwner } from './call.ts'
import { type EndpointRow, endpointsSealedBefore, replaceSecrets } from './store.ts'

export async function resealEndpoints(env: Env): Promise<void> {
  if (!env.SECRETS_KEYS_OLD) return
  const inForce = await sealedNow(env)
  await inEachDatabase(env, db =>
    resealRows<EndpointRow>(
      (after, limit) => endpointsSealedBefore(db, inForce, after, limit),
      async endpoint => {
        const owner = secretOwner(endpoint.orgId, endpoint.name)
        const again = async (sealed: string | null) =>
          sealed === null ? null : encryptSecret(env, owner, await decryptSecret(env, owner, sealed))
        const sealedSecret = await again(endpoint.sealedSecret)
        await replaceSecrets(db, endpoint, { sealedSecret, sealedOldSecret: await again(endpoint.sealedOldSecret) })
      },
    ),
  )
}

// The organization behind work that no caller waits for. Remembered as long as a credential may be.
import type { Env } from '../../env.ts'
import type { Org } from '../../platform/context.ts'
import { CREDENTIAL_CACHE_MAX_ENTRIES, CREDENTIAL_CACHE_MS } from '../../platform/limits.ts'
import { findActiveOrg } from '../auth/store.ts'

const remembered = new Map<string, { org: Org | undefined; until: number }>()

/** Undefined where it is suspended or gone: nothing is done in its name. */
export async function activeOrganization(env: Env, orgId: string, now: number): Promise<Org | undefined> {
  const known = remembered.get(orgId)
  if (known && known.until > now) return known.org
  const org = await findActiveOrg(env, orgId)
  if (remembered.size >= CREDENTIAL_CACHE_MAX_ENTRIES) remembered.clear()
  remembered.set(orgId, { org, until: now + CREDENTIAL_CACHE_MS })
  return org
}

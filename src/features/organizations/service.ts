// Organizations by slug, for the operator, and by id, for work that no caller waits for.

import type { OpenContext, Org } from '../../platform/context.ts'
import { learnPlace } from '../../platform/db/placement.ts'
import type { Env } from '../../platform/env.ts'
import { notFound } from '../../platform/errors.ts'
import { CREDENTIAL_CACHE_MAX_ENTRIES, CREDENTIAL_CACHE_MS } from '../../platform/limits.ts'
import { findActiveOrg, findOrg, type OrgRow, unboundDatabases } from './store.ts'

export async function organization({ env }: Pick<OpenContext, 'env'>, slug: string): Promise<OrgRow> {
  const org = await findOrg(env, slug)
  if (!org) throw notFound('organization')
  return org
}

const remembered = new Map<string, { org: Org | undefined; until: number }>()

export function forgetActivity(orgId: string): void {
  remembered.delete(orgId)
}

/** Undefined where it is suspended or gone: nothing is done in its name. Remembered as long as a credential may be. */
export async function activeOrganization(env: Env, orgId: string, now: number): Promise<Org | undefined> {
  const known = remembered.get(orgId)
  if (known && known.until > now) return known.org
  const found = await findActiveOrg(env, orgId)
  const org = found && { id: found.id, slug: found.slug }
  if (found) learnPlace(orgId, found, now)
  if (remembered.size >= CREDENTIAL_CACHE_MAX_ENTRIES) remembered.clear()
  remembered.set(orgId, { org, until: now + CREDENTIAL_CACHE_MS })
  return org
}

/** For what is removed because no record leads to it: a record may lie where this deployment cannot look. */
export async function requireAllDatabases(env: Env): Promise<void> {
  const unbound = await unboundDatabases(env)
  if (unbound.length > 0) throw new Error(`nothing is swept for good while ${unbound.join(', ')} is not bound`)
}

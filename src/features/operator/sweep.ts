// Removes what deleted organizations leave behind, a bounded number of rows at a time. Safe to repeat at any point: the
// organization's own row goes last.
import type { Env } from '../../env.ts'
import { deletedOrgs, removeOrg, removeSome } from './store.ts'

const ROWS_A_STEP = 2000
const STEPS_A_SWEEP = 200

export async function sweepOrganization(env: Env, orgId: string): Promise<void> {
  for (let step = 0; step < STEPS_A_SWEEP; step++) {
    if ((await removeSome(env, orgId, ROWS_A_STEP)) > 0) continue
    await removeFiles(env, orgId)
    return removeOrg(env, orgId)
  }
}

export async function sweepDeletedOrganizations(env: Env): Promise<void> {
  for (const orgId of await deletedOrgs(env)) await sweepOrganization(env, orgId)
}

async function removeFiles(env: Env, orgId: string): Promise<void> {
  for (;;) {
    const { objects } = await env.FILES.list({ prefix: `${orgId}/`, limit: 1000 })
    if (objects.length === 0) return
    await env.FILES.delete(objects.map(object => object.key))
  }
}

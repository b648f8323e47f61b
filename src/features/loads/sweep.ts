// Comes by the cron: wakes organizations whose loads stand still although their watch should have sent for them, and
// removes what a wake-up that came too late has left behind.
import type { Env } from '../../env.ts'
import { allDatabases } from '../../platform/db/client.ts'
import { forgetOrphans, organizationsWithLoads } from './store/loads.ts'
import { wake } from './work.ts'

const ROWS_A_SWEEP = 20_000

export async function sweepLoads(env: Env): Promise<void> {
  for (const db of allDatabases(env)) {
    for (const orgId of await organizationsWithLoads(db)) await wake(env, orgId)
    await forgetOrphans(db, ROWS_A_SWEEP)
  }
}

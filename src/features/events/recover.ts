// Looks after an organization now and then: events that nobody was woken for, runs and deliveries that stand still. The
// watch sends it here for as long as there is anything to look after.
import type { Env } from '../../env.ts'
import { allDatabases, databaseFor } from '../../platform/db/client.ts'
import { PATROL_LOCAL_PERIOD_MS, PATROL_PERIOD_MS } from '../../platform/limits.ts'
import { endWatch, keepWatch } from '../../platform/wake/watch.ts'
import { listeningOrganizations } from '../history/outbox-store.ts'
import { activeOrganization } from '../organizations/organizations.ts'
import { dueDeliveriesStatement } from '../outbound/store.ts'
import { wakeRuns } from '../workflows/request.ts'
import { hasUnfinished, standingStatement } from '../workflows/store.ts'
import { hear } from './dispatch.ts'

const RUNS_WOKEN_AT_ONCE = 1000
const DELIVERIES_WOKEN_AT_ONCE = 100

export async function patrol(env: Env, orgId: string): Promise<void> {
  const now = Date.now()
  const db = databaseFor(env, orgId)
  if (await activeOrganization(env, orgId, now)) {
    await hear(env, orgId)
    const quietMs = env.ENVIRONMENT === 'local' ? PATROL_LOCAL_PERIOD_MS : PATROL_PERIOD_MS
    const [standing, due] = await db.batch([
      standingStatement(orgId, now - quietMs, RUNS_WOKEN_AT_ONCE),
      dueDeliveriesStatement(orgId, now - quietMs / 2, DELIVERIES_WOKEN_AT_ONCE),
    ])
    await wakeRuns(env, orgId, idsIn(standing))
    const deliveries = idsIn(due).map(id => ({ body: { kind: 'delivery', orgId, id } }))
    if (deliveries.length) await env.STEP_QUEUE.sendBatch(deliveries)
  }
  if (await hasUnfinished(db, orgId)) return
  await endWatch(env, orgId)
  // What began between the look and the end of the watch gets a new one.
  if (await hasUnfinished(db, orgId)) await keepWatch(env, orgId)
}

function idsIn(result: D1Result<Record<string, unknown>> | undefined): string[] {
  return (result?.results ?? []).map(row => String(row.id))
}

/** Should a watch ever have been lost, the cron brings it back. */
export async function keepAllWatches(env: Env): Promise<void> {
  for (const db of allDatabases(env)) {
    for (const orgId of await listeningOrganizations(db)) await keepWatch(env, orgId)
  }
}

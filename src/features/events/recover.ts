// Looks after an organization now and then: events that nobody was woken for, runs and deliveries that stand still. The
// watch sends it here for as long as there is anything to look after.
import type { Env } from '../../env.ts'
import { allDatabases, databaseFor } from '../../platform/db/client.ts'
import { PATROL_LOCAL_PERIOD_MS, PATROL_PERIOD_MS } from '../../platform/limits.ts'
import { endWatch, keepWatch } from '../../platform/wake/watch.ts'
import { listeningOrganizations } from '../history/outbox-store.ts'
import { activeOrganization } from '../organizations/organizations.ts'
import { dueDeliveries } from '../outbound/store.ts'
import { wakeRuns } from '../workflows/request.ts'
import { standingRuns } from '../workflows/store.ts'
import { dispatch } from './dispatch.ts'
import { hasUnfinished } from './store.ts'

const RUNS_WOKEN_AT_ONCE = 1000
const DELIVERIES_WOKEN_AT_ONCE = 100

export async function recover(env: Env, orgId: string): Promise<void> {
  const now = Date.now()
  const db = databaseFor(env, orgId)
  if (await activeOrganization(env, orgId, now)) {
    await dispatch(env, orgId)
    const quietMs = env.ENVIRONMENT === 'local' ? PATROL_LOCAL_PERIOD_MS : PATROL_PERIOD_MS
    const [standing, due] = await db.batch([
      standingRuns({ orgId, movedBefore: now - quietMs, limit: RUNS_WOKEN_AT_ONCE }),
      dueDeliveries({ orgId, dueBefore: now - quietMs / 2, limit: DELIVERIES_WOKEN_AT_ONCE }),
    ])
    const runs = standing.results.map(({ id }) => id)
    await wakeRuns(env, orgId, runs)
    const deliveries = due.results.map(({ id }) => ({ body: { kind: 'delivery', orgId, id } }))
    if (deliveries.length) await env.STEP_QUEUE.sendBatch(deliveries)
  }
  if (await hasUnfinished(db, orgId)) return
  await endWatch(env, orgId)
  // What began between the look and the end of the watch gets a new one.
  if (await hasUnfinished(db, orgId)) await keepWatch(env, orgId)
}

/** Should a watch ever have been lost, the cron brings it back. */
export async function keepAllWatches(env: Env): Promise<void> {
  for (const db of allDatabases(env)) {
    for (const orgId of await listeningOrganizations(db)) await keepWatch(env, orgId)
  }
}

// Recovers lost wake-ups of an organization: undispatched events, and runs and deliveries that do not move. The
// watch sends it here for as long as there is anything to look after.

import { type Database, databaseFor, inEachDatabase } from '../../platform/db/client.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { paceOf } from '../../platform/pace.ts'
import { wakeDeliveries, wakeRuns } from '../../platform/wake/message.ts'
import { endWatch, keepWatch, watchOf } from '../../platform/wake/watch.ts'
import { activeOrganization } from '../organizations/service.ts'
import { dueDeliveries } from '../outbound/store.ts'
import { standingRuns } from '../workflows/store.ts'
import { dispatch } from './dispatch.ts'
import { hasUnfinished, unfinishedOrganizations } from './store.ts'

/** Of the runs, and of the deliveries. */
const WOKEN_AT_ONCE = 1000

/** `sentOn`: when the message was sent that brings it here. */
export async function recover(env: Env, orgId: string, sentOn = Date.now()): Promise<void> {
  const db = databaseFor(env, orgId)
  if (await activeOrganization(env, orgId, Date.now())) {
    // First: an event that cannot be dispatched must not hold up what has nothing to do with it.
    await wakeStanding(env, db, orgId, sentOn)
    await dispatch(env, orgId)
  }
  if (await hasUnfinished(db, orgId)) return
  if (!(await endWatch(env, orgId))) return
  // What began between the look and the end of the watch gets a new one.
  if (await hasUnfinished(db, orgId)) await keepWatch(env, orgId)
}

/**
 * Nothing is woken twice: messages arrive roughly in the order in which they are sent. What was sent before this one has been
 * here already, what was sent after it may still be queued.
 */
async function wakeStanding(env: Env, db: Database, orgId: string, sentOn: number): Promise<void> {
  const watch = watchOf(env, orgId)
  const wokenOn = await watch.wokenOn()
  // A note from the future was made by a clock that has come back since: it must not keep anybody asleep.
  if (sentOn <= wokenOn && wokenOn <= Date.now()) return
  const quietMs = paceOf(env).recoverMs
  const dueBefore = sentOn - quietMs / 2
  const [standing, due] = await db.batch([
    standingRuns({ orgId, movedBefore: sentOn - quietMs, dueBefore: timeText(dueBefore), limit: WOKEN_AT_ONCE }),
    dueDeliveries({ orgId, dueBefore, limit: WOKEN_AT_ONCE }),
  ])
  if (standing.results.length + due.results.length === 0) return
  const idOf = ({ id }: { id: string }) => id
  await wakeRuns(env, orgId, standing.results.map(idOf))
  await wakeDeliveries(env, orgId, due.results.map(idOf))
  await watch.noteWoken(Date.now())
}

/** Should a watch ever have been lost, the cron brings it back. */
export async function keepAllWatches(env: Env): Promise<void> {
  await inEachDatabase(env, async db => {
    for (const orgId of await unfinishedOrganizations(db)) await keepWatch(env, orgId)
  })
}

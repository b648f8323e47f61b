// Fills new indexes of an organization, and empties those that are no longer wanted (N49). Each pass is one
// transaction that records its position: after a crash the next pass continues from there.

import { databaseFor, inEachDatabase } from '../../platform/db/client.ts'
import type { Env } from '../../platform/env.ts'
import { wakeSearch } from '../../platform/wake/search.ts'
import { emptyNext, fillNext, organizationsToIndex, unfinishedIndex } from './store.ts'

/** Whether all of them are finished; false where its time is up. */
export async function fillIndexes(env: Env, orgId: string, until: number): Promise<boolean> {
  const db = databaseFor(env, orgId)
  for (;;) {
    const index = await unfinishedIndex(db, orgId)
    if (!index) return true
    if (Date.now() >= until) return false
    if (index.state === 'dropping') await emptyNext(db, index)
    else await fillNext(db, index)
    await db.rest()
  }
}

/** A worker may have died between marking a property and the wake-up; the cron recovers these organizations. */
export async function fillAll(env: Env): Promise<void> {
  await inEachDatabase(env, async db => {
    for (const orgId of await organizationsToIndex(db)) await wakeSearch(env, orgId)
  })
}

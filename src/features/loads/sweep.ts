// Comes by the cron: removes old processes with their reports, wakes organizations with loads of an earlier release, and
// removes what a wake-up that came too late has left behind.

import { background } from '../../platform/background.ts'
import { type Database, inEachDatabase } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Env } from '../../platform/env.ts'
import { isRefusal } from '../../platform/errors.ts'
import { wakeJobs } from '../../platform/jobs/watchdog.ts'
import { kindNamed } from '../../platform/kind.ts'
import { RUNS_RETENTION_MS, SWEEP_MAX_MS } from '../../platform/limits.ts'
import { triesSince } from '../assortments/notes.ts'
import { removeRecord } from '../files/delete.ts'
import { contentKey } from '../files/store.ts'
import { LOAD_LANE } from './lane.ts'
import { type EndedLoad, endedLoads, forget, forgetAside, orphans } from './store/loads.ts'
import { organizationsWithOldLoads } from './store/old-loads.ts'

const ROWS_A_SWEEP = 20_000

const LOADS_A_PAGE = 100

/** Longer than any publish takes. */
const DAY_MS = 24 * 3600 * 1000

export async function sweepLoads(env: Env, now: number): Promise<void> {
  await inEachDatabase(env, async db => {
    for (const orgId of await organizationsWithOldLoads(db)) {
      await wakeJobs(env, LOAD_LANE, orgId).catch(error => console.error('loads of', orgId, error))
    }
    for (const id of await orphans(db, triesSince(now - DAY_MS))) await forget(db, id, ROWS_A_SWEEP)
    while ((await forgetAside(db, now - RUNS_RETENTION_MS, ROWS_A_SWEEP)) === ROWS_A_SWEEP);
    await removeAllEnded(env, db, now - RUNS_RETENTION_MS)
  })
}

/** An organization whose load cannot be removed waits for the next sweep; the others do not wait for it. */
async function removeAllEnded(env: Env, db: Database, before: number): Promise<void> {
  const until = Date.now() + SWEEP_MAX_MS
  const failed = new Set<string>()
  for (let limit = LOADS_A_PAGE; ; ) {
    const loads = await endedLoads(db, before, limit)
    const due = loads.filter(({ orgId }) => !failed.has(orgId))
    for (const load of due) {
      if (failed.has(load.orgId)) continue
      if (Date.now() >= until) return
      await removeEnded(env, load).catch(error => {
        failed.add(load.orgId)
        console.error('loads of', load.orgId, error)
      })
    }
    if (loads.length < limit) return
    // What has failed fills the page: the others come behind it.
    if (due.length === 0) limit *= 2
  }
}

/** The process and its reports (N42), and a file that came with it; what it has loaded, and any other file that it came from, stay. */
async function removeEnded(env: Env, { id, orgId, kind, fileIds }: EndedLoad): Promise<void> {
  const context = background(env, { id: orgId, slug: '' }, { id: 'sweep', type: 'operator' })
  // One after the other, the process last: a report that somebody has deleted must not keep the rest (N42).
  for (const fileId of fileIds) {
    const isGone = await removed(fileId, () => removeRecord(context, fileId))
    if (isGone) await env.FILES.delete(contentKey(orgId, fileId))
  }
  await removed(id, () => commit(context, [{ op: 'delete', kind: kindNamed(kind), id }], { returning: false }))
  await context.settled()
}

/** False where it stays, such as a file that another load reads by now. */
async function removed(id: string, remove: () => Promise<unknown>): Promise<boolean> {
  try {
    await remove()
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    const isGone = error.code === 'not_found'
    if (!isGone) console.error('sweep of', id, error)
    return isGone
  }
}

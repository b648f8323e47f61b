// Comes by the cron: removes old processes with their reports, wakes organizations whose loads stand still although their watch should have sent for them, and
// removes what a wake-up that came too late has left behind.
import type { Env } from '../../env.ts'
import { background } from '../../platform/background.ts'
import type { Context } from '../../platform/context.ts'
import { inEachDatabase } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import { isRefusal } from '../../platform/errors.ts'
import { inPages } from '../../platform/in-pages.ts'
import { type Kind, kindNamed } from '../../platform/kind.ts'
import { RUNS_RETENTION_MS } from '../../platform/limits.ts'
import { triesSince } from '../assortments/notes.ts'
import { FILE } from '../files/kind.ts'
import { contentKey } from '../files/store.ts'
import { wake } from './run.ts'
import { type EndedLoad, endedLoads, forget, forgetAside, organizationsWithLoads, orphans } from './store/loads.ts'

const ROWS_A_SWEEP = 20_000

const LOADS_A_PAGE = 100

/** Longer than any publish takes. */
const DAY_MS = 24 * 3600 * 1000

export async function sweepLoads(env: Env, now: number): Promise<void> {
  await inEachDatabase(env, async db => {
    for (const orgId of await organizationsWithLoads(db)) await wake(env, orgId)
    for (const id of await orphans(db, triesSince(now - DAY_MS))) await forget(db, id, ROWS_A_SWEEP)
    while ((await forgetAside(db, now - RUNS_RETENTION_MS, ROWS_A_SWEEP)) === ROWS_A_SWEEP);
    await inPages(
      LOADS_A_PAGE,
      limit => endedLoads(db, now - RUNS_RETENTION_MS, limit),
      async loads => {
        for (const load of loads) await removeEnded(env, load)
      },
    )
  })
}

/** The process and its reports (N42); what it has loaded, and the file it came from, stay. */
async function removeEnded(env: Env, { id, orgId, kind, fileIds }: EndedLoad): Promise<void> {
  const context = background(env, { id: orgId, slug: '' }, { id: 'sweep', type: 'operator' })
  // One after the other, the process last: a report that somebody has deleted must not keep the rest (N42).
  for (const fileId of fileIds) await removeIfThere(context, FILE, fileId)
  await env.FILES.delete(fileIds.map(fileId => contentKey(orgId, fileId)))
  await removeIfThere(context, kindNamed(kind), id)
  await context.settled()
}

async function removeIfThere(context: Context, kind: Kind, id: string): Promise<void> {
  try {
    await commit(context, [{ op: 'delete', kind, id }], { returning: false })
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (error.code !== 'not_found') console.error('sweep of', kind.name, id, error)
  }
}

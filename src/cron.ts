// What the cron does: everything that is kept for a stated time, and what deleted organizations leave behind. Each sweep
// takes a bounded number of rows and can be repeated; one that fails does not hold up the others.

import { chainTrails } from './features/audit/chain.ts'
import { backUpAll } from './features/backup/nightly.ts'
import { sweepRestores } from './features/backup/restore.ts'
import { keepAllWatches } from './features/events/recover.ts'
import { sweepFiles } from './features/files/sweep.ts'
import { sweepHistory } from './features/history/sweep.ts'
import { fillAll } from './features/indexes/fill.ts'
import { sweepLoads } from './features/loads/sweep.ts'
import { sweepBucket } from './features/loads/sweep-bucket.ts'
import { sweepMoves } from './features/moves/sweep.ts'
import { sweepDeadLetters } from './features/operator/dead-letters.ts'
import { sweepDeletedOrganizations } from './features/operator/sweep.ts'
import { resealEndpoints } from './features/outbound/reseal.ts'
import { sweepDeliveries } from './features/outbound/sweep.ts'
import { followAll } from './features/search/follow.ts'
import { sweepPeople } from './features/sign-in/sweep.ts'
import { resealProviders } from './features/sso/reseal.ts'
import { sweepRuns } from './features/workflows/sweep.ts'
import { allDatabases } from './platform/db/client.ts'
import { sweepIdempotency } from './platform/db/commit/idempotency.ts'
import type { Env } from './platform/env.ts'
import { sweepJobs } from './platform/jobs/run.ts'

export async function sweep(env: Env, now: number): Promise<void> {
  const results = await Promise.allSettled([
    sweepDeletedOrganizations(env, now),
    sweepJobs(env),
    sweepMoves(env, now),
    sweepRestores(env, now),
    backUpAll(env, now),
    sweepHistory(env, now),
    // Lines are swept when they are chained, so that a chain loses its beginning and nothing else.
    chainTrails(env).finally(() => sweepPeople(env, now)),
    sweepRuns(env, now),
    sweepDeliveries(env, now),
    sweepDeadLetters(env, now),
    resealEndpoints(env),
    resealProviders(env),
    keepAllWatches(env),
    followAll(env),
    fillAll(env),
    sweepFiles(env, now),
    sweepLoads(env, now),
    sweepBucket(env, now),
    ...allDatabases(env).map(db => sweepIdempotency(db, now)),
  ])
  for (const result of results) if (result.status === 'rejected') console.error('sweep', result.reason)
}

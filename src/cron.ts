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
import { inEachDatabase } from './platform/db/client.ts'
import { sweepIdempotency } from './platform/db/commit/idempotency.ts'
import type { Env } from './platform/env.ts'
import { sweepJobs } from './platform/jobs/run.ts'
import type { SweepMessage } from './platform/wake/wake-up.ts'

type Sweep = (env: Env, now: number) => Promise<unknown>

const SWEEPS: Record<string, Sweep> = {
  'deleted-organizations': sweepDeletedOrganizations,
  jobs: env => sweepJobs(env),
  moves: sweepMoves,
  restores: sweepRestores,
  backups: backUpAll,
  history: sweepHistory,
  // Lines are swept when they are chained, so that a chain loses its beginning and nothing else.
  people: (env, now) => chainTrails(env).finally(() => sweepPeople(env, now)),
  runs: sweepRuns,
  deliveries: sweepDeliveries,
  'dead-letters': sweepDeadLetters,
  endpoints: env => resealEndpoints(env),
  'identity-providers': env => resealProviders(env),
  watches: env => keepAllWatches(env),
  search: env => followAll(env),
  indexes: env => fillAll(env),
  files: sweepFiles,
  loads: sweepLoads,
  bucket: sweepBucket,
  idempotency: (env, now) => inEachDatabase(env, db => sweepIdempotency(db, now)),
}

/** The cron only sends messages: each sweep is an invocation with limits of its own. */
export async function beginSweeps(env: Env, now: number): Promise<void> {
  await env.LOAD_QUEUE.sendBatch(
    Object.keys(SWEEPS).map(sweep => ({ body: { kind: 'sweep', sweep, on: now } satisfies SweepMessage })),
  )
}

/** One that fails comes again in an hour. */
export async function runSweep(env: Env, { sweep, on }: SweepMessage): Promise<void> {
  try {
    await SWEEPS[sweep]?.(env, on)
  } catch (error) {
    console.error('sweep', sweep, error)
  }
}

// Forgets deliveries after their time (N42), a bounded number at a time.

import { inEachDatabase } from '../../platform/db/client.ts'
import type { Env } from '../../platform/env.ts'
import { RUNS_RETENTION_MS } from '../../platform/limits.ts'
import { removeDeliveries } from './store.ts'

const ROWS_A_STEP = 2000

export async function sweepDeliveries(env: Env, now: number): Promise<void> {
  await inEachDatabase(env, async db => {
    let removed = ROWS_A_STEP
    while (removed === ROWS_A_STEP) removed = await removeDeliveries(db, now - RUNS_RETENTION_MS, ROWS_A_STEP)
  })
}

// Removes change records older than the organization's retention (N25). A record and the floor that says it is gone
// go in one batch, so that no poller can miss it silently.
import type { Env } from '../../env.ts'
import { orgsWithRetention, removeRecords } from './store.ts'

const DAY_MS = 86_400_000
const ROWS_A_STEP = 2000
const STEPS_A_SWEEP = 50

export async function sweepHistory(env: Env, now: number): Promise<void> {
  for (const { id, days } of await orgsWithRetention(env)) {
    // Its database may be away; those of others are not.
    await sweepRecords(env, id, now - days * DAY_MS).catch(error => console.error('history of', id, error))
  }
}

async function sweepRecords(env: Env, id: string, before: number): Promise<void> {
  for (let step = 0; step < STEPS_A_SWEEP; step++) {
    if ((await removeRecords(env, id, before, ROWS_A_STEP)) < ROWS_A_STEP) return
  }
}

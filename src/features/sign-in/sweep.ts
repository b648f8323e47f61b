// Removes what is no longer needed: ended sessions, one-time links, counted failures, old invitations and audit rows, and people
// who belong to no organization any more. A bounded number of rows at a time; safe to repeat.
import type { Env } from '../../env.ts'
import { AUDIT_RETENTION_DAYS, ENDED_RETENTION_DAYS } from '../../platform/limits.ts'
import { SIGN_IN_KNOWN_MS, SIGN_IN_MEMORY_MS } from './limits.ts'
import { removeOutdated } from './store.ts'

const ROWS_A_STEP = 1000
const STEPS_A_SWEEP = 200
const DAY_MS = 86_400_000

export async function sweepPeople(env: Env, now: number): Promise<void> {
  const cutoffs = {
    now,
    failures: now - SIGN_IN_MEMORY_MS,
    knownAddresses: now - SIGN_IN_KNOWN_MS,
    invitations: now - ENDED_RETENTION_DAYS * DAY_MS,
    audit: now - AUDIT_RETENTION_DAYS * DAY_MS,
    users: now - DAY_MS,
  }
  for (let step = 0; step < STEPS_A_SWEEP; step++) {
    if ((await removeOutdated(env, cutoffs, ROWS_A_STEP)) === 0) return
  }
}

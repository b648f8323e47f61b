// Removes what is no longer needed: ended sessions, one-time links, counted failures, old invitations and audit rows, and people
// who belong to no organization any more. A bounded number of rows at a time; safe to repeat.
import type { Env } from '../../platform/env.ts'
import { AUDIT_RETENTION_DAYS, ENDED_RETENTION_DAYS } from '../../platform/limits.ts'
import { SIGN_IN_KNOWN_MS, SIGN_IN_MEMORY_MS } from './limits.ts'
import { removalsOf, removeOutdated, removeStrangers } from './store.ts'

const ROWS_A_STEP = 1000
const STEPS_A_SWEEP = 200
const DAY_MS = 86_400_000
const HOURS = 24

export async function sweepPeople(env: Env, now: number): Promise<void> {
  const cutoffs = {
    now,
    failures: now - SIGN_IN_MEMORY_MS,
    knownAddresses: now - SIGN_IN_KNOWN_MS,
    invitations: now - ENDED_RETENTION_DAYS * DAY_MS,
    audit: now - AUDIT_RETENTION_DAYS * DAY_MS,
  }
  let due = removalsOf(cutoffs, ROWS_A_STEP)
  for (let step = 0; step < STEPS_A_SWEEP && due.length > 0; step++) {
    const removed = await removeOutdated(env, due)
    // Where fewer went, none is left.
    due = due.filter((_, at) => (removed[at] ?? 0) >= ROWS_A_STEP)
  }
  await sweepStrangers(env, now)
}

/** What ids are made of, in the order of the database. */
const LETTERS = [...'-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz']
const firstOf = (hour: number) => LETTERS[Math.floor((LETTERS.length * hour) / HOURS)] ?? '~'

/** Nothing but a look at each of them tells who belongs nowhere: each hour has its part of the ids, so that all have their turn in a day. */
async function sweepStrangers(env: Env, now: number): Promise<void> {
  const hour = new Date(now).getUTCHours()
  const upTo = firstOf(hour + 1)
  let after: string | undefined = hour === 0 ? '' : firstOf(hour)
  while (after !== undefined) {
    after = await removeStrangers(env, { after, upTo, createdBefore: now - DAY_MS }, ROWS_A_STEP)
  }
}

// Brings the search index of an organization up to its last commit (N50). It follows the times of commits, which never run
// backwards: after a crash the next pass continues from what is written.

import { type Database, databaseFor, inEachDatabase } from '../../platform/db/client.ts'
import type { Env } from '../../platform/env.ts'
import { allKinds, kindNamed } from '../../platform/kind.ts'
import {
  SEARCH_PASS_MAX_BYTES,
  SEARCH_PASS_MAX_ENTITIES,
  SEARCH_REST_MAX_MS,
  SEARCH_RESTS_IN_LOAD,
} from '../../platform/search/limits.ts'
import { termPrefix, termTail } from '../../platform/search/terms.ts'
import { entityWords, WORD_RULES } from '../../platform/search/words.ts'
import { wakeSearch } from '../../platform/wake/search.ts'
import {
  forgetProgress,
  type NewRow,
  newRows,
  organizationsBehind,
  type Progress,
  progressOf,
  type WordRow,
  writeIndex,
} from './store.ts'

type Positions = Record<string, [time: number, seq: number]>

/** Whether everything is in the index that was committed before it began; false where its time is up. */
export async function follow(
  env: Env,
  orgId: string,
  until: number,
  db: Database = databaseFor(env, orgId),
): Promise<boolean> {
  let restMs = SEARCH_REST_MAX_MS
  for (;;) {
    const { progress, clock, isLoading } = await progressOf(db, orgId)
    // Nothing was ever committed, or all of it is gone.
    if (clock === undefined) return true
    const begun = Date.now()
    const isKnown = progress?.rules === WORD_RULES && !isAhead(progress, clock)
    const generation = isKnown ? progress.generation : (progress?.generation ?? clock) + 1
    const positions = positionsIn(isKnown ? progress.positions : '{}')
    const max = SEARCH_PASS_MAX_ENTITIES
    const rows = await newRows(db, orgId, JSON.stringify(positions), generation, max)
    const isDone = rows.length < max && (rows.at(-1)?.bytes ?? 0) < SEARCH_PASS_MAX_BYTES
    // A load of its own organization has most of the time for itself; many are over before the first pass. Single writes do not wait.
    if (isLoading && !isDone && restMs > 0) {
      await scheduler.wait(restMs)
      restMs = 0
      continue
    }
    for (const row of rows) positions[row.kind] = row.updatedOn < clock ? [row.updatedOn, row.seq] : [clock, 0]
    const time = isDone ? clock : isKnown ? progress.time : 0
    if (rows.length || progress?.time !== time || !isKnown) {
      await writeIndex(
        db,
        orgId,
        rows.map(row => wordsOf(orgId, row)),
        { generation, rules: WORD_RULES, positions: JSON.stringify(positions), time },
      )
    }
    if (isDone) return true
    if (Date.now() >= until) return false
    await db.rest()
    restMs = Math.min(SEARCH_REST_MAX_MS, SEARCH_RESTS_IN_LOAD * (Date.now() - begun))
  }
}

/** The clock was brought back, and what it was followed to lies in the future: nothing new would ever be seen. */
const isAhead = ({ time, positions }: Progress, clock: number): boolean =>
  time > clock || Object.values(positionsIn(positions)).some(([followed]) => followed > clock)

/** Entity types that came with a later release begin at their first entity. */
function positionsIn(stored: string): Positions {
  const known = JSON.parse(stored) as Positions
  return Object.fromEntries(allKinds().map(({ name }) => [name, known[name] ?? [0, 0]]))
}

function wordsOf(orgId: string, { seq, kind, version, data }: NewRow): WordRow {
  const words = entityWords(kindNamed(kind), JSON.parse(data) as Record<string, unknown>)
  return [seq, version, words, termPrefix(orgId, kind), termTail(seq)]
}

/** Everything is read again; what is in the index is found until its turn comes. */
export async function rebuild(env: Env, orgId: string): Promise<void> {
  await forgetProgress(databaseFor(env, orgId), orgId)
  await wakeSearch(env, orgId)
}

/** A worker may have died between its commit and the wake-up; the cron recovers these organizations. */
export async function followAll(env: Env): Promise<void> {
  await inEachDatabase(env, async db => {
    for (const orgId of await organizationsBehind(db, WORD_RULES)) await wakeSearch(env, orgId)
  })
}

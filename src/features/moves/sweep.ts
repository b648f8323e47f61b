// Comes by the cron: goes on with moves that stand still, removes what moves have left behind after its time, and sees to it that no
// database gives out positions of another.

import { databaseAt } from '../../platform/db/client.ts'
import { databasesOf } from '../../platform/db/placement.ts'
import { renewRange } from '../../platform/db/positions.ts'
import type { Env } from '../../platform/env.ts'
import { paceOf } from '../../platform/pace.ts'
import { wakeMove } from './job.ts'
import { clearOldCopy } from './store/clear.ts'
import { dueCopies, forgetCopy, type OldCopy, standingMoves } from './store/moves.ts'

const MOVES_A_SWEEP = 100
const STEPS_A_COPY = 200

export async function sweepMoves(env: Env, now: number): Promise<void> {
  for (const { orgId } of await standingMoves(env, now - 2 * paceOf(env).moveWatchMs, MOVES_A_SWEEP)) {
    await wakeMove(env, orgId)
  }
  for (const copy of await dueCopies(env, now, MOVES_A_SWEEP)) {
    // Its database may be away; those of others are not.
    await sweepCopy(env, copy).catch(error => console.error('old copy of', copy.orgId, error))
  }
  for (const database of databasesOf(env).keys()) {
    await renewRange(env, database).catch(error => console.error('positions of', database, error))
  }
}

async function sweepCopy(env: Env, copy: OldCopy): Promise<void> {
  const db = databaseAt(env, copy.database)
  for (let step = 0; step < STEPS_A_COPY; step++) {
    if (await clearOldCopy(db, copy.orgId)) return forgetCopy(env, copy)
  }
}

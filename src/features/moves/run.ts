// What a wake-up of a move does (N57): some bounded work, and the next wake-up. Any number may come, at once or never: a step counts
// once, what comes late is refused where it writes, and the watch sends what got lost.

import { MOVE_MAX_FAILURES } from '../../platform/db/limits.ts'
import type { Env } from '../../platform/env.ts'
import { paceOf } from '../../platform/pace.ts'
import { sendWakeUp } from '../../platform/wake/message.ts'
import type { WakeUp } from '../../platform/wake/wake-up.ts'
import { moveWatchOf } from '../../platform/wake/watch.ts'
import { cleared, compared, copied, followed } from './live.ts'
import type { Notes } from './notes.ts'
import { type Done, giveUp, type Step } from './step.ts'
import { opened, stopped, undone } from './stop.ts'
import { Crossing } from './store/crossing.ts'
import { advanceMove, findMove, type MoveRow } from './store/moves.ts'
import { isOutOfTurn } from './store/rows.ts'

type Work = (step: Step) => Promise<Done>

const PHASES: Partial<Record<MoveRow['phase'], Work>> = {
  clearing: cleared,
  copying: copied,
  comparing: compared,
  following: followed,
  stopped,
  opening: opened,
  undoing: undone,
}

const wakeUp = (orgId: string): WakeUp => ({ kind: 'move', orgId })

/** Before there is anything to look after, and as a sign of life. */
export function watchMove(env: Env, orgId: string): Promise<void> {
  return moveWatchOf(env, orgId).watch({ message: wakeUp(orgId), periodMs: paceOf(env).moveWatchMs })
}

export const wakeMove = (env: Env, orgId: string, waitMs?: number) => sendWakeUp(env, wakeUp(orgId), waitMs)

export async function stepMove(env: Env, orgId: string): Promise<void> {
  const until = Date.now() + paceOf(env).jobBudgetMs
  let move = await findMove(env, orgId)
  let waitMs: number | undefined
  while (move && move.endedOn === null && waitMs === undefined) {
    await watchMove(env, orgId)
    const done: Done | undefined = await worked(env, move, until)
    if (!done) return
    ;({ move, waitMs } = done)
    if (Date.now() >= until) break
    await scheduler.wait(0)
  }
  if (move && move.endedOn === null) return wakeMove(env, orgId, waitMs)
  if (!move || move.endedOn !== null) await moveWatchOf(env, orgId).rest()
}

/** Undefined: somebody else is further. */
async function worked(env: Env, move: MoveRow, until: number): Promise<Done | undefined> {
  const notes = JSON.parse(move.notes) as Notes
  const work = PHASES[move.phase]
  if (!work) return { move: undefined }
  try {
    const done = await work({ env, move, notes, crossing: new Crossing(env, move), until })
    return done.move ? done : undefined
  } catch (error) {
    if (isOutOfTurn(error)) return undefined
    console.error('move of', move.orgId, move.phase, error)
    const next = await failed(env, move, notes, error)
    if (!next) throw error
    return { move: next }
  }
}

/** What fails again and again is given up while it can be: once the organization is in the target, it is opened there. */
async function failed(env: Env, move: MoveRow, notes: Notes, error: unknown): Promise<MoveRow | undefined> {
  if (move.phase === 'opening' || move.phase === 'undoing') return undefined
  const failures = notes.failures + 1
  const message = error instanceof Error ? error.message : String(error)
  if (failures < MOVE_MAX_FAILURES) {
    await advanceMove(env, move, { notes: JSON.stringify({ ...notes, failures }), error: message })
    return undefined
  }
  return giveUp(env, move, notes, 'failed', message)
}

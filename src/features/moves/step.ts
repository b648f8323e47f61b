// What the phases of a move are given, and what they say when they have worked.
import type { Env } from '../../platform/env.ts'
import type { Notes } from './notes.ts'
import type { Crossing } from './store/crossing.ts'
import { advanceMove, type MoveRow } from './store/moves.ts'

/** A move at one of its steps. */
export interface Step {
  env: Env
  move: MoveRow
  notes: Notes
  crossing: Crossing
  /** When this wake-up has worked enough. */
  until: number
}

export interface Done {
  /** None: somebody else has taken the step. */
  move: MoveRow | undefined
  /** The next one is to come later. */
  waitMs?: number
}

/** Writes are let in again, and what was copied goes: in the next step. */
export function giveUp(env: Env, move: MoveRow, notes: Notes, outcome: 'cancelled' | 'failed', error: string | null) {
  return advanceMove(env, move, { phase: 'undoing', notes: JSON.stringify({ ...notes, outcome }), error })
}

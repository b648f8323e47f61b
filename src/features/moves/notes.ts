// How far a move is, between two of its steps. Pure.
import type { Place } from './store/rows.ts'
import type { ClockRow } from './store/sites.ts'

/** A look at what has changed; however many steps it takes, each goes on where the last one was. */
export interface Round {
  /** As it stood when the round began: what came later is for the next. */
  clock: ClockRow
  /** Which of its parts it is at, and where in it. */
  at: number
  place: Place | null
  /** Rows that differed, and entities that were written. */
  changed: number
  recent: number
  steps: number
}

export interface Notes {
  /** Of a pass: which of the tables it is at, and where in it. */
  at: number
  place: Place | null
  /** How many rows there were when it began; copied, and compared, so far. */
  total: number
  copied: number
  compared: number
  /** Written once more, because they had changed since. */
  followed: number
  /** The source's clock when copying began, and when the last pass or round did: what has changed since is not before it. */
  begunTime: number
  markTime: number
  /** The tables, each with how many rows were the same at the end. */
  tables: Record<string, number>
  /** The round that is under way. */
  round?: Round | undefined
  /** Rounds of following, and times that writes were stopped in vain. */
  rounds: number
  stops: number
  /** How long writes were refused, in the end. */
  stoppedMs: number
  /** What becomes of a move that is being undone. */
  outcome: 'cancelled' | 'failed' | null
}

export const NEW_NOTES: Notes = {
  at: 0,
  place: null,
  total: 0,
  copied: 0,
  compared: 0,
  followed: 0,
  begunTime: 0,
  markTime: 0,
  tables: {},
  rounds: 0,
  stops: 0,
  stoppedMs: 0,
  outcome: null,
}

/** Where each phase begins and ends, of a hundred. */
const SHARES: Record<string, readonly [from: number, to: number]> = {
  clearing: [0, 5],
  copying: [5, 60],
  comparing: [60, 90],
  following: [90, 97],
  stopped: [98, 98],
  opening: [99, 99],
  complete: [100, 100],
}

/** Never runs backwards but where a move is given up. */
export function percentOf(phase: string, { total, copied, compared, rounds }: Notes): number {
  const [from, to] = SHARES[phase] ?? [0, 0]
  const done = phase === 'copying' ? copied / total : phase === 'comparing' ? compared / total : rounds / 10
  const share = Number.isFinite(done) ? Math.min(1, Math.max(0, done)) : 1
  return Math.floor(from + (to - from) * share)
}

// The phases of a move in which everybody goes on reading and writing: room is made in the target, all rows are copied, compared one by
// one, and followed until little is left.

import { letPass } from '../../platform/company.ts'
import { MOVE_LATE_MAX_ROWS, MOVE_REST_MAX_ROWS, MOVE_ROUNDS_MAX } from '../../platform/db/limits.ts'
import { ensureRange } from '../../platform/db/positions.ts'
import { paceOf } from '../../platform/pace.ts'
import { follow } from '../search/follow.ts'
import type { Notes } from './notes.ts'
import type { Done, Step } from './step.ts'
import { countLate } from './store/blocks.ts'
import { clearTarget } from './store/clear.ts'
import { type Crossing, type MayGoOn, TimeIsUp } from './store/crossing.ts'
import { advanceMove, type MoveRow } from './store/moves.ts'
import { copyIndexes } from './store/property-indexes.ts'
import { copyClock, openSource, prepareTarget, readClock } from './store/sites.ts'
import { LARGE, PASSES, WHOLE } from './store/tables.ts'

/** Between the time that an answer is kept under, which is the request's, and its commit. */
export const ANSWER_SLACK_MS = 10 * 60_000
/** A look at how much is left while a large load runs. */
const LOOK_MS = 5000

const next = (env: Step['env'], move: MoveRow, notes: Notes, phase: MoveRow['phase'] = move.phase) =>
  advanceMove(env, move, { phase, notes: JSON.stringify({ ...notes, failures: 0 }), error: null })

async function clockTime({ source, turn }: Crossing): Promise<number> {
  return (await readClock(source, turn.orgId))?.time ?? 0
}

/** What is left there of an earlier time goes; then whatever must be there before the first row is. */
export async function cleared({ env, move, notes, crossing, until }: Step): Promise<Done> {
  const { source, target, turn } = crossing
  await prepareTarget(target, turn, move.epoch + 1)
  while (!(await clearTarget(target, turn))) {
    if (Date.now() >= until) return { move: await next(env, move, notes) }
    await letPass(move.orgId)
  }
  await ensureRange(env, move.target)
  const begunTime = await clockTime(crossing)
  await copyIndexes(source, target, turn, true)
  const { rows } = await crossing.compare()
  const total = rows.reduce((sum, [, count]) => sum + count, 0)
  return { move: await next(env, move, { ...notes, total, begunTime, markTime: begunTime }, 'copying') }
}

/** One pass over all tables, slice by slice. Undefined: it is over. */
async function pass({ crossing, until }: Step, notes: Notes, isEmpty: boolean): Promise<Notes | undefined> {
  let { at, place } = notes
  let rows = 0
  while (Date.now() < until) {
    const moved = PASSES[at]
    if (!moved) return { ...notes, at, place: null, ...counted(notes, rows, isEmpty) }
    const done = await crossing.slice(moved, place, isEmpty && !moved.keepsOthers)
    rows += done.rows
    place = done.place
    if (place === null) at++
    await letPass(crossing.turn.orgId)
  }
  return { ...notes, at, place, ...counted(notes, rows, isEmpty) }
}

const counted = ({ copied, compared }: Notes, rows: number, isCopy: boolean) =>
  isCopy ? { copied: copied + rows } : { compared: compared + rows }

const isOver = ({ at }: Notes) => at >= PASSES.length

export async function copied(step: Step): Promise<Done> {
  const { env, move, notes } = step
  const passed = await pass(step, notes, true)
  if (!passed || !isOver(passed)) return { move: await next(env, move, passed ?? notes) }
  const markTime = await clockTime(step.crossing)
  return { move: await next(env, move, { ...passed, at: 0, place: null, markTime }, 'comparing') }
}

/** Every row is read in both databases; what has changed meanwhile is written again on the way. */
export async function compared(step: Step): Promise<Done> {
  const { env, move, notes } = step
  const passed = (await pass(step, notes, false)) ?? notes
  return { move: await next(env, move, passed, isOver(passed) ? 'following' : move.phase) }
}

/** What was written since the last look, of all tables. How many rows that were, and where the clock stood before. */
export async function caughtUp(crossing: Crossing, notes: Notes, mayGoOn: MayGoOn) {
  const clock = await readClock(crossing.source, crossing.turn.orgId)
  const [followed, small] = await Promise.all([
    Promise.all(LARGE.map(large => crossing.follow(large, mayGoOn))),
    Promise.all(WHOLE.map(async moved => (await crossing.whole(moved, mayGoOn)).changed)),
    crossing.answersSince(notes.markTime - ANSWER_SLACK_MS),
  ])
  const rows = [...followed, ...small].reduce((sum, count) => sum + count, 0)
  const recent = await crossing.entitiesSince(notes.markTime, mayGoOn)
  return { rows: Math.max(rows, recent), clock }
}

export async function followed({ env, move, notes, crossing, until }: Step): Promise<Done> {
  const { source, target, turn } = crossing
  // Should writes have been stopped in vain.
  await openSource(source, turn, move.epoch)
  const { rows, clock } = await caughtUp(crossing, notes, () => Date.now() < until).catch(error => {
    if (error instanceof TimeIsUp) return { rows: Number.POSITIVE_INFINITY, clock: undefined }
    throw error
  })
  if (!clock) return { move: await next(env, move, notes) }
  // A clock that was wrong has been put back: what came since has earlier times than what was copied.
  if (clock.time < notes.markTime)
    return { move: await next(env, move, { ...notes, at: 0, place: null, copied: 0, compared: 0 }, 'clearing') }
  const round: Notes = {
    ...notes,
    markTime: clock.time,
    rounds: notes.rounds + 1,
    followed: notes.followed + rows,
  }
  await copyClock(target, turn, clock)
  const isSearched = await follow(env, move.orgId, until, target)
  const isLittle = rows <= MOVE_REST_MAX_ROWS || round.rounds >= MOVE_ROUNDS_MAX
  if (!isSearched || !isLittle) return { move: await next(env, move, round) }
  // Whoever may read the organization from what it knew before must have learned that it is moving.
  const waitMs = move.startedOn + paceOf(env).moveKnownMs - Date.now()
  const isLoading = (await countLate(source, move.orgId, MOVE_LATE_MAX_ROWS)) >= MOVE_LATE_MAX_ROWS
  if (waitMs > 0 || isLoading) {
    return { move: await next(env, move, round), waitMs: Math.max(waitMs, isLoading ? LOOK_MS : 0) }
  }
  const now = Date.now()
  return {
    move: await advanceMove(env, move, {
      phase: 'stopped',
      stoppedOn: now,
      notes: JSON.stringify({ ...round, failures: 0 }),
    }),
  }
}

// The phases of a move in which everybody goes on reading and writing: room is made in the target, all rows are copied, compared one by
// one, and followed until little is left.

import {
  MOVE_LATE_MAX_ROWS,
  MOVE_REST_MAX_ROWS,
  MOVE_ROUND_STEPS_MAX,
  MOVE_ROUNDS_MAX,
} from '../../platform/db/limits.ts'
import { ensureRange } from '../../platform/db/positions.ts'
import { paceOf } from '../../platform/pace.ts'
import { follow } from '../search/follow.ts'
import type { Notes, Round } from './notes.ts'
import { type Done, giveUp, type Step } from './step.ts'
import { countLate } from './store/blocks.ts'
import { clearTarget } from './store/clear.ts'
import { type Crossing, type MayGoOn, TimeIsUp } from './store/crossing.ts'
import { advanceMove, type MoveRow } from './store/moves.ts'
import type { Place } from './store/rows.ts'
import { type ClockRow, openSource, prepareTarget, readClock } from './store/sites.ts'
import { LARGE, PASSES, WHOLE } from './store/tables.ts'

/** Between the time that an answer is kept under, which is the request's, and its commit. */
export const ANSWER_SLACK_MS = 10 * 60_000
/** A look at how much is left while a large load runs. */
const LOOK_MS = 5000

const next = (env: Step['env'], move: MoveRow, notes: Notes, phase: MoveRow['phase'] = move.phase) =>
  advanceMove(env, move, { phase, notes: JSON.stringify(notes), error: null })

async function clockTime({ source, turn }: Crossing): Promise<number> {
  return (await readClock(source, turn.orgId))?.time ?? 0
}

/** What is left there of an earlier time goes; then whatever must be there before the first row is. */
export async function cleared({ env, move, notes, crossing, until }: Step): Promise<Done> {
  const { target, turn } = crossing
  await prepareTarget(target, turn, move.epoch + 1)
  while (!(await clearTarget(target, turn))) {
    if (Date.now() >= until) return { move: await next(env, move, notes) }
    await crossing.rest()
  }
  await ensureRange(env, move.target)
  const begunTime = await clockTime(crossing)
  await crossing.indexes(true)
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
    await crossing.rest()
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

/** What differs in the large tables, by their blocks, and answers that were kept. */
async function differences(crossing: Crossing, { markTime }: Notes, mayGoOn: MayGoOn): Promise<number> {
  const [changed] = await Promise.all([
    Promise.all(LARGE.map(large => crossing.follow(large, mayGoOn))),
    crossing.answersSince(markTime - ANSWER_SLACK_MS, mayGoOn),
  ])
  return changed.reduce((sum, count) => sum + count, 0)
}

/** All that was written since the last look, with writes stopped. Where the clock stood before. */
export async function caughtUp(crossing: Crossing, notes: Notes, mayGoOn: MayGoOn): Promise<ClockRow | undefined> {
  const clock = await readClock(crossing.source, crossing.turn.orgId)
  await Promise.all([
    differences(crossing, notes, mayGoOn),
    Promise.all(WHOLE.map(moved => crossing.whole(moved, mayGoOn))),
  ])
  const span = { since: notes.markTime, upTo: clock?.time ?? 0 }
  for (let place: Place | null = null; ; ) {
    ;({ place } = await crossing.recent(span, place))
    if (place === null) return clock
    if (!mayGoOn()) throw new TimeIsUp()
  }
}

/** The parts of a round: the large tables by their blocks, each small table, and the entities that were written since the last one. */
const SMALL_AT = 1
const isRoundOver = ({ at }: Round) => at > SMALL_AT + WHOLE.length

async function roundPart(crossing: Crossing, notes: Notes, round: Round, mayGoOn: MayGoOn): Promise<Round> {
  const { at, place, clock } = round
  if (at < SMALL_AT) return { ...round, at: SMALL_AT, changed: await differences(crossing, notes, mayGoOn) }
  const moved = WHOLE[at - SMALL_AT]
  const done = moved
    ? { ...(await crossing.slice(moved, place, false)), recent: 0 }
    : { ...(await crossing.recent({ since: notes.markTime, upTo: clock.time }, place)), changed: 0 }
  return {
    ...round,
    place: done.place,
    at: done.place === null ? at + 1 : at,
    changed: round.changed + done.changed,
    recent: round.recent + done.recent,
  }
}

/** As far as the time goes, and at least by one part or slice. */
async function roundStep(crossing: Crossing, notes: Notes, begun: Round, until: number): Promise<Round> {
  const mayGoOn = () => Date.now() < until
  let round: Round = { ...begun, steps: begun.steps + 1 }
  try {
    do round = await roundPart(crossing, notes, round, mayGoOn)
    while (!isRoundOver(round) && mayGoOn())
  } catch (error) {
    // What of the blocks was copied is the same from now on.
    if (!(error instanceof TimeIsUp)) throw error
  }
  return round
}

export async function followed({ env, move, notes, crossing, until }: Step): Promise<Done> {
  const { source, target, turn } = crossing
  // Should writes have been stopped in vain.
  await openSource(source, turn, move.epoch)
  const now = await readClock(source, turn.orgId)
  // A clock that was wrong has been put back: what came since has earlier times than what was copied.
  if (!now || now.time < notes.markTime) {
    const again = { ...notes, at: 0, place: null, copied: 0, compared: 0, round: undefined }
    return { move: await next(env, move, again, 'clearing') }
  }
  const begun = notes.round ?? { clock: now, at: 0, place: null, changed: 0, recent: 0, steps: 0 }
  const done = await roundStep(crossing, notes, begun, until)
  if (!isRoundOver(done)) {
    if (done.steps < MOVE_ROUND_STEPS_MAX) return { move: await next(env, move, { ...notes, round: done }) }
    return { move: await giveUp(env, move, notes, 'failed', 'Writes are faster than the copy.') }
  }
  const { clock } = done
  const rows = Math.max(done.changed, done.recent)
  const round: Notes = {
    ...notes,
    round: undefined,
    markTime: clock.time,
    rounds: notes.rounds + 1,
    followed: notes.followed + rows,
  }
  await crossing.clock(clock)
  const isSearched = await follow(env, move.orgId, until, target)
  const isLittle = rows <= MOVE_REST_MAX_ROWS || round.rounds >= MOVE_ROUNDS_MAX
  if (!isSearched || !isLittle) return { move: await next(env, move, round) }
  // Whoever may read the organization from what it knew before must have learned that it is moving.
  const waitMs = move.startedOn + paceOf(env).moveKnownMs - Date.now()
  const isLoading = (await countLate(source, move.orgId, MOVE_LATE_MAX_ROWS)) >= MOVE_LATE_MAX_ROWS
  if (waitMs > 0 || isLoading) {
    return { move: await next(env, move, round), waitMs: Math.max(waitMs, isLoading ? LOOK_MS : 0) }
  }
  return {
    move: await advanceMove(env, move, {
      phase: 'stopped',
      stoppedOn: Date.now(),
      notes: JSON.stringify(round),
    }),
  }
}

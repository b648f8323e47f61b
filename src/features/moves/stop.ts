// The end of a move: writes are stopped, the rest is copied, everything is counted once more, and the directory says where the
// organization is from now on. Or it is undone, and the organization stays where it was.
import { MOVE_KEPT_DAYS, MOVE_STOP_MAX_MS, MOVE_STOPS_MAX } from '../../platform/db/limits.ts'
import { forgetPlace } from '../../platform/db/placement.ts'
import { wakeDispatch } from '../../platform/wake/message.ts'
import { wakeSearch } from '../../platform/wake/search.ts'
import { keepWatch } from '../../platform/wake/watch.ts'
import { auditRow, OPERATOR } from '../audit/entry.ts'
import { caughtUp } from './live.ts'
import { type Done, giveUp, type Step } from './step.ts'
import { TimeIsUp } from './store/crossing.ts'
import { advanceMove, endUndone, flip } from './store/moves.ts'
import { leaveSource, leaveTarget, openSource, openTarget, searchAgainFrom, stopWrites } from './store/sites.ts'
import { LATE, nameOf, WHOLE } from './store/tables.ts'

const DAY_MS = 24 * 3600 * 1000

class Differs extends Error {}

/** Writes are refused from here to the opening; where that would take too long, they are let in again, and followed. */
export async function stopped(step: Step): Promise<Done> {
  const { env, move, notes, crossing } = step
  const until = (move.stoppedOn ?? 0) + MOVE_STOP_MAX_MS
  if (Date.now() >= until) return reopened(step, 'Writes were stopped for too long.')
  if (!(await stopWrites(crossing.source, crossing.turn, move.epoch))) return reopened(step, 'Writes did not stop.')
  try {
    const tables = await restCopied(step, until)
    const now = Date.now()
    const told = JSON.stringify({ ...notes, tables })
    return { move: await flip(env, move, told, now + MOVE_KEPT_DAYS * DAY_MS) }
  } catch (error) {
    if (error instanceof TimeIsUp || error instanceof Differs) return reopened(step, error.message)
    throw error
  }
}

async function restCopied({ move, notes, crossing }: Step, until: number): Promise<Record<string, number>> {
  const { target, turn } = crossing
  const mayGoOn = () => Date.now() < until
  const clock = await caughtUp(crossing, notes, mayGoOn)
  await Promise.all(LATE.map(moved => crossing.whole(moved, mayGoOn)))
  await crossing.indexes(false)
  if (clock) await crossing.clock(clock)
  await searchAgainFrom(target, turn, notes.begunTime)
  // Nothing is written any more: whatever is not the same now is a mistake.
  const [{ rows, differ }, small] = await Promise.all([
    crossing.compare(),
    Promise.all([...WHOLE, ...LATE].map(async moved => ({ moved, ...(await crossing.whole(moved, mayGoOn)) }))),
  ])
  const wrong = [...differ, ...small.filter(({ changed }) => changed > 0).map(({ moved }) => moved)]
  const counts = [...rows, ...small.map(({ moved, rows: count }) => [moved, count] as const)]
  const tables = Object.fromEntries(counts.map(([moved, count]) => [nameOf(moved), count]))
  if (wrong.length) throw new Differs(`The copy differs from ${move.source} in ${wrong.map(nameOf).join(', ')}.`)
  if (!mayGoOn()) throw new TimeIsUp('The rest took too long.')
  return tables
}

/** The directory first: whoever is about to flip finds that it is not the time. Then writes are let in. */
async function reopened({ env, move, notes, crossing }: Step, why: string): Promise<Done> {
  const stops = notes.stops + 1
  if (stops >= MOVE_STOPS_MAX) return { move: await giveUp(env, move, notes, 'failed', why) }
  const next = await advanceMove(env, move, {
    phase: 'following',
    stoppedOn: null,
    notes: JSON.stringify({ ...notes, stops }),
    error: why,
  })
  if (next) await openSource(crossing.source, { ...crossing.turn, step: next.step }, move.epoch)
  return { move: next }
}

/** It is in the target: nobody reads in the source any more, and writes are let in. */
export async function opened({ env, move, notes, crossing }: Step): Promise<Done> {
  const { source, target, turn } = crossing
  const { orgId, epoch } = move
  await leaveSource(source, turn, epoch)
  await openTarget(target, turn, epoch + 1)
  forgetPlace(orgId)
  const now = Date.now()
  const stoppedMs = now - (move.stoppedOn ?? now)
  // Whoever waited goes on by itself; these are for what came in between. A repeat of what has ended would not do it.
  await keepWatch(env, orgId)
  await wakeDispatch(env, orgId)
  await wakeSearch(env, orgId)
  const detail = { from: move.source, to: move.target, stoppedMs }
  const event = { orgId, action: 'organization_moved', actor: OPERATOR, subjectId: move.id, detail } as const
  const changed = {
    phase: 'complete',
    endedOn: now,
    error: null,
    notes: JSON.stringify({ ...notes, stoppedMs }),
  } as const
  return { move: await advanceMove(env, move, changed, auditRow({ now }, event)) }
}

export async function undone({ env, move, notes, crossing }: Step): Promise<Done> {
  const { source, target, turn } = crossing
  await openSource(source, turn, move.epoch)
  await leaveTarget(target, turn)
  const action = notes.outcome === 'cancelled' ? 'organization_move_cancelled' : 'organization_move_failed'
  const detail = { from: move.source, to: move.target, ...(move.error !== null && { error: move.error }) }
  const event = { orgId: move.orgId, action, actor: OPERATOR, subjectId: move.id, detail } as const
  const ended = await endUndone(env, move, notes.outcome ?? 'failed', auditRow({ now: Date.now() }, event))
  if (ended) forgetPlace(move.orgId)
  return { move: ended }
}

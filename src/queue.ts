// Parses wake-ups, hands each to its verb, acknowledges it; what throws comes again, later each time, and in the end as a dead
// letter. Organizations go side by side and take turns.
import { runSweep } from './cron.ts'
import { beginNightly, takeOver } from './features/backup/nightly.ts'
import { dispatch } from './features/events/dispatch.ts'
import { recover } from './features/events/recover.ts'
import { LOAD_LANE } from './features/loads/lane.ts'
import { MOVE_LANE } from './features/moves/job.ts'
import { bury } from './features/operator/dead-letters.ts'
import { deliver } from './features/outbound/deliver.ts'
import { BATCH_BEGIN_MAX_MS } from './features/workflows/limits.ts'
import { stepRun } from './features/workflows/run.ts'
import { laneNamed } from './jobs.ts'
import { count } from './platform/counters.ts'
import type { Env } from './platform/env.ts'
import { newId } from './platform/ids.ts'
import { giveUpFirst, runLane } from './platform/jobs/run.ts'
import { runForEarlierRelease } from './platform/jobs/watchdog.ts'
import { SweepMessage, WakeUp } from './platform/wake/wake-up.ts'

/** The queue's name in every environment ends so. */
const DEAD_LETTERS = /-dead-letters$/
const RETRY_MAX_SECONDS = 60
const CALLS = /-calls$/
/** An invocation has six connections: calls outside leave half of them to the databases (N86). */
const CALLS_AT_ONCE = 3
const STEPS_AT_ONCE = 5
/** Of one organization. */
const SIDE_BY_SIDE = 3

/** Messages that say the same are one piece of work. */
interface Work {
  wakeUp: WakeUp
  messages: Message[]
}

export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  const organizations = new Map<string, Map<string, Work>>()
  for (const message of batch.messages) {
    const sweep = SweepMessage.safeParse(message.body)
    if (sweep.success) {
      if (!DEAD_LETTERS.test(batch.queue)) await runSweep(env, sweep.data)
      message.ack()
      continue
    }
    const wakeUp = WakeUp.safeParse(message.body)
    if (!wakeUp.success) {
      console.error('unreadable message', batch.queue, message.id)
      message.ack()
      continue
    }
    const works = organizations.get(wakeUp.data.orgId) ?? new Map<string, Work>()
    organizations.set(wakeUp.data.orgId, works)
    const key = JSON.stringify(wakeUp.data)
    const work = works.get(key) ?? { wakeUp: wakeUp.data, messages: [] }
    works.set(key, work)
    work.messages.push(message)
  }
  // A batch that takes too long is ended from outside, with everything under way: what has not begun by then comes again.
  const beginsUntil = Date.now() + BATCH_BEGIN_MAX_MS
  const turns = [...organizations.values()].map(works => ({ works: [...works.values()], underWay: 0 }))
  const begin = async (work: Work) => {
    if (Date.now() < beginsUntil) await done(env, batch.queue, work)
    else for (const message of work.messages) message.retry()
  }
  await inTurn(turns, CALLS.test(batch.queue) ? CALLS_AT_ONCE : STEPS_AT_ONCE, begin)
}

interface Turn {
  works: Work[]
  underWay: number
}

/** One work of each organization after the other, so many at once, and of each organization no more than its share. */
async function inTurn(turns: Turn[], atOnce: number, begin: (work: Work) => Promise<void>): Promise<void> {
  const next = async (): Promise<void> => {
    const at = turns.findIndex(({ works, underWay }) => works.length > 0 && underWay < SIDE_BY_SIDE)
    const [turn] = at < 0 ? [] : turns.splice(at, 1)
    const work = turn?.works.shift()
    if (!turn || !work) return
    turns.push(turn)
    turn.underWay++
    await begin(work)
    turn.underWay--
    return next()
  }
  await Promise.all(Array.from({ length: atOnce }, next))
}

async function done(env: Env, queue: string, { wakeUp, messages }: Work): Promise<void> {
  const [first] = messages
  try {
    const sentOn = first?.timestamp.getTime()
    if (sentOn !== undefined) {
      count(env, 'queue_age', wakeUp.orgId, { labels: [wakeUp.kind], numbers: [Date.now() - sentOn] })
    }
    await (DEAD_LETTERS.test(queue) ? giveUp(env, wakeUp, first?.id ?? newId()) : handle(env, wakeUp, sentOn))
    for (const message of messages) message.ack()
  } catch (error) {
    console.error('message failed', queue, wakeUp.kind, first?.id, error)
    for (const message of messages) {
      message.retry({ delaySeconds: Math.min(RETRY_MAX_SECONDS, 2 ** message.attempts) })
    }
  }
}

function handle(env: Env, wakeUp: WakeUp, sentOn?: number): Promise<void> {
  switch (wakeUp.kind) {
    case 'job':
      return runLane(env, laneNamed(wakeUp.lane), wakeUp.orgId)
    case 'loads':
      return runForEarlierRelease(env, LOAD_LANE, wakeUp.orgId, `loads ${wakeUp.orgId}`)
    case 'begin-backup':
      return beginNightly(env, wakeUp.orgId, Date.now())
    case 'backup':
      return env.BACKUPS ? takeOver(env, env.BACKUPS, wakeUp.orgId) : Promise.resolve()
    case 'move':
      return runForEarlierRelease(env, MOVE_LANE, wakeUp.orgId, `move ${wakeUp.orgId}`)
    case 'events':
      return dispatch(env, wakeUp.orgId)
    case 'recover':
    case 'patrol':
      return recover(env, wakeUp.orgId, sentOn)
    case 'process':
      return stepRun(env, wakeUp.orgId, wakeUp.id)
    case 'call':
      return stepRun(env, wakeUp.orgId, wakeUp.id, { mayCall: true })
    case 'delivery':
      return deliver(env, wakeUp.orgId, wakeUp.id)
  }
}

/**
 * A job that can never go on is given up; what the others stand for is brought back by a watch or an alarm. The operator can
 * look at all of them, and send them again.
 */
async function giveUp(env: Env, wakeUp: WakeUp, id: string): Promise<void> {
  console.error('message given up', JSON.stringify(wakeUp))
  await bury(env, id, wakeUp, Date.now())
  if (wakeUp.kind === 'job') await giveUpFirst(env, laneNamed(wakeUp.lane), wakeUp.orgId)
}

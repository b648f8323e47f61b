// Parses a wake-up, hands it to its verb, acknowledges it; what throws comes again, later each time, and in the end as a dead
// letter.
import type { Env } from './env.ts'
import { dispatch } from './features/events/dispatch.ts'
import { recover } from './features/events/recover.ts'
import { giveUpFirst, workOnLoads } from './features/loads/run.ts'
import { deliver } from './features/outbound/deliver.ts'
import { stepRun } from './features/workflows/run.ts'
import { rootOf } from './platform/errors.ts'
import { WakeUp } from './platform/wake/message.ts'

const DEAD_LETTERS = 'selvedge-dead-letters'
const RETRY_MAX_SECONDS = 60

export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  for (const message of batch.messages) {
    const wakeUp = WakeUp.safeParse(message.body)
    if (!wakeUp.success) {
      console.error('unreadable message', batch.queue, message.id)
      message.ack()
      continue
    }
    try {
      const sentOn = message.timestamp.getTime()
      await (batch.queue === DEAD_LETTERS ? giveUp(env, wakeUp.data) : handle(env, wakeUp.data, sentOn))
      message.ack()
    } catch (error) {
      console.error('message failed', batch.queue, wakeUp.data.kind, message.id, rootOf(error))
      message.retry({ delaySeconds: Math.min(RETRY_MAX_SECONDS, 2 ** message.attempts) })
    }
  }
}

function handle(env: Env, wakeUp: WakeUp, sentOn: number): Promise<void> {
  switch (wakeUp.kind) {
    case 'loads':
      return workOnLoads(env, wakeUp.orgId)
    case 'events':
      return dispatch(env, wakeUp.orgId)
    case 'recover':
    case 'patrol':
      return recover(env, wakeUp.orgId, sentOn)
    case 'process':
      return stepRun(env, wakeUp.orgId, wakeUp.id)
    case 'delivery':
      return deliver(env, wakeUp.orgId, wakeUp.id)
  }
}

/** A load that can never go on is marked failed; what the others stand for is brought back by a watch or an alarm. */
async function giveUp(env: Env, wakeUp: WakeUp): Promise<void> {
  console.error('message given up', JSON.stringify(wakeUp))
  if (wakeUp.kind === 'loads') await giveUpFirst(env, wakeUp.orgId)
}

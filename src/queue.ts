// Queue messages are wake-ups: a kind and an id, never data. Parse, hand to the verb, acknowledge; what throws comes again.
import * as z from 'zod'
import type { Env } from './env.ts'
import { deliver } from './features/events/deliver.ts'
import { hear } from './features/workflows/hear.ts'
import { patrol } from './features/workflows/patrol.ts'
import { stepRun } from './features/workflows/run.ts'

const Id = z.string().min(1).max(64)

const WakeUp = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('events'), orgId: Id }),
  z.strictObject({ kind: z.literal('patrol'), orgId: Id }),
  z.strictObject({ kind: z.literal('process'), orgId: Id, id: Id }),
  z.strictObject({ kind: z.literal('delivery'), orgId: Id, id: Id }),
])
type WakeUp = z.output<typeof WakeUp>

/** Messages that failed too often end here; a watch or an alarm brings back what they stood for. */
const DEAD_LETTERS = 'selvedge-dead-letters'

export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  for (const message of batch.messages) {
    const wakeUp = WakeUp.safeParse(message.body)
    if (batch.queue === DEAD_LETTERS || !wakeUp.success) {
      console.error('message given up', batch.queue, message.id, JSON.stringify(message.body))
      message.ack()
      continue
    }
    try {
      await handle(env, wakeUp.data)
      message.ack()
    } catch (error) {
      console.error('message failed', wakeUp.data.kind, message.id, error)
      message.retry({ delaySeconds: Math.min(message.attempts * 2, 30) })
    }
  }
}

function handle(env: Env, wakeUp: WakeUp): Promise<void> {
  switch (wakeUp.kind) {
    case 'events':
      return hear(env, wakeUp.orgId)
    case 'patrol':
      return patrol(env, wakeUp.orgId)
    case 'process':
      return stepRun(env, wakeUp.orgId, wakeUp.id)
    case 'delivery':
      return deliver(env, wakeUp.orgId, wakeUp.id)
  }
}

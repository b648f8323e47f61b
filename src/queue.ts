// Queue messages are wake-ups: a kind and an id, never data. Parse, hand to the verb, acknowledge; what throws comes again,
// later each time, and in the end as a dead letter.
import * as z from 'zod'
import type { Env } from './env.ts'
import { buryLoad, workOnLoads } from './features/loads/work.ts'

const WakeUp = z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('loads'), orgId: z.string() })])
type WakeUp = z.infer<typeof WakeUp>

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
      await (batch.queue === DEAD_LETTERS ? bury(env, wakeUp.data) : handle(env, wakeUp.data))
      message.ack()
    } catch (error) {
      console.error('message', batch.queue, wakeUp.data.kind, error)
      message.retry({ delaySeconds: Math.min(RETRY_MAX_SECONDS, 2 ** message.attempts) })
    }
  }
}

function handle(env: Env, wakeUp: WakeUp): Promise<void> {
  switch (wakeUp.kind) {
    case 'loads':
      return workOnLoads(env, wakeUp.orgId)
  }
}

function bury(env: Env, wakeUp: WakeUp): Promise<void> {
  switch (wakeUp.kind) {
    case 'loads':
      return buryLoad(env, wakeUp.orgId)
  }
}

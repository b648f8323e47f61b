// Queue messages are wake-ups: a kind and an id, never data. Parse, hand to the verb, acknowledge; what throws comes again.
import * as z from 'zod'
import type { Env } from './env.ts'

const WakeUp = z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('sweep') })])

export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  for (const message of batch.messages) {
    const wakeUp = WakeUp.safeParse(message.body)
    if (!wakeUp.success) console.error('unreadable message', batch.queue, message.id)
    message.ack()
  }
  void env
}

// The hourly cron: it sends one message for each sweep, and each runs in an invocation of its own.
import { createScheduledController } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import worker from '../../../src/index.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { consume } from '../../../src/queue.ts'
import { env, newOrg } from '../api.ts'

afterEach(() => vi.restoreAllMocks())

const batchOf = (body: unknown, queue = 'selvedge-loads') => {
  const message = { id: 'm', body, timestamp: new Date(), attempts: 1, ack: vi.fn(), retry: vi.fn() }
  return { message, batch: { queue, messages: [message] } as unknown as MessageBatch }
}

describe('the hourly cron', () => {
  it('sends one message for each sweep and asks no database; each message runs its sweep', async () => {
    const sent = vi.spyOn(env.LOAD_QUEUE, 'sendBatch').mockResolvedValue(undefined as never)
    const asked = vi.spyOn(Database.prototype, 'batch')
    await worker.scheduled(createScheduledController({ scheduledTime: new Date() }), env)
    expect(asked).not.toHaveBeenCalled()
    const bodies = sent.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body))
    expect(bodies.length).toBeGreaterThan(15)
    const failed = vi.spyOn(console, 'error').mockReturnValue()
    for (const body of bodies) {
      const { message, batch } = batchOf(body)
      await consume(batch, env)
      expect(message.ack).toHaveBeenCalledTimes(1)
    }
    expect(asked).toHaveBeenCalled()
    expect(failed.mock.calls.filter(([what]) => what === 'sweep')).toEqual([])
  })

  it('lets a sweep that fails wait for the next hour, and keeps no dead letter of it', async () => {
    const org = await newOrg()
    vi.spyOn(console, 'error').mockReturnValue()
    const withSession = () => {
      throw new Error('gone')
    }
    const broken = { ...env, DB: { withSession } } as unknown as typeof env
    const body = { kind: 'sweep', sweep: 'idempotency', on: Date.now() }
    for (const queue of ['selvedge-loads', 'selvedge-dead-letters']) {
      const { message, batch } = batchOf(body, queue)
      await consume(batch, broken)
      expect(message.ack).toHaveBeenCalledTimes(1)
      expect(message.retry).not.toHaveBeenCalled()
    }
    expect((await org.get('/items')).status).toBe(200)
  })
})

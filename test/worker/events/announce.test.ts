// Who is woken by a write (N60): only those who wait for it, and once for many writes.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { consume } from '../../../src/queue.ts'
import { env, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { expression, workflow } from '../workflows/runs.ts'

afterEach(() => vi.restoreAllMocks())

/** What is sent to the queue of steps in the name of one organization. */
function sent(org: TestOrg): Json[] {
  const seen: Json[] = []
  const { send } = env.STEP_QUEUE
  vi.spyOn(env.STEP_QUEUE, 'send').mockImplementation(async (body, options) => {
    if (body.orgId === org.id) seen.push(body)
    return send.call(env.STEP_QUEUE, body, options)
  })
  return seen
}

const events = (messages: Json[]) => messages.filter(({ kind }) => kind === 'events').length

describe('N60 a write', () => {
  it('wakes nobody for an entity type that nobody listens to', async () => {
    const org = await newOrg()
    await workflow(org, [expression('t', '1')], { triggerKey: 'item|create' })
    const messages = sent(org)
    await org.make('/colors', { name: 'red' })
    expect(events(messages)).toBe(0)
    await org.make('/items', { name: 'a' })
    expect(events(messages)).toBe(1)
  })

  it('wakes whoever listens to everything, until they listen no more', async () => {
    const org = await newOrg()
    const endpoint = { url: 'https://shop.example.com/', auth: { kind: 'header', name: 'X-Key', value: 'k' } }
    await operator('PUT', `/orgs/${org.slug}/endpoints/all`, { ...endpoint, events: ['*'] })
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('ok'))
    const messages = sent(org)
    await org.make('/colors', { name: 'red' })
    expect(events(messages)).toBe(1)
    await operator('PUT', `/orgs/${org.slug}/endpoints/all`, { ...endpoint, events: ['project|*'] })
    await org.make('/colors', { name: 'blue' })
    await operator('DELETE', `/orgs/${org.slug}/endpoints/all`)
    await org.make('/projects', { name: 'p' })
    const { body } = await org.get('/colors')
    expect(body.results).toHaveLength(2)
    // One more where the endpoint was configured anew.
    expect(events(messages)).toBeLessThanOrEqual(2)
  })

  it('shares its message with those that come at the same time, and none of them is missed', async () => {
    const org = await newOrg()
    await workflow(org, [expression('t', '1')], { triggerKey: 'item|create' })
    const messages = sent(org)
    await Promise.all(Array.from({ length: 40 }, (_, at) => org.make('/items', { name: `i${at}` })))
    expect(events(messages)).toBeLessThan(20)
    await expect
      .poll(async () => (await org.get('/event-workflow-processes', { limit: 1000 })).body.results?.length)
      .toBe(40)
  })
})

describe('N60 a batch of wake-ups', () => {
  const message = (body: unknown) => ({
    id: 'm',
    body,
    timestamp: new Date(),
    attempts: 1,
    ack: vi.fn(),
    retry: vi.fn(),
  })
  const batchOf = (messages: ReturnType<typeof message>[]) =>
    ({ queue: 'selvedge-steps', messages, ackAll: vi.fn(), retryAll: vi.fn() }) as unknown as MessageBatch

  it('does what several ask for once, lets no organization wait for another, and acknowledges each by itself', async () => {
    const [slow, quick] = [await newOrg(), await newOrg()]
    const auth = { kind: 'header', name: 'X-Key', value: 'k' }
    for (const org of [slow, quick]) {
      await operator('PUT', `/orgs/${org.slug}/endpoints/shop`, {
        url: `https://${org === slow ? 'slow' : 'quick'}.example.com/`,
        events: ['item|*'],
        auth,
      })
    }
    const order: string[] = []
    let letGo: () => void = () => undefined
    const held = new Promise<void>(resolve => {
      letGo = resolve
    })
    vi.spyOn(globalThis, 'fetch').mockImplementation(async input => {
      const { hostname } = new URL((input as Request).url)
      if (hostname.startsWith('slow')) await held
      order.push(hostname)
      return new Response('ok')
    })
    vi.spyOn(env.STEP_QUEUE, 'send').mockResolvedValue(undefined as never)
    vi.spyOn(env.CALL_QUEUE, 'sendBatch').mockResolvedValue(undefined as never)
    for (const org of [slow, quick]) await org.make('/items', { name: 'a' })
    const told = [slow, slow, quick].map(({ id }) => message({ kind: 'events', orgId: id }))
    await consume(batchOf(told), env)
    for (const { ack } of told) expect(ack).toHaveBeenCalledTimes(1)
    const due = await env.DB.prepare('SELECT id, org_id AS orgId FROM deliveries WHERE org_id IN (?, ?)')
      .bind(slow.id, quick.id)
      .all<{ id: string; orgId: string }>()
    expect(due.results).toHaveLength(2)
    const bad = message({ kind: 'nonsense' })
    const calls = due.results.map(({ id, orgId }) => message({ kind: 'delivery', orgId, id }))
    const consumed = consume(batchOf([bad, ...calls]), env)
    await expect.poll(() => order).toEqual(['quick.example.com'])
    letGo()
    await consumed
    expect(order).toEqual(['quick.example.com', 'slow.example.com'])
    expect(bad.ack).toHaveBeenCalledTimes(1)
  })
})

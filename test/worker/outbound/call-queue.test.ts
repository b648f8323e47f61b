// N86: calls to endpoints outside have a queue of their own, and few of them are under way at once.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { deliver } from '../../../src/features/outbound/deliver.ts'
import { insertDeliveries } from '../../../src/features/outbound/store.ts'
import { stepRun } from '../../../src/features/workflows/run.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import { consume } from '../../../src/queue.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { outside } from '../outside.ts'
import { expression, request, tasksOf, workflow } from '../workflows/runs.ts'
import { header } from './partner.ts'

afterEach(() => vi.restoreAllMocks())

const put = (org: TestOrg) =>
  operator('PUT', `/orgs/${org.slug}/endpoints/shop`, {
    url: `https://partner.example.com/${org.slug}`,
    events: [],
    auth: header,
  })

/** What is sent to both queues in the name of one organization, and goes no further. */
function sent(org: TestOrg) {
  const seen: string[] = []
  for (const name of ['STEP_QUEUE', 'CALL_QUEUE'] as const) {
    const note = (body: { kind: string; orgId: string }) => {
      if (body.orgId === org.id) seen.push(`${name} ${body.kind}`)
    }
    vi.spyOn(env[name], 'send').mockImplementation(async body => note(body) as never)
    vi.spyOn(env[name], 'sendBatch').mockImplementation(async all => {
      for (const { body } of all) note(body)
      return undefined as never
    })
  }
  return () => seen.splice(0)
}

async function newDelivery(org: TestOrg): Promise<string> {
  const row = { id: newId(), endpointName: 'shop', triggerKey: 'item|create', payload: '{}', depth: 0 }
  const now = Date.now()
  await databaseFor(env, org.id).batch(insertDeliveries(org.id, [row], now, now + 60_000))
  return row.id
}

describe('N86 the queue for calls outside', () => {
  it('has at most three calls under way at once in an invocation', async () => {
    const orgs = await Promise.all(Array.from({ length: 5 }, () => newOrg()))
    for (const org of orgs) await put(org)
    let underWay = 0
    let most = 0
    let letGo: () => void = () => undefined
    const held = new Promise<void>(resolve => {
      letGo = resolve
    })
    const world = outside('partner.example.com')
    world.answer(async () => {
      most = Math.max(most, ++underWay)
      await held
      underWay--
      return new Response('ok')
    })
    const messages = await Promise.all(
      orgs.map(async org => ({
        id: 'm',
        body: { kind: 'delivery', orgId: org.id, id: await newDelivery(org) },
        timestamp: new Date(),
        attempts: 1,
        ack: vi.fn(),
        retry: vi.fn(),
      })),
    )
    const consumed = consume({ queue: 'selvedge-calls', messages } as unknown as MessageBatch, env)
    await expect.poll(() => underWay).toBe(3)
    letGo()
    await consumed
    expect(world.calls).toHaveLength(5)
    expect(most).toBe(3)
    for (const { ack } of messages) expect(ack).toHaveBeenCalledTimes(1)
  })

  it('takes a run over for its task that calls, and hands it back for the next one', async () => {
    const org = await newOrg()
    await put(org)
    const world = outside(org.slug)
    const tasks = [
      expression('a', '1'),
      { name: 'call', action: 'http', config: { endpoint: 'shop' } },
      expression('b', '2'),
    ]
    await workflow(org, tasks)
    const queued = sent(org)
    const [run] = await request(org, 'go')
    const id = run?.id ?? ''
    expect(queued()).toEqual(['STEP_QUEUE process'])
    await stepRun(env, org.id, id)
    expect(world.calls).toEqual([])
    expect(queued()).toEqual(['CALL_QUEUE call'])
    await stepRun(env, org.id, id, { mayCall: true })
    expect(world.calls).toHaveLength(1)
    expect(queued()).toEqual(['STEP_QUEUE process'])
    await stepRun(env, org.id, id)
    expect((await tasksOf(org, id)).map(({ status }) => status)).toEqual(['complete', 'complete', 'complete'])
    expect(queued()).toEqual([])
  })

  it('gets a call that is tried again, and a delivery that is', async () => {
    const org = await newOrg()
    await put(org)
    outside(org.slug).answer(() => new Response('no', { status: 500 }))
    await workflow(org, [{ name: 'call', action: 'http', config: { endpoint: 'shop' } }])
    const queued = sent(org)
    const [run] = await request(org, 'go')
    queued()
    await stepRun(env, org.id, run?.id ?? '', { mayCall: true })
    await deliver(env, org.id, await newDelivery(org))
    expect(queued()).toEqual(['CALL_QUEUE call', 'CALL_QUEUE delivery'])
  })
})

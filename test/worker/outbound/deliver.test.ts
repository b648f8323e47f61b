// One try of a delivery: when it may begin, who holds it, and what becomes of it.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recover } from '../../../src/features/events/recover.ts'
import { hasUnfinished } from '../../../src/features/events/store.ts'
import { deliver } from '../../../src/features/outbound/deliver.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import { OUTBOUND_TIMEOUT_MS, RECOVER_PERIOD_MS } from '../../../src/platform/limits.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
import { outside } from '../outside.ts'

let org: TestOrg

/** No message wakes anybody: each try is the test's own. */
/** Of this organization: what other files have left under way sends, too. */
const sent = () =>
  vi
    .mocked(env.CALL_QUEUE.send)
    .mock.calls.map(([message, options]) => ({ message, options }))
    .filter(({ message }) => (message as { orgId?: string }).orgId === org.id)

beforeEach(async () => {
  org = await newOrg()
  vi.spyOn(env.CALL_QUEUE, 'send').mockResolvedValue(undefined as never)
  vi.spyOn(env.CALL_QUEUE, 'sendBatch').mockResolvedValue(undefined as never)
  const auth = { kind: 'header', name: 'X-Partner-Key', value: 'k-123' }
  await operator('PUT', `/orgs/${org.slug}/endpoints/partner`, { url: `https://partner.example.com/${org.slug}`, auth })
  vi.mocked(env.CALL_QUEUE.send).mockClear()
})

afterEach(() => vi.restoreAllMocks())

async function newDelivery(own: { due?: number; attempts?: number; ends?: number } = {}): Promise<string> {
  const id = newId()
  const { due = 0, attempts = 0, ends = 3_600_000 } = own
  const now = Date.now()
  await env.DB.prepare(
    `INSERT INTO deliveries (id, org_id, endpoint_name, trigger_key, payload, status, attempts, error, due_on, ends_on, created_on)
      VALUES (?1, ?2, 'partner', 'item|create', '{}', 'pending', ?3, iif(?3, 'The endpoint answered 500.', NULL), ?4, ?5, ?6)`,
  )
    .bind(id, org.id, attempts, now + due, now + ends, now)
    .run()
  return id
}

async function stored(id: string) {
  const row = await env.DB.prepare('SELECT status, attempts, due_on, ended_on FROM deliveries WHERE id = ?')
    .bind(id)
    .first<{ status: string; attempts: number; due_on: number; ended_on: number | null }>()
  return row && { ...row, due_on: row.due_on - Date.now(), ended_on: row.ended_on && row.ended_on - Date.now() }
}

describe('N41 a delivery', () => {
  it('is tried when it is due, and not a moment earlier', async () => {
    const world = outside(org.slug)
    const clock = holdClock()
    const id = await newDelivery({ due: 1 })
    await deliver(env, org.id, id)
    expect(world.calls).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'pending', attempts: 0, due_on: 1 })
    clock.forward(1)
    await deliver(env, org.id, id)
    expect(world.calls).toHaveLength(1)
    expect(await stored(id)).toEqual({ status: 'delivered', attempts: 1, due_on: 0, ended_on: 0 })
  })

  it('belongs to one try at a time, which is counted when it begins', async () => {
    const world = outside(org.slug)
    holdClock()
    const id = await newDelivery()
    const during: unknown[] = []
    world.answer(async () => {
      during.push(await stored(id))
      await deliver(env, org.id, id)
      return new Response('ok')
    })
    await deliver(env, org.id, id)
    expect(world.calls).toHaveLength(1)
    expect(during).toEqual([{ status: 'pending', attempts: 1, due_on: 3 * OUTBOUND_TIMEOUT_MS, ended_on: null }])
    await deliver(env, org.id, id)
    expect(world.calls).toHaveLength(1)
  })

  it('is not told how it went by a try that no longer holds it', async () => {
    const world = outside(org.slug)
    holdClock()
    const id = await newDelivery()
    world.answer(async () => {
      await env.DB.prepare('UPDATE deliveries SET attempts = attempts + 1 WHERE id = ?').bind(id).run()
      return new Response('ok')
    })
    await deliver(env, org.id, id)
    expect(await stored(id)).toMatchObject({ status: 'pending', attempts: 2, ended_on: null })
  })

  it('that was sent again is not told how it went by a try from before', async () => {
    const world = outside(org.slug)
    const clock = holdClock()
    const id = await newDelivery()
    const answers: ((answer: Response) => void)[] = []
    world.answer(() => new Promise(resolve => answers.push(resolve)))
    const tries = [deliver(env, org.id, id)]
    await expect.poll(() => answers.length).toBe(1)
    clock.forward(1)
    expect((await operator('POST', `/orgs/${org.slug}/endpoints/partner/deliveries/${id}/resend`)).status).toBe(202)
    tries.push(deliver(env, org.id, id))
    await expect.poll(() => answers.length).toBe(2)
    answers[0]?.(new Response('ok'))
    await tries[0]
    expect(await stored(id)).toMatchObject({ status: 'pending', attempts: 1, due_on: 3 * OUTBOUND_TIMEOUT_MS })
    answers[1]?.(new Response('', { status: 500 }))
    await tries[1]
    expect(await stored(id)).toMatchObject({ status: 'pending', attempts: 1, due_on: 1000 })
  })

  it('is due again after the wait of its attempts, and fails after the last', async () => {
    const world = outside(org.slug)
    world.answer(() => new Response('', { status: 500 }))
    const clock = holdClock()
    const id = await newDelivery()
    const waits = [1000, 1000, 2000, 4000, 8000]
    for (const [at, wait] of waits.entries()) {
      await deliver(env, org.id, id)
      expect(await stored(id)).toEqual({ status: 'pending', attempts: at + 1, due_on: wait, ended_on: null })
      expect(sent().at(-1)).toEqual({
        message: { kind: 'delivery', orgId: org.id, id },
        options: { delaySeconds: wait / 1000 },
      })
      clock.forward(wait)
    }
    await deliver(env, org.id, id)
    expect(await stored(id)).toEqual({ status: 'failed', attempts: 6, due_on: 0, ended_on: 0 })
    expect(sent()).toHaveLength(5)
    expect(world.calls).toHaveLength(6)
  })

  it('is tried once more where that falls on the end of its time, and not after it', async () => {
    const world = outside(org.slug)
    world.answer(() => new Response('', { status: 500 }))
    holdClock()
    const [last, over] = [await newDelivery({ attempts: 1, ends: 1000 }), await newDelivery({ attempts: 1, ends: 999 })]
    await deliver(env, org.id, last)
    await deliver(env, org.id, over)
    expect(await stored(last)).toMatchObject({ status: 'pending', due_on: 1000 })
    expect(await stored(over)).toMatchObject({ status: 'failed', ended_on: 0 })
  })

  it('has its whole time from its first try on, however late that comes', async () => {
    const world = outside(org.slug)
    world.answer(() => new Response('', { status: 500 }))
    const clock = holdClock()
    const id = await newDelivery({ ends: 1 })
    clock.forward(100 * 3_600_000)
    for (const wait of [1000, 1000, 2000, 4000, 8000]) {
      await deliver(env, org.id, id)
      expect(await stored(id)).toMatchObject({ status: 'pending', due_on: wait })
      clock.forward(wait)
    }
    await deliver(env, org.id, id)
    expect(await stored(id)).toMatchObject({ status: 'failed', attempts: 6 })
  })

  it('has its whole time and all its tries where the first ones died with their Workers', async () => {
    const DEAD = 6
    const world = outside(org.slug)
    world.answer((_, count) => (count > DEAD ? new Response('', { status: 500 }) : new Promise(() => undefined)))
    const clock = holdClock()
    const id = await newDelivery()
    for (let died = 1; died <= DEAD; died++) {
      void deliver(env, org.id, id)
      await expect.poll(() => world.calls.length).toBe(died)
      clock.forward(3 * OUTBOUND_TIMEOUT_MS)
    }
    await deliver(env, org.id, id)
    expect(await stored(id)).toMatchObject({ status: 'pending', attempts: 1, due_on: 1000 })
  })

  it('keeps the watch of its organization until it has ended, and that of no other', async () => {
    const other = await newOrg()
    const isLookedAfter = (id: string) => hasUnfinished(databaseFor(env, id), id)
    expect(await isLookedAfter(org.id)).toBe(false)
    const id = await newDelivery()
    expect([await isLookedAfter(org.id), await isLookedAfter(other.id)]).toEqual([true, false])
    await env.DB.prepare(`UPDATE deliveries SET status = 'delivered' WHERE id = ?`).bind(id).run()
    expect(await isLookedAfter(org.id)).toBe(false)
  })

  it('is brought back by recovery when nobody has come for half a period, and not before', async () => {
    holdClock()
    const [long, just] = [
      await newDelivery({ due: -RECOVER_PERIOD_MS / 2 - 1 }),
      await newDelivery({ due: -RECOVER_PERIOD_MS / 2 }),
    ]
    await recover(env, org.id)
    const woken = vi.mocked(env.CALL_QUEUE.sendBatch).mock.calls.flatMap(([messages]) => [...messages])
    expect(woken.map(message => message.body)).toEqual([{ kind: 'delivery', orgId: org.id, id: long }])
    expect(await stored(just)).toMatchObject({ status: 'pending', attempts: 0 })
  })
})

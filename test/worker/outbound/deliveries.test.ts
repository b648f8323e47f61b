import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { recover } from '../../../src/features/events/recover.ts'
import { insertDeliveries, selectDeliveries } from '../../../src/features/outbound/store.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, type Json, newOrg, operator } from '../api.ts'
import { eventually, nothingLeft } from '../eventually.ts'
import { outside } from '../outside.ts'
import { type Delivery, delivered, deliveries, header, hmac, put, SECRET, URL_OUTSIDE } from './partner.ts'

afterEach(() => vi.restoreAllMocks())

describe('a delivery', () => {
  it('N41 that fails twice arrives at the third try with a valid signature and the same webhook-id', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    world.answer((_, count) => new Response(null, { status: count < 3 ? 500 : 204 }))
    await put(org, { auth: hmac })
    const item = await org.make('/items', { name: 'Scarf' })
    const [delivery] = await delivered(org, 'delivered')
    expect(delivery).toMatchObject({ attempts: 3, triggerKey: 'item|create', responseStatus: 204, error: null })
    expect(world.calls).toHaveLength(3)
    for (const sent of world.calls) {
      const verified = new Webhook(SECRET).verify(sent.body, Object.fromEntries(sent.headers)) as Json
      expect(verified).toMatchObject({ type: 'item|create', data: { newData: { id: item.id, name: 'Scarf' } } })
      expect(sent.headers.get('webhook-id')).toBe(delivery?.id)
    }
    const tampered = { ...Object.fromEntries(world.calls[0]?.headers ?? []), 'webhook-id': 'other' }
    expect(() => new Webhook(SECRET).verify(world.calls[0]?.body ?? '', tampered)).toThrow()
  })

  it('N41 carries the configured header, and goes only to endpoints that asked for the event', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    await put(org, { auth: header, events: ['color|update'] })
    await org.make('/items', { name: 'no' })
    const { id } = await org.make('/colors', { name: 'no' })
    await org.put(`/colors/${id}`, { name: 'yes' })
    await delivered(org, 'delivered')
    await nothingLeft(org)
    expect(world.calls).toHaveLength(1)
    expect(world.calls[0]?.headers.get('X-Partner-Key')).toBe('k-123')
    expect(world.calls[0]?.json()).toMatchObject({ type: 'color|update', data: { newData: { name: 'yes' } } })
  })

  it('N41 follows no redirect, gives up after its time, is listed as failed, and can be sent again', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    world.answer(() => new Response(null, { status: 302, headers: { Location: 'https://elsewhere.example.com/' } }))
    await put(org, { auth: hmac })
    await org.make('/items', { name: 'x' })
    await eventually(
      () => deliveries(org),
      found => (found[0]?.attempts ?? 0) >= 1,
    )
    await env.DB.prepare('UPDATE deliveries SET ends_on = 0 WHERE org_id = ?').bind(org.id).run()
    const [failed] = await delivered(org, 'failed')
    expect(failed).toMatchObject({ responseStatus: 302, error: expect.stringContaining('redirects') })
    expect(world.calls.every(sent => sent.url === URL_OUTSIDE)).toBe(true)
    expect(await deliveries(org, '?status=delivered')).toEqual([])
    expect(await deliveries(org, '?status=failed')).toHaveLength(1)
    world.answer(() => new Response('ok'))
    const path = `/orgs/${org.slug}/endpoints/partner/deliveries`
    const resent = await operator('POST', `${path}/${failed?.id}/resend`)
    expect(resent.status).toBe(202)
    const [again] = await delivered(org, 'delivered')
    expect(again).toMatchObject({ id: failed?.id, attempts: 1 })
    expect(world.calls.at(-1)?.headers.get('webhook-id')).toBe(failed?.id)
    expect((await operator('POST', `${path}/nothing/resend`)).status).toBe(404)
  })

  it('N41 reads no more than a bounded part of an endless answer', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    let pulled = 0
    world.answer(() => {
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled++
          controller.enqueue(new Uint8Array(16 * 1024))
        },
      })
      return new Response(endless)
    })
    await put(org, { auth: hmac })
    await org.make('/items', { name: 'x' })
    await delivered(org, 'delivered')
    expect(pulled).toBeLessThan(10)
  })

  it('N41 is not lost when its message is: recovery finds what is due', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    world.answer(() => new Response('', { status: 500 }))
    await put(org, { auth: hmac })
    await org.make('/items', { name: 'x' })
    await delivered(org, 'pending')
    await eventually(
      () => deliveries(org),
      found => (found[0]?.attempts ?? 0) >= 1,
    )
    world.answer(() => new Response('ok'))
    await env.DB.prepare('UPDATE deliveries SET due_on = 1, attempts = 1 WHERE org_id = ?').bind(org.id).run()
    await recover(env, org.id)
    await delivered(org, 'delivered')
  })

  it('N41 fails at once when its endpoint has been removed', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    world.answer(() => new Response('', { status: 500 }))
    await put(org, { auth: hmac })
    await org.make('/items', { name: 'x' })
    await eventually(
      () => deliveries(org),
      found => (found[0]?.attempts ?? 0) >= 1,
    )
    await operator('DELETE', `/orgs/${org.slug}/endpoints/partner`)
    const [failed] = await delivered(org, 'failed')
    expect(failed?.error).toContain('no longer configured')
  })

  it('N41 of an endpoint that is removed fails with it, and is not kept for the next one of its name', async () => {
    const org = await newOrg()
    for (const name of ['partner', 'other']) await put(org, { auth: hmac, events: [] }, name)
    const row = (endpointName: string) => ({ id: newId(), endpointName, triggerKey: 'x', payload: '{}', depth: 0 })
    const [gone, kept] = [row('partner'), row('other')]
    await databaseFor(env, org.id).batch(insertDeliveries(org.id, [gone, kept], Date.now(), Date.now() + 1000))
    expect((await operator('DELETE', `/orgs/${org.slug}/endpoints/partner`)).status).toBe(204)
    await put(org, { auth: hmac })
    expect(await deliveries(org)).toMatchObject([
      { id: gone.id, status: 'failed', error: 'The endpoint is no longer configured.', endedOn: expect.any(String) },
    ])
    const { status } = (await env.DB.prepare('SELECT status FROM deliveries WHERE id = ?').bind(kept.id).first()) ?? {}
    expect(status).toBe('pending')
  })

  it('N41 pages through the log, newest first', async () => {
    const org = await newOrg()
    outside()
    await put(org, { auth: hmac })
    for (const name of ['a', 'b', 'c']) await org.make('/items', { name })
    const all = await delivered(org, 'delivered', 3)
    const path = `/orgs/${org.slug}/endpoints/partner/deliveries`
    const first = await operator<{ results: Delivery[]; nextPageKey: string }>('GET', `${path}?limit=2`)
    const second = await operator<{ results: Delivery[]; nextPageKey: null }>(
      'GET',
      `${path}?limit=2&nextPageKey=${first.body.nextPageKey}`,
    )
    expect([...first.body.results, ...second.body.results].map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(second.body.nextPageKey).toBeNull()
  })

  it('N60 ends a page of the log at its bytes', async () => {
    const org = await newOrg()
    const payload = JSON.stringify({ text: 'x'.repeat(120_000) })
    const rows = Array.from({ length: 30 }, (_, at) => ({
      id: `${org.id} ${at}`,
      endpointName: 'partner',
      triggerKey: 'item|create',
      payload,
      depth: 0,
    }))
    for (const statement of insertDeliveries(org.id, rows, 0, 0)) {
      await env.DB.prepare(statement.sql)
        .bind(...statement.params)
        .run()
    }
    await env.DB.prepare("UPDATE deliveries SET status = 'delivered' WHERE org_id = ?").bind(org.id).run()
    const path = `/orgs/${org.slug}/endpoints/partner/deliveries?limit=1000`
    type Page = { results: Delivery[]; nextPageKey: string | null }
    const first = await operator<Page>('GET', path)
    const second = await operator<Page>('GET', `${path}&nextPageKey=${first.body.nextPageKey}`)
    expect(first.body.results.length).toBeLessThan(30)
    expect([...first.body.results, ...second.body.results].map(({ id }) => id)).toEqual(
      rows.map(({ id }) => id).reverse(),
    )
    expect(second.body.nextPageKey).toBeNull()
  })

  it('N60 finds the few of a status without reading the others', async () => {
    const org = await newOrg()
    await env.DB.prepare(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000)
      INSERT INTO deliveries (id, org_id, endpoint_name, trigger_key, payload, status, attempts, due_on, ends_on, created_on)
      SELECT ?1 || n, ?1, 'partner', 'item|create', '{}', iif(n % 1000 = 0, 'failed', 'delivered'), 1, 1, 1, 1 FROM c`)
      .bind(org.id)
      .run()
    const db = databaseFor(env, org.id)
    const [newest] = await selectDeliveries(db, org.id, 'partner', { status: 'failed', limit: 1 })
    const beforeSeq = newest?.seq
    const others = await selectDeliveries(db, org.id, 'partner', { status: 'failed', limit: 10, beforeSeq })
    expect([newest, ...others].map(row => row?.id)).toEqual([5, 4, 3, 2, 1].map(n => `${org.id}${n}000`))
    expect(db.rowsRead).toBeLessThan(50)
    expect(await selectDeliveries(db, org.id, 'partner', { status: 'pending', limit: 10 })).toEqual([])
    expect(db.rowsRead).toBeLessThan(50)
  })
})

import { describe, expect, it } from 'vitest'
import { call, fetchWorker, newOrg, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { inOneMinute } from '../minute.ts'
import { processesOf } from './runs.ts'

let visitors = 0

async function triggered(org: TestOrg) {
  const webhook = await org.make('/webhooks', { name: 'shop' })
  const tasks = [{ name: 'note', action: 'expression', config: { output: { order: '{event.body.order}' } } }]
  const workflow = await org.make('/event-workflows', { triggerKey: `webhookId:${webhook.id}`, paths: [{ tasks }] })
  return { webhook, workflow, path: new URL(String(webhook.triggerUrl)).pathname }
}

describe('an inbound webhook', () => {
  it('N36 shows its secret address this once, and starts its workflows with {body, headers}', async () => {
    const org = await newOrg()
    const { webhook, workflow, path } = await triggered(org)
    expect(webhook.triggerUrl).toMatch(/^https:\/\/selvedge\.test\/api\/trigger-webhooks\/[A-Za-z0-9_-]{56}$/)
    expect((await org.get(`/webhooks/${webhook.id}`)).body).not.toHaveProperty('triggerUrl')
    const answer = await call(`POST`, `${path}?source=shop`, {
      body: { order: 7 },
      headers: { 'X-Shop': 'main', Cookie: 'secret=1', Authorization: 'Basic secret' },
    })
    expect(answer.status).toBe(202)
    expect(answer.body.results).toHaveLength(1)
    const [process] = await eventually(
      () => processesOf(org, workflow.id),
      found => found[0]?.status === 'complete',
    )
    expect(process?.taskOutputs).toEqual({ note: { order: 7 } })
    expect(process?.triggerEvent).toMatchObject({ body: { order: 7 }, headers: { 'x-shop': 'main' } })
    expect(JSON.stringify(process?.triggerEvent)).not.toContain('secret')
    expect(JSON.stringify(await org.get('/change-history'))).not.toContain(path.split('/').at(-1))
  })

  it('N64 is triggered once under one Idempotency-Key, and 409 with another body', async () => {
    const org = await newOrg()
    const [one, other] = [await triggered(org), await triggered(org)]
    const trigger = (path: string, order: number) =>
      call('POST', path, { body: { order }, headers: { 'Idempotency-Key': 'order-7' } })
    const [first, again] = await Promise.all([trigger(one.path, 7), trigger(one.path, 7)])
    expect(first.body.results).toHaveLength(1)
    expect([again.status, again.body]).toEqual([202, first.body])
    expect(await trigger(one.path, 8)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
    expect(await processesOf(org, one.workflow.id)).toHaveLength(1)
    expect((await trigger(other.path, 7)).body.results).toHaveLength(1)
  })

  it('N65 passes the checks of every entity when it is made, as when it is changed', async () => {
    const org = await newOrg()
    expect(await org.post('/webhooks', { name: 'a\u0007b' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/name' }] },
    })
    expect((await org.post('/webhooks', { name: 'a', typePath: 'item' })).status).toBe(400)
    const properties = [{ slug: 'owner', propertyType: 'string', required: true }]
    await org.make('/types', { typePath: 'webhook', properties })
    expect(await org.post('/webhooks', { name: 'a' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/owner' }] },
    })
    const made = await org.make('/webhooks', { name: 'a', owner: 'me', triggerKey: 'mine' })
    expect(made).toMatchObject({ owner: 'me', triggerKey: `webhookId:${made.id}`, version: 1 })
    expect((await org.put(`/webhooks/${made.id}`, { owner: null })).status).toBe(400)
  })

  it('N36 takes forms and text as well as JSON', async () => {
    const org = await newOrg()
    const { workflow, path } = await triggered(org)
    await fetchWorker(path, { method: 'POST', body: new URLSearchParams({ order: '8' }) })
    await fetchWorker(path, { method: 'POST', body: 'plain', headers: { 'Content-Type': 'text/plain' } })
    await fetchWorker(path, { method: 'POST' })
    const found = await eventually(
      () => processesOf(org, workflow.id),
      processes => processes.length === 3,
    )
    expect(found.map(process => (process.triggerEvent as { body: unknown }).body)).toEqual([
      { order: '8' },
      'plain',
      null,
    ])
  })

  it('N36 refuses wrong secrets, webhooks that are gone or not active, bad JSON and bodies that are too large', async () => {
    const org = await newOrg()
    const { webhook, path } = await triggered(org)
    const status = async (to: string, body: string, type = 'application/json') =>
      (await fetchWorker(to, { method: 'POST', body, headers: { 'Content-Type': type } })).status
    expect(await status(`${path.slice(0, -2)}AA`, '{}')).toBe(404)
    expect(await status('/api/trigger-webhooks/short', '{}')).toBe(404)
    expect(await status(path, '{')).toBe(400)
    expect(await status(path, '{"__proto__": {"a": 1}}')).toBe(400)
    expect(await status(path, 'x'.repeat(200_000), 'text/plain')).toBe(413)
    await org.put(`/webhooks/${webhook.id}`, { isActive: false })
    expect(await status(path, '{}')).toBe(404)
    await org.put(`/webhooks/${webhook.id}`, { isActive: true })
    expect(await status(path, '{}')).toBe(202)
    await org.delete(`/webhooks/${webhook.id}`)
    expect(await status(path, '{}')).toBe(404)
  })

  it('N18 refuses an Idempotency-Key where the secret is shown, and N43 limits calls by address', async () => {
    const org = await newOrg()
    const refused = await org.call('POST', '/webhooks', { body: { name: 'x' }, headers: { 'Idempotency-Key': 'k' } })
    expect(refused.status).toBe(400)
    const { path } = await triggered(org)
    const statuses = await inOneMinute(async () => {
      const headers = { 'CF-Connecting-IP': `203.0.113.${++visitors}` }
      const visits = Array.from({ length: 61 }, () => fetchWorker(path, { method: 'POST', headers }))
      return (await Promise.all(visits)).map(({ status }) => status)
    })
    expect(statuses.sort()).toEqual([...Array(60).fill(202), 429])
  })

  it('N35 refuses a request without a triggerKey, with unknown properties or an event that is too large', async () => {
    const org = await newOrg()
    expect((await org.post('/event-workflow-requests', { event: {} })).status).toBe(400)
    expect((await org.post('/event-workflow-requests', { triggerKey: 'x', extra: 1 })).status).toBe(400)
    const large = await org.post('/event-workflow-requests', { triggerKey: 'x', event: { a: 'x'.repeat(200_000) } })
    expect(large.status).toBe(413)
  })
})

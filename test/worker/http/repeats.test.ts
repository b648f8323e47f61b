// N64: every POST that issues no credential can be repeated under its Idempotency-Key, however much it does.
import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import worker from '../../../src/index.ts'
import { answerOnce } from '../../../src/platform/db/kept-answer.ts'
import { ANSWER_LEASE_MS, IDEMPOTENCY_KEPT_MS } from '../../../src/platform/limits.ts'
import { call, env, type Json, newOrg, OPERATOR_KEY, ORIGIN, operator, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { ended, start, upload } from '../loads/loading.ts'
import { processWith } from '../workflows/runs.ts'

const keyed = (org: TestOrg, path: string, body: unknown, key = 'k1') =>
  org.call('POST', path, { body, headers: { 'Idempotency-Key': key } })

const reused = { status: 409, body: { code: 'idempotency_key_reused' } }

describe('N64 publishing under one Idempotency-Key', () => {
  it('is done once, and answered again as it was', async () => {
    const org = await newOrg()
    const [item, assortment, other] = [
      await org.make('/items'),
      await org.make('/assortments'),
      await org.make('/assortments'),
    ]
    await org.make('/assortment-items', { itemId: item.id, assortmentId: assortment.id })
    const path = `/assortments/${assortment.id}/publish`
    const first = await keyed(org, path, {})
    expect(first).toMatchObject({ status: 201, body: { detail: { adds: 1 } } })
    const objects = async () => (await env.FILES.list({ prefix: `${org.id}/` })).objects.length
    const before = await objects()

    const again = await keyed(org, path, {})
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('Location')).toBe(first.headers.get('Location'))
    expect(await objects()).toBe(before)
    expect(await keyed(org, `/assortments/${other.id}/publish`, {})).toMatchObject(reused)

    const next = await keyed(org, path, {}, 'k2')
    expect(next.body).toMatchObject({ detail: { adds: 0 } })
    expect(next.body.id).not.toBe(first.body.id)
  })

  it('is done once when repeats come at the same time', async () => {
    const org = await newOrg()
    const assortment = await org.make('/assortments')
    const answers = await Promise.all([1, 2, 3].map(() => keyed(org, `/assortments/${assortment.id}/publish`, {})))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const { results } = await env.DB.prepare('SELECT id FROM publishes WHERE org_id = ?').bind(org.id).all()
    expect(results).toHaveLength(1)
    expect((await env.FILES.list({ prefix: `${org.id}/` })).objects).toHaveLength(5)
  })
})

describe('N64 a repeat that would be refused by now', () => {
  it('is answered as the first time, where the types have changed since', async () => {
    const org = await newOrg()
    const first = await keyed(org, '/items', { a: 'text' })
    const batch = await keyed(org, '/items/batch', [{ a: 'text' }, {}], 'k2')
    await org.make('/types', { typePath: 'item', properties: [{ slug: 'a', propertyType: 'number' }] })
    expect(await org.post('/items', { a: 'text' })).toMatchObject({ status: 400 })
    const again = await keyed(org, '/items', { a: 'text' })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await keyed(org, '/items/batch', [{ a: 'text' }, {}], 'k2')).body).toEqual(batch.body)
    expect(await keyed(org, '/items', { a: 'other' })).toMatchObject(reused)
    expect(await keyed(org, '/items', { a: 'text' }, 'k3')).toMatchObject({ status: 400 })
  })

  it('is answered as the first time, where what it restored is gone', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'a' })
    await org.put(`/items/${id}`, { name: 'b' })
    const body = { version: 1, properties: ['name'] }
    const first = await keyed(org, `/items/${id}/restore`, body)
    await org.delete(`/items/${id}`)
    expect((await keyed(org, `/items/${id}/restore`, body)).body).toEqual(first.body)
    expect((await keyed(org, `/items/${id}/restore`, body, 'k2')).status).toBe(400)
  })

  it('is answered as the first time, where the file that it loaded is gone', async () => {
    const org = await newOrg()
    const body = { loadType: ['COLOR'], fileLocation: await upload(org, 'federatedId,name\nC1,red\n') }
    const first = await keyed(org, '/loader-processes', body)
    await ended(org, String(first.body.id))
    expect((await org.delete(`/files/${body.fileLocation}`)).status).toBe(204)
    const again = await keyed(org, '/loader-processes', body)
    expect([again.status, again.body]).toEqual([202, first.body])
    expect((await keyed(org, '/loader-processes', body, 'k2')).status).toBe(400)
  })
})

describe('N64 a request that starts nothing', () => {
  it('starts nothing when it is repeated either', async () => {
    const org = await newOrg()
    const request = { triggerKey: 'go', event: { n: 1 } }
    expect(await keyed(org, '/event-workflow-requests', request)).toMatchObject({ status: 201, body: { results: [] } })
    const tasks = [{ name: 'wait', action: 'wait', async: true }]
    await org.make('/event-workflows', { triggerKey: 'go', isActive: true, paths: [{ tasks }] })
    expect(await keyed(org, '/event-workflow-requests', request)).toMatchObject({ status: 201, body: { results: [] } })
    expect(await keyed(org, '/event-workflow-requests', { triggerKey: 'go' })).toMatchObject(reused)
    expect((await org.get('/event-workflow-processes')).body.results).toEqual([])
    expect((await keyed(org, '/event-workflow-requests', request, 'k2')).body.results).toHaveLength(1)
  })
})

describe('N64 cancelling', () => {
  it('a run is answered again as it was, with its ETag', async () => {
    const org = await newOrg()
    const tasks = [{ name: 'wait', action: 'wait', async: true }]
    await org.make('/event-workflows', { triggerKey: 'go', isActive: true, paths: [{ tasks }] })
    const [run, second] = await Promise.all(
      ['a', 'b'].map(async key => {
        const { body } = await keyed(org, '/event-workflow-requests', { triggerKey: 'go' }, key)
        return String(body.results?.[0]?.id)
      }),
    )
    await processWith(org, run ?? '', 'awaiting')
    const first = await keyed(org, `/event-workflow-processes/${run}/cancel`, undefined)
    expect(first).toMatchObject({ status: 200, body: { id: run, status: 'cancelled' } })
    expect(first.headers.get('ETag')).toBe(`"${first.body.version}"`)
    const again = await keyed(org, `/event-workflow-processes/${run}/cancel`, undefined)
    expect([again.status, again.body, again.headers.get('ETag')]).toEqual([200, first.body, first.headers.get('ETag')])
    expect(await keyed(org, `/event-workflow-processes/${second}/cancel`, undefined)).toMatchObject(reused)
  })

  it('a load is answered again, also when it has ended since', async () => {
    const org = await newOrg()
    const rows = Array.from({ length: 5000 }, (_, at) => `C-${at},Color ${at}\n`)
    const { id } = await start(org, `federatedId,name\n${rows.join('')}`, { loadType: ['COLOR'] })
    const first = await keyed(org, `/loader-processes/${id}/cancel`, undefined)
    expect(first.status).toBe(202)
    expect(first.headers.get('ETag')).toBe(`"${first.body.version}"`)
    await ended(org, id)
    expect(await keyed(org, `/loader-processes/${id}/cancel`, undefined)).toMatchObject({
      status: 202,
      body: first.body,
    })
    // Its answer may have been lost before it was kept: who sends a key learns that the load is cancelled, who sends none that it has ended.
    const other = await keyed(org, `/loader-processes/${id}/cancel`, undefined, 'k2')
    expect(other).toMatchObject({ status: 202, body: { status: 'cancelled' } })
    expect((await org.post(`/loader-processes/${id}/cancel`, undefined)).status).toBe(409)
  })
})

describe('N64 a callback', () => {
  it('is answered again, and another one under the same key is refused', async () => {
    const org = await newOrg()
    const task = await org.make('/event-workflow-tasks', { name: 'free', async: true })
    const body = { taskId: task.id, status: 'SUCCESS', logs: 'done' }
    const first = await keyed(org, '/external-events/callback/', body)
    expect(first).toMatchObject({ status: 200, body: { status: 'complete' } })
    expect((await keyed(org, '/external-events/callback/', body)).body).toEqual(first.body)
    expect(await keyed(org, '/external-events/callback/', { ...body, logs: 'again' })).toMatchObject(reused)
  })

  it('that is refused keeps nothing', async () => {
    const org = await newOrg()
    const body = { taskId: 'AAAAAAAAAAAAAAAA', status: 'SUCCESS' }
    expect((await keyed(org, '/external-events/callback/', body)).status).toBe(404)
    const task = await org.make('/event-workflow-tasks', { name: 'free', async: true })
    expect((await keyed(org, '/external-events/callback/', { ...body, taskId: task.id })).status).toBe(200)
  })
})

describe('N64 calls of the operator', () => {
  const create = (body: Json, key: string) =>
    call('POST', '/api/operator/orgs', { body, headers: { 'X-Operator-Key': OPERATOR_KEY, 'Idempotency-Key': key } })

  it('make an organization once, also when they come at the same time', async () => {
    const [slug, key] = [`once-${crypto.randomUUID().slice(0, 8)}`, crypto.randomUUID()]
    const answers = await Promise.all([1, 2, 3].map(() => create({ slug, name: 'Once' }, key)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await create({ slug: `${slug}-b`, name: 'Once' }, key)).toMatchObject(reused)
    expect(await create({ slug, name: 'Once' }, crypto.randomUUID())).toMatchObject({
      status: 409,
      body: { code: 'duplicate' },
    })
  })

  it('are those of one operator: another may use the same key', async () => {
    const named = { ...env, OPERATOR_KEYS: 'ann=key-of-ann-0123456789012345' }
    const key = crypto.randomUUID()
    const as = async (operatorKey: string) => {
      const body = JSON.stringify({ slug: `own-${crypto.randomUUID().slice(0, 8)}`, name: 'Own' })
      const headers = { 'X-Operator-Key': operatorKey, 'Idempotency-Key': key, 'Content-Type': 'application/json' }
      const request = new Request(`${ORIGIN}/api/operator/orgs`, { method: 'POST', headers, body })
      return (await worker.fetch(request, named, createExecutionContext())).status
    }
    expect([await as(OPERATOR_KEY), await as('key-of-ann-0123456789012345'), await as(OPERATOR_KEY)]).toEqual([
      201, 201, 409,
    ])
  })

  it('resend a delivery once', async () => {
    const org = await newOrg()
    const endpoint = {
      url: 'https://127.0.0.1/',
      events: ['item|*'],
      auth: { kind: 'header', name: 'X-Key', value: 'v' },
    }
    const path = `/orgs/${org.slug}/endpoints/partner`
    expect((await operator('PUT', path, endpoint)).status).toBe(200)
    await org.make('/items')
    const [delivery] = await eventually(
      async () => (await operator('GET', `${path}/deliveries`)).body.results ?? [],
      found => found.length === 1,
    )
    const headers = { 'X-Operator-Key': OPERATOR_KEY, 'Idempotency-Key': crypto.randomUUID() }
    const resend = () => call('POST', `/api/operator${path}/deliveries/${delivery?.id}/resend`, { headers })
    const first = await resend()
    expect(first.status).toBe(202)
    expect((await resend()).body).toEqual(first.body)
    const { body } = await operator('GET', `/orgs/${org.slug}/audit`)
    expect(body.results?.filter(entry => entry.action === 'delivery_resent')).toHaveLength(1)
  })
})

describe('N64 a kept answer', () => {
  const claim = () => ({ credentialId: crypto.randomUUID(), key: 'k', digest: 'd' })
  const scope = { env, orgId: '' }
  const age = (credentialId: string, ms: number) =>
    env.DB.prepare('UPDATE idempotency SET created_on = created_on - ? WHERE credential_id = ?')
      .bind(ms, credentialId)
      .run()

  it('is forgotten after a day', async () => {
    const mine = claim()
    expect(await answerOnce(scope, mine, async () => 1)).toBe(1)
    expect(await answerOnce(scope, mine, async () => 2)).toBe(1)
    await age(mine.credentialId, IDEMPOTENCY_KEPT_MS + 1)
    expect(await answerOnce(scope, mine, async () => 3)).toBe(3)
  })

  it('N83 is given to its own organization alone, under the same credential and key', async () => {
    const [one, other] = [await newOrg(), await newOrg()]
    const mine = claim()
    expect(await answerOnce({ env, orgId: one.id }, mine, async () => 'of the first')).toBe('of the first')
    expect(await answerOnce({ env, orgId: other.id }, mine, async () => 'of the second')).toBe('of the second')
    expect(await answerOnce({ env, orgId: one.id }, mine, async () => 'anew')).toBe('of the first')
  })

  it('of a repeat stays where the first one fails long after its time', async () => {
    const mine = claim()
    let answer = (_: string) => {}
    const answered = new Promise<string>(resolve => {
      answer = resolve
    })
    let second: Promise<string> | undefined
    const first = answerOnce(scope, mine, async () => {
      const now = Date.now()
      while (Date.now() === now) await scheduler.wait(1)
      await age(mine.credentialId, ANSWER_LEASE_MS + 1)
      await new Promise<void>(begun => {
        second = answerOnce(scope, mine, () => {
          begun()
          return answered
        })
      })
      throw new Error('too late')
    })
    await expect(first).rejects.toThrow('too late')
    answer('of the second')
    expect(await second).toBe('of the second')
    expect(await answerOnce(scope, mine, async () => 'of the third')).toBe('of the second')
  })

  it('of a worker that died before it could answer is made anew', async () => {
    const mine = claim()
    await env.DB.prepare(
      'INSERT INTO idempotency (credential_id, key, org_id, digest, created_on) VALUES (?, ?, ?, ?, ?)',
    )
      .bind(mine.credentialId, mine.key, '', mine.digest, Date.now() - ANSWER_LEASE_MS - 1)
      .run()
    expect(await answerOnce(scope, mine, async () => 'anew')).toBe('anew')
  })
})

describe('N18 a repeat under one Idempotency-Key', () => {
  it('is the same request with its keys in another order, or under the singular path', async () => {
    const org = await newOrg()
    const first = await keyed(org, '/items', { name: 'a', own: { x: 1, y: 2 } })
    const again = await keyed(org, '/item/', { own: { y: 2, x: 1 }, name: 'a' })
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
    expect(await keyed(org, '/items', { name: 'a', own: { x: 1, y: 3 } })).toMatchObject(reused)
    expect(await keyed(org, '/colors', { name: 'a', own: { x: 1, y: 2 } })).toMatchObject(reused)
  })
})

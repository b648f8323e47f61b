import { describe, expect, it } from 'vitest'
import { BATCH_UPDATED_MAX_BYTES } from '../../../src/platform/db/limits.ts'
import { env, type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'

const count = async (org: TestOrg, table: 'entities' | 'changes') =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE org_id = ?`).bind(org.id).first<{ n: number }>())?.n

const names = (results: Json[] | undefined) => results?.map(entity => entity.name)

describe('N17 batches', () => {
  it('create up to a thousand entities in order, each with its change record', async () => {
    const org = await newOrg()
    const bodies = Array.from({ length: 1000 }, (_, at) => ({ name: `n${at}`, federatedId: `f${at}` }))
    const answer = await org.post('/items/batch', bodies)
    expect(answer.status).toBe(201)
    expect(names(answer.body.results)).toEqual(bodies.map(body => body.name))
    expect(await count(org, 'changes')).toBe(1000)
    expect((await org.post('/items/batch', [...bodies, { name: 'one too many' }])).status).toBe(400)
  })

  it('write nothing when one entity is bad, and name its index', async () => {
    const org = await newOrg()
    await org.make('/items', { federatedId: 'taken' })
    const bad = [{ name: 'a' }, { name: 7 }, { itemFamilyId: 'nobody' }]
    const invalid = await org.post('/items/batch', bad)
    expect(invalid.status).toBe(400)
    expect(invalid.body.errors).toMatchObject([{ path: '/1/name' }])
    const reference = await org.post('/items/batch', [{ name: 'a' }, { itemFamilyId: 'nobody' }])
    expect(reference.status).toBe(400)
    expect(reference.body.errors).toMatchObject([{ path: '/1/itemFamilyId' }])
    const duplicate = await org.post('/items/batch', [{ name: 'a' }, { name: 'b' }, { federatedId: 'taken' }])
    expect(duplicate.status).toBe(409)
    expect(duplicate.body.errors).toMatchObject([{ path: '/2/federatedId' }])
    expect(await count(org, 'entities')).toBe(1)
    expect(await count(org, 'changes')).toBe(1)
  })

  it('refuse a repeated id or federatedId', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', {})
    const created = await org.post('/items/batch', [{ federatedId: 'x' }, { federatedId: 'x' }])
    expect(created.body).toMatchObject({ status: 400, errors: [{ path: '/1/federatedId' }] })
    const updated = await org.put('/items/batch', [
      { id, name: 'a' },
      { id, name: 'b' },
    ])
    expect(updated.body).toMatchObject({ status: 400, errors: [{ path: '/1/id' }] })
    const deleted = await org.call('DELETE', '/items/batch', { body: [id, id] })
    expect(deleted.body).toMatchObject({ status: 400, errors: [{ path: '/1' }] })
  })

  it('update and delete all or none', async () => {
    const org = await newOrg()
    const made = await org.post('/items/batch', [{ name: 'a' }, { name: 'b', nested: { x: 1 } }])
    const [a, b] = (made.body.results ?? []).map(entity => String(entity.id))
    const missing = await org.put('/items/batch', [
      { id: a, name: 'A' },
      { id: 'nobody', name: 'B' },
    ])
    expect(missing.body).toMatchObject({ status: 404, errors: [{ path: '/1' }] })
    expect((await org.get(`/items/${a}`)).body.name).toBe('a')
    const updated = await org.put('/items/batch', [
      { id: b, nested: { y: null } },
      { id: a, name: 'A' },
    ])
    expect(updated.status).toBe(200)
    expect(updated.body.results).toMatchObject([
      { id: b, name: 'b', nested: { y: null } },
      { id: a, name: 'A' },
    ])
    expect(await recordsOf(String(a))).toHaveLength(2)
    const deleted = await org.call('DELETE', '/items/batch', { body: [a, b] })
    expect(deleted.status).toBe(204)
    expect(await count(org, 'entities')).toBe(0)
  })

  it('delete a family together with its options', async () => {
    const org = await newOrg()
    const family = await org.make('/items', { roles: ['family'] })
    const option = await org.make('/items', { roles: ['option'], itemFamilyId: family.id })
    expect((await org.call('DELETE', '/items/batch', { body: [family.id] })).body).toMatchObject({ code: 'in_use' })
    expect((await org.call('DELETE', '/items/batch', { body: [family.id, option.id] })).status).toBe(204)
  })

  it('upsert by federatedId creates what is absent and updates what is there', async () => {
    const org = await newOrg()
    const kept = await org.make('/items', { federatedId: 'a', name: 'old', keep: 1 })
    const answer = await org.post('/items/batch?upsertBy=federatedId', [
      { federatedId: 'b', name: 'new' },
      { federatedId: 'a', name: 'changed' },
    ])
    expect(answer.status).toBe(201)
    expect(answer.body.results).toMatchObject([
      { name: 'new', version: 1 },
      { id: kept.id, name: 'changed', keep: 1, version: 2 },
    ])
    const without = await org.post('/items/batch?upsertBy=federatedId', [{ name: 'x' }])
    expect(without.body).toMatchObject({ status: 400, errors: [{ path: '/0/federatedId' }] })
  })

  it('an upsert with typePath null keeps the stored type path and is checked against that type', async () => {
    const org = await newOrg()
    const properties = [{ slug: 'price', propertyType: 'number' }]
    await org.make('/types', { typePath: 'item:shirt', properties })
    await org.make('/items', { typePath: 'item:shirt', federatedId: 'S' })
    const upsert = (body: Json) => org.post('/items/batch?upsertBy=federatedId', [body])
    const unfit = await upsert({ federatedId: 'S', typePath: null, price: 'a text' })
    expect([unfit.status, unfit.body.errors]).toMatchObject([400, [{ path: '/0/price' }]])
    const fit = await upsert({ federatedId: 'S', typePath: null, price: 5 })
    expect(fit.body.results).toMatchObject([{ typePath: 'item:shirt', price: 5, version: 2 }])
  })

  it('upserts that race each other make one entity', async () => {
    const org = await newOrg()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        org.post('/items/batch?upsertBy=federatedId', [{ federatedId: 'a', [`p${at}`]: at }]),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(6).fill(201))
    expect(await count(org, 'entities')).toBe(1)
    const { body } = await org.get('/items', { criteria: { federatedId: 'a' } })
    expect(body.results?.[0]).toMatchObject({ p0: 0, p1: 1, p2: 2, p3: 3, p4: 4, p5: 5 })
  })

  it('of several megabytes go through whole', async () => {
    const org = await newOrg()
    const text = 'x'.repeat(100_000)
    const answer = await org.post(
      '/items/batch',
      Array.from({ length: 60 }, (_, at) => ({ name: `n${at}`, text })),
    )
    expect(answer.status).toBe(201)
    expect(answer.body.results).toHaveLength(60)
    expect(await count(org, 'changes')).toBe(60)
  })

  it('N60 are refused before anything is written where the updated entities are too large to answer', async () => {
    const org = await newOrg()
    const text = 'x'.repeat(500_000)
    const large = Array.from({ length: 18 }, (_, at) => ({ federatedId: `f${at}`, text }))
    const made = await Promise.all([large.slice(0, 9), large.slice(9)].map(some => org.post('/items/batch', some)))
    const ids = made.flatMap(({ body }) => body.results ?? []).map(({ id }) => id)
    const updates = ids.map(id => ({ id, x: 1 }))
    const upserts = large.map(({ federatedId }) => ({ federatedId, x: 1 }))
    const refused = [
      await org.put('/items/batch', updates),
      await org.post('/items/batch?upsertBy=federatedId', upserts),
      await org.post('/items/batch?upsertBy=federatedId', [{ federatedId: 'new' }, ...upserts]),
    ]
    for (const { body } of refused) {
      expect(body).toMatchObject({
        status: 413,
        code: 'too_large',
        errors: [{ path: '', message: 'Send these updates in smaller batches.' }],
      })
      expect(body.detail).toContain(String(BATCH_UPDATED_MAX_BYTES))
    }
    expect([await count(org, 'entities'), await count(org, 'changes')]).toEqual([18, 18])
    const fewer = await org.put('/items/batch', updates.slice(2))
    expect(fewer.status).toBe(200)
    expect(fewer.body.results).toMatchObject(updates.slice(2))
  })
})

describe('N18 Idempotency-Key', () => {
  const post = (org: TestOrg, key: string, body: unknown, path = '/items') =>
    org.call('POST', path, { body, headers: { 'Idempotency-Key': key } })

  it('eight simultaneous repeats make one entity and get the same answer', async () => {
    const org = await newOrg()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(org, 'k1', { name: 'a' })))
    expect(answers.map(answer => answer.status)).toEqual(Array(8).fill(201))
    expect(new Set(answers.map(answer => JSON.stringify(answer.body))).size).toBe(1)
    expect(await count(org, 'entities')).toBe(1)
    expect(await count(org, 'changes')).toBe(1)
  })

  it('a repeat gets the first answer, even when the entity has changed since', async () => {
    const org = await newOrg()
    const first = await post(org, 'k1', { name: 'a' })
    await org.put(`/items/${first.body.id}`, { name: 'b' })
    const repeat = await post(org, 'k1', { name: 'a' })
    expect(repeat.body).toEqual(first.body)
    expect(repeat.headers.get('Location')).toBe(first.headers.get('Location'))
  })

  it('the same key with another body is 409, with another credential its own', async () => {
    const org = await newOrg()
    await post(org, 'k1', { name: 'a' })
    expect((await post(org, 'k1', { name: 'b' })).body).toMatchObject({ status: 409, code: 'idempotency_key_reused' })
    const other = await newOrg()
    expect((await post(other, 'k1', { name: 'b' })).status).toBe(201)
  })

  it('a refused request keeps nothing: the key can be used again', async () => {
    const org = await newOrg()
    await org.make('/items', { federatedId: 'taken' })
    expect((await post(org, 'k1', { federatedId: 'taken' })).status).toBe(409)
    expect((await post(org, 'k1', { federatedId: 'free' })).status).toBe(201)
  })

  it('covers batches and refuses calls that issue credentials', async () => {
    const org = await newOrg()
    const first = await post(org, 'k1', [{ name: 'a' }, { name: 'b' }], '/items/batch')
    const repeat = await post(org, 'k1', [{ name: 'a' }, { name: 'b' }], '/items/batch')
    expect(repeat.body).toEqual(first.body)
    expect(await count(org, 'entities')).toBe(2)
    expect((await post(org, 'a\tb', { name: 'a' })).status).toBe(400)
  })

  it('keeps large entities in values that a database takes, however small their updates were', async () => {
    const org = await newOrg()
    const make = async (bodies: Json[]) => expect((await org.post('/items/batch', bodies)).status).toBe(201)
    // Quotes double where they are kept.
    await make(Array.from({ length: 600 }, (_, at) => ({ federatedId: `f${at}`, text: '"'.repeat(1000) })))
    await make(Array.from({ length: 4 }, (_, at) => ({ federatedId: `large${at}`, text: '\\'.repeat(250_000) })))
    const federatedIds = ['large0', ...Array.from({ length: 600 }, (_, at) => `f${at}`), 'large1', 'new', 'large2']
    const updates = [...federatedIds, 'large3'].map(federatedId => ({ federatedId, price: 1 }))
    const upsert = () => post(org, 'k1', updates, '/items/batch?upsertBy=federatedId')
    const first = await upsert()
    expect(first.status).toBe(201)
    const { results } = await env.DB.prepare('SELECT octet_length(rows) AS n FROM idempotency_rows WHERE org_id = ?')
      .bind(org.id)
      .all<{ n: number }>()
    expect(results.length).toBeGreaterThan(1)
    expect(Math.max(...results.map(({ n }) => n))).toBeLessThan(2_000_000)
    await org.put(`/items/${first.body.results?.[1]?.id}`, { price: 2 })
    expect((await upsert()).body).toEqual(first.body)
    expect(first.body.results?.map(({ federatedId }) => federatedId)).toEqual(updates.map(update => update.federatedId))
  })

  it('expires after a day', async () => {
    const org = await newOrg()
    await post(org, 'k1', { name: 'a' })
    await env.DB.prepare('UPDATE idempotency SET created_on = created_on - 86400001 WHERE org_id = ?')
      .bind(org.id)
      .run()
    expect((await post(org, 'k1', { name: 'b' })).status).toBe(201)
    expect(await count(org, 'entities')).toBe(2)
  })
})

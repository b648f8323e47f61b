import { describe, expect, it } from 'vitest'
import { env, type Json, newOrg, ORIGIN, recordsOf, send, type TestOrg } from '../api.ts'

interface Sent {
  method?: string
  headers?: Record<string, string>
}

async function sendBody(org: TestOrg, path: string, body: BodyInit, { method = 'POST', headers = {} }: Sent = {}) {
  const request = new Request(`${ORIGIN}/api${path}`, { method, body, headers: { ...org.headers, ...headers } })
  const sent = send(request)
  const response = await sent.response
  const answer = (await response.json()) as Json
  await sent.settled()
  return { status: response.status, body: answer }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** What the runtime gives when a connection ends in the middle of a body. */
function cut(first: string): ReadableStream {
  return new ReadableStream({
    start: controller => controller.enqueue(new TextEncoder().encode(first)),
    pull: controller => controller.error(new Error('Network connection lost.')),
  })
}

async function objectsOf(org: TestOrg): Promise<string[]> {
  return (await env.FILES.list({ prefix: `${org.id}/` })).objects.map(object => object.key)
}

describe('N69 a body that breaks off', () => {
  it.each([
    ['JSON', '/items', JSON_TYPE],
    ['JSON of a batch', '/items/batch', JSON_TYPE],
    ['JSON of a file', '/files', JSON_TYPE],
    ['content', '/files?fileName=a.csv', { 'Content-Type': 'text/csv' }],
    ['a form', '/files', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ])('is 400 and leaves nothing behind: %s', async (_, path, headers) => {
    const org = await newOrg()
    const { status, body } = await sendBody(org, path, cut('{"name":'), { headers })
    expect([status, body.code]).toEqual([400, 'invalid_input'])
    expect((await org.get('/items')).body.results).toEqual([])
    expect((await org.get('/files')).body.results).toEqual([])
    expect(await objectsOf(org)).toEqual([])
  })

  it('leaves a pending file pending, and its parts as they were', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.bin' })
    expect((await sendBody(org, `/files/${id}/content`, cut('x'), { method: 'PUT' })).status).toBe(400)
    expect((await sendBody(org, `/files/${id}/parts?partNumber=1`, cut('x'))).status).toBe(400)
    expect((await org.get(`/files/${id}`)).body.status).toBe('pending')
    expect((await sendBody(org, `/files/${id}/content`, 'whole', { method: 'PUT' })).body).toMatchObject({ size: 5 })
  })

  it('is 400 for a webhook too', async () => {
    const org = await newOrg()
    const { triggerUrl } = await org.make('/webhooks', { name: 'w' })
    const path = String(triggerUrl).slice(`${ORIGIN}/api`.length)
    expect((await sendBody(org, path, cut('{"a":'), { headers: JSON_TYPE })).status).toBe(400)
  })
})

describe('N69 Content-Encoding', () => {
  it.each(['gzip', 'br', 'gzip, identity', 'GZIP'])('%s is 415, whatever takes the body', async encoding => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.csv' })
    for (const [path, method] of [
      ['/items', 'POST'],
      ['/files?fileName=a.csv', 'POST'],
      [`/files/${id}/content`, 'PUT'],
    ] as const) {
      const headers = { ...JSON_TYPE, 'Content-Encoding': encoding }
      const answer = await sendBody(org, path, '{"name":"a"}', { method, headers })
      expect([path, answer.status, answer.body.code]).toEqual([path, 415, 'unsupported_media_type'])
    }
    expect((await org.get('/items')).body.results).toEqual([])
  })

  it('identity is no encoding', async () => {
    const org = await newOrg()
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'Identity' }
    expect((await sendBody(org, '/items', '{}', { headers })).status).toBe(201)
  })
})

describe('N69 integers that JavaScript cannot hold', () => {
  it.each([
    ['{"a":9007199254740993}', '/a'],
    ['{"a":[1,{"b/c":-9007199254740993}]}', '/a/1/b~1c'],
    ['{"a":12345678901234567890123}', '/a'],
  ])('%s is 400 with the place', async (body, path) => {
    const org = await newOrg()
    const answer = await sendBody(org, '/items', body, { headers: JSON_TYPE })
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining({ path })]])
    const batch = await sendBody(org, '/items/batch', `[{}, ${body}]`, { headers: JSON_TYPE })
    expect(batch.body.errors).toEqual([expect.objectContaining({ path: `/1${path}` })])
  })

  it.each([
    ['the largest that are safe', '[9007199254740991,-9007199254740991]'],
    ['larger ones that a double holds', '[9007199254740992,123456789012345680]'],
    ['fractions and exponents', '[0.12345678901234567890,1e21,1.5E300]'],
    ['digits in text', '["9007199254740993"]'],
  ])('%s are taken', async (_, list) => {
    const org = await newOrg()
    const answer = await sendBody(org, '/items', `{"a":${list}}`, { headers: JSON_TYPE })
    expect(answer.status).toBe(201)
    expect(answer.body.a).toEqual(JSON.parse(list))
  })
})

describe('N69 an empty batch', () => {
  it('is done: nothing is written, and nothing is wrong', async () => {
    const org = await newOrg()
    expect(await org.post('/items/batch', [])).toMatchObject({ status: 201, body: { results: [] } })
    expect(await org.put('/items/batch', [])).toMatchObject({ status: 200, body: { results: [] } })
    expect(await org.post('/items/batch?upsertBy=federatedId', [])).toMatchObject({
      status: 201,
      body: { results: [] },
    })
    expect((await org.call('DELETE', '/items/batch', { body: [] })).status).toBe(204)
    expect((await org.get('/change-history')).body.results).toEqual([])
  })
})

describe('N66 equal values', () => {
  it('are equal whatever the order of their keys, on update, in batches and by upsert', async () => {
    const org = await newOrg()
    const made = await org.make('/items', { federatedId: 'F', a: { b: 1, c: { d: 2, e: [{ f: 3, g: 4 }] } } })
    const turned = { a: { c: { e: [{ g: 4, f: 3 }], d: 2 }, b: 1 } }
    expect((await org.put(`/items/${made.id}`, turned)).body).toMatchObject({ version: 1 })
    expect((await org.put('/items/batch', [{ id: made.id, ...turned }])).status).toBe(200)
    await org.post('/items/batch?upsertBy=federatedId', [{ federatedId: 'F', ...turned }])
    expect(await recordsOf(made.id)).toHaveLength(1)
    const changed = await org.put(`/items/${made.id}`, { a: { c: { e: [{ g: 4, f: 5 }], d: 2 }, b: 1 } })
    expect(changed.body).toMatchObject({ version: 2, a: { b: 1, c: { d: 2, e: [{ f: 5, g: 4 }] } } })
  })

  it('but the order of a list counts', async () => {
    const org = await newOrg()
    const made = await org.make('/items', { a: [1, 2] })
    expect((await org.put(`/items/${made.id}`, { a: [2, 1] })).body.version).toBe(2)
  })

  it('is 400 for a POST that takes none, where it says anything', async () => {
    const org = await newOrg()
    const assortment = await org.make('/assortments', {})
    const publish = (body?: unknown) => org.call('POST', `/assortments/${assortment.id}/publish`, { body })
    expect((await publish({ shouldSkip: true })).body).toMatchObject({ status: 400, code: 'invalid_input' })
    expect([(await publish({})).status, (await publish()).status]).not.toContain(400)
  })
})

import { describe, expect, it } from 'vitest'
import { ENTITY_MAX_BYTES } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, ORIGIN, recordsOf, send, type TestOrg } from '../api.ts'

const raw = (org: TestOrg, body: string | ReadableStream, contentType?: string) =>
  org.call('POST', '/items', { body, ...(contentType !== undefined && { headers: { 'Content-Type': contentType } }) })

async function nothingWritten(org: TestOrg) {
  const { results } = await env.DB.prepare(
    'SELECT id FROM changes WHERE org_id = ?1 UNION ALL SELECT id FROM entities WHERE org_id = ?1',
  )
    .bind(org.id)
    .all()
  expect(results).toEqual([])
}

describe('bodies', () => {
  it.each([
    '',
    ' ',
    '{',
    '{"a":}',
    '{"a":1,}',
    "{'a':1}",
    'undefined',
    'NaN',
    '{"a":01}',
    '{"a":"\n"}',
    '{"a":1}{"b":2}',
    '\u0000',
  ])('%j is no JSON: 400 invalid_json', async body => {
    const org = await newOrg()
    expect(await raw(org, body)).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
    await nothingWritten(org)
  })

  it.each(['null', '1', '"text"', 'true', '[]', '[{}]'])('%s is no entity: 400', async body => {
    const org = await newOrg()
    expect(await raw(org, body)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    await nothingWritten(org)
  })

  it.each([
    'text/plain',
    '',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json',
    'application/json2',
  ])('of type %j: 415', async type => {
    const org = await newOrg()
    expect(await raw(org, '{}', type)).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
    await nothingWritten(org)
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json'])(
    'of type %s are taken',
    async type => expect((await raw(await newOrg(), '{}', type)).status).toBe(201),
  )

  it('that are not UTF-8 are refused', async () => {
    const org = await newOrg()
    const request = new Request(`${ORIGIN}/api/items`, {
      method: 'POST',
      headers: { ...org.headers, 'Content-Type': 'application/json' },
      body: new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    })
    const response = await send(request).response
    expect([response.status, ((await response.json()) as Json).code]).toEqual([400, 'invalid_json'])
    await nothingWritten(org)
  })

  it.each([
    ['prototype names', '{"__proto__":{"a":1}}', '/__proto__'],
    ['prototype names inside', '{"a":[{"constructor":1}]}', '/a/0/constructor'],
    ['numbers beyond a double', '{"a":{"b":1e400}}', '/a/b'],
    ['negative numbers beyond a double', '{"a":-1e400}', '/a'],
    ['half a surrogate pair', '{"a":"\\ud83d"}', '/a'],
    ['half a surrogate pair in a name', '{"\\ud83d":1}', '/\ud83d'],
    ['half a surrogate pair in federatedId', '{"federatedId":"x\\udc00"}', '/federatedId'],
    ['control characters in name', '{"name":"a\\u0007"}', '/name'],
    ['control characters in a property name', '{"a\\u0000b":1}', '/a\u0000b'],
    ['quotes in a property name', '{"a\\"b":1}', '/a"b'],
    ['backslashes in a property name', '{"a\\\\b":1}', '/a\\b'],
    ['an empty property name', '{"":1}', '/'],
    ['a long property name', `{"${'x'.repeat(129)}":1}`, `/${'x'.repeat(129)}`],
  ])('with %s are 400 with the place', async (_, body, path) => {
    const org = await newOrg()
    const answer = await raw(org, body)
    expect(answer.status).toBe(400)
    expect((answer.body.errors as Json[]).map(error => error.path)).toContain(path)
    await nothingWritten(org)
    expect({}).not.toHaveProperty('a')
  })

  it('with deep nesting are 400, however deep', async () => {
    const org = await newOrg()
    for (const levels of [40, 1000, 100_000]) {
      const answer = await raw(org, `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)
      expect(answer.status).toBe(400)
    }
    expect((await raw(org, `{"a":${'['.repeat(30)}${']'.repeat(30)}}`)).status).toBe(201)
  })

  it('with many faults name them all at once', async () => {
    const org = await newOrg()
    const { body } = await org.post('/items', {
      name: 5,
      federatedId: '',
      typePath: 'color',
      roles: ['x'],
      itemFamilyId: 1,
    })
    expect((body.errors as Json[]).map(error => error.path).sort()).toEqual([
      '/federatedId',
      '/itemFamilyId',
      '/name',
      '/roles/0',
      '/typePath',
    ])
    await nothingWritten(org)
  })

  it('keep every value as it is', async () => {
    const org = await newOrg()
    const values = {
      text: 'tab\t line\n nul\u0000 quote" back\\ slash/ 👕 ä \u2028',
      numbers: [0, -1, 1.5, 1e21, 1e-7, 123456789012345680, 0.1, 1e308, 5e-324],
      'a.b': { 'c.d': null },
      $: 1,
      '[0]': 2,
      'größe 👕': 3,
      "o'clock": 4,
      empty: { list: [], object: {}, text: '' },
      toString: 'x',
      hasOwnProperty: true,
      0: 'zero',
    }
    const made = await org.make('/items', values)
    expect(made).toMatchObject(values)
    expect((await org.get(`/items/${made.id}`)).body).toEqual(made)
    const changed = await org.put(`/items/${made.id}`, { ...values, numbers: [1], more: { x: null } })
    expect(changed.body).toMatchObject({ ...values, numbers: [1], more: { x: null }, version: 2 })
    const [, record] = await recordsOf(made.id)
    expect(Object.keys(record?.detail ?? {}).sort()).toEqual(['more', 'numbers'])
    const cleared = await org.put(
      `/items/${made.id}`,
      Object.fromEntries(Object.keys(values).map(name => [name, null])),
    )
    for (const name of Object.keys(values)) expect(Object.keys(cleared.body)).not.toContain(name)
  })

  it('that change nothing write no record and keep the version', async () => {
    const org = await newOrg()
    const made = await org.make('/items', { name: 'a', list: [{ a: null }], object: { b: [1, 2] }, n: 1.5 })
    for (const body of [
      {},
      { name: 'a' },
      { absent: null },
      { list: [{ a: null }] },
      { object: { b: [1, 2] }, n: 1.5 },
    ]) {
      expect((await org.put(`/items/${made.id}`, body)).body).toEqual(made)
    }
    expect(await recordsOf(made.id)).toHaveLength(1)
  })
})

describe('sizes', () => {
  it('an entity holds 512 KB and not a byte more, on create and by growing', async () => {
    const org = await newOrg()
    const frame = '{"typePath":"item","text":""}'.length
    const text = 'x'.repeat(ENTITY_MAX_BYTES - frame)
    const { id } = await org.make('/items', { text })
    expect(await org.post('/items', { text: `${text}x` })).toMatchObject({ status: 413, body: { code: 'too_large' } })
    expect(await org.put(`/items/${id}`, { more: 1 })).toMatchObject({ status: 413, body: { code: 'too_large' } })
    expect((await org.get(`/items/${id}`)).body.version).toBe(1)
    expect(await recordsOf(id)).toHaveLength(1)
    const umlauts = 'ä'.repeat(ENTITY_MAX_BYTES / 2 - 10)
    expect((await org.post('/items', { text: umlauts })).status).toBe(413)
  })

  it('a body over 1 MB is 413, with a length and without one', async () => {
    const org = await newOrg()
    const body = `{"text":"${'x'.repeat(1024 * 1024)}"}`
    expect(await raw(org, body)).toMatchObject({ status: 413, body: { code: 'too_large' } })
    const stream = () => new Blob([body]).stream()
    const request = new Request(`${ORIGIN}/api/items`, {
      method: 'POST',
      headers: { ...org.headers, 'Content-Type': 'application/json' },
      body: stream(),
    })
    expect((await send(request).response).status).toBe(413)
    const lying = new Request(`${ORIGIN}/api/items`, {
      method: 'POST',
      headers: { ...org.headers, 'Content-Type': 'application/json', 'Content-Length': '2000000' },
      body: '{}',
    })
    expect((await send(lying).response).status).toBe(413)
    await nothingWritten(org)
  })

  it('an entity has at most 1000 properties', async () => {
    const org = await newOrg()
    const properties = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at]))
    expect((await org.post('/items', properties(1001))).status).toBe(400)
    const made = await org.post('/items', properties(1000))
    expect(made.status).toBe(201)
    expect((await org.put(`/items/${made.body.id}`, made.body)).status).toBe(200)
  })

  it('a page of large entities stays within what a Worker can hold', async () => {
    const org = await newOrg()
    const text = 'x'.repeat(500_000)
    for (let at = 0; at < 24; at++) await org.make('/colors', { text, at })
    const seen: unknown[] = []
    let nextPageKey: unknown
    do {
      const { body } = await org.get('/colors', { limit: 1000, ...(nextPageKey ? { nextPageKey } : {}) })
      expect(JSON.stringify(body).length).toBeLessThan(10 * 1024 * 1024)
      seen.push(...(body.results ?? []).map(entity => entity.at))
      nextPageKey = body.nextPageKey
    } while (nextPageKey)
    expect(seen).toEqual(Array.from({ length: 24 }, (_, at) => at))
  })
})

import { describe, expect, it } from 'vitest'
import { ApiError, connect, login } from '../../src/clients/typescript/index.ts'
import { type FakeServer, fakeServer, inOrder, problem } from './fake-server.ts'

const item = { id: 'i1', name: 'Linen shirt' }
const tooMany = { ...problem(429, 'rate_limited'), headers: { 'retry-after': '0' } }

function clientOf(server: FakeServer, more = {}) {
  return connect({ baseUrl: server.baseUrl, apiKey: 'app:key', orgSlug: 'demo', ...more })
}

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    reason => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

describe('login', () => {
  it('checks a key with one cheap call and sends both headers with every call', async () => {
    const server = await fakeServer(() => ({ json: { results: [], nextPageKey: null } }))
    const client = await login({ baseUrl: server.baseUrl, apiKey: 'app:key', orgSlug: 'demo' })
    await client.entities.list({ entityName: 'color' })
    expect(server.asked.map(each => [each.path, each.query])).toEqual([
      ['/api/auth/me', {}],
      ['/api/colors', {}],
    ])
    for (const each of server.asked) expect(each.headers).toMatchObject({ 'x-api-key': 'app:key', 'x-api-org': 'demo' })
  })

  it('fails with 401 on a wrong key', async () => {
    const server = await fakeServer(() => problem(401, 'unauthorized'))
    const error = await failure(login({ baseUrl: server.baseUrl, apiKey: 'app:wrong', orgSlug: 'demo' }))
    expect(error).toMatchObject({ status: 401, code: 'unauthorized', requestId: 'r-1' })
  })

  it('exchanges email and password for a token and is not repeated', async () => {
    const session = { accessToken: 't0ken', expiresOn: '2026-01-01T00:00:00.000Z', user: { id: 'u1', email: 'a@b.c' } }
    const server = await fakeServer(asked => (asked.path === '/api/auth/login' ? { json: session } : { json: item }))
    const client = await login({ baseUrl: server.baseUrl, email: 'a@b.c', password: 'secret', orgSlug: 'demo' })
    await client.entities.get({ entityName: 'item', id: 'i1' })
    expect(client.session).toEqual(session)
    expect(server.asked[0]).toMatchObject({
      method: 'POST',
      json: { email: 'a@b.c', password: 'secret', orgSlug: 'demo' },
    })
    expect(server.asked[0]?.headers['idempotency-key']).toBeUndefined()
    expect(server.asked[1]?.headers.authorization).toBe('Bearer t0ken')

    const busy = await fakeServer(() => tooMany)
    await failure(login({ baseUrl: busy.baseUrl, email: 'a@b.c', password: 'secret', orgSlug: 'demo' }))
    expect(busy.asked).toHaveLength(1)
  })

  it('refuses at once what can never work: a broken address, a key with a line break, an empty key', async () => {
    const good = { baseUrl: 'https://host/api', apiKey: 'k', orgSlug: 'o' }
    expect(() => connect({ ...good, baseUrl: 'host/api' })).toThrow(TypeError)
    expect(() => connect({ ...good, baseUrl: 'ftp://host/api' })).toThrow(TypeError)
    expect(() => connect({ ...good, baseUrl: 'https://me:pw@host/api' })).toThrow(TypeError)
    expect(() => connect({ ...good, apiKey: 'a\nb' })).toThrow(TypeError)
    expect(() => connect({ ...good, apiKey: '' })).toThrow(TypeError)
    expect(connect({ ...good, baseUrl: 'https://host' }).baseUrl).toBe('https://host/api')
    expect(connect({ ...good, baseUrl: 'https://host/api/' }).baseUrl).toBe('https://host/api')
  })
})

describe('repeats', () => {
  it('survives a server that answers 429 twice', async () => {
    const server = await fakeServer(inOrder(tooMany, tooMany, { json: item }))
    expect(await clientOf(server).entities.get({ entityName: 'item', id: 'i1' })).toEqual(item)
    expect(server.asked).toHaveLength(3)
  })

  it('waits as long as Retry-After says', async () => {
    const busy = { ...problem(503, 'unavailable'), headers: { 'retry-after': '1' } }
    const server = await fakeServer(inOrder(busy, { json: item }))
    const began = Date.now()
    await clientOf(server).entities.get({ entityName: 'item', id: 'i1' })
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000)
  })

  it('survives a broken connection on create and sends the same idempotency key again', async () => {
    const server = await fakeServer(inOrder('break', { status: 201, json: item }))
    await clientOf(server).entities.create({ entityName: 'item', object: { name: 'Linen shirt' } })
    const keys = server.asked.map(each => each.headers['idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).toBe(keys[0])
  })

  it('uses another idempotency key for another call, and the caller’s where there is one', async () => {
    const server = await fakeServer(() => ({ status: 201, json: item }))
    const client = clientOf(server)
    await client.entities.create({ entityName: 'item', object: {} })
    await client.entities.create({ entityName: 'item', object: {} })
    await client.entities.create({ entityName: 'item', object: {}, idempotencyKey: 'mine' })
    const keys = server.asked.map(each => each.headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('mine')
  })

  it('does not repeat calls that issue credentials', async () => {
    for (const answer of [tooMany, problem(503, 'unavailable'), 'break'] as const) {
      const server = await fakeServer(() => answer)
      const client = clientOf(server)
      await failure(client.keys.create({ name: 'ci' }))
      await failure(client.entities.create({ entityName: 'webhook', object: { name: 'shop' } }))
      await failure(client.workflows.createWebhook({ name: 'shop' }))
      await failure(client.people.invite({ email: 'a@b.c' }))
      expect(server.asked).toHaveLength(4)
      for (const each of server.asked) expect(each.headers['idempotency-key']).toBeUndefined()
    }
  })

  it('repeats a write under If-Match only when it was surely not carried out', async () => {
    const broken = await fakeServer(() => 'break')
    const change = { entityName: 'item', id: 'i1', body: { name: 'New' }, ifMatch: '"3"' }
    await failure(clientOf(broken).entities.update(change))
    expect(broken.asked).toHaveLength(1)
    const busy = await fakeServer(inOrder(tooMany, { json: item }))
    await clientOf(busy).entities.update(change)
    expect(busy.asked.map(each => each.headers['if-match'])).toEqual(['"3"', '"3"'])
  })

  it('takes a 404 after a delete in doubt for its own work, but not a first 404', async () => {
    const server = await fakeServer(inOrder('break', problem(404, 'not_found')))
    await clientOf(server).entities.delete({ entityName: 'item', id: 'i1' })
    const missing = await fakeServer(() => problem(404, 'not_found'))
    expect((await failure(clientOf(missing).entities.delete({ entityName: 'item', id: 'i1' }))).status).toBe(404)
  })

  it('takes a 404 after a batch in doubt for its own work only where it names all of it', async () => {
    const errors = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `/${at}`, message: 'gone' }))
    const ids = ['a', 'b']
    const all = await fakeServer(inOrder('break', problem(404, 'not_found', { errors: errors(2) })))
    await clientOf(all).entities.deleteBatch({ entityName: 'item', ids })
    for (const some of [errors(1), errors(2).slice(1)]) {
      const server = await fakeServer(inOrder('break', problem(404, 'not_found', { errors: some })))
      expect((await failure(clientOf(server).entities.deleteBatch({ entityName: 'item', ids }))).status).toBe(404)
    }
    const many = await fakeServer(inOrder('break', problem(404, 'not_found', { errors: errors(100) })))
    await clientOf(many).entities.deleteBatch({ entityName: 'item', ids: errors(150).map(({ path }) => path) })
  })

  it('gives up after maxRetries with the last error', async () => {
    const server = await fakeServer(() => tooMany)
    const error = await failure(clientOf(server, { maxRetries: 1 }).entities.get({ entityName: 'item', id: 'i1' }))
    expect(error.status).toBe(429)
    expect(server.asked).toHaveLength(2)
  })
})

describe('errors', () => {
  it('carries everything the problem document says', async () => {
    const errors = [{ path: '/name', message: 'must be a string' }]
    const server = await fakeServer(() => problem(400, 'invalid_input', { errors }))
    const error = await failure(clientOf(server).entities.create({ entityName: 'item', object: {} }))
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_input',
      requestId: 'r-1',
      errors,
      detail: 'Detail of invalid_input',
    })
    expect(error.message).toBe('Detail of invalid_input')
  })

  it('is an ApiError for answers that are not JSON, good or bad', async () => {
    const page = { text: '<html>', headers: { 'content-type': 'text/html', 'x-request-id': 'r-9' } }
    const good = await fakeServer(() => page)
    expect(await failure(clientOf(good).entities.get({ entityName: 'item', id: 'i1' }))).toMatchObject({
      status: 200,
      code: 'invalid_answer',
      requestId: 'r-9',
    })
    const bad = await fakeServer(() => ({ ...page, status: 418 }))
    expect(await failure(clientOf(bad).entities.get({ entityName: 'item', id: 'i1' }))).toMatchObject({
      status: 418,
      code: 'invalid_answer',
    })
    const cut = await fakeServer(() => ({ text: '{"id":', headers: { 'content-type': 'application/json' } }))
    expect(await failure(clientOf(cut).entities.get({ entityName: 'item', id: 'i1' }))).toMatchObject({
      code: 'invalid_answer',
    })
  })

  it('does not follow a redirect with the key in hand', async () => {
    const other = await fakeServer(() => ({ json: item }))
    const server = await fakeServer(() => ({ status: 302, headers: { location: `${other.baseUrl}/items/i1` } }))
    const error = await failure(clientOf(server).entities.get({ entityName: 'item', id: 'i1' }))
    expect(error.code).toBe('unexpected_redirect')
    expect(other.asked).toHaveLength(0)
  })

  it('has status 0 and the reason when there is no connection', async () => {
    const client = connect({ baseUrl: 'http://127.0.0.1:9/api', apiKey: 'k', orgSlug: 'o', maxRetries: 0 })
    const error = await failure(client.entities.get({ entityName: 'item', id: 'i1' }))
    expect(error).toMatchObject({ status: 0, code: 'connection_failed' })
  })
})

describe('time', () => {
  it('gives up an attempt after the timeout and repeats it', async () => {
    let attempts = 0
    const late = async (_: unknown, init?: RequestInit) => {
      if (attempts++ > 0) return Response.json(item)
      return new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    }
    const client = connect({ baseUrl: 'https://host/api', apiKey: 'k', orgSlug: 'o', fetch: late, timeoutMs: 50 })
    expect(await client.entities.get({ entityName: 'item', id: 'i1' })).toEqual(item)
    expect(attempts).toBe(2)
    const silent = await fakeServer(() => 'hang')
    const call = clientOf(silent).entities.get({ entityName: 'item', id: 'i1', timeoutMs: 50, maxRetries: 0 })
    expect(await failure(call)).toMatchObject({ status: 0, code: 'timeout' })
  })

  it('ends at the caller’s signal with the caller’s reason, in a call and between two attempts', async () => {
    const reason = new Error('changed my mind')
    const first = new AbortController()
    const silent = await fakeServer(() => {
      first.abort(reason)
      return 'hang'
    })
    const during = clientOf(silent).entities.get({ entityName: 'item', id: 'i1', signal: first.signal })
    await expect(during).rejects.toBe(reason)
    const second = new AbortController()
    const busy = await fakeServer(() => ({ ...tooMany, headers: { 'retry-after': '60' } }))
    const answered: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      setTimeout(() => second.abort(reason))
      return response
    }
    const waiting = clientOf(busy, { fetch: answered })
    const between = waiting.entities.get({ entityName: 'item', id: 'i1', signal: second.signal })
    await expect(between).rejects.toBe(reason)
    expect(busy.asked).toHaveLength(1)
    const never = clientOf(busy).entities.get({ entityName: 'item', id: 'i1', signal: AbortSignal.abort(reason) })
    await expect(never).rejects.toBe(reason)
    expect(busy.asked).toHaveLength(1)
  })
})

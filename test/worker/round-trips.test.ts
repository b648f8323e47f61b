// Speed: get, list and each write are one D1 round trip once the key is cached. Every call on the binding is counted.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { env, type Json, newOrg, ORIGIN, queryText, type TestOrg } from './api.ts'

let trips = 0

/** Counts what goes over the binding: `batch` and `exec` of database and session, and the running of single statements. */
function counted<T extends object>(target: T): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name)
      if (typeof member !== 'function') return member
      return (...parameters: unknown[]): unknown => {
        if (['batch', 'exec', 'dump', 'all', 'run', 'raw', 'first'].includes(String(name))) trips++
        const plain = parameters.map(unwrapped)
        const result: unknown = Reflect.apply(member, object, plain)
        return ['prepare', 'bind', 'withSession'].includes(String(name)) ? wrap(result as object) : result
      }
    },
  })
}

const inner = new WeakMap<object, object>()

function wrap(target: object): object {
  const proxy = counted(target)
  inner.set(proxy, target)
  return proxy
}

/** A batch takes the statements themselves. */
function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped)
  return typeof value === 'object' && value !== null ? (inner.get(value) ?? value) : value
}

const countedEnv = { ...env, DB: counted(env.DB) }

let org: TestOrg

async function tripsOf(
  method: string,
  path: string,
  body?: unknown,
): Promise<[status: number, trips: number, answer: Json]> {
  const execution = createExecutionContext()
  const request = new Request(`${ORIGIN}/api${path}`, {
    method,
    headers: { ...org.headers, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  trips = 0
  const response = await worker.fetch(request, countedEnv, execution)
  const text = await response.text()
  await waitOnExecutionContext(execution)
  return [response.status, trips, (text ? JSON.parse(text) : {}) as Json]
}

beforeAll(async () => {
  org = await newOrg()
  await org.get('/items')
})

describe('round trips to the database', () => {
  it('are counted at all: the first call of a key looks it up and notes its use', async () => {
    org = await newOrg()
    expect((await tripsOf('GET', '/items'))[1]).toBeGreaterThan(1)
  })

  it('are one each for create, get, update, list, list with relations and delete', async () => {
    const [created, createTrips, family] = await tripsOf('POST', '/items', { name: 'family', federatedId: 'F' })
    expect([created, createTrips]).toEqual([201, 1])
    const [, , option] = await tripsOf('POST', '/items', { itemFamilyId: family.id, nested: { a: 1 } })
    const path = `/items/${option.id}`
    const query = queryText({
      relations: 'itemFamily.itemFamily',
      criteria: { nested: null },
      order: { orderField: 'name' },
    })
    expect((await tripsOf('GET', path)).slice(0, 2)).toEqual([200, 1])
    expect((await tripsOf('GET', `${path}?relations=itemFamily`)).slice(0, 2)).toEqual([200, 1])
    expect((await tripsOf('GET', '/items')).slice(0, 2)).toEqual([200, 1])
    expect((await tripsOf('GET', `/items${query}`)).slice(0, 2)).toEqual([200, 1])
    expect((await tripsOf('PUT', path, { name: 'x', nested: { b: 1 }, federatedId: 'G' })).slice(0, 2)).toEqual([
      200, 1,
    ])
    expect((await tripsOf('DELETE', path)).slice(0, 2)).toEqual([204, 1])
  })

  it('are one for what is refused by the database, and none for what is refused before', async () => {
    expect((await tripsOf('GET', '/items/AAAAAAAAAAAAAAAA')).slice(0, 2)).toEqual([404, 1])
    expect((await tripsOf('DELETE', '/items/AAAAAAAAAAAAAAAA')).slice(0, 2)).toEqual([404, 1])
    expect((await tripsOf('POST', '/items', { name: 5 })).slice(0, 2)).toEqual([400, 0])
    expect((await tripsOf('GET', '/items?limit=0')).slice(0, 2)).toEqual([400, 0])
    expect((await tripsOf('GET', '/nothing')).slice(0, 2)).toEqual([404, 0])
  })

  it('are one for a batch of a thousand', async () => {
    const bodies = Array.from({ length: 1000 }, (_, at) => ({ federatedId: `B${at}`, n: at }))
    const [status, count, { results = [] }] = await tripsOf('POST', '/colors/batch', bodies)
    expect([status, count]).toEqual([201, 1])
    const updates = results.map(({ id }) => ({ id, n: -1 }))
    expect((await tripsOf('PUT', '/colors/batch', updates)).slice(0, 2)).toEqual([200, 1])
    expect(
      (
        await tripsOf(
          'DELETE',
          '/colors/batch',
          results.map(({ id }) => id),
        )
      ).slice(0, 2),
    ).toEqual([204, 1])
  })
})

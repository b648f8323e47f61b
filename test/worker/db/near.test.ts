// N59: where calls go when the primary is far away and a replica is near.
import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetCredential } from '../../../src/features/auth/authenticate.ts'
import { taskObject } from '../../../src/features/workflows/task/objects.ts'
import worker from '../../../src/index.ts'
import { REPLICA_LAG_MAX_MS } from '../../../src/platform/db/limits.ts'
import { CREDENTIAL_CACHE_MS } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, ORIGIN, operator, type TestOrg } from '../api.ts'
import { DistantDatabase } from '../distant-database.ts'

let org: TestOrg
let headers: Record<string, string>
let distant: DistantDatabase
let bookmark: string | null
let now = 0

/** That a key was used is noted once an hour, after the answer: a call of its own, and none of these. */
const neverNoted = () =>
  env.DB.prepare('UPDATE credentials SET last_used_on = ? WHERE org_id = ?')
    .bind(Date.now() * 2, org.id)
    .run()

beforeEach(async () => {
  now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  org = await newOrg()
  headers = org.headers
  await neverNoted()
  distant = new DistantDatabase(env.DB)
  bookmark = null
  forgetByTime()
})

afterEach(() => vi.restoreAllMocks())

/** As an isolate that has never seen the key, or not for long. */
function forgetByTime(): void {
  now += Math.max(CREDENTIAL_CACHE_MS, REPLICA_LAG_MAX_MS) + 1
}

async function sent(method: string, path: string, body?: unknown, more: Partial<typeof env> = {}) {
  const execution = createExecutionContext()
  const request = new Request(`${ORIGIN}/api${path}`, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json', ...(bookmark && { 'x-d1-bookmark': bookmark }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  distant.forget()
  const response = await worker.fetch(request, { ...env, DB: distant.binding, ...more }, execution)
  const text = await response.text()
  const trips = { ...distant.trips }
  await waitOnExecutionContext(execution)
  return {
    status: response.status,
    body: (text ? JSON.parse(text) : {}) as Json & { id: string },
    bookmark: response.headers.get('x-d1-bookmark'),
    trips,
  }
}

const onlyNear = (near: number) => ({ far: 0, near })

describe('a caller far from the primary (N59)', () => {
  it('reads nearby with a bookmark, the first call of an isolate included; a write goes over once', async () => {
    const created = await sent('POST', '/items', { name: 'far' })
    expect([created.status, created.trips]).toEqual([201, { far: 1, near: 1 }])
    bookmark = created.bookmark
    expect(bookmark).toMatch(/^[0-9a-f-]{59}$/)
    const reads = [`/items/${created.body.id}`, '/items', '/change-history?after=', '/change-history']
    for (const path of reads) {
      forgetByTime()
      const cold = await sent('GET', path)
      expect([path, cold.status, cold.trips]).toEqual([path, 200, onlyNear(2)])
      const warm = await sent('GET', path)
      expect([path, warm.status, warm.trips]).toEqual([path, 200, onlyNear(1)])
      expect(JSON.stringify(warm.body)).toContain('far')
      expect(warm.bookmark).toBeTruthy()
    }
    const again = await sent('PUT', `/items/${created.body.id}`, { name: 'farther' })
    expect([again.status, again.trips]).toEqual([200, { far: 1, near: 0 }])
  })

  it('is answered by the primary without a bookmark, and where it goes by the clock', async () => {
    await sent('GET', '/items')
    expect((await sent('GET', '/items')).trips).toEqual({ far: 1, near: 0 })
    bookmark = (await sent('GET', '/items')).bookmark
    const criteria = JSON.stringify({ createdOn: 'BETWEEN 2020-01-01T00:00:00.000Z and 2099-01-01T00:00:00.000Z' })
    const timed = await sent('GET', `/change-history?criteria=${encodeURIComponent(criteria)}`)
    expect([timed.status, timed.trips]).toEqual([200, { far: 1, near: 0 }])
  })

  it('goes over once for a callback, and knows from where on it is to be seen', async () => {
    const task = (await sent('POST', '/event-workflow-tasks', { name: 'wait', async: true })).body
    await runInDurableObject(taskObject(env, org.id, task.id), object => {
      const own = object as unknown as { env: typeof env }
      own.env = { ...own.env, DB: distant.binding }
    })
    const called = await sent('POST', '/external-events/callback', { taskId: task.id, status: 'SUCCESS' })
    expect([called.status, called.trips]).toEqual([200, { far: 1, near: 0 }])
    expect(called.bookmark).toMatch(/^[0-9a-f-]{59}$/)
  })
})

describe('a replica that is behind (N59)', () => {
  it('is not believed where it does not know a key, or knows it as revoked or suspended', async () => {
    distant.stop()
    expect((await sent('GET', '/items')).status).toBe(200)
    expect(distant.trips).toEqual({ far: 2, near: 1 })

    distant.stopped = undefined
    await operator('PUT', `/orgs/${org.slug}`, { suspended: true })
    forgetByTime()
    expect((await sent('GET', '/items')).status).toBe(403)
    distant.stop()
    await operator('PUT', `/orgs/${org.slug}`, { suspended: false })
    forgetByTime()
    expect((await sent('GET', '/items')).status).toBe(200)
  })

  it('lets a revoked key in for its lag, but not where it was revoked, nor where credentials are strict', async () => {
    const issued = await operator<{ id: string; key: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'gone' })
    headers = { ...headers, 'X-Api-Key': issued.body.key }
    await neverNoted()
    expect((await sent('GET', '/items')).status).toBe(200)
    forgetByTime()
    expect((await sent('GET', '/items')).trips).toEqual({ far: 1, near: 1 })
    distant.stop()
    await env.DB.prepare('UPDATE credentials SET revoked_on = 1 WHERE id = ?').bind(issued.body.id).run()
    forgetByTime()
    expect((await sent('GET', '/items')).status).toBe(200)
    forgetByTime()
    expect((await sent('GET', '/items', undefined, { STRICT_CREDENTIALS: '1' })).status).toBe(401)
    forgetByTime()
    forgetCredential(issued.body.id)
    expect((await sent('GET', '/items')).status).toBe(401)
  })
})

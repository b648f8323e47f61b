// Commit times: taken inside the commit, never running backwards, and brought back where they are far ahead.
import { describe, expect, it } from 'vitest'
import { CLOCK_AHEAD_MAX_MS } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, ORIGIN, operator, send, type TestOrg } from '../api.ts'
import { commitAhead, holdClock } from '../clock.ts'

const HOUR_MS = 3_600_000

async function platformTime(): Promise<number> {
  const row = await env.DB.prepare("SELECT round(unixepoch('subsec') * 1000) AS now").first<{ now: number }>()
  return row?.now ?? 0
}

const timeOf = (entity: Json, field = 'createdOn') => Date.parse(String(entity[field]))

async function recordsOf(org: TestOrg, criteria: Json = {}): Promise<Json[]> {
  const { body } = await org.get('/change-history', { criteria, order: { orderField: 'createdOn', order: 'asc' } })
  return body.results ?? []
}

describe('the time of a commit', () => {
  it.each([HOUR_MS, -HOUR_MS])('N23 is the platform’s, although the clock of the Worker is off by %i ms', async ms => {
    const org = await newOrg()
    const before = await platformTime()
    holdClock().forward(ms)
    const item = await org.make('/items', { name: 'first' })
    const changed = (await org.put(`/items/${item.id}`, { name: 'second' })).body
    await org.delete(`/items/${item.id}`)
    const times = [timeOf(item), timeOf(changed, 'updatedOn'), ...(await recordsOf(org)).map(record => timeOf(record))]
    expect(times).toHaveLength(5)
    for (const time of times) expect(time).toBeGreaterThanOrEqual(before)
    const after = await platformTime()
    for (const time of times) expect(time).toBeLessThanOrEqual(after)
  })

  it('N23 is not that of the request: a body that takes its time is committed when it is there', async () => {
    const org = await newOrg()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const headers = { ...org.headers, 'Content-Type': 'application/json' }
    const sent = send(new Request(`${ORIGIN}/api/items`, { method: 'POST', headers, body: readable }))
    const writer = writable.getWriter()
    await writer.write(new TextEncoder().encode('{"name": "slow'))
    const begun = await platformTime()
    while ((await platformTime()) < begun + 20) await scheduler.wait(1)
    const complete = await platformTime()
    await writer.write(new TextEncoder().encode('"}'))
    await writer.close()
    const response = await sent.response
    expect(response.status).toBe(201)
    expect(timeOf(await response.json())).toBeGreaterThanOrEqual(complete)
    await sent.settled()
  })

  it('N23 is not earlier than any before it, although the platform’s clock went back', async () => {
    const org = await newOrg()
    const first = await org.make('/items', { name: 'first' })
    await commitAhead(org, CLOCK_AHEAD_MAX_MS / 2)
    const pinned = timeOf(first) + CLOCK_AHEAD_MAX_MS / 2
    const second = await org.make('/items', { name: 'second' })
    await org.delete(`/items/${second.id}`)
    expect(timeOf(second)).toBe(pinned)
    expect((await recordsOf(org)).map(record => timeOf(record))).toEqual([pinned, pinned, pinned])
  })
})

describe('a clock that is far ahead', () => {
  it('N23 is brought back by the next commit, with all that was committed meanwhile, in commit order', async () => {
    const org = await newOrg()
    const early = await org.make('/items', { name: 'early' })
    const rest = Array.from({ length: 999 }, (_, at) => ({ name: `ahead ${at}` }))
    expect((await org.post('/items/batch', rest)).status).toBe(201)
    await commitAhead(org, HOUR_MS)
    const other = await newOrg()
    await other.make('/items', {})
    await commitAhead(other, HOUR_MS)
    const late = await org.make('/items', { name: 'late' })
    const after = await org.make('/items', { name: 'after' })
    const now = await platformTime()
    expect(timeOf(after)).toBeLessThanOrEqual(now)
    const { results } = await env.DB.prepare('SELECT created_on, entity_id FROM changes WHERE org_id = ? ORDER BY seq')
      .bind(org.id)
      .all<{ created_on: number; entity_id: string }>()
    const times = results.map(row => row.created_on)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(Math.max(...times)).toBeLessThanOrEqual(now)
    const ids = results.map(row => row.entity_id)
    expect([ids[0], ids.length, ids[1000], ids[1001]]).toEqual([early.id, 1002, late.id, after.id])
    // Entities as their records say.
    const stored = (await org.get(`/items/${early.id}`)).body
    expect(timeOf(stored)).toBeLessThanOrEqual(now)
    // A poller by time sees them all at once.
    const range = `BETWEEN ${new Date(now - HOUR_MS / 2).toISOString()} and ${new Date(now).toISOString()}`
    const { body } = await org.get('/change-history', { criteria: { createdOn: range }, limit: 1000 })
    expect([body.results?.length, body.nextPageKey]).toEqual([1000, expect.any(String)])
    // Nobody else's clock was touched.
    expect((await recordsOf(other)).map(record => timeOf(record) > now)).toEqual([true])
  })

  it('N23 takes endpoints back with it: they hear of what comes', async () => {
    const org = await newOrg()
    const auth = { kind: 'header', name: 'X-Partner-Key', value: 'k-123' }
    const endpoint = { url: 'https://partner.example.com/', events: ['item|create'], auth }
    expect((await operator('PUT', `/orgs/${org.slug}/endpoints/partner`, endpoint)).status).toBe(200)
    await org.make('/items', { name: 'before' })
    await commitAhead(org, HOUR_MS)
    await org.make('/items', { name: 'healing' })
    const row = await env.DB.prepare('SELECT created_on FROM endpoints WHERE org_id = ?').bind(org.id).first()
    expect(Number(row?.created_on)).toBeLessThanOrEqual(await platformTime())
  })
})

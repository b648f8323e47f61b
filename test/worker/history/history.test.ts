import JSURL from 'jsurl'
import { describe, expect, it } from 'vitest'
import { type Json, newOrg, type TestOrg } from '../api.ts'

interface History extends Json {
  results: (Json & { id: string; createdOn: string; entityReference: string })[]
  nextPageKey: string | null
  syncKey: string
}

const history = (org: TestOrg, query: Record<string, unknown> = {}) => org.get<History>('/change-history', query)

describe('N23 criteria and order', () => {
  it('answers the newest first, with differences, actor and version', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'a', size: [1] })
    await org.put(`/items/${id}`, { name: 'b' })
    await org.delete(`/items/${id}`)
    const { body } = await history(org)
    expect(body.results.map(record => record.changeType)).toEqual(['delete', 'update', 'create'])
    expect(body.results[0]).toMatchObject({
      orgId: org.id,
      entityType: 'item',
      entityReference: `item:${id}`,
      createdByType: 'app',
      version: 3,
      changes: { name: { oldValue: 'b', newValue: null }, size: { oldValue: [1], newValue: null } },
    })
    expect(body.results[1]?.changes).toEqual({ name: { oldValue: 'a', newValue: 'b' } })
    expect(body.results[2]?.changes).toMatchObject({ name: { oldValue: null, newValue: 'a' } })
    expect(body.nextPageKey).toBeNull()
  })

  it('N22 writes no record for a write that changes nothing', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'a', nested: { x: 1 }, list: [1, 2] })
    const again = await org.put(`/items/${id}`, { name: 'a', nested: { x: 1 }, list: [1, 2], absent: null })
    expect(again.body.version).toBe(1)
    expect((await history(org)).body.results).toHaveLength(1)
  })

  it('takes criteria and order as JSON and as jsurl', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'a' })
    await org.make('/colors', { name: 'red' })
    const byJson = await history(org, { criteria: { entityReference: `item:${id}` } })
    expect(byJson.body.results.map(record => record.entityReference)).toEqual([`item:${id}`])
    const byJsurl = await history(org, {
      criteria: JSURL.stringify({ entityType: ['item', 'color'] }),
      order: JSURL.stringify({ orderField: 'createdOn', order: 'asc' }),
    })
    expect(byJsurl.body.results.map(record => record.entityType)).toEqual(['item', 'color'])
    expect((await history(org, { entityType: 'color' })).body.results).toHaveLength(1)
  })

  it('N24 BETWEEN takes whole days and exact times, both ends included, `and` in any case', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'a' })
    const [record] = (await history(org)).body.results
    const time = record?.createdOn ?? ''
    const day = time.slice(0, 10)
    const found = async (range: string) => (await history(org, { criteria: { createdOn: range } })).body.results.length
    expect(await found(`BETWEEN ${day} and ${day}`)).toBe(1)
    expect(await found(`between ${time} AND ${time}`)).toBe(1)
    expect(await found('BETWEEN 2020-01-01 and 2020-12-31')).toBe(0)
    expect(await found('BETWEEN 2999-01-01 and 2999-12-31')).toBe(0)
  })

  it.each([
    ['an impossible date', { createdOn: 'BETWEEN 2026-02-30 and 2026-03-01' }],
    ['a start after the end', { createdOn: 'BETWEEN 2026-03-02 and 2026-03-01' }],
    ['no range', { createdOn: '2026-03-02' }],
    ['an unknown entity type', { entityType: 'itemz' }],
    ['an unknown criterion', { entityTypes: 'item' }],
    ['a reference without an id', { entityReference: 'item' }],
    ['a reference of an unknown type', { entityReference: 'nothing:abc' }],
  ])('refuses %s with 400', async (_, criteria) => {
    const org = await newOrg()
    const answer = await history(org, { criteria })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toHaveLength(1)
  })

  it.each([
    ['an unknown order field', { order: { orderField: 'name', order: 'asc' } }],
    ['a garbled page key', { nextPageKey: 'xyz' }],
    ['a garbled sync key', { after: 'AAAAAAAAWzFd' }],
    ['after with order', { after: '', order: { orderField: 'createdOn', order: 'asc' } }],
    ['an unknown parameter', { afterKey: '' }],
  ])('refuses %s with 400', async (_, query) => {
    const org = await newOrg()
    expect((await history(org, query)).status).toBe(400)
  })

  it('refuses the sync key of another organization', async () => {
    const [one, other] = [await newOrg(), await newOrg()]
    const { syncKey } = (await history(one)).body
    expect((await history(other, { after: syncKey })).status).toBe(400)
  })
})

describe('N23 paging', () => {
  it('goes through all records once in both directions, with the syncKey of the first page', async () => {
    const org = await newOrg()
    const made: string[] = []
    for (let at = 0; at < 7; at++) made.push(`item:${(await org.make('/items', { name: String(at) })).id}`)
    for (const order of ['asc', 'desc']) {
      const seen: string[] = []
      const sizes: number[] = []
      let key: string | null = null
      let syncKey: string | undefined
      do {
        const query = { limit: 3, order: { orderField: 'createdOn', order }, ...(key && { nextPageKey: key }) }
        const { body }: { body: History } = await history(org, query)
        seen.push(...body.results.map(record => record.entityReference))
        sizes.push(body.results.length)
        syncKey ??= body.syncKey
        expect(body.syncKey).toBe(syncKey)
        key = body.nextPageKey
      } while (key)
      expect(seen).toEqual(order === 'asc' ? made : made.toReversed())
      expect(sizes).toEqual([3, 3, 1])
    }
  })
})

describe('N25 polling by syncKey', () => {
  it('sees each of 150 changes exactly once, with limit=13 against six writers', async () => {
    const org = await newOrg()
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      const ids: string[] = []
      for (let at = 0; at < 25; at++) ids.push((await org.make('/items', { name: `${writer}-${at}` })).id)
      return ids
    })
    const done = Promise.all(writers)
    let finished = false
    void done.then(() => {
      finished = true
    })
    const seen: string[] = []
    const times: string[] = []
    let after = ''
    for (;;) {
      const ended = finished
      // A real poller comes over a socket; without a turn of the timer this loop would keep the writers out.
      await scheduler.wait(0)
      const { body } = await history(org, { after, limit: 13 })
      seen.push(...body.results.map(record => record.entityReference))
      times.push(...body.results.map(record => record.createdOn))
      after = body.syncKey
      if (ended && body.results.length === 0) break
    }
    const ids = (await done).flat()
    expect(seen).toHaveLength(150)
    expect(new Set(seen)).toEqual(new Set(ids.map(id => `item:${id}`)))
    expect(times).toEqual([...times].sort())
  })

  it('comes back on an empty answer too, and stands at the newest record', async () => {
    const org = await newOrg()
    const empty = await history(org, { after: '' })
    expect(empty.body.results).toEqual([])
    await org.make('/items', { name: 'a' })
    const filtered = await history(org, { after: empty.body.syncKey, entityType: 'color' })
    expect(filtered.body.results).toEqual([])
    await org.make('/colors', { name: 'red' })
    const next = await history(org, { after: filtered.body.syncKey })
    expect(next.body.results.map(record => record.entityType)).toEqual(['color'])
  })
})

describe('N60 a page', () => {
  it.each(['asc', 'desc'])('of large records ends at its bytes and goes on without a gap, %s', async order => {
    const org = await newOrg()
    const text = 'x'.repeat(500_000)
    for (let at = 0; at < 24; at++) await org.make('/colors', { text, at })
    const seen: unknown[] = []
    let nextPageKey: string | null = null
    let pages = 0
    do {
      const query = { limit: 1000, order: { orderField: 'createdOn', order }, ...(nextPageKey && { nextPageKey }) }
      const { body }: { body: History } = await history(org, query)
      expect(JSON.stringify(body).length).toBeLessThan(3 * 1024 * 1024)
      seen.push(...body.results.map(({ changes }) => (changes as { at: { newValue: number } }).at.newValue))
      nextPageKey = body.nextPageKey
      pages++
    } while (nextPageKey)
    const made = Array.from({ length: 24 }, (_, at) => at)
    expect(seen).toEqual(order === 'asc' ? made : made.reverse())
    expect(pages).toBe(5)
  })

  it('of large records that is polled gives a syncKey from which nothing is missed', async () => {
    const org = await newOrg()
    const text = 'x'.repeat(500_000)
    for (let at = 0; at < 20; at++) await org.make('/colors', { text, at })
    const seen: string[] = []
    let after = ''
    for (let pages = 0; pages < 5; pages++) {
      const { body } = await history(org, { after, limit: 1000 })
      seen.push(...body.results.map(({ id }) => id))
      after = body.syncKey
    }
    expect(seen).toHaveLength(20)
    expect(new Set(seen).size).toBe(20)
  })
})

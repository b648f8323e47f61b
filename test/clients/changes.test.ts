import { describe, expect, it } from 'vitest'
import { connect } from '../../src/clients/typescript/index.ts'
import { type FakeServer, fakeServer, problem } from './fake-server.ts'

/** A history of `total` records whose syncKey is a position. */
function history(total: () => number) {
  return fakeServer(({ query }) => {
    const limit = Number(query.limit)
    const end = total()
    if (query.after === undefined) return { json: { results: [], nextPageKey: null, syncKey: `at-${end}` } }
    const from = query.after === '' ? 0 : Number(query.after.slice(3))
    const to = Math.min(end, from + limit)
    const results = Array.from({ length: to - from }, (_, i) => ({ id: `c${from + i}` }))
    return { json: { results, nextPageKey: to < end ? 'more' : null, syncKey: `at-${to}` } }
  })
}

function changesOf(server: FakeServer, signal?: AbortSignal) {
  return connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o', signal }).changes
}

describe('the change history', () => {
  it('sends criteria and order as URL-encoded JSON', async () => {
    const server = await fakeServer(() => ({ json: { results: [], nextPageKey: null, syncKey: 's' } }))
    const criteria = { entityType: ['item', 'color'], createdOn: 'BETWEEN 2026-01-01 and 2026-01-31' }
    await changesOf(server).list({ criteria, order: { orderField: 'createdOn', order: 'asc' }, limit: 7 })
    expect(server.asked[0]).toMatchObject({
      path: '/api/change-history',
      query: {
        criteria: '{"entityType":["item","color"],"createdOn":"BETWEEN 2026-01-01 and 2026-01-31"}',
        order: '{"orderField":"createdOn","order":"asc"}',
        limit: '7',
      },
    })
  })

  it('polls from the beginning without a pause between full pages, then waits for news (N25)', async () => {
    let total = 5
    const server = await history(() => total)
    const seen: string[] = []
    const keys: string[] = []
    const poll = changesOf(server).poll({
      syncKey: '',
      limit: 2,
      intervalMs: 20,
      onSyncKey: key => void keys.push(key),
    })
    for await (const change of poll) {
      seen.push(change.id)
      if (change.id === 'c4') total = 7
      if (change.id === 'c6') break
    }
    expect(seen).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6'])
    expect(keys).toEqual(['at-2', 'at-4', 'at-5'])
  })

  it('hands over a syncKey only when every record before it has been consumed', async () => {
    const server = await history(() => 4)
    const keys: string[] = []
    for await (const change of changesOf(server).poll({
      syncKey: '',
      limit: 4,
      onSyncKey: key => void keys.push(key),
    })) {
      expect(keys).toEqual([])
      if (change.id === 'c2') break
    }
    expect(keys).toEqual([])
  })

  it('goes on from a stored syncKey, and without one begins now and says where that is', async () => {
    const server = await history(() => 9)
    for await (const change of changesOf(server).poll({ syncKey: 'at-8' })) {
      expect(change.id).toBe('c8')
      break
    }
    let total = 3
    const growing = await history(() => total)
    const keys: string[] = []
    const onSyncKey = (key: string) => {
      keys.push(key)
      total = 4
    }
    for await (const change of changesOf(growing).poll({ onSyncKey, intervalMs: 10 })) {
      expect(change.id).toBe('c3')
      break
    }
    expect(keys).toEqual(['at-3'])
  })

  it('ends without an error when its signal is aborted, waiting or asking', async () => {
    const controller = new AbortController()
    const waiting = await history(() => 1)
    for await (const change of changesOf(waiting).poll({
      syncKey: '',
      intervalMs: 60_000,
      signal: controller.signal,
    })) {
      expect(change.id).toBe('c0')
      setTimeout(() => controller.abort(), 20)
    }
    const asking = await fakeServer(() => 'hang')
    const seen: unknown[] = []
    for await (const change of changesOf(asking).poll({ signal: AbortSignal.timeout(50) })) seen.push(change)
    expect(seen).toEqual([])
  })

  it('ends so, too, with the signal of its client', async () => {
    const controller = new AbortController()
    const waiting = await history(() => 1)
    for await (const change of changesOf(waiting, controller.signal).poll({ syncKey: '', intervalMs: 60_000 })) {
      expect(change.id).toBe('c0')
      setTimeout(() => controller.abort(), 20)
    }
    const asking = await fakeServer(() => 'hang')
    for await (const _ of changesOf(asking, AbortSignal.timeout(50)).poll()) expect.unreachable()
  })

  it('ends with the error where something else went wrong: 410 when the syncKey is too old', async () => {
    const old = await fakeServer(() => problem(410, 'sync_key_expired'))
    await expect(changesOf(old).poll({ syncKey: 'at-1' }).next()).rejects.toMatchObject({ code: 'sync_key_expired' })
  })
})

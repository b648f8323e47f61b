// What becomes of change records that are in files (N58): who polls, restores, takes back or listens notices nothing of it.
import { describe, expect, it, vi } from 'vitest'
import { dispatch } from '../../../src/features/events/dispatch.ts'
import { fileAllRecords, fileRecords } from '../../../src/features/history/file-records.ts'
import { sweepHistory } from '../../../src/features/history/sweep.ts'
import { sweepBucket } from '../../../src/features/loads/sweep-bucket.ts'
import { sweepOrganization } from '../../../src/features/operator/sweep.ts'
import { env, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { exportCall } from '../backup/archive.ts'
import { all, ended, start } from '../loads/loading.ts'
import { SEASON_HEAD, season } from '../loads/season.ts'
import { outside } from '../outside.ts'
import { type Revert, revertEnded, stateOf } from '../reverts/reverting.ts'
import { BOUNDS, FIRST_ON, fileAll, fileOldest, filesOf, inTable, objectsOf, polled, spread, walked } from './filing.ts'

const DAY_MS = 86_400_000

async function furnished(records: number): Promise<TestOrg> {
  const org = await newOrg()
  const items = Array.from({ length: records }, (_, at) => ({ name: `item ${at}`, typePath: 'item' }))
  for (let at = 0; at < records; at += 1000) await org.post('/items/batch', items.slice(at, at + 1000))
  return org
}

describe('the history', () => {
  it('N58 lets a poller that is months behind catch up, through more files than one page reads', async () => {
    const org = await furnished(3)
    const { syncKey } = (await org.get('/change-history', { after: '' })).body
    await org.post(
      '/items/batch',
      Array.from({ length: 40 }, (_, at) => ({ name: `later ${at}` })),
    )
    await spread(org)
    const missed = await polled(org, { limit: 100 }, String(syncKey))
    await fileOldest(org, 40, { records: 2 })
    expect((await filesOf(org)).length).toBe(20)
    const page = (await org.get('/change-history', { after: String(syncKey), limit: 100 })).body
    expect(page.results?.length).toBeLessThan(40)
    expect(page.nextPageKey).not.toBeNull()
    expect(await polled(org, { limit: 100 }, String(syncKey))).toEqual(missed)
    expect(missed).toHaveLength(40)
  })

  it('N58 asks the database once, whether it reads files or not', async () => {
    const org = await furnished(6)
    const item = await org.make('/items', { name: 'last' })
    const calls = async (query: Json) => {
      const { headers, status } = await org.get('/change-history', query)
      expect(status).toBe(200)
      return /round trips: (\d+)/.exec(headers.get('Server-Timing') ?? '')?.[1]
    }
    const queries = [
      { limit: 2 },
      { after: '' },
      { criteria: { entityReference: `item:${item.id}` } },
      { criteria: { createdOn: 'BETWEEN 2000-01-01 and 2100-01-01' } },
    ]
    const all = async () => {
      const counts = []
      for (const query of queries) counts.push(await calls(query))
      return counts
    }
    // By time the primary is asked, beside what the request counts.
    expect(await all()).toEqual(['1', '1', '1', '0'])
    await fileAll(org)
    expect(await inTable(org)).toBe(0)
    expect(await all()).toEqual(['1', '1', '1', '0'])
  })

  it('N58 keeps what is young, and what waits for more to fill a file', async () => {
    const org = await furnished(12)
    await operator('PUT', `/orgs/${org.slug}`, { historyArchiveDays: 7 })
    const bounds = { ...BOUNDS, records: 5 }
    expect(await fileRecords(env, org.id, 7, Date.now(), bounds)).toBe(0)
    expect(await fileRecords(env, org.id, 7, Date.now() + 8 * DAY_MS, bounds)).toBe(2)
    expect(await inTable(org)).toBe(2)
    expect(await fileRecords(env, org.id, 7, Date.now() + 36 * DAY_MS, bounds)).toBe(0)
    expect(await fileRecords(env, org.id, 7, Date.now() + 38 * DAY_MS, bounds)).toBe(1)
    expect((await filesOf(org)).map(({ records }) => records)).toEqual([5, 5, 2])
    expect(await walked(org, {})).toHaveLength(12)
  })

  it('N58 moves the oldest of very many before their time, but those of the last day', async () => {
    const org = await furnished(12)
    const bounds = { ...BOUNDS, records: 2, rows: 6 }
    expect(await fileRecords(env, org.id, 3000, Date.now(), bounds)).toBe(0)
    await spread(org)
    expect(await fileRecords(env, org.id, 36_500, Date.now(), bounds)).toBe(3)
    expect(await inTable(org)).toBe(6)
  })

  it('N58 is moved by the hourly sweep for those that want it, and for no others', async () => {
    const [org, other] = [await furnished(3), await furnished(3)]
    await spread(org)
    await spread(other)
    const refused = await operator('PUT', `/orgs/${org.slug}`, { historyArchiveDays: 0 })
    expect(refused.body).toMatchObject({ status: 400, errors: [{ path: '/historyArchiveDays' }] })
    const set = await operator('PUT', `/orgs/${org.slug}`, { historyArchiveDays: 100 })
    expect(set.body).toMatchObject({ historyArchiveDays: 100, historyRetentionDays: null })
    await sweepHistory(env, Date.now())
    expect([await inTable(org), await inTable(other)]).toEqual([0, 3])
    await operator('PUT', `/orgs/${org.slug}`, { historyArchiveDays: null })
    await org.make('/items', { name: 'new' })
    await spread(org)
    await fileAllRecords(env, Date.now())
    expect(await inTable(org)).toBe(1)
  })

  it('N58 that the retention has swept is gone from files too, only whole ones, and keys from before are told', async () => {
    const org = await furnished(10)
    const { syncKey } = (await org.get('/change-history', { after: '', limit: 2 })).body
    const later = (await org.get('/change-history', { after: '', limit: 6 })).body
    await spread(org)
    await fileOldest(org, 8, { records: 3 })
    await operator('PUT', `/orgs/${org.slug}`, { historyRetentionDays: 1 })
    // The fifth is still to be kept, and with it the file that it is in.
    await sweepHistory(env, FIRST_ON + 4 * 40 * DAY_MS + DAY_MS)
    expect((await filesOf(org)).map(({ records }) => records)).toEqual([3, 2])
    expect(await objectsOf(org)).toHaveLength(2)
    const expired = await org.get('/change-history', { after: String(syncKey) })
    expect(expired.body).toMatchObject({ status: 410, code: 'sync_key_expired' })
    expect((await org.get('/change-history', { after: String(later.syncKey) })).body.results).toHaveLength(4)
    expect(await walked(org, { limit: 2 })).toHaveLength(7)
    expect(await rowsFor(org)).toBe(5)
  })

  it('N58 says 503 and names the file where it is not as it was written, or not there', async () => {
    const org = await furnished(6)
    await fileAll(org)
    const [first = '', second = ''] = await objectsOf(org)
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const content = new Uint8Array((await (await env.FILES.get(first))?.arrayBuffer()) ?? new ArrayBuffer())
    await env.FILES.put(first, content.with(20, (content[20] ?? 0) ^ 1))
    const altered = await org.get('/change-history', { limit: 10 })
    expect(altered.body).toMatchObject({ status: 503, code: 'unavailable' })
    expect(errors.mock.calls.flat().join(' ')).toContain(first)
    await env.FILES.put(first, content)
    expect(await walked(org, {})).toHaveLength(6)
    await env.FILES.delete(second)
    expect((await org.get('/change-history', { limit: 10 })).status).toBe(503)
    expect(errors.mock.calls.flat().join(' ')).toContain(second)
    errors.mockRestore()
  })
})

const rowsFor = (org: TestOrg) =>
  env.DB.prepare('SELECT count(*) AS n FROM history_file_entities WHERE org_id = ?').bind(org.id).first<number>('n')

describe('what reads records of an entity', () => {
  it('N58 N52 restores a version whose records are in files, of a deleted entity as well', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'one', price: 1 })
    for (const price of [2, 3, 4]) await org.put(`/items/${item.id}`, { price })
    const gone = await org.make('/items', { name: 'gone' })
    await org.put(`/items/${gone.id}`, { name: 'renamed' })
    await org.delete(`/items/${gone.id}`)
    await fileAll(org, { records: 2 })
    await org.put(`/items/${item.id}`, { price: 5 })
    expect(await inTable(org)).toBe(1)
    const back = await org.post(`/items/${item.id}/restore`, { version: 2 })
    expect([back.status, back.body.price, back.body.version]).toEqual([200, 2, 6])
    const first = await org.post(`/items/${gone.id}/restore`, { version: 1 })
    expect([first.status, first.body.name, first.body.version]).toEqual([200, 'gone', 4])
    expect((await org.post(`/items/${item.id}/restore`, { version: 9 })).status).toBe(404)
    expect((await org.post(`/items/${'x'.repeat(16)}/restore`, { version: 1 })).status).toBe(404)
  })

  it('N58 N52 brings a deleted entity back whose newest records are in a file, and its first was kept aside', async () => {
    const org = await newOrg()
    const { a, run } = await season(org)
    await run(`${SEASON_HEAD}\nF1,,M\n`, {}, { shouldSkipAssortmentPublish: true })
    const [member] = await all(org, '/assortment-items', { assortmentId: a.id })
    const path = `/assortment-items/${member?.id}`
    await org.put(path, { note: 'second' })
    await org.delete(path)
    await fileAll(org, { records: 1000 })
    expect(await inTable(org)).toBe(0)
    const { status, body } = await org.post(`${path}/restore`, { version: 2 })
    expect([status, body.note, body.version]).toEqual([200, 'second', 4])
    expect((await org.post(`${path}/restore`, { version: 1 })).body).not.toHaveProperty('note')
  })

  it.each([0, 1, 2, 10])('N58 N52 takes back a load whose records are in files, %i of them', async files => {
    const org = await newOrg()
    await org.make('/colors', { federatedId: 'c1', name: 'Old red' })
    const before = await stateOf(org)
    const csv = 'federatedId,name\nc1,Red\nc2,Blue\nc3,Green\nc4,White\n'
    const load = await ended(org, (await start(org, csv, { loadType: ['COLOR'] })).id)
    await fileAll(org, { records: 2, files })
    expect(await inTable(org)).toBe(Math.max(0, 5 - 2 * files))
    const { status, body } = await org.post<Revert>(`/loader-processes/${load.id}/revert`, {})
    expect(status).toBe(202)
    const done = await revertEnded(org, body.id)
    expect(done.results.color).toMatchObject({ deleted: 3, updated: 1 })
    expect(await stateOf(org)).toEqual(before)
  })

  it('N58 N68 tells events of what is not dispatched yet, with what is only in files', async () => {
    outside()
    // Nobody else dispatches.
    vi.spyOn(env.STEP_QUEUE, 'send').mockResolvedValue(undefined as never)
    vi.spyOn(env.STEP_QUEUE, 'sendBatch').mockResolvedValue(undefined as never)
    const org = await newOrg()
    await operator('PUT', `/orgs/${org.slug}/endpoints/log`, {
      url: 'https://log.example.com/',
      events: ['item|update', 'item|delete'],
      auth: { kind: 'header', name: 'X-Key', value: 'v' },
    })
    const item = await org.make('/items', { name: 'one' })
    const two = await org.put(`/items/${item.id}`, { name: 'two' })
    await dispatch(env, org.id)
    // The last has not been dispatched: it stays.
    await env.DB.prepare(
      'UPDATE clocks SET heard_seq = (SELECT min(seq) FROM changes WHERE org_id = ?1) WHERE org_id = ?1',
    )
      .bind(org.id)
      .run()
    await fileAll(org, { records: 10 })
    expect(await inTable(org)).toBe(1)
    await dispatch(env, org.id)
    await fileAll(org, { records: 10 })
    expect(await inTable(org)).toBe(0)
    await org.put(`/items/${item.id}`, { name: 'three' })
    await org.delete(`/items/${item.id}`)
    await dispatch(env, org.id)
    const { results } = await env.DB.prepare(
      'SELECT trigger_key, payload FROM deliveries WHERE org_id = ? ORDER BY seq',
    )
      .bind(org.id)
      .all<{ trigger_key: string; payload: string }>()
    const events = results.map(({ payload }) => JSON.parse(payload) as { event?: Json; data?: Json })
    const old = JSON.stringify(events.at(-2))
    expect(old).toContain(`"updatedOn":"${String(two.body.updatedOn)}"`)
    expect(JSON.stringify(events.at(-1))).toContain(`"createdOn":"${String(item.createdOn)}"`)
  })

  it('N58 N21 knows that types have changed, and only then, wherever their records are', async () => {
    const org = await newOrg()
    const stamp = () => org.get('/types/item:shirt')
    await org.make('/types', { typePath: 'item:shirt', properties: [{ slug: 'size', propertyType: 'number' }] })
    await org.make('/items', { typePath: 'item:shirt', size: 1 })
    await fileAll(org)
    expect(await inTable(org)).toBe(0)
    expect((await org.post('/items', { typePath: 'item:shirt', size: 'L' })).status).toBe(400)
    await org.make('/items', { typePath: 'item:shirt', size: 2 })
    const { body: type } = await stamp()
    await org.put(`/types/${String(type.id)}`, { properties: [{ slug: 'size', propertyType: 'string' }] })
    await fileAll(org)
    expect((await org.post('/items', { typePath: 'item:shirt', size: 3 })).status).toBe(400)
    await org.make('/items', { typePath: 'item:shirt', size: 'L' })
  })
})

describe('objects', () => {
  it('N58 that no index row leads to are swept after a day, all others stay', async () => {
    const org = await furnished(4)
    await fileAll(org)
    const before = await objectsOf(org)
    await env.FILES.put(`${org.id}/history/left-behind-0001`, 'x')
    await sweepBucket(env, Date.now())
    expect(await objectsOf(org)).toHaveLength(before.length + 1)
    await sweepBucket(env, Date.now() + 2 * DAY_MS)
    expect(await objectsOf(org)).toEqual(before)
  })

  it('N58 N70 go with their organization, and so do their rows', async () => {
    const org = await furnished(4)
    await fileAll(org)
    await operator('PUT', `/orgs/${org.slug}`, { suspended: true })
    await exportCall(org.slug)
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
    await sweepOrganization(env, org.id)
    expect(await objectsOf(org)).toEqual([])
    expect(await filesOf(org)).toEqual([])
    expect(await rowsFor(org)).toBe(0)
  })
})

import { expect, it } from 'vitest'
import { removeRecords } from '../../../src/features/history/store.ts'
import { sweepHistory } from '../../../src/features/history/sweep.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { sweepIdempotency } from '../../../src/platform/db/commit/idempotency.ts'
import { env, type Json, newOrg, operator } from '../api.ts'

const DAY_MS = 86_400_000

it('N25 a syncKey from before the retention is 410 after the sweep, later ones and the beginning are not', async () => {
  const org = await newOrg()
  const first = await org.make('/items', { name: 'old' })
  const { syncKey: old } = (await org.get('/change-history', { after: '', limit: 1 })).body
  await org.make('/items', { name: 'older than the retention too' })
  await env.DB.prepare('UPDATE changes SET created_on = created_on - ? WHERE org_id = ?')
    .bind(10 * DAY_MS, org.id)
    .run()
  await org.put(`/items/${first.id}`, { name: 'kept' })
  expect((await operator('PUT', `/orgs/${org.slug}`, { historyRetentionDays: 7 })).status).toBe(200)
  await sweepHistory(env, Date.now())

  const expired = await org.get('/change-history', { after: String(old) })
  expect(expired.body).toMatchObject({ status: 410, code: 'sync_key_expired' })
  const beginning = await org.get('/change-history', { after: '' })
  expect(beginning.body.results).toMatchObject([{ changeType: 'update' }])
  const next = await org.get('/change-history', { after: String(beginning.body.syncKey) })
  expect(next.body).toMatchObject({ results: [] })
})

it('N25 the sweep leaves what workflows and endpoints have yet to hear of', async () => {
  const org = await newOrg()
  const made = [await org.make('/items'), await org.make('/items'), await org.make('/items')]
  await env.DB.prepare('UPDATE changes SET created_on = created_on - ? WHERE org_id = ?')
    .bind(10 * DAY_MS, org.id)
    .run()
  const hear = (which: string) =>
    env.DB.prepare(`UPDATE clocks SET heard_seq = ${which} WHERE org_id = ?1`).bind(org.id).run()
  const left = async () => {
    await sweepHistory(env, Date.now())
    return (await org.get('/change-history')).body.results?.map(record => record.entityReference)
  }
  await operator('PUT', `/orgs/${org.slug}`, { historyRetentionDays: 7 })
  await hear('(SELECT min(seq) FROM changes WHERE org_id = ?1)')
  expect(await left()).toEqual([made[2], made[1]].map(item => `item:${item?.id}`))
  await hear('NULL')
  expect(await left()).toEqual([])
})

it('N18 the sweep forgets idempotency keys of more than a day ago, and no others', async () => {
  const org = await newOrg()
  await org.call('POST', '/items', { body: {}, headers: { 'Idempotency-Key': 'old' } })
  await env.DB.prepare('UPDATE idempotency SET created_on = created_on - ? WHERE org_id = ?')
    .bind(2 * DAY_MS, org.id)
    .run()
  await org.call('POST', '/items', { body: {}, headers: { 'Idempotency-Key': 'new' } })
  await sweepIdempotency(databaseFor(env, org.id), Date.now())
  const keys = async (table: string) =>
    (await env.DB.prepare(`SELECT key FROM ${table} WHERE org_id = ?`).bind(org.id).all()).results.map(row => row.key)
  expect(await keys('idempotency')).toEqual(['new'])
  expect(await keys('idempotency_rows')).toEqual(['new'])
})

it('N25 a page goes on from its own key: what was swept behind that is told, what was swept before it is not missed', async () => {
  const org = await newOrg()
  for (let n = 0; n < 6; n++) await org.make('/items', { name: `n${n}` })
  const page = async (query: object) => org.get('/change-history', { limit: 2, ...query })
  const first = (await page({ after: '' })).body
  const second = (await page({ after: '', nextPageKey: first.nextPageKey })).body
  const late = (await page({ after: first.syncKey })).body
  await removeRecords(env, org.id, Date.now() + 1000, 3)
  expect((await page({ after: '', nextPageKey: first.nextPageKey })).status).toBe(410)
  const names = (body: Json) => body.results?.map(({ changes }) => (changes as Json).name)
  const last = [{ newValue: 'n4' }, { newValue: 'n5' }]
  expect(names((await page({ after: '', nextPageKey: second.nextPageKey })).body)).toMatchObject(last)
  expect(names((await page({ after: first.syncKey, nextPageKey: late.nextPageKey })).body)).toMatchObject(last)
})

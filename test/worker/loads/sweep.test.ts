import { describe, expect, it, vi } from 'vitest'
import { sweepFiles } from '../../../src/features/files/sweep.ts'
import { sweepLoads } from '../../../src/features/loads/sweep.ts'
import { sweepBucket } from '../../../src/features/loads/sweep-bucket.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { env, fetchWorker, newOrg } from '../api.ts'
import { countIn } from '../db/second-database.ts'
import { holdLoads, load, upload } from './loading.ts'

const DAY_MS = 24 * 3600 * 1000

describe('sweeps', () => {
  it('remove files that waited a day for their content, with their parts, and no others (N26)', async () => {
    const org = await newOrg()
    const pending = (await org.post('/files', { fileName: 'never.csv' })).body
    const parted = (await org.post('/files', { fileName: 'parted.csv' })).body
    await fetchWorker(`/api/files/${parted.id}/parts?partNumber=1`, { method: 'POST', body: 'x', headers: org.headers })
    const ready = await upload(org, 'x')
    await sweepFiles(env, Date.parse(String(pending.createdOn)) + DAY_MS)
    expect((await org.get(`/files/${pending.id}`)).status).toBe(200)
    await sweepFiles(env, Date.parse(String(parted.createdOn)) + DAY_MS + 1)
    expect((await org.get(`/files/${pending.id}`)).status).toBe(404)
    expect((await org.get(`/files/${parted.id}`)).status).toBe(404)
    expect((await org.get(`/files/${ready}`)).status).toBe(200)
    expect(await env.DB.prepare('SELECT * FROM file_parts WHERE file_id = ?').bind(parted.id).first()).toBeNull()
  })

  it('remove all such files, however many there are', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'a' })
    await env.DB.prepare(
      `WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 101)
       INSERT INTO entities (id, org_id, kind, version, data, created_on, updated_on, created_by_id, updated_by_id)
       SELECT 'stale-' || at, ?, 'file', 1, '{"status":"pending"}', 1, 1, 'x', 'x' FROM n`,
    )
      .bind(org.id)
      .run()
    await sweepFiles(env, Date.now())
    expect((await org.get('/files')).body.results).toEqual([])
  })

  it('remove processes with their reports after 90 days, and what dead loads have left (N42)', async () => {
    const org = await newOrg()
    const failed = await load(org, 'itemFamilyFederatedId,a\nF1\n')
    const done = await load(org, 'itemFamilyFederatedId,a\nF1,1\n')
    await env.DB.prepare(
      `INSERT INTO load_claims (load_id, space, key, claim) VALUES ('gone', 'item', 'x', '[]')`,
    ).run()
    await sweepLoads(env, Date.now() + 89 * DAY_MS)
    expect((await org.get(`/loader-processes/${failed.id}`)).status).toBe(200)
    expect(await env.DB.prepare(`SELECT * FROM load_claims WHERE load_id = 'gone'`).first()).toBeNull()
    await sweepLoads(env, Date.now() + 91 * DAY_MS)
    for (const { id } of [failed, done]) expect((await org.get(`/loader-processes/${id}`)).status).toBe(404)
    for (const id of [failed.issuesFileId, failed.annotatedFileId]) {
      expect((await org.get(`/files/${id}`)).status).toBe(404)
      expect(await env.FILES.head(`${org.id}/files/${id}`)).toBeNull()
    }
    expect((await org.get(`/files/${failed.fileLocation}`)).status).toBe(200)
    expect((await org.get('/items')).body.results).toHaveLength(1)
  })

  it('leave out an organization whose processes cannot be removed, and get to the others (N42)', async () => {
    const made = [await newOrg(), await newOrg()].sort((a, b) => (a.id < b.id ? -1 : 1))
    for (const org of made) {
      await org.make('/items', { name: 'a' })
      await env.DB.prepare(
        `WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 120)
         INSERT INTO entities (id, org_id, kind, version, data, created_on, updated_on, created_by_id, updated_by_id)
         SELECT ?1 || at, ?1, 'loader-process', 1, '{"status":"complete","endedOn":"2020-01-01T00:00:00.000Z"}', 1, 1, 'x', 'x' FROM n`,
      )
        .bind(org.id)
        .run()
    }
    const [failing, other] = made.map(({ id }) => id) as [string, string]
    const { batch } = Database.prototype
    const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
      if (statements.some(({ sql, params }) => /^delete from .entities/i.test(sql) && params.includes(failing)))
        throw new Error('away')
      return batch.call(this, statements) as never
    })
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await sweepLoads(env, Date.now())
    spy.mockRestore()
    expect(told.mock.calls.filter(([, id]) => id === failing)).toHaveLength(1)
    told.mockRestore()
    expect([await countIn(env.DB, 'entities', failing), await countIn(env.DB, 'entities', other)]).toEqual([121, 1])
    await env.DB.prepare(`DELETE FROM entities WHERE org_id = ? AND kind = 'loader-process'`).bind(failing).run()
  })

  it('remove a process whose report somebody has deleted already (N42)', async () => {
    const org = await newOrg()
    const failed = await load(org, 'itemFamilyFederatedId,a\nF1\n')
    expect((await org.delete(`/files/${failed.issuesFileId}`)).status).toBe(204)
    await sweepLoads(env, Date.now() + 91 * DAY_MS)
    expect((await org.get(`/loader-processes/${failed.id}`)).status).toBe(404)
    expect((await org.get(`/files/${failed.annotatedFileId}`)).status).toBe(404)
  })

  it('remove objects that no record leads to, once no record can come any more, and no others (N34)', async () => {
    const org = await newOrg()
    const ready = await upload(org, 'x')
    const put = (await org.post('/files', { fileName: 'put.csv' })).body
    await fetchWorker(`/api/files/${put.id}/content`, { method: 'PUT', body: 'x', headers: org.headers })
    const waiting = (await org.post('/files', { fileName: 'waiting.csv' })).body
    holdLoads()
    const running = (await org.post('/loader-processes', { loadType: ['ITEM'], fileLocation: ready })).body
    const kept = [`files/${ready}`, `files/${waiting.id}/lost`, `loads/${running.id}/chunk-0`]
    const orphaned = [
      'files/gone',
      'files/gone/lost',
      `files/${put.id}/lost`,
      `files/${ready}/lost`,
      'loads/gone/chunk-0',
    ]
    for (const name of [...orphaned, ...kept.slice(1)]) await env.FILES.put(`${org.id}/${name}`, 'x')
    const names = async () => {
      const { objects } = await env.FILES.list({ prefix: `${org.id}/` })
      return objects
        .map(({ key }) => key.slice(org.id.length + 1))
        .filter(name => !name.startsWith(`files/${put.id}/`) || name.endsWith('lost'))
    }
    await sweepBucket(env, Date.now())
    expect(await names()).toEqual([...orphaned, ...kept].sort())
    await sweepBucket(env, Date.now() + DAY_MS + 60_000)
    expect(await names()).toEqual([...kept].sort())
    expect((await org.get(`/files/${put.id}/content`)).status).toBe(200)
  })
})

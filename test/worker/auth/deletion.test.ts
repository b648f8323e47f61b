// The export of an organization, and its end (N12, N70).
import { describe, expect, it, vi } from 'vitest'
import { createEntity } from '../../../src/features/entities/service.ts'
import { closeOrg } from '../../../src/features/operator/deletion-store.ts'
import { sweepDeletedOrganizations } from '../../../src/features/operator/sweep.ts'
import { taskObject } from '../../../src/features/workflows/task/objects.ts'
import { background } from '../../../src/platform/background.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { digestOf } from '../../../src/platform/digest.ts'
import { newId } from '../../../src/platform/ids.ts'
import { kindNamed } from '../../../src/platform/kind.ts'
import { call, env, fetchWorker, type Json, newOrg, OPERATOR_KEY, operator, type TestOrg } from '../api.ts'

describe('export and deletion', () => {
  it('N12 an export is a stream of all entities and change records, with digests of keys and no secret', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    await other.make('/items', { name: 'not yours' })
    const results =
      (
        await org.post(
          '/items/batch',
          Array.from({ length: 620 }, (_, n) => ({ n })),
        )
      ).body.results ?? []
    await org.make('/colors', { text: 'ä"\n' })
    await org.put(`/items/${results[0]?.id}`, { name: 'changed' })
    await org.delete(`/items/${results[1]?.id}`)
    const response = await fetchWorker(`/api/operator/orgs/${org.slug}/export`, {
      headers: { 'X-Operator-Key': OPERATOR_KEY },
    })
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson')
    const text = new TextDecoder().decode(await response.arrayBuffer())
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Json)
    const ofTable = (table: string) => lines.filter(line => line.table === table)
    expect(ofTable('archive')).toMatchObject([{ slug: org.slug, organizationId: org.id }])
    expect(lines.slice(-2)).toMatchObject([
      { table: 'end', slug: org.slug },
      { table: 'mark', after: null },
    ])
    expect(new Set(ofTable('entities').map(line => line.id)).size).toBe(620)
    expect(ofTable('changes')).toHaveLength(623)
    expect(ofTable('credentials')).toMatchObject([{ kind: 'app', name: 'test' }])
    expect(text).not.toContain('not yours')
    expect(text).not.toContain(org.key.slice('app:'.length))
  })

  it('N12 an organization is deleted only after an export, at once for its keys, and nothing is left of it', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'a' })
    await env.FILES.put(`${org.id}/file`, 'x')
    expect(await operator('DELETE', `/orgs/${org.slug}`)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await org.get('/items')).body.results).toHaveLength(1)
    const exported = await fetchWorker(`/api/operator/orgs/${org.slug}/export`, {
      headers: { 'X-Operator-Key': OPERATOR_KEY },
    })
    await exported.arrayBuffer()
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
    expect((await org.get('/items')).status).toBe(401)
    expect((await operator('GET', `/orgs/${org.slug}`)).status).toBe(404)
    const tables = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`org_id`%'",
    ).all<{ name: string }>()
    for (const { name } of tables.results) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${name} WHERE org_id = ?`).bind(org.id).all()
      expect([name, results]).toEqual([name, []])
    }
    expect(await env.DB.prepare('SELECT * FROM orgs WHERE id = ?').bind(org.id).first()).toBeNull()
    expect((await env.FILES.list({ prefix: org.id })).objects).toEqual([])
    expect((await operator('POST', '/orgs', { slug: org.slug, name: 'again' })).status).toBe(201)
    const { body } = await operator('GET', '/audit?limit=1000')
    expect(body.results).toContainEqual(
      expect.objectContaining({
        action: 'organization_deleted',
        subjectId: org.id,
        detail: { slug: org.slug, name: org.slug },
      }),
    )
  })

  const exportOf = async (org: TestOrg) => {
    const headers = { 'X-Operator-Key': OPERATOR_KEY }
    await (await fetchWorker(`/api/operator/orgs/${org.slug}/export`, { headers })).arrayBuffer()
  }

  it('N70 takes an export that is newer than the last change', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'a' })
    await exportOf(org)
    await env.DB.prepare('UPDATE orgs SET exported_on = exported_on - 1000 WHERE id = ?').bind(org.id).run()
    await org.put(`/items/${item.id}`, { name: 'b' })
    const refused = await operator('DELETE', `/orgs/${org.slug}`)
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('since its last export') } })
    await exportOf(org)
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
  })

  it('N70 takes an export that holds the last change, also where the clock of whoever made it is ahead', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'a' })
    const { now } = Date
    const ahead = vi.spyOn(Date, 'now').mockImplementation(() => now.call(Date) + 5000)
    await exportOf(org)
    ahead.mockRestore()
    const late = await org.make('/items', { name: 'late' })
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(409)
    expect((await org.get(`/items/${late.id}`)).status).toBe(200)
    await exportOf(org)
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
  })

  it('N70 takes an export that is newer than the last key', async () => {
    const org = await newOrg()
    await exportOf(org)
    const key = await operator<{ id: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'late' })
    await env.DB.prepare('UPDATE credentials SET created_on = created_on + 1000 WHERE id = ?').bind(key.body.id).run()
    const refused = await operator('DELETE', `/orgs/${org.slug}`)
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('since its last export') } })
  })

  it('N70 takes an export that is newer than what was taken away or set; its suspension changes nothing', async () => {
    const org = await newOrg()
    const { body: key } = await operator<{ id: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'leaked' })
    const later = () =>
      env.DB.prepare('UPDATE audit SET created_on = created_on + 1000 WHERE org_id = ?').bind(org.id).run()
    for (const act of [
      () => operator('DELETE', `/orgs/${org.slug}/api-keys/${key.id}`),
      () => operator('PUT', `/orgs/${org.slug}/tier`, { tier: 'high' }),
      () => operator('PUT', `/orgs/${org.slug}/quotas`, { entities: 7 }),
    ]) {
      await exportOf(org)
      await env.DB.prepare('DELETE FROM audit WHERE org_id = ?').bind(org.id).run()
      expect((await act()).status).toBeLessThan(300)
      await later()
      expect(await operator('DELETE', `/orgs/${org.slug}`)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    }
    await exportOf(org)
    await env.DB.prepare('DELETE FROM audit WHERE org_id = ?').bind(org.id).run()
    await operator('PUT', `/orgs/${org.slug}`, { suspended: true })
    await later()
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
  })

  it('N70 N18 gives its id to nobody else: not to one that is made by the same call, when its key is forgotten', async () => {
    const slug = `again-${newId()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')}`
    const headers = { 'X-Operator-Key': OPERATOR_KEY, 'Idempotency-Key': slug }
    const admin = { email: 'somebody@people.example', password: 'a password to be guessed' }
    const body = JSON.stringify({ slug, name: slug, database: 'DB', admin })
    const make = () => call<{ id: string }>('POST', '/api/operator/orgs', { body, headers })
    const first = await make()
    const kept = await env.DB.prepare('SELECT digest FROM idempotency WHERE key = ?').bind(slug).first()
    // Nobody learns from it whether a guess is right (N10).
    expect(kept?.digest).not.toBe(await digestOf(['POST', '/api/operator/orgs', '', body].join('\n')))
    await (await fetchWorker(`/api/operator/orgs/${slug}/export`, { headers })).arrayBuffer()
    expect((await operator('DELETE', `/orgs/${slug}`)).status).toBe(204)
    await env.DB.prepare('DELETE FROM idempotency WHERE key = ?').bind(slug).run()
    const second = await make()
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
    await sweepDeletedOrganizations(env, Date.now())
    expect((await operator('GET', `/orgs/${slug}`)).status).toBe(200)
  })

  it('N70 destroys no write that was acknowledged: one that comes meanwhile stops it, or is refused', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'a' })
    await exportOf(org)
    const exported = await env.DB.prepare(
      'SELECT exported_on AS "exportedOn", exported_commits AS "exportedCommits" FROM orgs WHERE id = ?',
    )
      .bind(org.id)
      .first<{ exportedOn: number; exportedCommits: number }>()
    if (!exported) throw new Error('no such organization')
    const close = (commits: number | null = exported.exportedCommits) =>
      closeOrg(env, org.id, { ...exported, exportedCommits: commits }, Date.now())
    // The operator has looked; this comes before the tombstone.
    expect((await org.put(`/items/${item.id}`, { name: 'b' })).status).toBe(200)
    expect(await close()).toBe(false)
    // An export from before commits were kept with it: its time counts.
    await env.DB.prepare('UPDATE clocks SET time = time + 1000 WHERE org_id = ?').bind(org.id).run()
    expect(await close(null)).toBe(false)
    const asExported = 'UPDATE clocks SET time = ?, commits = ? WHERE org_id = ?'
    await env.DB.prepare(asExported).bind(exported.exportedOn, exported.exportedCommits, org.id).run()
    // Again and again: the first time may have come to nothing.
    for (const commits of [undefined, undefined, null]) expect(await close(commits)).toBe(true)
    // Whoever still knows the key may read, and is told to come back.
    expect((await org.get(`/items/${item.id}`)).body.name).toBe('b')
    expect((await org.put(`/items/${item.id}`, { name: 'c' })).status).toBe(503)
    // Where the deletion comes to nothing, it goes on.
    const { batch } = Database.prototype
    const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
      if (statements.some(({ sql }) => /^update .orgs/i.test(sql))) throw new Error('away')
      return batch.call(this, statements)
    })
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(500)
    spy.mockRestore()
    expect((await org.put(`/items/${item.id}`, { name: 'c' })).status).toBe(200)
    expect(await env.DB.prepare('SELECT 1 FROM tombstones WHERE id = ?').bind(org.id).first()).toBeNull()
    // Nor does a tombstone that could not be taken away have a living one swept.
    await env.DB.prepare('INSERT INTO tombstones (id, deleted_on) VALUES (?, 0)').bind(org.id).run()
    await sweepDeletedOrganizations(env, 1)
    expect((await org.get(`/items/${item.id}`)).body.name).toBe('c')
  })

  it('N70 leaves nothing of what was under way: uploads, objects of tasks, what is written after the deletion', async () => {
    const org = await newOrg()
    const file = await org.make('/files', { fileName: 'a.csv' })
    const part = await org.call('POST', `/files/${file.id}/parts?partNumber=1`, {
      body: 'x',
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    expect(part.status).toBe(200)
    const task = await org.make('/event-workflow-tasks', { name: 't', async: true })
    await exportOf(org)
    // As a sweep leaves it that died between giving up the upload and removing its row.
    const held = 'INSERT INTO file_uploads (file_id, org_id, upload_id, created_on) VALUES (?, ?, ?, 0)'
    await env.DB.prepare(held).bind(newId(), org.id, 'no such upload').run()
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
    const answer = await taskObject(env, org.id, task.id).cancel('nobody')
    expect(answer.verdict).toBe('unknown')
    const late = background(env, { id: org.id, slug: org.slug }, { id: 'late', type: 'loader' })
    await createEntity(late, kindNamed('item'), { name: 'late' })
    await env.FILES.put(`${org.id}/files/late`, 'x')
    await sweepDeletedOrganizations(env, Date.now())
    const rows = await env.DB.prepare('SELECT * FROM entities WHERE org_id = ?').bind(org.id).all()
    expect(rows.results).toEqual([])
    expect((await env.FILES.list({ prefix: org.id })).objects).toEqual([])
    const tombstone = () => env.DB.prepare('SELECT * FROM tombstones WHERE id = ?').bind(org.id).first()
    expect(await tombstone()).not.toBeNull()
    await sweepDeletedOrganizations(env, Date.now() + 15 * 24 * 3600 * 1000)
    expect(await tombstone()).toBeNull()
  })
})

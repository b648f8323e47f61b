// How many files an organization may have, and what the service writes by itself among them (N60).
import { describe, expect, it } from 'vitest'
import { FILES_MAX } from '../../../src/platform/limits.ts'
import { env, newOrg, type TestOrg } from '../api.ts'

const upload = (org: TestOrg, body: string) =>
  org.call('POST', '/files?fileName=a.txt', { body, headers: { 'Content-Type': 'text/plain' } })

/** As many files as that in all, like the one that there is. */
async function fill(org: TestOrg, files: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n(at) AS (SELECT 2 UNION ALL SELECT at + 1 FROM n WHERE at < ?1)
    INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
    SELECT ?2 || n.at, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data
    FROM n CROSS JOIN (SELECT * FROM entities WHERE org_id = ?2 AND kind = 'file')`,
  )
    .bind(files, org.id)
    .run()
}

describe('N60 files', () => {
  it('are so many and no more, empty ones too, until some are deleted; those that wait get their content', async () => {
    const org = await newOrg()
    const first = (await upload(org, '')).body
    await fill(org, FILES_MAX - 1)
    const waiting = await org.make('/files', { fileName: 'a.txt' })
    const full = { status: 409, body: { code: 'quota_exceeded', quota: 'files', limit: FILES_MAX } }
    const refused = await upload(org, '')
    expect(refused).toMatchObject(full)
    expect(refused.body.detail).toContain('delete some')
    expect(await org.post('/files', { fileName: 'b.txt' })).toMatchObject(full)
    const part = await org.call('POST', `/files/${waiting.id}/parts?partNumber=1`, {
      body: 'x',
      headers: { 'Content-Type': 'a/b' },
    })
    expect(part.status).toBe(200)
    expect((await org.post(`/files/${waiting.id}/complete`, undefined)).body).toMatchObject({
      status: 'ready',
      size: 1,
    })
    expect((await org.delete(`/files/${first.id}`)).status).toBe(204)
    expect((await upload(org, '')).status).toBe(201)
    expect(await upload(org, 'x')).toMatchObject(full)
  })
})

// How many files an organization may have, and what the service writes by itself among them (N60).
import { describe, expect, it } from 'vitest'
import { FILES_MAX } from '../../../src/platform/limits.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { brief, holdLoads, load, start, worked } from '../loads/loading.ts'
import { members, SEASON_HEAD, season } from '../loads/season.ts'
import { workedBack } from '../reverts/reverting.ts'

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

const fileBytes = (org: TestOrg, most: number) =>
  operator('PUT', `/orgs/${org.slug}/quotas`, { fileBytes: most }).then(({ status }) => expect(status).toBe(200))
const usedBytes = async (org: TestOrg) =>
  (await operator<{ fileBytes: { used: number } }>('GET', `/orgs/${org.slug}/quotas`)).body.fileBytes.used
const objects = async (org: TestOrg) => (await env.FILES.list({ prefix: `${org.id}/files/` })).objects.length
const MISSING = /^Not written: (.+)\. This organization may have [\d,]+ bytes of files; the operator can raise that\.$/

describe('N60 what the service writes by itself', () => {
  it('a publish by hand is refused where there is no room for its lists, and leaves nothing behind', async () => {
    const org = await newOrg()
    const assortment = await org.make('/assortments')
    const item = await org.make('/items')
    await org.make('/assortment-items', { itemId: item.id, assortmentId: assortment.id })
    const publish = (headers = {}) => org.call('POST', `/assortments/${assortment.id}/publish`, { body: {}, headers })
    const key = { 'Idempotency-Key': 'once' }
    const first = await publish(key)
    expect(first.status).toBe(201)
    const lists = await objects(org)
    const noted = env.DB.prepare('SELECT count(*) AS n FROM load_members WHERE assortment_id = ?').bind(assortment.id)
    // Some room, but not for all of them; and none.
    for (const limit of [(await usedBytes(org)) + 50, 1]) {
      await fileBytes(org, limit)
      expect(await publish()).toMatchObject({
        status: 409,
        body: { code: 'quota_exceeded', quota: 'fileBytes', limit },
      })
      expect([await objects(org), await noted.first('n')]).toEqual([lists, 0])
    }
    expect(await publish(key)).toMatchObject({ status: 201, body: { id: first.body.id } })
  })

  it.each([
    [300, 'annotated.csv', 2],
    [0, 'issues.csv, annotated.csv', 1],
  ])(
    'a load that fails with room for %i bytes ends as it would, and says that it lacks %s',
    async (more, lacks, files) => {
      const org = await newOrg()
      holdLoads()
      const content = `federatedId,name,note\n,red,${'x'.repeat(2000)}\n`
      const { id } = await start(org, content, { loadType: ['COLOR'] })
      await fileBytes(org, content.length + more)
      const done = await worked(org, id)
      expect(done).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA', errorCount: 1 })
      expect(brief(done).at(-1)).toBe('warning 0 null SYSTEM_ERROR')
      expect(MISSING.exec(String(done.issues.at(-1)?.message))?.[1]).toBe(lacks)
      expect([done.issuesFileId !== undefined, done.annotatedFileId]).toEqual([files === 2, undefined])
      expect(await objects(org)).toBe(files)
    },
  )

  it('a load with more errors than it shows says it too', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, `federatedId,name\n${',red\n'.repeat(150)}`, { loadType: ['COLOR'] })
    await fileBytes(org, 1)
    const { issues } = await worked(org, id)
    expect([issues.length, issues.at(-1)?.message]).toEqual([100, expect.stringMatching(MISSING)])
  })

  it('a load publishes whatever room there is, and its lists count', async () => {
    const org = await newOrg()
    const { a, configuration } = await season(org)
    holdLoads()
    const { id } = await start(org, `${SEASON_HEAD}\nF1,O1,M\nF2,,W\n`, configuration())
    await fileBytes(org, 1)
    const done = await worked(org, id)
    expect(done).toMatchObject({ status: 'completed', issues: [] })
    expect(await members(org, a.id)).toEqual(['F1', 'O1'])
    expect(await usedBytes(org)).toBeGreaterThan(200)
  })

  it('a revert ends as it would, and says that it lacks the list of what it left alone', async () => {
    const org = await newOrg()
    const { id } = await load(org, 'federatedId,name\nC1,red\n', { loadType: ['COLOR'] })
    const [color] = (await org.get('/colors')).body.results ?? []
    await org.put(`/colors/${color?.id}`, { name: 'blue' })
    await fileBytes(org, 1)
    holdLoads()
    const done = await workedBack(org, id)
    expect(done).toMatchObject({ status: 'completed', issueCount: 1, issues: [{ reason: 'changed_since' }] })
    expect([done.issuesFileId, MISSING.exec(String(done.failure))?.[1]]).toEqual([undefined, 'left-alone.csv'])
    expect(await objects(org)).toBe(1)
  })
})

import { describe, expect, it, vi } from 'vitest'
import { deleteFile } from '../../../src/features/files/delete.ts'
import { background } from '../../../src/platform/background.ts'
import { env, fetchWorker, newOrg, operator } from '../api.ts'
import { ended, holdLoads, start, text, upload } from '../loads/loading.ts'

const absent = async (path: string, headers: Record<string, string>) =>
  (await fetchWorker(`/api${path}`, { headers })).status

describe('a deleted file', () => {
  it('is gone with its content', async () => {
    const org = await newOrg()
    const id = await upload(org, 'a,b\n', 'a.csv')
    expect(await text(org, id)).toBe('a,b\n')

    expect((await org.delete(`/files/${id}`)).status).toBe(204)

    expect(await absent(`/files/${id}`, org.headers)).toBe(404)
    expect(await absent(`/files/${id}/content`, org.headers)).toBe(404)
    expect((await org.delete(`/files/${id}`)).status).toBe(404)
  })

  it('stands in the audit trail, though its content cannot be removed for the moment', async () => {
    const org = await newOrg()
    const id = await upload(org, 'a,b\n', 'a.csv')
    const away = vi.spyOn(env.FILES, 'delete').mockRejectedValue(new Error('away'))
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const answer = await org.delete(`/files/${id}`)
    away.mockRestore()
    quiet.mockRestore()
    const line = await env.DB.prepare(`SELECT detail FROM audit WHERE subject_id = ? AND action = 'file_deleted'`)
      .bind(id)
      .first()
    expect(line).toEqual({ detail: '{"fileName":"a.csv"}' })
    expect(answer.status).toBe(204)
  })

  it('gives up the parts that have come', async () => {
    const org = await newOrg()
    const { body } = await org.post('/files', { fileName: 'a.bin' })
    const part = await fetchWorker(`/api/files/${body.id}/parts?partNumber=1`, {
      method: 'POST',
      body: 'x',
      headers: org.headers,
    })
    expect(part.status).toBe(200)

    expect((await org.delete(`/files/${body.id}`)).status).toBe(204)
    expect((await org.post(`/files/${body.id}/complete`, {})).status).toBe(404)
  })

  it('is gone where its upload is over already, and the audit trail says so', async () => {
    const org = await newOrg()
    const { body } = await org.post('/files', { fileName: 'a.bin' })
    const held = 'INSERT INTO file_uploads (file_id, org_id, upload_id, created_on) VALUES (?, ?, ?, 0)'
    await env.DB.prepare(held).bind(body.id, org.id, 'no such upload').run()
    expect((await org.delete(`/files/${body.id}`)).status).toBe(204)
    const audit = await operator('GET', `/orgs/${org.slug}/audit`)
    expect(audit.body.results).toContainEqual(expect.objectContaining({ action: 'file_deleted', subjectId: body.id }))
  })

  it('was not one of another organization, nor one that has changed', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const id = await upload(org, 'x', 'a.txt')
    expect((await other.delete(`/files/${id}`)).status).toBe(404)
    const stale = await fetchWorker(`/api/files/${id}`, {
      method: 'DELETE',
      headers: { ...org.headers, 'If-Match': '"99"' },
    })
    expect(stale.status).toBe(412)
    expect(await text(org, id)).toBe('x')
  })

  it('is not deleted where a load of it begins at the same moment', async () => {
    const org = await newOrg()
    const letGo = holdLoads()
    const fileLocation = await upload(org, 'federatedId,name\nC1,red\n')
    const context = background(env, org, { id: 'x', type: 'app' })
    const batch = context.db.batch.bind(context.db)
    let isBegun = false
    vi.spyOn(context.db, 'batch').mockImplementation(async statements => {
      if (!isBegun && statements.some(({ sql }) => sql.startsWith('DELETE FROM "entities"'))) {
        isBegun = true
        expect((await org.post('/loader-processes', { loadType: ['COLOR'], fileLocation })).status).toBe(202)
      }
      return batch(statements)
    })
    await expect(deleteFile(context, fileLocation)).rejects.toMatchObject({ code: 'in_use' })
    expect(isBegun).toBe(true)
    expect((await org.get(`/files/${fileLocation}`)).status).toBe(200)
    letGo()
  })

  it('was not one that a load has yet to read', async () => {
    const org = await newOrg()
    const rows = Array.from({ length: 20_000 }, (_, at) => `C-${at},Color ${at}\n`)
    const { id, fileLocation } = await start(org, `federatedId,name\n${rows.join('')}`, { loadType: ['COLOR'] })

    const refused = await org.delete(`/files/${fileLocation}`)
    expect(refused.status).toBe(409)
    expect(refused.body.code).toBe('in_use')

    await org.post(`/loader-processes/${id}/cancel`, {})
    await ended(org, id)
    expect((await org.delete(`/files/${fileLocation}`)).status).toBe(204)
  })

  it('was not one that the next publish of an assortment is measured by (N33)', async () => {
    const org = await newOrg()
    const assortment = await org.make('/assortments')
    const item = await org.make('/items')
    const member = await org.make('/assortment-items', { itemId: item.id, assortmentId: assortment.id })
    const publish = async () => (await org.post(`/assortments/${assortment.id}/publish`, {})).body.detail
    const membersFiles = async () => {
      const { body } = await org.get(`/files?criteria=${JSON.stringify({ fileName: 'members.json' })}`)
      return body.results?.map(({ id }) => id) ?? []
    }
    await publish()
    const [first] = await membersFiles()
    const refused = await org.delete(`/files/${first}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use'])
    expect(refused.body.detail).toContain(`assortment ${assortment.id} `)

    expect(await publish()).toMatchObject({ adds: 0, updates: 0, deletes: 0 })
    const [, second] = await membersFiles()
    expect((await org.delete(`/files/${first}`)).status).toBe(204)
    expect((await org.delete(`/files/${second}`)).status).toBe(409)

    await org.delete(`/assortment-items/${member.id}`)
    expect((await org.delete(`/assortments/${assortment.id}`)).status).toBe(204)
    expect((await org.delete(`/files/${second}`)).status).toBe(204)
  })
})

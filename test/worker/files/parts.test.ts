// Parts that come at the wrong moment, or that R2 and the table do not know alike (N26).
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { UPLOAD_PART_BYTES } from '../../../src/platform/limits.ts'
import { env, newOrg, type TestOrg } from '../api.ts'

const bytes = { 'Content-Type': 'application/octet-stream' }
const sendPart = (org: TestOrg, id: unknown, partNumber: number, body: string) =>
  org.call('POST', `/files/${id}/parts?partNumber=${partNumber}`, { body, headers: bytes })
const put = (org: TestOrg, id: unknown) => org.call('PUT', `/files/${id}/content`, { body: 'content', headers: bytes })
const complete = (org: TestOrg, id: unknown) => org.post(`/files/${id}/complete`, undefined)

async function uploadOf(org: TestOrg, id: unknown): Promise<R2MultipartUpload> {
  const row = await env.DB.prepare('SELECT upload_id AS id FROM file_uploads WHERE file_id = ?')
    .bind(id)
    .first<{ id: string }>()
  return env.FILES.resumeMultipartUpload(`${org.id}/files/${id}`, String(row?.id))
}

async function etagOf(id: unknown): Promise<string> {
  const row = await env.DB.prepare('SELECT etag FROM file_parts WHERE file_id = ?').bind(id).first<{ etag: string }>()
  return String(row?.etag)
}

describe('a part', () => {
  it('that comes while the others are put together is not left out in silence', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.bin' })
    expect((await sendPart(org, id, 1, 'x'.repeat(UPLOAD_PART_BYTES))).status).toBe(200)
    const head = env.FILES.head.bind(env.FILES)
    const spy = vi.spyOn(env.FILES, 'head').mockImplementationOnce(async key => {
      expect((await sendPart(org, id, 2, 'the end')).status).toBe(200)
      return head(key)
    })
    onTestFinished(() => spy.mockRestore())
    expect(await complete(org, id)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('anew') } })
    // Neither does the next one, which finds the object.
    expect((await complete(org, id)).status).toBe(409)
    expect((await org.get(`/files/${id}`)).body.status).toBe('pending')
  })

  it('that comes after they were put together, with no record of it yet, is refused', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.bin' })
    await sendPart(org, id, 1, 'abc')
    await (await uploadOf(org, id)).complete([{ partNumber: 1, etag: await etagOf(id) }])
    expect((await sendPart(org, id, 1, 'abcd')).status).toBe(409)
    expect(await complete(org, id)).toMatchObject({ status: 200, body: { status: 'ready', size: 3 } })
  })

  it('that was replaced without a record of it is asked for again', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.bin' })
    await sendPart(org, id, 1, 'one')
    await (await uploadOf(org, id)).uploadPart(1, 'two')
    const refused = await complete(org, id)
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Send it again') } })
    await sendPart(org, id, 1, 'three')
    expect(await complete(org, id)).toMatchObject({ status: 200, body: { size: 5 } })
  })
})

describe('the upload behind the parts', () => {
  const rowsOf = async (org: TestOrg) =>
    (await env.DB.prepare('SELECT upload_id FROM file_uploads WHERE org_id = ?').bind(org.id).all()).results
  const isOpen = async (upload: R2MultipartUpload) =>
    upload.uploadPart(2, 'x').then(
      () => true,
      () => false,
    )

  it.each([
    ['deleted', 404, async (org: TestOrg, id: unknown) => (await org.delete(`/files/${id}`)).status],
    ['given its content', 409, async (org: TestOrg, id: unknown) => (await put(org, id)).status],
  ])('is given up where the file is %s while the first part comes', async (_, status, meanwhile) => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.bin' })
    const begin = env.FILES.createMultipartUpload.bind(env.FILES)
    let begun: R2MultipartUpload | undefined
    const spy = vi.spyOn(env.FILES, 'createMultipartUpload').mockImplementationOnce(async key => {
      expect(await meanwhile(org, id)).toBeLessThan(300)
      begun = await begin(key)
      return begun
    })
    onTestFinished(() => spy.mockRestore())
    expect((await sendPart(org, id, 1, 'x')).status).toBe(status)
    expect(await rowsOf(org)).toEqual([])
    expect(begun && (await isOpen(begun))).toBe(false)
  })

  it.each([
    ['given its content by PUT', async (org: TestOrg, id: unknown) => (await put(org, id)).status],
    ['deleted', async (org: TestOrg, id: unknown) => (await org.delete(`/files/${id}`)).status],
  ])('is given up where the file is then %s', async (_, act) => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.bin' })
    expect((await sendPart(org, id, 1, 'x'.repeat(UPLOAD_PART_BYTES))).status).toBe(200)
    const upload = await uploadOf(org, id)
    expect(await act(org, id)).toBeLessThan(300)
    expect(await isOpen(upload)).toBe(false)
    expect(await rowsOf(org)).toEqual([])
  })

  it('is given up where it began while the content came', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.bin' })
    const keep = env.FILES.put.bind(env.FILES) as (key: string, value: unknown) => Promise<R2Object>
    let upload: R2MultipartUpload | undefined
    const spy = vi.spyOn(env.FILES, 'put').mockImplementationOnce(async (key, value) => {
      expect((await sendPart(org, id, 1, 'x')).status).toBe(200)
      upload = await uploadOf(org, id)
      return keep(key, value)
    })
    onTestFinished(() => spy.mockRestore())
    expect((await put(org, id)).status).toBe(200)
    expect(upload && (await isOpen(upload))).toBe(false)
  })
})

describe('a content type', () => {
  it.each(['text/csv;\n charset=x', 'text/csv;\u2028charset=x', 'text/csv\r\n'])('%j is refused', async contentType => {
    const org = await newOrg()
    expect((await org.post('/files', { fileName: 'a.csv', contentType })).status).toBe(400)
  })
})

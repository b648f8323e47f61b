import { describe, expect, it } from 'vitest'
import { BucketWriter } from '../../../src/features/files/bucket-writer.ts'
import { fetchWorker, type Json, newOrg, type TestOrg } from '../api.ts'

const PART = 8 * 1024 * 1024

async function send(org: TestOrg, method: string, path: string, body: BodyInit, headers: Record<string, string> = {}) {
  const response = await fetchWorker(`/api${path}`, { method, body, headers: { ...org.headers, ...headers } })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}

const content = (org: TestOrg, id: unknown, headers: Record<string, string> = {}) =>
  fetchWorker(`/api/files/${id}/content`, { headers: { ...org.headers, ...headers } })

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return `sha256:${[...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('')}`
}

describe('files (N26)', () => {
  it('are created pending, filled once, and streamed back as an attachment', async () => {
    const org = await newOrg()
    const made = await org.post('/files', { fileName: 'käse "1".csv', contentType: 'text/csv' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ status: 'pending', fileName: 'käse "1".csv', size: null })
    expect(made.body.uploadUrl).toBe(`https://selvedge.test/api/files/${made.body.id}/content`)
    expect((await content(org, made.body.id)).status).toBe(404)

    const put = await send(org, 'PUT', `/files/${made.body.id}/content`, 'a,b\n1,2\n')
    expect(put.status).toBe(200)
    expect(put.body).toMatchObject({
      status: 'ready',
      size: 8,
      checksum: await sha256(new TextEncoder().encode('a,b\n1,2\n')),
    })
    expect((await send(org, 'PUT', `/files/${made.body.id}/content`, 'x')).status).toBe(409)

    const got = await content(org, made.body.id)
    expect(await got.text()).toBe('a,b\n1,2\n')
    expect(got.headers.get('Content-Type')).toBe('text/csv')
    expect(got.headers.get('Content-Disposition')).toBe("attachment; filename*=UTF-8''k%C3%A4se%20%221%22.csv")
    expect(got.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(got.headers.get('Content-Security-Policy')).toContain('sandbox')
    expect((await org.get(`/files/${made.body.id}`)).body).toMatchObject({ status: 'ready', size: 8 })
  })

  it('take the body as content with ?fileName=, whatever its type', async () => {
    const org = await newOrg()
    const made = await send(org, 'POST', '/files?fileName=a.json', '{"x":1}', { 'Content-Type': 'application/json' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ status: 'ready', contentType: 'application/json', size: 7 })
    expect(made.headers.get('Location')).toBe(`/api/files/${made.body.id}`)
    const empty = await send(org, 'POST', '/files?fileName=empty.csv', '')
    expect(empty.body).toMatchObject({ status: 'ready', size: 0 })
  })

  it('come from a form with exactly one file', async () => {
    const org = await newOrg()
    const form = new FormData()
    form.set('note', 'x')
    form.set('file', new File(['a,b\n'], 'form.csv', { type: 'text/csv' }))
    const made = await send(org, 'POST', '/files', form)
    expect(made.body).toMatchObject({ fileName: 'form.csv', contentType: 'text/csv', size: 4 })
    form.set('other', new File(['x'], 'x.csv'))
    expect((await send(org, 'POST', '/files', form)).status).toBe(400)
  })

  it('answer ranges and If-None-Match', async () => {
    const org = await newOrg()
    const { body } = await send(org, 'POST', '/files?fileName=a.txt', '0123456789')
    const ranged = async (range: string) => {
      const answer = await content(org, body.id, { Range: range })
      return [answer.status, answer.headers.get('Content-Range'), await answer.text()]
    }
    expect(await ranged('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await ranged('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await ranged('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await ranged('bytes=0-99')).toEqual([206, 'bytes 0-9/10', '0123456789'])
    expect(await ranged('bytes=0-1,4-5')).toEqual([200, null, '0123456789'])
    const beyond = await content(org, body.id, { Range: 'bytes=10-' })
    expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, 'bytes */10'])
    await beyond.text()
    const etag = (await content(org, body.id)).headers.get('ETag') ?? ''
    expect((await content(org, body.id, { 'If-None-Match': etag })).status).toBe(304)
  })

  it('go up in parts of 8 MiB, in any order, and stay whole', async () => {
    const org = await newOrg()
    const { body } = await org.post('/files', { fileName: 'large.bin' })
    const part = (n: number, bytes: Uint8Array) => send(org, 'POST', `/files/${body.id}/parts?partNumber=${n}`, bytes)
    const first = new Uint8Array(PART).fill(1)
    expect((await part(2, new Uint8Array([7, 8, 9]))).body).toEqual({ partNumber: 2, size: 3 })
    expect((await send(org, 'POST', `/files/${body.id}/complete`, '')).status).toBe(409)
    expect((await part(1, first)).status).toBe(200)
    expect((await part(1, first)).status).toBe(200)
    expect((await part(3, new Uint8Array(PART + 1))).status).toBe(413)
    const done = await send(org, 'POST', `/files/${body.id}/complete`, '')
    expect(done.body).toMatchObject({ status: 'ready', size: PART + 3 })
    expect((await send(org, 'POST', `/files/${body.id}/complete`, '')).status).toBe(200)
    const tail = await content(org, body.id, { Range: 'bytes=-4' })
    expect([...new Uint8Array(await tail.arrayBuffer())]).toEqual([1, 7, 8, 9])
  })

  it('are stored in pieces when they are larger than one part', async () => {
    const org = await newOrg()
    const bytes = new Uint8Array(PART * 2 + 5).map((_, at) => at % 251)
    const { body } = await send(org, 'POST', '/files?fileName=large.bin', bytes)
    expect(body).toMatchObject({ size: bytes.length, checksum: await sha256(bytes) })
    const got = new Uint8Array(await (await content(org, body.id)).arrayBuffer())
    expect(await sha256(got)).toBe(body.checksum)
  })

  it('take up the memory of one part, however many there are', async () => {
    const buffers = new Set<ArrayBufferLike>()
    const upload = {
      uploadPart: async (partNumber: number, { buffer }: Uint8Array) => {
        buffers.add(buffer)
        return { partNumber, etag: 'x' }
      },
      complete: async () => undefined,
    }
    const writer = new BucketWriter({ createMultipartUpload: async () => upload } as never, 'key')
    for (let part = 0; part < 3; part++) await writer.write(new Uint8Array(PART))
    expect((await writer.finish()).size).toBe(3 * PART)
    expect(buffers.size).toBe(1)
  })

  it('are refused when the request makes no sense', async () => {
    const org = await newOrg()
    expect((await org.post('/files', { fileName: 'a/b' })).status).toBe(400)
    expect((await org.post('/files', { fileName: 'a', color: 1 })).body.errors).toEqual([
      expect.objectContaining({ path: '/color' }),
    ])
    expect((await org.call('POST', '/files', { body: '{' })).status).toBe(400)
    expect((await send(org, 'POST', '/files', 'x', { 'Content-Type': 'text/csv' })).status).toBe(415)
    expect((await send(org, 'PUT', '/files/AAAAAAAAAAAAAAAA/content', 'x')).status).toBe(404)
    expect((await send(org, 'POST', '/files/AAAAAAAAAAAAAAAA/parts?partNumber=0', 'x')).status).toBe(400)
  })

  it('belong to their organization', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const { body } = await send(org, 'POST', '/files?fileName=a.txt', 'secret')
    expect((await content(other, body.id)).status).toBe(404)
    expect((await org.get('/files')).body.results).toHaveLength(1)
    expect((await other.get('/files')).body.results).toHaveLength(0)
  })
})

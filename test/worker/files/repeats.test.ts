// What comes twice, or at once, for one file: the record decides, and nothing else is left in the bucket.
import { describe, expect, it, vi } from 'vitest'
import { upload } from '../../../src/features/files/service.ts'
import { background } from '../../../src/platform/background.ts'
import type { Statement } from '../../../src/platform/db/sql.ts'
import { Fault } from '../../../src/platform/errors.ts'
import { env, fetchWorker, type Json, newOrg, operator, type TestOrg } from '../api.ts'

async function send(org: TestOrg, method: string, path: string, body: BodyInit, headers: Record<string, string> = {}) {
  const response = await fetchWorker(`/api${path}`, { method, body, headers: { ...org.headers, ...headers } })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}

const text = async (org: TestOrg, id: unknown) =>
  (await fetchWorker(`/api/files/${id}/content`, { headers: org.headers })).text()

async function objects(org: TestOrg): Promise<string[]> {
  return (await env.FILES.list({ prefix: `${org.id}/` })).objects.map(object => object.key)
}

/** Content that waits in the middle until it is let go. */
function slow(content: string) {
  let letGo: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  const bytes = new TextEncoder().encode(content)
  const stream = new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.slice(0, 1))
      await held
      controller.enqueue(bytes.slice(1))
      controller.close()
    },
  })
  return { stream, letGo: () => letGo() }
}

describe('N26 two uploads of one content', () => {
  it('the first that ends is the content; the other is 409 and changes nothing', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.txt' })
    const { stream, letGo } = slow('slow and late')
    const late = send(org, 'PUT', `/files/${id}/content`, stream)
    const fast = await send(org, 'PUT', `/files/${id}/content`, 'fast')
    expect(fast.body).toMatchObject({ status: 'ready', size: 4 })
    letGo()
    expect(await late).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await text(org, id)).toBe('fast')
    expect((await org.get(`/files/${id}`)).body).toMatchObject({ size: 4, checksum: fast.body.checksum, version: 2 })
    expect(await objects(org)).toHaveLength(1)
  })

  it('a PUT onto a file that is ready is 409', async () => {
    const org = await newOrg()
    const { body } = await send(org, 'POST', '/files?fileName=a.txt', 'one')
    expect(await send(org, 'PUT', `/files/${body.id}/content`, 'two')).toMatchObject({ status: 409 })
    expect(await text(org, body.id)).toBe('one')
  })

  it('If-Match is heeded where it is sent, and the answer has an ETag', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.txt' })
    const put = (match: string) => send(org, 'PUT', `/files/${id}/content`, 'x', { 'If-Match': match })
    expect(await put('"7"')).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    const done = await put('"1"')
    expect([done.status, done.headers.get('ETag')]).toEqual([200, '"2"'])
    expect((await org.get(`/files/${id}`)).headers.get('ETag')).toBe('"2"')
  })

  it('a part that comes when the content is there is 409, and is not counted', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.txt' })
    const begin = env.FILES.createMultipartUpload.bind(env.FILES)
    vi.spyOn(env.FILES, 'createMultipartUpload').mockImplementationOnce(async key => {
      await send(org, 'PUT', `/files/${id}/content`, 'x')
      return begin(key)
    })
    expect((await send(org, 'POST', `/files/${id}/parts?partNumber=1`, 'y')).status).toBe(409)
    expect(await text(org, id)).toBe('x')
    expect(await env.DB.prepare('SELECT size FROM file_parts WHERE org_id = ?').bind(org.id).first()).toBeNull()
  })

  describe('that are put together at once', () => {
    const complete = (org: TestOrg, id: unknown) => send(org, 'POST', `/files/${id}/complete`, '')

    const completeObject = async (org: TestOrg, id: unknown) => {
      const row = await env.DB.prepare(
        'SELECT upload_id, etag FROM file_uploads JOIN file_parts USING (file_id) WHERE file_id = ?',
      )
        .bind(id)
        .first<{ upload_id: string; etag: string }>()
      if (!row) throw new Error('no part has come')
      const upload = env.FILES.resumeMultipartUpload(`${org.id}/files/${id}`, row.upload_id)
      await upload.complete([{ partNumber: 1, etag: row.etag }])
    }

    it.each([
      ['has looked for the object', complete, false],
      ['has found the object', complete, true],
      ['looks for the object, which no record names yet', completeObject, false],
    ])('are one file, also where the other is done when this one %s', async (_, other, isFound) => {
      const org = await newOrg()
      const { id } = await org.make('/files', { fileName: 'a.bin' })
      await send(org, 'POST', `/files/${id}/parts?partNumber=1`, 'one')
      const head = env.FILES.head.bind(env.FILES)
      vi.spyOn(env.FILES, 'head').mockImplementationOnce(async key => {
        await other(org, id)
        return isFound ? head(key) : null
      })
      expect(await complete(org, id)).toMatchObject({ status: 200, body: { id, status: 'ready', size: 3, version: 2 } })
      expect(await text(org, id)).toBe('one')
      const told = await operator('GET', `/orgs/${org.slug}/audit`)
      expect(told.body.results?.filter(({ action }) => action === 'file_uploaded')).toHaveLength(1)
    })
  })

  it('a deleted file leaves nothing of any upload behind', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.txt' })
    await env.FILES.put(`${org.id}/files/${id}/of-a-worker-that-died`, 'x')
    await send(org, 'PUT', `/files/${id}/content`, 'x')
    expect((await org.delete(`/files/${id}`)).status).toBe(204)
    expect(await objects(org)).toEqual([])
  })
})

describe('N64 POST /files under one Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'k1' }

  it('names the same upload address again', async () => {
    const org = await newOrg()
    const make = (fileName: string) => org.call('POST', '/files', { body: { fileName }, headers: key })
    const [first, again] = [await make('a.txt'), await make('a.txt')]
    expect(again.body).toEqual(first.body)
    expect(first.body.uploadUrl).toContain(`/files/${first.body.id}/content`)
    expect(await make('b.txt')).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
    const path = new URL(String(again.body.uploadUrl)).pathname.slice('/api'.length)
    expect((await send(org, 'PUT', path, 'x')).status).toBe(200)
    expect((await org.get('/files')).body.results).toHaveLength(1)
  })

  it('answers the same content with the first file, refuses other content, and keeps one object', async () => {
    const org = await newOrg()
    const upload = (content: string) => send(org, 'POST', '/files?fileName=a.txt', content, key)
    const first = await upload('one')
    const again = await upload('one')
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(await upload('two')).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
    expect(await objects(org)).toHaveLength(1)
    expect(await text(org, first.body.id)).toBe('one')
    const together = await Promise.all([1, 2, 3].map(() => upload('one')))
    expect(together.map(answer => answer.body.id)).toEqual([1, 2, 3].map(() => first.body.id))
    expect(await objects(org)).toHaveLength(1)
  })

  it('answers a repeat with the first file, where there is room for no other', async () => {
    const org = await newOrg()
    const upload = (content: string, headers: Record<string, string>) =>
      send(org, 'POST', '/files?fileName=a.txt', content, headers)
    const first = await upload('one', key)
    await operator('PUT', `/orgs/${org.slug}/quotas`, { fileBytes: 3 })
    expect(await upload('one', key)).toMatchObject({ status: 201, body: first.body })
    const full = { status: 409, body: { code: 'quota_exceeded' } }
    expect(await upload('two', { 'Idempotency-Key': 'k2' })).toMatchObject(full)
    expect(await upload('two', {})).toMatchObject(full)
    expect(await objects(org)).toHaveLength(1)
  })

  it('holds for forms, whose file counts', async () => {
    const org = await newOrg()
    const upload = (content: string, name = 'a.txt') => {
      const form = new FormData()
      form.set('file', new File([content], name, { type: 'text/plain' }))
      return send(org, 'POST', '/files', form, key)
    }
    const first = await upload('one')
    expect((await upload('one')).body).toEqual(first.body)
    expect((await upload('two')).status).toBe(409)
    expect((await upload('one', 'b.txt')).status).toBe(409)
    expect(await objects(org)).toHaveLength(1)
  })

  it('holds for parts and for putting them together', async () => {
    const org = await newOrg()
    const { id } = await org.make('/files', { fileName: 'a.bin' })
    const part = (content: string) => send(org, 'POST', `/files/${id}/parts?partNumber=1`, content, key)
    expect((await part('one')).body).toEqual({ partNumber: 1, size: 3 })
    expect((await part('one')).body).toEqual({ partNumber: 1, size: 3 })
    expect(await part('four')).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
    const complete = (file: unknown) => send(org, 'POST', `/files/${file}/complete`, '', { 'Idempotency-Key': 'k2' })
    const done = await complete(id)
    expect(done).toMatchObject({ status: 200, body: { status: 'ready', size: 3 } })
    expect(done.headers.get('ETag')).toBe('"2"')
    expect((await complete(id)).body).toEqual(done.body)
    const other = await org.make('/files', { fileName: 'b.bin' })
    expect(await complete(other.id)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  })
})

describe('If-Range', () => {
  it('gives the range of the same content, and the whole of another', async () => {
    const org = await newOrg()
    const { body } = await send(org, 'POST', '/files?fileName=a.txt', '0123456789')
    const ranged = async (condition: string) => {
      const headers = { ...org.headers, Range: 'bytes=2-4', 'If-Range': condition }
      const answer = await fetchWorker(`/api/files/${body.id}/content`, { headers })
      return [answer.status, await answer.text()]
    }
    const etag = `"${body.checksum}"`
    expect(await ranged(etag)).toEqual([206, '234'])
    for (const other of ['"sha256:other"', `W/${etag}`, 'Sun, 06 Nov 1994 08:49:37 GMT']) {
      expect(await ranged(other)).toEqual([200, '0123456789'])
    }
  })
})

describe('N59 an upload whose record may have been written or not', () => {
  it('keeps its content', async () => {
    const org = await newOrg()
    const context = background(env, org, { id: 'x', type: 'app' })
    const lost = new Fault('unavailable', 'The store did not answer in time, and may have done it or not.')
    const { db } = context
    const batch = db.batch.bind(db)
    db.batch = (async (statements: Statement[]) => {
      const answer = await batch(statements)
      if (statements.length > 1) throw lost
      return answer
    }) as typeof db.batch
    const content = () => new Blob(['one']).stream()
    await expect(upload(context, { fileName: 'a.txt' }, content())).rejects.toBe(lost)
    const [file] = (await org.get('/files')).body.results ?? []
    expect(file).toMatchObject({ status: 'ready' })
    expect(await text(org, file?.id)).toBe('one')
  })
})

import { describe, expect, it } from 'vitest'
import { connect } from '../../src/clients/typescript/index.ts'
import { type Asked, fakeServer, problem } from './fake-server.ts'

const MIB = 1024 * 1024

/** A store that keeps what it is sent and loses some answers on the way. */
async function store(lose: (asked: Asked, nth: number) => boolean = () => false) {
  const parts = new Map<number, Buffer>()
  let content = Buffer.alloc(0)
  const server = await fakeServer((asked, nth) => {
    const part = asked.path.endsWith('/parts')
    if (part) parts.set(Number(asked.query.partNumber), asked.body)
    if (asked.path.endsWith('/content')) content = asked.body
    if (asked.path.endsWith('/complete'))
      content = Buffer.concat([...parts.entries()].sort(([a], [b]) => a - b).map(([, bytes]) => bytes))
    if (lose(asked, nth)) return 'break'
    return { status: asked.path === '/api/files' ? 201 : 200, json: { id: 'f1', size: content.length } }
  })
  const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
  return { server, client, parts, stored: () => content }
}

function pattern(size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + (at >> 13)) & 255
  return bytes
}

describe('upload', () => {
  it('creates the record, then sends the bytes, whatever holds them', async () => {
    const bytes = pattern(1000)
    const contents = [bytes, bytes.buffer, new Blob([bytes]), new Response(bytes).body, Buffer.from(bytes)]
    for (const content of contents) {
      if (content === null) throw new Error('no body')
      const { server, client, stored } = await store()
      const record = await client.files.upload({ content, fileName: 'a.csv', contentType: 'text/csv' })
      expect(record).toMatchObject({ id: 'f1', size: 1000 })
      expect(server.asked.map(each => [each.method, each.path])).toEqual([
        ['POST', '/api/files'],
        ['PUT', '/api/files/f1/content'],
      ])
      expect(server.asked[0]?.json).toEqual({ fileName: 'a.csv', contentType: 'text/csv' })
      expect(server.asked[1]?.headers).toMatchObject({ 'content-type': 'text/csv', 'content-length': '1000' })
      expect(stored().equals(bytes)).toBe(true)
    }
  })

  it('takes text and nothing at all', async () => {
    const { client, stored } = await store()
    await client.files.upload({ content: 'größe', fileName: 'a.txt' })
    expect(stored().toString()).toBe('größe')
    await client.files.upload({ content: '', fileName: 'a.txt' })
    expect(stored()).toHaveLength(0)
  })

  it('sends the bytes again after a broken connection', async () => {
    const { server, client, stored } = await store((_asked, nth) => nth === 1)
    await client.files.upload({ content: pattern(10), fileName: 'a' })
    expect(server.asked.map(each => each.method)).toEqual(['POST', 'PUT', 'PUT'])
    expect(stored()).toHaveLength(10)
  })

  it('takes a conflict after a lost answer for its own work, and reads the record', async () => {
    let stored = 0
    const server = await fakeServer(({ method, path, body }) => {
      if (method === 'POST') return { status: 201, json: { id: 'f1', size: null } }
      if (method === 'GET') return { json: { id: 'f1', size: stored } }
      if (path.endsWith('/content') && stored > 0) return problem(409, 'conflict')
      stored = body.length
      return 'break'
    })
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    expect(await client.files.upload({ content: pattern(10), fileName: 'a' })).toMatchObject({ id: 'f1', size: 10 })
    expect(server.asked.map(each => each.method)).toEqual(['POST', 'PUT', 'PUT', 'GET'])
  })

  it('sends large content in parts of 8 MiB, some again, and completes it (N26)', async () => {
    const bytes = pattern(34 * MIB)
    const { server, client, parts, stored } = await store((_asked, nth) => nth === 2)
    const seen: number[] = []
    const content = new Blob([bytes])
    await client.files.upload({ content, fileName: 'big', onProgress: ({ bytesDone }) => seen.push(bytesDone) })
    expect([...parts.keys()].sort()).toEqual([1, 2, 3, 4, 5])
    expect(Math.max(...[...parts.values()].map(part => part.length))).toBe(8 * MIB)
    expect(server.asked.at(-1)?.path).toBe('/api/files/f1/complete')
    expect(stored().equals(bytes)).toBe(true)
    expect(seen[0]).toBe(0)
    expect(seen.at(-1)).toBe(34 * MIB)
  })

  it('cuts a stream of unknown length into parts', async () => {
    const bytes = pattern(17 * MIB)
    const { client, parts, stored } = await store()
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += 100_001) yield bytes.subarray(at, at + 100_001)
    }
    await client.files.upload({ content: chunks(), fileName: 'big' })
    expect([1, 2, 3].map(part => parts.get(part)?.length)).toEqual([8 * MIB, 8 * MIB, MIB])
    expect(stored().equals(bytes)).toBe(true)
  })

  it('ends with the error of the first part that fails for good, and lets go of the stream', async () => {
    let released = false
    const server = await fakeServer(asked =>
      asked.path.endsWith('/parts') ? problem(413, 'too_large') : { json: { id: 'f1' } },
    )
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const chunks = async function* () {
      try {
        for (;;) yield new Uint8Array(MIB)
      } finally {
        released = true
      }
    }
    await expect(client.files.upload({ content: chunks(), fileName: 'endless' })).rejects.toMatchObject({ status: 413 })
    expect(released).toBe(true)
  })
})

describe('an upload whose stream stands still', () => {
  /** So many bytes, and then nothing for ever. */
  function standingStill(size: number, onStill: () => void = () => {}) {
    const seen = { isCancelled: false }
    let left = size
    const stream = new ReadableStream<Uint8Array>({
      pull: controller => {
        if (left <= 0) {
          onStill()
          return new Promise(() => {})
        }
        controller.enqueue(new Uint8Array(MIB))
        left -= MIB
      },
      cancel: () => {
        seen.isCancelled = true
      },
    })
    return { stream, seen }
  }

  it.each([0, MIB, 17 * MIB])('ends at the signal of the call or of the client, after %i bytes', async size => {
    for (const isOfClient of [true, false]) {
      const { server } = await store()
      const [aborter, reason] = [new AbortController(), new Error('changed my mind')]
      const { signal } = aborter
      const { stream, seen } = standingStill(size, () => aborter.abort(reason))
      const common = { baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' }
      const client = connect(isOfClient ? { ...common, signal } : common)
      const call = { content: stream, fileName: 'still', ...(!isOfClient && { signal }) }
      await expect(client.files.upload(call)).rejects.toBe(reason)
      expect(seen.isCancelled).toBe(true)
      expect(server.asked.map(({ path }) => path)).not.toContain('/api/files/f1/complete')
    }
  })

  it('ends at the signal where nothing can be told to end', async () => {
    const { client } = await store()
    const [aborter, reason] = [new AbortController(), new Error('changed my mind')]
    const chunks = async function* () {
      yield new Uint8Array(MIB)
      aborter.abort(reason)
      await new Promise(() => {})
    }
    const call = { content: chunks(), fileName: 'still', signal: aborter.signal }
    await expect(client.files.upload(call)).rejects.toBe(reason)
  })

  it('ends with the failure of a part, and lets go of the stream', async () => {
    const server = await fakeServer(asked =>
      asked.path.endsWith('/parts') ? problem(413, 'too_large') : { json: { id: 'f1' } },
    )
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const { stream, seen } = standingStill(17 * MIB)
    await expect(client.files.upload({ content: stream, fileName: 'still' })).rejects.toMatchObject({ status: 413 })
    expect(seen.isCancelled).toBe(true)
  })
})

describe('download', () => {
  it('streams the content, also a range of it', async () => {
    const server = await fakeServer(asked => ({ text: asked.headers.range ?? 'all' }))
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    expect(await (await client.files.download({ id: 'f1' })).text()).toBe('all')
    expect(await (await client.files.download({ id: 'f1', range: 'bytes=0-9' })).text()).toBe('bytes=0-9')
    expect(server.asked[0]?.path).toBe('/api/files/f1/content')
  })

  it('is an ApiError where there is no such file', async () => {
    const server = await fakeServer(() => problem(404, 'not_found'))
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    await expect(client.files.download({ id: 'f1' })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  it('fails with a timeout when the content stops coming', async () => {
    const stopping: typeof fetch = async (_, init) => {
      const start = (stream: ReadableStreamDefaultController) => {
        stream.enqueue(pattern(5))
        init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason))
      }
      return new Response(new ReadableStream({ start }))
    }
    const client = connect({ baseUrl: 'https://host/api', apiKey: 'k', orgSlug: 'o', fetch: stopping })
    const response = await client.files.download({ id: 'f1', timeoutMs: 100 })
    await expect(response.text()).rejects.toMatchObject({ code: 'timeout' })
  })
})

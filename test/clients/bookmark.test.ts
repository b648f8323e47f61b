// N59: reads are answered nearby, and never older than what the client itself has seen or written.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/clients/typescript/index.ts'
import { bench } from './cli/command.ts'
import { type Answer, type FakeServer, fakeServer, inOrder, problem } from './fake-server.ts'

const HEADER = 'x-d1-bookmark'
const item = { id: 'i1', name: 'Linen shirt' }
const marked = (bookmark: string, status = 200): Answer => ({ status, json: item, headers: { [HEADER]: bookmark } })
const bare: Answer = { json: item }

const sentTo = (server: FakeServer) => server.asked.map(({ headers }) => headers[HEADER])

async function clientFor(...answers: Answer[]) {
  const server = await fakeServer(inOrder(...answers))
  const client = connect({
    baseUrl: server.baseUrl,
    apiKey: 'app:key',
    orgSlug: 'demo',
    maxRetries: 0,
    timeoutMs: 2000,
  })
  const get = () => client.entities.get({ entityName: 'item', id: 'i1' })
  const create = () => client.entities.create({ entityName: 'item', object: {} })
  return { server, client, get, create }
}

describe('the bookmark of an answer (N59)', () => {
  it('goes with the next request, the newest of them', async () => {
    const { server, get, create } = await clientFor(marked('b1'), marked('b3', 201), bare, marked('b4'), bare)
    await get()
    await create()
    await get()
    await get()
    await get()
    expect(sentTo(server)).toEqual([undefined, 'b1', 'b3', 'b3', 'b4'])
  })

  it('does not fall back where an older answer comes later', async () => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const server = await fakeServer(async (_, nth) => {
      if (nth !== 0) return marked(`b${nth + 1}`)
      await held
      return marked('b1')
    })
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'app:key', orgSlug: 'demo' })
    const get = () => client.entities.get({ entityName: 'item', id: 'i1' })
    const slow = get()
    await get()
    release()
    await slow
    await get()
    expect(sentTo(server)).toEqual([undefined, undefined, 'b2'])
  })

  it('is taken as it comes where it runs back, or is of another database', async () => {
    const { server, get } = await clientFor(marked('b9'), marked('b1'), marked('DATA_01.b0'), bare)
    for (let n = 0; n < 4; n++) await get()
    expect(sentTo(server)).toEqual([undefined, 'b9', 'b1', 'DATA_01.b0'])
  })

  it('is given up after a write that nobody has placed, not after one that was refused', async () => {
    const { server, get, create } = await clientFor(
      marked('b1'),
      problem(409, 'duplicate'),
      marked('b2'),
      problem(503, 'unavailable'),
      marked('b3'),
      'break',
      marked('b4'),
      { status: 201, json: item },
      bare,
    )
    await get()
    await create().catch(() => undefined)
    await get()
    await create().catch(() => undefined)
    await get()
    await create().catch(() => undefined)
    await get()
    await create()
    await get()
    expect(sentTo(server)).toEqual([undefined, 'b1', 'b1', 'b2', undefined, 'b3', undefined, 'b4', undefined])
  })

  it('of a read that began before such a write is not kept', async () => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const server = await fakeServer(async ({ method }, nth) => {
      if (nth === 0) await held
      return method === 'POST' ? { status: 201, json: item } : marked('b1')
    })
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'app:key', orgSlug: 'demo' })
    const slow = client.entities.get({ entityName: 'item', id: 'i1' })
    await client.entities.create({ entityName: 'item', object: {} })
    release()
    await slow
    await client.entities.get({ entityName: 'item', id: 'i1' })
    expect(sentTo(server)).toEqual([undefined, undefined, undefined])
  })

  it('can be handed from one client to the next', async () => {
    const { server } = await clientFor(marked('b2'))
    const told: (string | undefined)[] = []
    const options = { baseUrl: server.baseUrl, apiKey: 'app:key', orgSlug: 'demo' }
    const client = connect({ ...options, bookmark: 'b1', onBookmark: bookmark => told.push(bookmark) })
    await client.entities.get({ entityName: 'item', id: 'i1' })
    expect(sentTo(server)).toEqual(['b1'])
    expect(told).toEqual(['b2'])
  })
})

describe('the command line (N59)', () => {
  it('keeps the bookmark of a profile from one command to the next, apart from its credentials', async () => {
    const server = await fakeServer((_, nth) => marked(`b${nth}`))
    const { command, folder } = await bench()
    const login = ['login', '--base-url', server.baseUrl, '--org', 'demo', '--api-key', 'app:k']
    expect((await command(login)).code).toBe(0)
    for (let n = 0; n < 3; n++) expect((await command(['entities', 'get', 'item', 'i1'])).code).toBe(0)
    expect(sentTo(server)).toEqual([undefined, undefined, 'b1', 'b2'])
    const kept = JSON.parse(await readFile(path.join(folder, 'config/selvedge/bookmarks.json'), 'utf8'))
    expect(kept).toEqual({ [`${server.baseUrl} demo`]: 'b3' })
    expect(await readFile(path.join(folder, 'config/selvedge/credentials.json'), 'utf8')).not.toContain('b3')
  })

  it('watches what it has begun from there on, also with another client of the same command', async () => {
    const none = { results: {}, issues: [], issueCount: 0, errorCount: 0, warningCount: 0, steps: [] }
    const begun = { id: 'p1', status: 'completed', progress: { phase: 'done', percent: 100 }, ...none }
    const server = await fakeServer((_, nth) => ({ json: begun, headers: { [HEADER]: `b${nth}` } }))
    const { command } = await bench()
    await command(['login', '--base-url', server.baseUrl, '--org', 'demo', '--api-key', 'app:k'])
    expect((await command(['load', 'start', '{"fileLocation": "f1"}'])).code).toBe(0)
    expect((await command(['load', 'revert', 'l1'])).code).toBe(0)
    const watched = server.asked.map(({ method, headers }) => [method, headers[HEADER]]).slice(1)
    expect(watched).toEqual([
      ['POST', undefined],
      ['GET', 'b1'],
      ['POST', 'b2'],
      ['GET', 'b3'],
    ])
  })

  it('keeps that a write could not be placed, too, and leaves nothing behind for a key of the environment', async () => {
    const server = await fakeServer(({ method }) => (method === 'GET' ? marked('b1') : { status: 204 }))
    const { command, folder } = await bench()
    const login = ['login', '--base-url', server.baseUrl, '--org', 'demo', '--api-key', 'app:k']
    await command(login)
    await command(['entities', 'get', 'item', 'i1'])
    await command(['entities', 'delete', 'item', 'i1'])
    await command(['entities', 'get', 'item', 'i1'])
    expect(sentTo(server)).toEqual([undefined, undefined, 'b1', undefined])

    const other = await bench(server)
    await other.command(['entities', 'get', 'item', 'i1'])
    await expect(readFile(path.join(other.folder, 'config/selvedge/bookmarks.json'))).rejects.toThrow('ENOENT')
    expect(folder).not.toBe(other.folder)
  })
})

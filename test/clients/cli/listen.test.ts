// Events forwarded to one's own machine, and made up.
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Asked, type FakeServer, fakeServer, problem, type Reply } from '../fake-server.ts'
import { bench } from './command.ts'

const SECRET = 'whsec_c2VsdmVkZ2UgLSBhIHNlY3JldCBvZiB5b3Vycw=='
const times = ['2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z', '2026-05-03T00:00:00.000Z']
const record = (version: number, changeType: string, changes: object, createdByType = 'app') => ({
  id: `change${version}`,
  orgId: 'o1',
  entityType: 'item',
  entityReference: 'item:i1',
  changeType,
  createdOn: times[version - 1],
  createdById: `by${version}`,
  createdByType,
  version,
  changes,
})

const CREATE = record(1, 'create', {
  typePath: { oldValue: null, newValue: 'item' },
  name: { oldValue: null, newValue: 'a' },
  price: { oldValue: null, newValue: 1 },
})
const UPDATE = record(2, 'update', {
  name: { oldValue: 'a', newValue: 'b' },
  price: { oldValue: 1, newValue: null },
  season: { oldValue: null, newValue: 'SS27' },
})
const LATER = record(3, 'update', { season: { oldValue: 'SS27', newValue: 'FW27' } }, 'loader')
const COMMON = { id: 'i1', orgId: 'o1', federatedId: null, createdOn: times[0], createdById: 'by1' }
const NOW = {
  ...COMMON,
  typePath: 'item',
  name: 'b',
  updatedOn: times[2],
  updatedById: 'by3',
  version: 3,
  season: 'FW27',
}

/** An organization with one item that was changed three times. */
function history(all: object[] = [CREATE, UPDATE, LATER], present: Reply = { json: NOW }): Promise<FakeServer> {
  return fakeServer(({ path: asked, query }) => {
    if (asked.startsWith('/api/item')) return present
    if (query.after === undefined) return { json: { results: [...all].reverse(), nextPageKey: null, syncKey: 'k9' } }
    const from = query.after === '' ? 0 : all.length
    return { json: { results: all.slice(from), nextPageKey: null, syncKey: `k${all.length}` } }
  })
}

const signedEvent = ({ body, headers }: Asked, secret = SECRET) =>
  new Webhook(secret).verify(body.toString(), headers as Record<string, string>) as Record<string, unknown>

/** Until so many events are told of on the screen. */
async function listening(
  service: FakeServer,
  answers: (nth: number) => Reply | 'break',
  words: string[],
  lines: number,
) {
  const interruption = new AbortController()
  const program = await fakeServer((_asked, nth) => answers(nth))
  const { command } = await bench(service)
  let printed = 0
  const onStdout = (text: string) => {
    printed += text.split('\n').length - 1
    if (printed === lines) interruption.abort(new DOMException('Interrupted', 'AbortError'))
  }
  const to = ['--forward-to', program.baseUrl, '--interval', '1']
  const ran = await command(['listen', ...to, ...words], { signal: interruption.signal, onStdout })
  return { ran, got: program.asked }
}

describe('listen', () => {
  it('forwards each change as the event that an endpoint would get, signed, in order', async () => {
    const words = ['--after', '', '--secret', SECRET, '--include-loads', '--json']
    const { ran, got } = await listening(await history(), () => ({ status: 204 }), words, 3)
    expect(ran.code).toBe(130)
    expect(ran.stderr).toContain(`The signing secret is ${SECRET}`)
    const [create, update, later] = got.map(asked => signedEvent(asked))
    expect(create).toEqual({
      type: 'item|create',
      timestamp: times[0],
      data: {
        newData: {
          ...COMMON,
          typePath: 'item',
          name: 'a',
          price: 1,
          updatedOn: times[0],
          updatedById: 'by1',
          version: 1,
        },
        oldData: null,
        propertyDiffs: CREATE.changes,
      },
    })
    expect(update).toEqual({
      type: 'item|update',
      timestamp: times[1],
      data: {
        newData: {
          ...COMMON,
          typePath: 'item',
          name: 'b',
          season: 'SS27',
          updatedOn: times[1],
          updatedById: 'by2',
          version: 2,
        },
        oldData: {
          ...COMMON,
          typePath: 'item',
          name: 'a',
          price: 1,
          updatedOn: times[0],
          updatedById: 'by1',
          version: 1,
        },
        propertyDiffs: UPDATE.changes,
      },
    })
    expect(later).toMatchObject({ data: { newData: NOW, oldData: { season: 'SS27', version: 2 } } })
    expect(got.map(asked => asked.headers['webhook-id'])).toEqual(['change1', 'change2', 'change3'])
    expect(got[0]?.headers).toMatchObject({ 'idempotency-key': 'change1', 'content-type': 'application/json' })
    expect(
      ran.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).status),
    ).toEqual([204, 204, 204])
  })

  it('tells of what is gone since, by the record of its end', async () => {
    const last = { typePath: 'item', name: 'b', season: 'SS27' }
    const end = Object.fromEntries(Object.entries(last).map(([name, oldValue]) => [name, { oldValue, newValue: null }]))
    const service = await history([CREATE, UPDATE, record(3, 'delete', end)], { status: 404, json: {} })
    const { got } = await listening(service, () => ({}), ['--after', '', '--secret', SECRET], 3)
    const [, update, gone] = got.map(asked => signedEvent(asked))
    expect(update).toMatchObject({ data: { newData: { name: 'b', season: 'SS27' }, oldData: { name: 'a', price: 1 } } })
    expect(gone).toMatchObject({
      type: 'item|delete',
      data: {
        newData: null,
        oldData: { ...last, createdOn: times[0], updatedOn: times[1], updatedById: 'by2', version: 2 },
      },
    })
  })

  it('leaves out loads and events that nobody asked for', async () => {
    const words = ['--after', '', '--events', 'item|update', '--events', 'color|*', '--secret', SECRET]
    const { ran, got } = await listening(await history(), () => ({}), words, 1)
    expect(got.map(asked => asked.headers['webhook-id'])).toEqual(['change2'])
    expect(ran.stdout).toBe('2026-05-02T00:00:00.000Z\titem|update\titem:i1\t200\n')
  })

  it('asks a program that breaks off or refuses a few times', async () => {
    const words = ['--after', '', '--secret', SECRET]
    const { ran, got } = await listening(
      await history(),
      nth => (nth === 0 ? 'break' : nth < 4 ? { status: 500 } : {}),
      words,
      2,
    )
    const ids = got.map(asked => asked.headers['webhook-id'])
    expect(ids).toEqual(['change1', 'change1', 'change1', 'change2', 'change2'])
    expect(ran.stderr).toMatch(/No answer from http\S+, 1 of 3\. The connection failed: \w+\.\n/)
    expect(ran.stdout).toContain('item:i1\t500\n')
  })

  /** What the connection to a program does, one after the other, before it works. */
  function connections(...failures: Error[]) {
    const send = globalThis.fetch
    const fake = vi.spyOn(globalThis, 'fetch').mockImplementation((to, init) => {
      const isEvent = new Headers(init?.headers).has('webhook-id')
      const failure = isEvent ? failures.shift() : undefined
      return failure === undefined ? send(to, init) : Promise.reject(failure)
    })
    onTestFinished(() => fake.mockRestore())
  }

  it('waits for a program that does not run yet, as long as that takes', async () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    connections(...Array(3).fill(new TypeError('fetch failed', { cause })))
    const { ran, got } = await listening(await history(), () => ({}), ['--after', '', '--secret', SECRET], 1)
    expect(got.map(asked => asked.headers['webhook-id'])).toEqual(['change1'])
    expect(ran.stderr.split('waiting for it')).toHaveLength(2)
    expect(ran.stdout).toContain('item:i1\t200\n')
  })

  it.each([
    [new DOMException('Aborted', 'TimeoutError'), 'It did not answer within 10 s.'],
    [
      new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }),
      'The connection failed: ECONNRESET.',
    ],
  ])('goes on behind a program that took an event and gave no answer: %s', async (failure, why) => {
    connections(...Array(3).fill(failure))
    const words = ['--after', '', '--secret', SECRET, '--json']
    const { ran, got } = await listening(await history(), () => ({}), words, 2)
    expect(got.map(asked => asked.headers['webhook-id'])).toEqual(['change2'])
    expect(ran.stderr).toContain(`3 of 3. ${why}\n`)
    const rows = ran.stdout.trim().split('\n')
    expect(rows.map(line => JSON.parse(line).status)).toEqual([null, 200])
  })

  it('keeps its position in a file and goes on from there', async () => {
    const service = await history()
    const sync = path.join((await bench()).folder, 'position.txt')
    const words = ['--sync-file', sync, '--events', 'color|*']
    const { command } = await bench(service)
    const interruption = new AbortController()
    const ran = command(['listen', '--forward-to', 'http://127.0.0.1:9', '--interval', '1', ...words], {
      signal: interruption.signal,
    })
    await expect.poll(() => readFile(sync, 'utf8').catch(() => '')).toBe('k3\n')
    interruption.abort(new DOMException('Interrupted', 'AbortError'))
    expect((await ran).code).toBe(130)
    const asked = service.asked.length
    const again = new AbortController()
    const second = command(['listen', '--forward-to', 'http://127.0.0.1:9', ...words, '--after', ''], {
      signal: again.signal,
    })
    await expect.poll(() => service.asked.length).toBeGreaterThan(asked)
    again.abort(new DOMException('Interrupted', 'AbortError'))
    await second
    expect(service.asked[asked]?.query.after).toBe('k3')
  })

  it('tells where to go on as it can be typed, at the beginning of the history, too', async () => {
    const { command } = await bench(await fakeServer(() => problem(403, 'read_only_key')))
    const ran = await command(['listen', '--forward-to', 'http://127.0.0.1:9', '--after', ''])
    expect(ran.stderr).toContain('Go on from here with --after ""\n')
  })

  it('refuses events and addresses that are none', async () => {
    const { command } = await bench(await history())
    for (const words of [
      ['--forward-to', 'localhost:3000'],
      ['--forward-to', 'http://localhost:3000', '--events', 'itme|update'],
      ['--forward-to', 'http://localhost:3000', '--events', 'item|publish'],
      ['--forward-to', 'http://localhost:3000', '--secret', 'whsec_short'],
      [],
    ]) {
      expect([words, (await command(['listen', ...words])).code]).toEqual([words, 2])
    }
  })
})

describe('trigger', () => {
  it('makes up events of the same form, signed', async () => {
    const program = await fakeServer(() => ({ status: 202 }))
    const { command } = await bench()
    const words = ['--to', program.baseUrl, '--secret', SECRET, '--data', '{"name": "Linen", "season": "SS27"}']
    for (const type of ['item|create', 'item|update', 'item|delete', 'assortment|publish']) {
      expect((await command(['trigger', type, ...words])).code).toBe(0)
    }
    const events = program.asked.map(asked => signedEvent(asked) as { type: string; data: Record<string, unknown> })
    const entity = { typePath: 'item', name: 'Linen', season: 'SS27', id: expect.stringMatching(/^[\w-]{16}$/) }
    expect(events[0]).toMatchObject({
      type: 'item|create',
      data: { newData: { ...entity, version: 1 }, oldData: null },
    })
    expect(events[1]).toMatchObject({
      type: 'item|update',
      data: {
        newData: { ...entity, version: 2 },
        oldData: { season: 'SS27', version: 1 },
        propertyDiffs: { name: { newValue: 'Linen' } },
      },
    })
    expect(events[2]).toMatchObject({ type: 'item|delete', data: { newData: null, oldData: entity } })
    expect(events[3]?.data).toMatchObject({
      assortmentId: expect.any(String),
      assortmentPublishChangeId: expect.any(String),
    })
  })

  it('goes where listen forwards to, signed with its secret, which others cannot read', async () => {
    const service = await history([])
    const program = await fakeServer(() => ({}))
    const { command, folder } = await bench(service)
    const interruption = new AbortController()
    const ran = command(['listen', '--forward-to', program.baseUrl], { signal: interruption.signal })
    await expect.poll(() => service.asked.length).toBeGreaterThan(0)
    interruption.abort(new DOMException('Interrupted', 'AbortError'))
    const secret = /whsec_\S+/.exec((await ran).stderr)?.[0] ?? ''
    expect((await command(['trigger', 'color|create'])).code).toBe(0)
    expect(signedEvent(program.asked[0] as Asked, secret)).toMatchObject({ type: 'color|create' })
    expect((await stat(path.join(folder, 'config/selvedge/listen.json'))).mode & 0o077).toBe(0)
  })

  it('fails where the program refuses, does not answer, or there is no such event', async () => {
    const program = await fakeServer(() => ({ status: 401 }))
    const { command } = await bench()
    const refused = await command(['trigger', 'item|create', '--to', program.baseUrl])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The program answered 401.')])
    expect((await command(['trigger', 'item|create', '--to', 'http://127.0.0.1:9'])).code).toBe(1)
    expect((await command(['trigger', 'item|create'])).code).toBe(2)
    expect((await command(['trigger', 'item', '--to', program.baseUrl])).code).toBe(2)
  })
})

// Export, restore and revert on the command line (N51, N52).
import { readFile, writeFile } from 'node:fs/promises'
import nodePath from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Answer, type Asked, fakeServer, inOrder, problem } from '../fake-server.ts'
import { bench } from './command.ts'

const CSV = 'federatedId,name\r\nA,"two\nlines"\r\nB,plain\r\n'

describe('entities export (N51)', () => {
  it('with --for-load writes the file that loads back and its configuration, and counts rows, not lines (N75)', async () => {
    const server = await fakeServer(({ query, path }) => {
      if (path.endsWith('/count')) return { json: { count: 2, isExact: true } }
      return query.format === 'configuration' ? { json: { loadType: ['COLOR'] } } : { text: CSV }
    })
    const { command, folder } = await bench(server)
    const [out, configuration] = [nodePath.join(folder, 'colors.csv'), nodePath.join(folder, 'colors.json')]
    const words = ['entities', 'export', 'color', '--out', out, '--for-load', '--where', 'a=b']
    const ran = await command([...words, '--order', 'name:desc', '--properties', 'name'])
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toContain('2 rows')
    expect(await readFile(out, 'utf8')).toBe(CSV)
    expect(JSON.parse(await readFile(configuration, 'utf8'))).toEqual({ loadType: ['COLOR'] })
    expect(server.asked.map(({ path }) => path)).toEqual([
      '/api/colors/export',
      '/api/colors/count',
      '/api/colors/export',
    ])
    expect(server.asked[2]).toMatchObject({
      path: '/api/colors/export',
      query: {
        format: 'csv-load',
        criteria: '{"a":"b"}',
        order: '{"orderField":"name","order":"desc"}',
        properties: 'name',
      },
    })
  })

  it('does without a count that fails, but not without the end of an interruption', async () => {
    const interruption = new AbortController()
    const script = (answer: () => Answer) => (asked: Asked) =>
      asked.path.endsWith('/count') ? answer() : { text: CSV }
    const server = await fakeServer(script(() => problem(503, 'unavailable')))
    const { command, folder } = await bench(server)
    const words = ['entities', 'export', 'color', '--out', nodePath.join(folder, 'colors.csv')]
    expect(await command(words)).toMatchObject({ code: 0, stderr: expect.stringContaining('2 rows') })
    expect(server.asked.map(({ path }) => path)).toEqual(['/api/colors/count', '/api/colors/export'])
    const hanging = await fakeServer(
      script(() => {
        interruption.abort(new DOMException('Interrupted', 'AbortError'))
        return 'hang'
      }),
    )
    const ran = await (await bench(hanging)).command(words, { signal: interruption.signal })
    expect([ran.code, hanging.asked.length]).toEqual([130, 1])
  })

  it('goes to stdout as it is', async () => {
    const { command } = await bench(await fakeServer(() => ({ text: '{"id":"1"}\n' })))
    expect(await command(['entities', 'export', 'item', '--format', 'jsonl'])).toMatchObject({
      code: 0,
      stdout: '{"id":"1"}\n',
      stderr: '',
    })
  })

  it('leaves what was there where it breaks off, and fails', async () => {
    const broken = await fakeServer(({ path }) =>
      path.endsWith('/count')
        ? { json: { count: 20_000, isExact: false } }
        : { text: CSV, headers: { 'content-length': '9999' } },
    )
    const { command, folder } = await bench(broken)
    const out = nodePath.join(folder, 'colors.csv')
    await writeFile(out, 'old')
    const ran = await command(['entities', 'export', 'color', '--out', out], { env: { SELVEDGE_TIMEOUT_MS: '300' } })
    expect(ran.code).not.toBe(0)
    expect(await readFile(out, 'utf8')).toBe('old')
  }, 60_000)

  it('leaves what was there where the last line says that it broke off, and fails', async () => {
    const text = 'federatedId\r\nA\r\n(broken off),(broken off)\r\n'
    const { command, folder } = await bench(
      await fakeServer(({ path }) => (path.endsWith('/count') ? { json: { count: 2, isExact: true } } : { text })),
    )
    const out = nodePath.join(folder, 'colors.csv')
    await writeFile(out, 'old')
    for (const words of [['--out', out], []]) {
      const ran = await command(['entities', 'export', 'color', ...words])
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain('broke off')
    }
    expect(await readFile(out, 'utf8')).toBe('old')
  })

  it('writes plain CSV without --for-load (N75)', async () => {
    const server = await fakeServer(() => ({ text: CSV }))
    const { command } = await bench(server)
    expect(await command(['entities', 'export', 'color'])).toMatchObject({ code: 0, stdout: CSV })
    expect(server.asked.map(({ query }) => query)).toEqual([{ format: 'csv' }])
  })

  it.each([
    ['another format', ['--format', 'xml']],
    ['--for-load on stdout', ['--for-load']],
    ['--for-load as JSON lines', ['--for-load', '--out', 'x', '--format', 'jsonl']],
  ])('refuses %s', async (_, words) => {
    const server = await fakeServer(() => ({ text: '' }))
    const { command } = await bench(server)
    expect((await command(['entities', 'export', 'item', ...words])).code).toBe(2)
    expect(server.asked).toEqual([])
  })
})

describe('undo (N52)', () => {
  it('entities restore brings a version back', async () => {
    const server = await fakeServer(() => ({ json: { id: 'x', version: 4, name: 'Back' } }))
    const { command } = await bench(server)
    const ran = await command(['entities', 'restore', 'item', 'x', '2', '--properties', 'name', '--if-match', '3'])
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('Back')
    expect(server.asked[0]).toMatchObject({ path: '/api/items/x/restore', json: { version: 2, properties: ['name'] } })
    expect(server.asked[0]?.headers['if-match']).toBe('"3"')
    expect((await command(['entities', 'restore', 'item', 'x', 'last'])).code).toBe(2)
  })

  const ended = {
    id: 'r',
    status: 'completed',
    dryRun: true,
    progress: { phase: 'done', changesDone: 3, percent: 100 },
    results: { item: { deleted: 2, restored: 0, updated: 1, unchanged: 0, kept: 1 } },
    issueCount: 1,
    issues: [{ entityReference: 'item:i', property: 'price', reason: 'changed_since', message: 'Somebody has.' }],
  }

  it('load revert waits for the end and tells what was left alone', async () => {
    const server = await fakeServer(inOrder({ status: 202, json: { id: 'r', status: 'pending' } }, { json: ended }))
    const { command } = await bench(server)
    const ran = await command(['load', 'revert', 'l', '--dry-run'])
    expect(ran.code).toBe(0)
    expect(ran.stdout).toBe('item\t2\t0\t1\t0\t1\n')
    expect(ran.stderr).toContain('nothing was written')
    expect(ran.stderr).toContain('item:i')
    expect(server.asked[0]).toMatchObject({ path: '/api/loader-processes/l/revert', json: { dryRun: true } })
  })

  it('undo takes back what fits, and says what it does not understand', async () => {
    const server = await fakeServer(inOrder({ status: 202, json: { id: 'r', status: 'pending' } }, { json: ended }))
    const { command } = await bench(server)
    const words = ['--by', 'k', '--by-type', 'app', '--entity-type', 'item,color', '--reference', 'item:i', '--dry-run']
    const ran = await command(['undo', '--since', '2026-05-01', ...words])
    expect(ran).toMatchObject({ code: 0, stdout: 'item\t2\t0\t1\t0\t1\n' })
    const criteria = {
      createdById: 'k',
      createdByType: 'app',
      entityType: ['item', 'color'],
      entityReference: 'item:i',
    }
    expect(server.asked[0]).toMatchObject({
      path: '/api/change-history/restore',
      json: { criteria, since: '2026-05-01', dryRun: true },
    })
    expect((await command(['undo'])).code).toBe(2)
    expect((await command(['undo', '--since', '2026-05-01', '--by-type', 'robot'])).code).toBe(2)
  })

  const [since, until] = ['2026-05-01T08:00:00.000Z', '2026-05-01T09:30:00.000Z']
  const pending = { status: 202, json: { id: 'r', status: 'pending', since, until } }
  const done = { json: { ...ended, dryRun: false } }

  it('undo shows what it would take back, asks, and takes back just that', async () => {
    const server = await fakeServer(inOrder(pending, { json: ended }, pending, done))
    const { command } = await bench(server)
    const words = ['undo', '--since', '2026-05-01T10:00:00+02:00', '--json']
    const ran = await command(words, { terminal: 100, answers: { 'Type yes': 'yes' } })
    expect(ran.code).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ dryRun: false })
    expect(ran.stderr).toContain(`from ${since} to ${until}`)
    expect(ran.stderr).toContain('nothing was written')
    const asked = server.asked.flatMap(({ json }) => (json ? [json] : []))
    expect(asked).toEqual([
      { criteria: {}, since: '2026-05-01T10:00:00+02:00', dryRun: true },
      { criteria: {}, since, until },
    ])
  })

  it('undo takes nothing back where the answer is another', async () => {
    const server = await fakeServer(inOrder(pending, { json: ended }))
    const world = { terminal: 100, answers: { 'Type yes': 'no' } }
    const ran = await (await bench(server)).command(['undo', '--since', '2026-05-01'], world)
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('Nothing was taken back.')
    expect(server.asked).toHaveLength(2)
    expect(server.asked.every(({ json }) => !json || (json as { dryRun?: boolean }).dryRun)).toBe(true)
  })

  it.each([
    ['with --yes', ['--yes'], { terminal: 100 }],
    ['where there is no terminal to ask at', [], {}],
  ])('undo does it at once %s', async (_, more, world) => {
    const server = await fakeServer(inOrder(pending, done))
    const ran = await (await bench(server)).command(['undo', '--since', '2026-05-01', ...more], world)
    expect(ran.code).toBe(0)
    expect(server.asked[0]?.json).toEqual({ criteria: {}, since: '2026-05-01' })
  })

  it('load revert fails where the revert does', async () => {
    const failed = { ...ended, status: 'failed', failure: 'It could not go on.' }
    const server = await fakeServer(inOrder({ status: 202, json: { id: 'r' } }, { json: failed }))
    const ran = await (await bench(server)).command(['load', 'revert', 'l'])
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toContain('It could not go on.')
  })
})

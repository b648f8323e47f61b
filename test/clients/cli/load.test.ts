import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, type Reply } from '../fake-server.ts'
import { bench } from './command.ts'

const counts = { created: 2, updated: 1, unchanged: 0, removed: 0 }
const base = { failureArea: 'NONE', results: {}, issues: [], errorCount: 0, warningCount: 0, steps: [] }
const end = { ...base, progress: { phase: 'done', rowsTotal: 4000, rowsDone: 4000, percent: 100 } }
const done = { ...end, status: 'completed', results: { item: counts } }

function loading(...looks: object[]) {
  let look = 0
  return fakeServer((asked): Reply => {
    if (asked.path.startsWith('/api/files/f')) return { json: { id: 'f1', size: asked.body.length } }
    if (asked.path === '/api/files') return { status: 201, json: { id: 'f1' } }
    if (asked.method === 'POST') return { status: 202, json: { id: 'l1', status: 'pending' } }
    return { json: { id: 'l1', ...looks[Math.min(look++, looks.length - 1)] } }
  })
}

async function prepared(...looks: object[]) {
  const server = await loading(...looks)
  const own = await bench(server)
  const file = path.join(own.folder, 'styles.csv')
  const config = path.join(own.folder, 'loader.yaml')
  await writeFile(file, 'name,price\nShirt,12\n')
  await writeFile(config, 'loadType: [ITEM]\nfederatedMappings:\n  name: Style\n')
  return { ...own, server, words: ['load', 'upload-and-load', file, config] }
}

describe('load upload-and-load', () => {
  it('uploads, sets fileLocation, shows progress with rate, prints the counts', async () => {
    const running = (rowsDone: number) => ({
      ...base,
      status: 'running',
      progress: { phase: 'writing', rowsTotal: 4000, rowsDone, percent: 40 + rowsDone / 100 },
    })
    const { server, command, words } = await prepared(running(0), running(1000), running(2000), done)
    const { code, stdout, stderr } = await command(words, { terminal: 120 })
    expect(code).toBe(0)
    expect(server.asked.map(each => each.path).slice(0, 3)).toEqual([
      '/api/files',
      '/api/files/f1/content',
      '/api/loader-processes',
    ])
    expect(server.asked[1]?.body.toString()).toBe('name,price\nShirt,12\n')
    expect(server.asked[2]?.json).toEqual({
      loadType: ['ITEM'],
      federatedMappings: { name: 'Style' },
      fileLocation: 'f1',
    })
    expect(stderr).toMatch(/Uploading .*\[█{24}\] +100%/)
    expect(stderr).toMatch(/Writing .*\[█{14}░{10}\] +60% +2,000 of 4,000 rows +[\d,]+ rows\/s +\d+ s left/)
    expect(stdout).toMatch(/ENTITY +CREATED +UPDATED +UNCHANGED +REMOVED\nitem +2 +1 +0 +0\n/)
  })

  it('fails with a readable list of issues and the way to mend them', async () => {
    const issues = [
      {
        rowNumber: 3,
        columnName: 'price',
        message: '"abc" is not a number',
        issueType: 'INVALID_DATA',
        severity: 'error',
      },
      {
        rowNumber: 1,
        columnName: 'Stle',
        message: 'no such property',
        issueType: 'HEADER_MISMATCH',
        severity: 'warning',
      },
    ]
    const area = { status: 'failed', failureArea: 'VALIDATING_DATA', errorCount: 1, warningCount: 4 }
    const failed = { ...end, ...area, issues, annotatedFileId: 'f7', issuesFileId: 'f8' }
    const { command, words } = await prepared(failed)
    const { code, stdout, stderr } = await command(words)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('1 error, 4 warnings:\n')
    expect(stderr).toMatch(/LINE +COLUMN +KIND +PROBLEM\n +3 +price +INVALID_DATA +"abc" is not a number\n/)
    expect(stderr).toContain('error: The load l1 failed while checking the data. Nothing was written.')
    expect(stderr).toContain('and 3 more: selvedge files download f8\n')
    expect(stderr).toContain('selvedge files download f7 --output mend.csv')
  })

  it('gives programs the process on stdout and exit 1', async () => {
    const { command, words } = await prepared({ ...end, status: 'failed', failureArea: 'PARSING_CSV' })
    const { code, stdout } = await command([...words, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ id: 'l1', status: 'failed' })
  })

  it('passes --dry-run, --mode, --name and --configuration-id on', async () => {
    const { server, command, words } = await prepared({ ...done, dryRun: true })
    const flags = ['--dry-run', '--mode', 'create', '--name', 'spring', '--configuration-id', 'f5']
    const { stderr } = await command([...words, ...flags])
    const started = server.asked.find(each => each.path === '/api/loader-processes')
    expect(started?.json).toMatchObject({ dryRun: true, mode: 'create', name: 'spring', loaderConfigurationId: 'f5' })
    expect(stderr).toContain('nothing was written')
  })

  it('leaves the load running when it is interrupted or told not to wait', async () => {
    const { server, command, words } = await prepared({
      ...base,
      status: 'running',
      progress: { phase: 'opening', rowsTotal: null, rowsDone: 0, percent: 0 },
    })
    const interruption = new AbortController()
    const looked = vi.waitUntil(() => server.asked.some(({ path: asked }) => asked === '/api/loader-processes/l1'), {
      timeout: 60_000,
    })
    void looked.then(() => interruption.abort(new DOMException('Interrupted', 'AbortError')))
    const { code, stderr } = await command(words, { signal: interruption.signal })
    expect(code).toBe(130)
    expect(stderr).toContain('selvedge load cancel l1')
    const asked = server.asked.length
    const started = await command([...words, '--no-wait'])
    expect([started.code, started.stdout]).toEqual([0, 'l1\n'])
    expect(server.asked.length - asked).toBe(3)
  })
})

describe('files', () => {
  it('uploads and downloads', async () => {
    const server = await fakeServer(({ method, path: asked }) => {
      if (method === 'GET') return { text: 'a,b\n1,2\n', headers: { 'content-type': 'text/csv' } }
      return { json: { id: 'f1', fileName: asked === '/api/files' ? 'x' : 'styles.csv', size: 3 } }
    })
    const { command, folder } = await bench(server)
    const { stdout } = await command(['files', 'upload', '-', '--file-name', 'styles.csv', '--json'], { stdin: 'abc' })
    expect(JSON.parse(stdout)).toMatchObject({ id: 'f1', fileName: 'styles.csv' })
    expect((await command(['files', 'download', 'f1'])).stdout).toBe('a,b\n1,2\n')
    const target = path.join(folder, 'back.csv')
    await command(['files', 'download', 'f1', '--output', target])
    expect(await readFile(target, 'utf8')).toBe('a,b\n1,2\n')
  })
})

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, problem, type Reply } from '../fake-server.ts'
import { workbook } from '../xlsx/workbook.ts'
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
    if (asked.path === '/api/loader-processes/check') return { json: { columns: null, issues: [] } }
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
    expect(server.asked.map(each => each.path).slice(0, 4)).toEqual([
      '/api/loader-processes/check',
      '/api/files',
      '/api/files/f1/content',
      '/api/loader-processes',
    ])
    expect(server.asked[2]?.body.toString()).toBe('name,price\nShirt,12\n')
    expect(server.asked[3]?.json).toEqual({
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
    expect(stderr).toContain('selvedge files download f7 --output corrected.csv')
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

  it('takes all of what comes through a pipe, whose size nobody knows', async () => {
    const { server, command, words, folder } = await prepared(done)
    const pipe = path.join(folder, 'pipe.csv')
    execFileSync('mkfifo', [pipe])
    for (const line of [words.with(2, pipe), ['files', 'upload', pipe]]) {
      const written = once(spawn('sh', ['-c', 'printf "name,price\nShirt,12\n" > "$0"', pipe]), 'exit')
      const { code, stderr } = await command(line, { terminal: 120 })
      expect(code, stderr).toBe(0)
      expect(stderr).toMatch(/Uploading +\d+ B/)
      await written
    }
    const contents = server.asked.filter(each => each.path === '/api/files/f1/content')
    expect(contents.map(({ body }) => body.toString())).toEqual(Array(2).fill('name,price\nShirt,12\n'))
  })

  it('says that the load goes on where watching it fails, but not of one that is not there', async () => {
    const server = await fakeServer(({ path: asked }) => problem(asked.endsWith('/none') ? 404 : 403, 'code'))
    const { command } = await bench(server)
    const { code, stderr } = await command(['load', 'watch', 'l1'])
    expect(code).toBe(1)
    expect(stderr).toContain('The load goes on. Watch it with `selvedge load watch l1`.')
    expect((await command(['load', 'watch', 'none'])).stderr).not.toContain('goes on')
  })

  it('tells of a file that cannot be read, and sends nothing', async () => {
    const { server, command, words, folder } = await prepared(done)
    for (const line of [words.with(2, folder), ['files', 'upload', folder], ['entities', 'import', 'color', folder]]) {
      const { code, stderr } = await command(line)
      expect([line, code]).toEqual([line, 2])
      expect(stderr).toContain(`The file ${folder} cannot be read.\nwhy:   It is a folder.`)
    }
    expect((await command(['entities', 'import', 'color', 'no-such-file'])).code).toBe(2)
    expect(server.asked).toEqual([])
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
    expect(server.asked.length - asked).toBe(4)
  })
})

describe('a faulty configuration', () => {
  it('N81 is told before anything is uploaded, every fault at once', async () => {
    const errors = [
      { path: '/loadType', message: 'Only ITEM can be combined.' },
      { path: '/x', message: 'Unknown.' },
    ]
    const server = await fakeServer(() => problem(400, 'invalid_input', { errors }))
    const { command, folder } = await bench(server)
    const file = path.join(folder, 'a.csv')
    await writeFile(file, 'name\nx\n')
    const { code, stderr } = await command(['load', 'upload-and-load', file, '{"loadType": ["COLOR", "ITEM"]}'])
    expect(code).toBe(1)
    expect(stderr).toContain('Nothing was uploaded.')
    expect(stderr).toContain('- /loadType: Only ITEM can be combined.\n       - /x: Unknown.\n')
    expect(server.asked.map(each => each.path)).toEqual(['/api/loader-processes/check'])
  })
})

describe('a workbook', () => {
  const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const styles = `<row r="1">${text('A1', 'name')}${text('B1', 'price')}</row><row r="2">${text('A2', 'Ä')}<c r="B2"><v>12.5</v></c></row>`

  async function withWorkbook(sheets: Record<string, string>, hidden: string[] = []) {
    const ready = await prepared(done)
    const file = path.join(ready.folder, 'styles.xlsx')
    await writeFile(file, workbook({ sheets, hidden }))
    return { ...ready, words: ['load', 'upload-and-load', file, ready.words[3] ?? ''] }
  }

  it('goes up as the CSV of the chosen sheet, or of its only one', async () => {
    const { server, command, words } = await withWorkbook({ Notes: '', Styles: styles })
    expect((await command([...words, '--sheet', 'Styles'])).code).toBe(0)
    const record = server.asked.find(each => each.path === '/api/files')
    expect(record?.json).toEqual({ fileName: 'styles - Styles.csv', contentType: 'text/csv' })
    const content = server.asked.find(each => each.path === '/api/files/f1/content')
    expect(content?.body.toString()).toBe('name,price\nÄ,12.5\n')
    const single = await withWorkbook({ Styles: styles })
    expect((await single.command(single.words)).code).toBe(0)
  })

  it('names its sheets where none or another is chosen, and uploads nothing', async () => {
    const { server, command, words } = await withWorkbook({ Notes: '', Styles: styles })
    for (const more of [[], ['--sheet', 'Other']]) {
      const { code, stderr } = await command([...words, ...more])
      expect(code).toBe(2)
      expect(stderr).toContain('"Notes", "Styles"')
    }
    expect(server.asked).toEqual([])
  })

  it('goes up with the sheet that is named, a hidden one too, whatever its capitals', async () => {
    const { server, command, words } = await withWorkbook({ Notes: '', Styles: styles }, ['Styles'])
    expect((await command([...words, '--sheet', 'sTYLES'])).code).toBe(0)
    const record = server.asked.find(each => each.path === '/api/files')
    expect(record?.json).toEqual({ fileName: 'styles - Styles.csv', contentType: 'text/csv' })
  })

  it('is refused where it comes through a pipe', async () => {
    const { server, command, words } = await withWorkbook({ Styles: styles })
    const { code, stderr } = await command(words.with(2, '-'), { stdin: 'PK\u0003\u0004\u0014' })
    expect([code, stderr]).toEqual([2, expect.stringContaining('Save it as a file, and name that')])
    expect(server.asked.map(each => each.path)).not.toContain('/api/files/f1/content')
  })

  it('is told what to do where it cannot be converted', async () => {
    const broken = `<row r="1">${text('A1', 'name')}</row><row r="2"><c r="A2" t="e"><v>#N/A</v></c></row>`
    const { server, command, words, folder } = await withWorkbook({ Styles: broken })
    const { code, stderr } = await command(words)
    expect(code).toBe(2)
    expect(stderr).toContain('Cell A2 of the sheet Styles holds the error #N/A.')
    expect(server.asked.map(each => each.path)).not.toContain('/api/files/f1/content')
    const old = path.join(folder, 'old.xls')
    await writeFile(old, Buffer.from('d0cf11e0a1b11ae1', 'hex'))
    expect((await command(['load', 'upload-and-load', old, words[3] ?? ''])).stderr).toContain(
      'save it as an Excel workbook',
    )
    const csv = path.join(folder, 'styles.csv')
    expect((await command(['load', 'upload-and-load', csv, words[3] ?? '', '--sheet', 'A'])).code).toBe(2)
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

  it('leave what was there where a download breaks off; backups are for their owner alone', async () => {
    const length: Record<string, string> = { 'content-length': '9999' }
    const server = await fakeServer(() => ({ text: 'part', headers: length }))
    const { command, folder } = await bench(server)
    const target = path.join(folder, 'back.csv')
    await writeFile(target, 'old')
    const backup = ['operator', 'backups', 'download', 'o1', 'b1', '--out', target]
    const env = { SELVEDGE_OPERATOR_KEY: 'opkey' }
    for (const words of [['files', 'download', 'f1', '--output', target], backup]) {
      expect((await command(words, { env })).code).not.toBe(0)
      expect(await readFile(target, 'utf8')).toBe('old')
    }
    length['content-length'] = '4'
    expect((await command(backup, { env })).code).toBe(0)
    expect(await readFile(target, 'utf8')).toBe('part')
    expect((await stat(target)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).not.toContain('back.csv.part')
  })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Sink } from '../../../src/clients/cli/sink.ts'
import { Output, type World } from '../../../src/clients/cli/terminal.ts'
import { fakeServer } from '../fake-server.ts'
import { bench } from './command.ts'

const main = path.resolve(import.meta.dirname, '../../../src/clients/cli/main.ts')

/** No types are there yet; whatever comes fits. */
function types() {
  return fakeServer(({ method, path: at }) => {
    if (method === 'GET') return { json: { results: [], nextPageKey: null } }
    if (at.endsWith('/check')) return { json: { checked: 0, unfit: 0, examples: [], nextPageKey: null } }
    return { json: { results: [] } }
  })
}

async function typesFolder(folder: string): Promise<string> {
  const dir = path.join(folder, 'types')
  await mkdir(dir)
  await writeFile(path.join(dir, 'item.shoe.yaml'), 'typePath: item:shoe\nproperties:\n  - slug: heel\n')
  return dir
}

const isWrite = ({ method, path: at }: { method: string; path: string }) => method === 'POST' && !at.endsWith('/check')

describe('output that is taken slowly', () => {
  it('is waited for row by row, so that no position is kept before its rows are out', async () => {
    const waiting: (() => void)[] = []
    const stdout = new Sink(new Writable({ write: (_chunk, _encoding, done) => void waiting.push(done) }))
    const { signal } = new AbortController()
    const output = new Output({ stdout, stderr: new PassThrough(), env: {}, signal } as unknown as World, true)
    let isOut = false
    const written = output.rows([], [{ id: 'c1' }]).then(() => {
      isOut = true
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(isOut).toBe(false)
    for (const done of waiting) done()
    await written
  })
})

describe('output that nobody takes', () => {
  it('does not keep a command from its work', async () => {
    const server = await types()
    const { command, folder } = await bench(server)
    const dir = await typesFolder(folder)
    const broken = { stdout: 'EPIPE', stderr: 'EPIPE' }
    expect((await command(['types', 'push', '--dir', dir], { broken })).code).toBe(0)
    expect(server.asked.filter(isWrite)).toHaveLength(1)
  })

  it('does not keep the process from its work', async () => {
    const server = await types()
    const { env, folder } = await bench(server)
    const dir = await typesFolder(folder)
    const child: ChildProcess = spawn(process.execPath, [main, 'types', 'push', '--dir', dir], {
      env: { ...process.env, ...env, NODE_NO_WARNINGS: '1' },
    })
    child.stdout?.destroy()
    child.stderr?.destroy()
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(server.asked.filter(isWrite)).toHaveLength(1)
  })

  it('leaves a failure its exit code', async () => {
    const failed = {
      id: 'l1',
      status: 'failed',
      failureArea: 'PARSING_CSV',
      errorCount: 1,
      warningCount: 0,
      issues: [],
    }
    const server = await fakeServer(() => ({ json: { ...failed, results: {}, progress: {} } }))
    const { command } = await bench(server)
    expect((await command(['load', 'watch', 'l1', '--json'], { broken: { stdout: 'EPIPE' } })).code).toBe(1)
  })

  it('ends lists and contents, which are nothing but output, without a failure', async () => {
    const server = await fakeServer(({ path: at }) =>
      at.endsWith('/content') ? { text: 'a,b\n' } : { json: { results: [{ id: 'f1' }], nextPageKey: 'more' } },
    )
    const { command } = await bench(server)
    const broken = { stdout: 'EPIPE' }
    expect((await command(['files', 'list', '--all'], { broken })).code).toBe(0)
    expect(server.asked).toHaveLength(1)
    expect((await command(['files', 'download', 'f1'], { broken })).code).toBe(0)
  })

  it('is told where there is no room for it', async () => {
    const { command } = await bench(await fakeServer(() => ({ json: { results: [{ id: 'f1' }], nextPageKey: null } })))
    for (const words of [['files', 'list'], ['files', 'list', '--all'], ['--help']]) {
      const { code, stderr } = await command(words, { broken: { stdout: 'ENOSPC' } })
      expect([words, code]).toEqual([words, 1])
      expect(stderr).toMatch(/^error: The output could not be written\.\nwhy: +write ENOSPC\ndo: /)
    }
  })
})

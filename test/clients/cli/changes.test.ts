import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { storeKey } from '../../../src/clients/cli/sync-file.ts'
import { fakeServer, problem } from '../fake-server.ts'
import { bench } from './command.ts'

const change = (n: number) => ({
  id: `c${n}`,
  createdOn: '2026-05-01T00:00:00.000Z',
  changeType: 'update',
  entityReference: `item:i${n}`,
  createdByType: 'app',
  createdById: 'k1',
  changes: { name: { oldValue: 'a', newValue: 'b' }, price: { oldValue: 1, newValue: 2 } },
})

/** Three changes are there; each further question finds one more. */
function history() {
  let total = 3
  return fakeServer(({ query }) => {
    if (query.after === undefined) return { json: { results: [], nextPageKey: null, syncKey: `k${total}` } }
    const from = query.after === '' ? 0 : Number(query.after.slice(1))
    if (from === total) total += 1
    const results = Array.from({ length: total - from }, (_, i) => change(from + i))
    return { json: { results, nextPageKey: null, syncKey: `k${total}` } }
  })
}

describe('changes', () => {
  it('turns its options into criteria and prints what changed', async () => {
    const server = await fakeServer(() => ({ json: { results: [change(1)], nextPageKey: null, syncKey: 'k9' } }))
    const { command } = await bench(server)
    const types = ['--entity-type', 'item', '--entity-type', 'color']
    const ran = await command(['changes', ...types, '--since', '2026-05-01', '--until', '2026-05-31', '--order', 'asc'])
    expect(ran.stdout).toBe('2026-05-01T00:00:00.000Z\tupdate\titem:i1\tapp:k1\tname, price\n')
    expect(ran.stderr).toContain('--after k9')
    expect(server.asked[0]?.query).toEqual({
      criteria: '{"entityType":["item","color"],"createdOn":"BETWEEN 2026-05-01 and 2026-05-31"}',
      order: '{"orderField":"createdOn","order":"asc"}',
    })
  })

  it('says at once that it waits, and fits a screen of 80 columns with ids and times whole', async () => {
    const { command } = await bench(await history())
    const interruption = new AbortController()
    let shown = ''
    const ran = await command(['changes', '--follow', '--after', '', '--interval', '1'], {
      terminal: 80,
      signal: interruption.signal,
      onStdout: text => {
        shown += text
        if (shown.includes('item:i2')) interruption.abort(new DOMException('Interrupted', 'AbortError'))
      },
    })
    expect(ran.code).toBe(130)
    expect(ran.stderr).toMatch(/^Waiting for changes from the beginning on, asking every 1 s\. Ctrl-C ends it\.\n/)
    expect(ran.stdout).toContain('2026-05-01T00:00:00Z  update  item:i0')
    for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('follows until it is interrupted, a document a line, and tells where to go on', async () => {
    const { command } = await bench(await history())
    const interruption = new AbortController()
    let lines = ''
    const ran = await command(['changes', '--follow', '--after', '', '--interval', '1', '--json'], {
      signal: interruption.signal,
      onStdout: text => {
        lines += text
        if (lines.includes('"c3"')) interruption.abort(new DOMException('Interrupted', 'AbortError'))
      },
    })
    expect(ran.code).toBe(130)
    expect(
      ran.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).id),
    ).toEqual(['c0', 'c1', 'c2', 'c3'])
    expect(ran.stderr).toContain('--follow --after k4')
  })

  it('leaves nothing behind where its position cannot be kept', async () => {
    const { command, folder } = await bench(await history())
    const file = path.join(folder, 'position')
    await mkdir(file)
    await expect(storeKey(file, 'k1')).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['position'])
    expect((await command(['changes', '--follow', '--after', '', '--sync-file', file])).code).toBe(1)
  })

  it('tells where to go on as it can be typed, at the beginning of the history, too', async () => {
    const server = await fakeServer(({ query }) =>
      query.after === undefined
        ? { json: { results: [], nextPageKey: null, syncKey: '' } }
        : problem(403, 'read_only_key'),
    )
    const { command } = await bench(server)
    const followed = await command(['changes', '--follow', '--after', ''])
    expect(followed.stderr).toContain('Go on from here with --follow --after ""\n')
    expect((await command(['changes'])).stderr).toContain('Go on from here with --after ""\n')
  })

  it('keeps its position in a file and goes on from there', async () => {
    const { command, folder } = await bench(await history())
    const file = path.join(folder, 'position')
    const until = async (last: string, position: string, ...more: string[]) => {
      const interruption = new AbortController()
      const kept = async () => (await readFile(file, 'utf8').catch(() => '')).includes(position)
      const interrupt = async () => {
        await vi.waitUntil(kept, { timeout: 60_000 })
        interruption.abort(new DOMException('Interrupted', 'AbortError'))
      }
      let seen = ''
      await command(['changes', '--follow', '--sync-file', file, '--interval', '1', '--json', ...more], {
        signal: interruption.signal,
        onStdout: text => {
          seen += text
          if (seen.includes(last)) void interrupt()
        },
      })
      return seen
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).id)
    }
    expect(await until('c3', 'k4')).toEqual(['c3'])
    expect((await readFile(file, 'utf8')).trim()).toBe('k4')
    expect(await until('c4', 'k5')).toEqual(['c4'])
    expect(await until('c5', 'k6', '--after', '')).toEqual(['c5'])
    await writeFile(file, '\n')
    expect(await until('c6', 'k7', '--after', 'k5')).toEqual(['c5', 'c6'])
  })
})

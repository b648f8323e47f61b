import { readdirSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { programFor } from '../../../src/clients/cli/program.ts'
import { Sink } from '../../../src/clients/cli/sink.ts'
import { Output, type World } from '../../../src/clients/cli/terminal.ts'
import { type FakeServer, fakeServer } from '../fake-server.ts'
import { bench } from './command.ts'

/** Every command that lists what the service pages, and where the list is. */
const LISTS: [string, string][] = [
  ['assortments publish-records a1', '/assortments/a1/history'],
  ['changes', '/change-history'],
  ['entities list item', '/items'],
  ['files list', '/files'],
  ['keys list', '/api-keys'],
  ['load list', '/loader-processes'],
  ['operator audit', '/operator/audit'],
  ['operator audit demo', '/operator/orgs/demo/audit'],
  ['operator backups list', '/operator/backups'],
  ['operator dead-letters list', '/operator/dead-letters'],
  ['operator endpoints deliveries demo erp', '/operator/orgs/demo/endpoints/erp/deliveries'],
  ['operator keys list demo', '/operator/orgs/demo/api-keys'],
  ['operator orgs list', '/operator/orgs'],
  ['operator tokens list demo', '/operator/orgs/demo/tokens'],
  ['search linen', '/search'],
  ['tasks list', '/event-workflow-tasks'],
  ['types list', '/types'],
  ['users audit', '/audit'],
  ['users invitations', '/invitations'],
  ['users list', '/users'],
  ['users sessions', '/auth/sessions'],
  ['workflows list', '/event-workflows'],
  ['workflows runs', '/event-workflow-processes'],
]

/** Its answer holds everything: the API has no pages there. */
const UNPAGED = ['profiles list', 'operator endpoints list']

const detail = { adds: 0, updates: 0, deletes: 0 }
const one = (id: string) => ({ id, slug: id, name: id, typePath: id, createdOn: id, detail })

/** Three pages of one each. */
const threePages = () =>
  fakeServer(({ query }) => {
    const at = Number(query.nextPageKey?.slice(1) ?? 1)
    const page = { results: [one(`x${at}`)], nextPageKey: at < 3 ? `p${at + 1}` : null }
    return { json: { ...page, entityTypes: [], syncKey: 's1' } }
  })

async function listing(server: FakeServer) {
  const { command } = await bench(server)
  return (words: string, ...more: string[]) =>
    command([...words.split(' '), ...more], { env: { SELVEDGE_OPERATOR_KEY: 'operator' } })
}

const keysOf = (server: FakeServer) => server.asked.map(({ query }) => query.nextPageKey)

describe.each(LISTS)('%s', (words, address) => {
  it('shows a page and says that there are more', async () => {
    const server = await threePages()
    const list = await listing(server)
    const first = await list(words, '--limit', '7')
    expect([first.code, first.stdout.includes('x1')]).toEqual([0, true])
    expect(first.stderr).toContain('There are more: --all, or --page-key p2\n')
    const last = await list(words, '--page-key', 'p3')
    expect([last.stdout.includes('x3'), last.stderr.includes('more')]).toEqual([true, false])
    expect(server.asked.map(asked => asked.path)).toEqual([`/api${address}`, `/api${address}`])
    expect(server.asked[0]?.query).toMatchObject({ limit: '7' })
    expect(keysOf(server)).toEqual([undefined, 'p3'])
  })

  it('gives programs the page itself, and all pages as lines', async () => {
    const server = await threePages()
    const list = await listing(server)
    const page = await list(words, '--json')
    expect(JSON.parse(page.stdout)).toMatchObject({ results: [one('x1')], nextPageKey: 'p2' })
    expect(page.stderr).toBe('')
    const all = await list(words, '--all', '--json')
    const lines = all.stdout.split('\n').filter(line => line !== '')
    expect(lines.map(line => JSON.parse(line))).toEqual([one('x1'), one('x2'), one('x3')])
    expect(all.stderr).toBe('')
    expect(keysOf(server)).toEqual([undefined, undefined, 'p2', 'p3'])
  })

  it('says that there is nothing, and refuses a limit that is no number', async () => {
    const server = await fakeServer(() => ({
      json: { results: [], nextPageKey: null, entityTypes: [], syncKey: 's1' },
    }))
    const list = await listing(server)
    for (const flags of [[], ['--all']]) {
      const empty = await list(words, ...flags)
      expect([empty.code, empty.stdout]).toEqual([0, ''])
      expect(empty.stderr).toMatch(/^(There are none|No item fits|Nothing was found|Nothing has changed)\.\n/)
    }
    const asked = server.asked.length
    expect((await list(words, '--limit', 'many')).code).toBe(2)
    expect(server.asked).toHaveLength(asked)
  })
})

function everyCommand(command: Command, words: string[] = []): { words: string; options: string[] }[] {
  const options = command.options.map(option => option.long ?? '')
  return [
    { words: words.join(' '), options },
    ...command.commands.flatMap(each => everyCommand(each, [...words, each.name()])),
  ]
}

describe('lists', () => {
  it('all page: whatever lists, and whatever the API pages', async () => {
    const commands = everyCommand(programFor({} as World))
    const paging = commands.filter(({ options }) => options.includes('--page-key'))
    for (const { words, options } of paging)
      expect(options, words).toEqual(expect.arrayContaining(['--limit', '--page-key', '--all']))
    const tested = LISTS.map(([words]) => paging.find(each => words.startsWith(each.words))?.words)
    expect(new Set(tested)).toEqual(new Set(paging.map(({ words }) => words)))
    const lists = commands.map(({ words }) => words).filter(words => words.endsWith(' list'))
    expect(lists.filter(words => !tested.includes(words))).toEqual(UNPAGED)

    const shown = (served: string) => LISTS.some(([, at]) => at.match(`^${served.replaceAll(/:\w+/g, '[^/]+')}$`))
    const served = await paged()
    expect(served.length).toBeGreaterThan(10)
    expect(served.filter(each => !shown(each))).toEqual([])
  })

  it('--all shows a page before it asks for the next', async () => {
    const events: string[] = []
    const server = await fakeServer(({ query: { nextPageKey = 'p1' } }) => {
      events.push(nextPageKey)
      return { json: { results: [{ id: `of-${nextPageKey}` }], nextPageKey: nextPageKey === 'p1' ? 'p2' : null } }
    })
    const { command } = await bench(server)
    await command(['files', 'list', '--all', '--json'], {
      onStdout: text => events.push(JSON.parse(text).id),
    })
    expect(events).toEqual(['p1', 'of-p1', 'p2', 'of-p2'])
  })

  it('--all waits for whoever reads slowly', async () => {
    const stdout = new PassThrough({ highWaterMark: 16 })
    const { signal } = new AbortController()
    const world = { stdout: new Sink(stdout), stderr: new PassThrough(), env: {}, signal } as unknown as World
    const output = new Output(world, true)
    let isWritten = false
    const written = output.rows([], [{ name: 'longer than sixteen bytes' }]).then(() => {
      isWritten = true
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(isWritten).toBe(false)
    stdout.resume()
    await written
  })

  it('are not followed by pages', async () => {
    const { command } = await bench(await threePages())
    for (const flags of [['--all'], ['--page-key', 'p2']])
      expect((await command(['changes', '--follow', ...flags])).code).toBe(2)
  })
})

/** The paths of the operations that take a nextPageKey, but for those that every entity type has. */
async function paged(): Promise<string[]> {
  const features = path.resolve(import.meta.dirname, '../../../src/features')
  const files = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('contract.ts'),
  )
  const contracts: object[] = await Promise.all(files.map(file => import(path.join(features, file))))
  return contracts
    .flatMap(contract => Object.values(contract))
    .filter(each => each?.method === 'GET' && each.query?.shape?.nextPageKey !== undefined)
    .map(each => String(each.path))
}

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PATIENT_RETRIES } from '../../../src/clients/cli/cli.ts'
import { completionsOf } from '../../../src/clients/cli/complete.ts'
import { programFor } from '../../../src/clients/cli/program.ts'
import type { World } from '../../../src/clients/cli/terminal.ts'
import { Workflows } from '../../../src/clients/typescript/workflows.ts'
import { fakeServer, problem } from '../fake-server.ts'
import { bench } from './command.ts'

describe('tasks and workflows', () => {
  it('calls a task back with logs, output and subtext', async () => {
    const server = await fakeServer(() => ({ json: { id: 't1', status: 'complete' } }))
    const { command } = await bench(server)
    const flags = ['--status', 'success', '--log', 'one', '--log', 'two', '--output', '{"n": 1}', '--subtext', 'done']
    const { code, stdout } = await command(['tasks', 'callback', 't1', ...flags])
    expect([code, stdout]).toEqual([0, 'The task t1 is complete.\n'])
    expect(server.asked[0]).toMatchObject({
      path: '/api/external-events/callback/',
      json: { taskId: 't1', status: 'SUCCESS', logs: ['one', 'two'], output: { n: 1 }, subtext: 'done' },
    })
  })

  it('runs workflows and fails when a run did not complete', async () => {
    let status = 'complete'
    const server = await fakeServer(({ method }) =>
      method === 'POST' ? { status: 201, json: { results: [{ id: 'p1' }] } } : { json: { id: 'p1', status } },
    )
    const { command } = await bench(server)
    const words = ['workflows', 'run', 'nightly', '--event', '{"region": "eu"}', '--wait']
    expect((await command(words)).code).toBe(0)
    expect(server.asked[0]?.json).toEqual({ triggerKey: 'nightly', event: { region: 'eu' } })
    status = 'failed'
    const { code, stderr } = await command(words)
    expect(code).toBe(1)
    expect(stderr).toContain('selvedge workflows show p1')
  })
})

describe('workflows run', () => {
  it.each([[[]], [['--wait']]])('fails where no workflow has the trigger key, with flags %j', async flags => {
    const server = await fakeServer(() => ({ status: 201, json: { results: [] } }))
    const { command } = await bench(server)
    const { code, stderr } = await command(['workflows', 'run', 'nigthly', ...flags])
    expect(code).toBe(1)
    expect(stderr).toContain('No active workflow has the trigger key nigthly.')
  })
})

describe('workflows run --wait', () => {
  it('gives up all runs where one cannot be waited for, and is patient', async () => {
    let status = 'active'
    const server = await fakeServer(({ method, path }) => {
      if (method === 'POST') return { status: 201, json: { results: [{ id: 'p1' }, { id: 'p2' }] } }
      return path.endsWith('p1') ? problem(404, 'not_found') : { json: { id: 'p2', status } }
    })
    const wait = vi.spyOn(Workflows.prototype, 'wait')
    onTestFinished(() => wait.mockRestore())
    const { command } = await bench(server)
    expect((await command(['workflows', 'run', 'nightly', '--wait'])).code).toBe(1)
    status = 'complete'
    const ends = await Promise.allSettled(wait.mock.results.map(({ value }) => value))
    expect(ends.map(end => end.status)).toEqual(['rejected', 'rejected'])
    for (const [args] of wait.mock.calls) expect(args.maxRetries).toBe(PATIENT_RETRIES)
  })
})

describe('types get', () => {
  it('shows the options of each property, and what is inherited', async () => {
    const properties = [
      {
        slug: 'season',
        label: 'Season',
        propertyType: 'choice',
        options: [{ value: 'SS27', label: 'Spring' }, 'FW27'],
      },
      { slug: 'fabric', label: 'Fabric', propertyType: 'string', required: true, inheritedFrom: 'item' },
    ]
    const json = { typePath: 'item:apparel', label: 'Apparel', properties }
    const { command } = await bench(await fakeServer(() => ({ json })))
    const { stdout, stderr } = await command(['types', 'get', 'item:apparel'], { terminal: 80 })
    expect(stderr).toBe('item:apparel (Apparel):\n')
    expect(stdout).toMatch(/^season +Season +choice +SS27 \(Spring\), FW27$/m)
    expect(stdout).toMatch(/^fabric +Fabric +string +required +item$/m)
    const bare = await bench(await fakeServer(() => ({ json: { ...json, properties: [] } })))
    expect((await bare.command(['types', 'get', 'item'])).stderr).toContain('defines no properties')
  })
})

describe('operator', () => {
  it('takes the key from the environment, or key and password from stdin, and never from an argument', async () => {
    const server = await fakeServer(() => ({ status: 201, json: { slug: 'acme', key: 'app:x', id: 'k', name: 'erp' } }))
    const { command } = await bench()
    const create = ['operator', 'orgs', 'create', 'acme', '--admin-email', 'a@b.c', '--base-url', server.baseUrl]
    expect((await command(create, { stdin: 'opkey\npw\n' })).code).toBe(0)
    expect(server.asked[0]).toMatchObject({
      path: '/api/operator/orgs',
      headers: { 'x-operator-key': 'opkey' },
      json: { slug: 'acme', name: 'acme', admin: { email: 'a@b.c', password: 'pw' } },
    })
    const env = { SELVEDGE_OPERATOR_KEY: 'opkey', SELVEDGE_BASE_URL: server.baseUrl }
    const { stdout } = await command(['operator', 'keys', 'create', 'acme', '--name', 'erp', '--tier', 'high'], { env })
    expect(stdout).toBe('app:x\n')
    expect(server.asked[1]).toMatchObject({
      path: '/api/operator/orgs/acme/api-keys',
      json: { name: 'erp', scope: 'write', tier: 'high' },
    })
    const removal = await command(['operator', 'orgs', 'delete', 'acme'], { env })
    expect(removal.code).toBe(2)
    expect(server.asked).toHaveLength(2)
  })
})

describe('operator --profile', () => {
  it('goes before the variables, and is never another one', async () => {
    const [meant, other] = [await fakeServer(() => ({ json: {} })), await fakeServer(() => ({ json: {} }))]
    const { command } = await bench()
    await command(['login', '--base-url', meant.baseUrl, '--org', 'demo', '--api-key', 'app:k', '--profile', 'staging'])
    const env = { SELVEDGE_OPERATOR_KEY: 'opkey', SELVEDGE_BASE_URL: other.baseUrl }
    await command(['operator', 'status', '--profile', 'staging'], { env })
    expect(meant.asked.at(-1)?.path).toBe('/api/operator/status')
    expect((await command(['operator', 'status', '--profile', 'stagin'], { env })).code).toBe(2)
    expect(other.asked).toEqual([])
  })
})

describe('completion', () => {
  const program = programFor({} as World)
  const complete = (line: string) => completionsOf(program, line.split(' '), ['demo', 'staging'])

  it('knows commands, options, profiles and entity names', () => {
    expect(complete('ent')).toEqual(['entities'])
    expect(complete('load ')).toEqual(
      ['cancel', 'get', 'list', 'revert', 'start', 'upload-and-load', 'watch'].concat('help').sort(),
    )
    expect(complete('--profile ')).toEqual(['demo', 'staging'])
    expect(complete('entities list item --profile st')).toEqual(['staging'])
    expect(complete('--profile demo entities get co')).toEqual(['color'])
    expect(complete('entities list item --re')).toEqual(['--relations'])
    expect(complete('profiles use ')).toEqual(['demo', 'staging'])
    expect(complete('load upload-and-load a.csv --mode ')).toEqual(['create', 'update', 'upsert'])
    expect(complete('entities get item ')).toEqual([])
  })

  it('prints a script for bash and zsh', async () => {
    const { command } = await bench()
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
      expect((await command(['completion', shell])).stdout).toContain('__complete')
    expect((await command(['__complete', '--', 'chan'])).stdout).toBe('changes\n')
    expect((await command(['__complete', '--', 'changes', '--fol'])).stdout).toBe('--follow\n')
  })
})

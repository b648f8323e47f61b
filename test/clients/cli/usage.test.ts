import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { programFor } from '../../../src/clients/cli/program.ts'
import type { World } from '../../../src/clients/cli/terminal.ts'
import { fakeServer, problem } from '../fake-server.ts'
import { bench } from './command.ts'

function everyCommand(command: Command, words: string[] = []): string[][] {
  return [words, ...command.commands.flatMap(each => everyCommand(each, [...words, each.name()]))]
}

describe('help', () => {
  it('shows examples for every command', async () => {
    const { command } = await bench()
    const all = everyCommand(programFor({} as World)).filter(words => !words.includes('__complete'))
    expect(all.length).toBeGreaterThan(50)
    for (const words of all) {
      const { code, stdout } = await command([...words, '--help'])
      expect([words, code]).toEqual([words, 0])
      expect(stdout, words.join(' ')).toMatch(/Examples:\n {2}\$ /)
      expect(stdout).toContain('--json')
    }
  })
})

describe('a terminal', () => {
  it('gets colors unless NO_COLOR is set, and lines that break between words', async () => {
    const { command } = await bench()
    const ran = await command(['entities', 'list', 'item'], { terminal: 40, env: { NO_COLOR: '' } })
    expect(ran.stderr).toContain('\u001b[31merror: \u001b[39mNot signed in.')
    const plain = await command(['entities', 'list', 'item'], { terminal: 40 })
    expect(plain.stderr).not.toContain('\u001b')
    for (const line of plain.stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(40)
    expect(plain.stderr.replaceAll(/\s+/g, ' ')).toContain('set SELVEDGE_API_KEY, SELVEDGE_ORG and SELVEDGE_BASE_URL.')
    const help = await command(['--help'], { terminal: 80, env: { NO_COLOR: '' } })
    expect(help.stdout).toContain('\u001b[1mCommands:\u001b[22m')
    expect((await command(['--help'], { terminal: 80 })).stdout).not.toContain('\u001b')
  })
})

describe('exit codes', () => {
  it('is 2 for a command line that cannot be understood, in three parts', async () => {
    const { command } = await bench()
    for (const words of [
      ['entitis'],
      ['entities', 'frobnicate'],
      ['entities', 'get', 'item'],
      ['entities', 'list', 'item', '--frob'],
      ['entities', 'list'],
      ['tasks', 'callback', 't1'],
      ['login', '--email'],
    ]) {
      const { code, stdout, stderr } = await command(words)
      expect([words, code, stdout]).toEqual([words, 2, ''])
      expect(stderr).toMatch(/^error: .+\nwhy: {3}.+\ndo: {4}.+--help/)
    }
    expect((await command(['entitis'])).stderr).toContain('Did you mean entities?')
  })

  it('is 2 for values that cannot be used', async () => {
    const server = await fakeServer(() => ({ json: { results: [], nextPageKey: null } }))
    const { command } = await bench(server)
    for (const words of [
      ['entities', 'list', 'item', '--limit', 'many'],
      ['entities', 'list', 'item', '--order', 'name:up'],
      ['entities', 'list', 'item', '--where', 'name'],
      ['entities', 'list', 'item', '--criteria', '{"a":'],
      ['entities', 'create', 'item'],
      ['entities', 'create', 'item', '/no/such/file.json'],
      ['entities', 'get', 'item', '..'],
      ['tasks', 'callback', 't1', '--status', 'MAYBE'],
      ['load', 'upload-and-load', '/no/such.csv', '{}'],
      ['load', 'upload-and-load', '/no/such.csv'],
      ['load', 'start', '{}', '--mode', 'replace'],
      ['changes', '--order', 'up'],
      ['changes', '--sync-file', 'x'],
      ['completion', 'tcsh'],
    ]) {
      const { code, stderr } = await command(words)
      expect([words, code]).toEqual([words, 2])
      expect(stderr).toMatch(/^error: .+\nwhy: {3}.+\ndo: {4}.+/)
    }
    expect(server.asked).toHaveLength(0)
  })

  it('is 2 for a list of names that is empty, or has an empty part: nothing is not everything', async () => {
    const server = await fakeServer(() => problem(403, 'read_only_key'))
    const { command } = await bench(server)
    const to = ['--forward-to', 'http://127.0.0.1:9']
    for (const names of ['', ' ', 'item,', ',item', 'item,,color']) {
      for (const words of [
        ['undo', '--since', '2026-05-01', '--entity-type', names],
        ['undo', '--since', '2026-05-01', '--entity-type', 'item', '--entity-type', names],
        ['changes', '--entity-type', names],
        ['changes', '--follow', '--after', '', '--entity-type', names],
        ['listen', ...to, '--events', names.replaceAll(/item|color/g, '$&|*')],
        ['entities', 'export', 'item', '--properties', names],
        ['entities', 'restore', 'item', 'i1', '2', '--properties', names],
        ['entities', 'list', 'item', '--columns', names],
        ['search', 'linen', '--columns', names],
      ]) {
        const { code, stderr } = await command(words)
        expect([words, code]).toEqual([words, 2])
        expect(stderr).toMatch(/^error: --[a-z-]+ ".*" names nothing/)
      }
    }
    expect(server.asked).toHaveLength(0)
  })

  it('is 4 when not signed in, with the way out', async () => {
    const { command } = await bench()
    const { code, stderr } = await command(['entities', 'list', 'item'])
    expect(code).toBe(4)
    expect(stderr).toContain('Not signed in')
    expect(stderr).toContain('selvedge login')
  })

  it('is 4 when the service refuses the credential, 1 for every other failure', async () => {
    const refused = await bench(await fakeServer(() => problem(401, 'unauthorized')))
    expect((await refused.command(['entities', 'list', 'item'])).code).toBe(4)
    const missing = await bench(await fakeServer(() => problem(404, 'not_found')))
    const { code, stderr } = await missing.command(['entities', 'get', 'item', 'i1'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/404, not_found, request r-1/)
  })

  it('names every faulty field', async () => {
    const errors = [
      { path: '/name', message: 'must be a string' },
      { path: '/hex', message: 'must be a colour' },
    ]
    const { command } = await bench(await fakeServer(() => problem(400, 'invalid_input', { errors })))
    const { code, stderr } = await command(['entities', 'create', 'color', '--set', 'name=1'])
    expect(code).toBe(1)
    expect(stderr).toContain('- /name: must be a string\n')
    expect(stderr).toContain('- /hex: must be a colour\n')
  })

  it('gives programs the error as JSON on stderr', async () => {
    const { command } = await bench(await fakeServer(() => problem(404, 'not_found')))
    const { stdout, stderr } = await command(['entities', 'get', 'item', 'i1', '--json'])
    expect(stdout).toBe('')
    expect(JSON.parse(stderr)).toMatchObject({ error: { status: 404, code: 'not_found', requestId: 'r-1' } })
  })

  it('is 2 when half of the environment is missing', async () => {
    const { command } = await bench()
    const { code, stderr } = await command(['whoami'], { env: { SELVEDGE_API_KEY: 'app:k' } })
    expect(code).toBe(2)
    expect(stderr).toContain('SELVEDGE_ORG')
  })
})

// The command against the real service, each call a process of its own.

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandLine, commandLine } from './command-line.ts'
import type { Service } from './start.ts'

export function command(started: () => Service): void {
  describe('the command against the service', () => {
    let cli: CommandLine
    beforeAll(async () => {
      cli = await commandLine(started())
    })
    afterAll(() => cli.end())

    it('creates, lists, updates, deletes', async () => {
      const { id } = await cli.json<{ id: string }>(
        'entities',
        'create',
        'color',
        '--set',
        'name=Teal',
        '--set',
        'hex=#008080',
      )
      const { stdout } = await cli.run('entities', 'list', 'color', '--where', 'name=Teal', '--columns', 'id,name,hex')
      expect(stdout).toBe(`${id}\tTeal\t#008080\n`)
      expect(await cli.json('entities', 'update', 'color', id, '--set', 'name=Deep teal')).toMatchObject({ version: 2 })
      const stale = await cli.run('entities', 'update', 'color', id, '--set', 'name=x', '--if-match', '1')
      expect(stale.code).toBe(1)
      expect(stale.stderr).toContain('412, precondition_failed')
      expect((await cli.run('entities', 'delete', 'color', id)).code).toBe(0)
      expect((await cli.run('entities', 'get', 'color', id)).stderr).toContain('404, not_found')
    })

    it('shows types and changes', async () => {
      expect((await cli.run('types', 'list')).stdout).toContain('size-range-template\t')
      expect((await cli.run('types', 'get', 'item')).code).toBe(0)
      const reference = await cli.json<{ id: string }>('entities', 'create', 'item', '--set', 'name=Seen')
      const seen = await cli.json<{ results: object[] }>(
        'changes',
        '--reference',
        `item:${reference.id}`,
        '--since',
        '2020-01-01',
      )
      expect(seen.results).toMatchObject([{ changeType: 'create', changes: { name: { newValue: 'Seen' } } }])
      const page = await cli.json<{ results: object[]; syncKey: string }>('changes', '--after', '', '--limit', '2')
      expect(page.results).toHaveLength(2)
      expect((await cli.run('changes', '--after', page.syncKey)).code).toBe(0)
    })

    it('runs the operator’s commands', async () => {
      const made = await cli.run(
        'operator',
        'keys',
        'create',
        'demo',
        '--name',
        'made by the command',
        '--scope',
        'read',
      )
      expect(made.stdout).toMatch(/^app:\w{40,}\n$/)
      const { results } = await cli.json<{ results: { id: string; name: string }[] }>(
        'operator',
        'keys',
        'list',
        'demo',
      )
      const { id = '' } = results.find(each => each.name === 'made by the command') ?? {}
      expect((await cli.run('operator', 'keys', 'revoke', 'demo', id)).code).toBe(0)
      expect((await cli.run('operator', 'orgs', 'retention', 'demo', '3650')).code).toBe(0)
      expect(await cli.json('operator', 'orgs', 'archive', 'demo', '90')).toMatchObject({ historyArchiveDays: 90 })
      expect(await cli.json('operator', 'orgs', 'archive', 'demo', 'never')).toMatchObject({ historyArchiveDays: null })
      expect(await cli.json('operator', 'orgs', 'retention', 'demo', 'ever')).toMatchObject({
        historyRetentionDays: null,
        database: 'DB',
      })
    })

    it('loads a file, and tells what is wrong with a bad one', async () => {
      const good = path.join(cli.folder, 'good.csv')
      const bad = path.join(cli.folder, 'bad.csv')
      const config = path.join(cli.folder, 'loader.yaml')
      await writeFile(good, 'Code,Title,Hex\nindigo,Indigo,#4b0082\nochre,Ochre,#cc7722\n')
      await writeFile(bad, 'Code,Title,Hex\nindigo,Indigo,blue\n')
      await writeFile(config, 'loadType: [COLOR]\nfederatedMappings: {federatedId: Code, name: Title, hex: Hex}\n')
      const dry = await cli.run('load', 'upload-and-load', good, config, '--dry-run')
      expect([dry.code, dry.stdout]).toEqual([0, 'color\t2\t0\t0\t0\n'])
      expect(dry.stderr).toContain('nothing was written')
      const loaded = await cli.run('load', 'upload-and-load', good, config)
      expect([loaded.code, loaded.stdout]).toEqual([0, 'color\t2\t0\t0\t0\n'])
      expect(loaded.stderr).toMatch(/Uploading .*100%/)
      const failed = await cli.run('load', 'upload-and-load', bad, config)
      expect(failed.code).toBe(1)
      expect(failed.stderr).toMatch(/LINE +COLUMN +KIND +PROBLEM\n +2 +hex +INVALID_DATA/)
      expect(failed.stderr).toContain('Nothing was written.')
      const [, annotated = ''] = /files download (\S+) --output corrected.csv/.exec(failed.stderr) ?? []
      expect((await cli.run('files', 'download', annotated)).stdout).toContain('_issues')
      const wrong = await cli.run('load', 'upload-and-load', good, '{"loadType": ["COLOUR"]}')
      expect(wrong.stderr).toContain('- /loadType/0: ')
    })

    it('makes a task and calls it back', async () => {
      const { id } = await cli.json<{ id: string }>('tasks', 'create', 'from the command')
      expect((await cli.run('tasks', 'list', '--status', 'awaiting')).stdout).toContain(id)
      expect((await cli.run('tasks', 'subtext', id, 'half way')).code).toBe(0)
      const done = await cli.run(
        'tasks',
        'callback',
        id,
        '--status',
        'SUCCESS',
        '--log',
        'made',
        '--output',
        '{"n": 1}',
      )
      expect([done.code, done.stdout]).toEqual([0, `The task ${id} is complete.\n`])
      const again = await cli.run('tasks', 'callback', id, '--status', 'FAILURE')
      expect(again.code).toBe(1)
      expect(again.stderr).toContain('409, task_not_awaiting')
      expect((await cli.run('tasks', 'get', id)).stderr).toMatch(/Z made/)
    })

    it('runs a workflow and waits for it', async () => {
      const tasks = [{ name: 'note', action: 'expression', config: { output: { region: '{event.region}' } } }]
      const workflow = { name: 'By command', triggerKey: 'by-command', isActive: true, paths: [{ tasks }] }
      expect((await cli.run('workflows', 'create', JSON.stringify(workflow))).code).toBe(0)
      const run = await cli.json<{ results: { id: string; status: string }[] }>(
        ...['workflows', 'run', 'by-command', '--event', '{"region": "eu"}', '--wait'],
      )
      expect(run.results).toMatchObject([{ status: 'complete' }])
      const shown = await cli.run('workflows', 'show', run.results[0]?.id ?? '')
      expect(shown.stdout).toMatch(/\tnote\tcomplete\t/)
    })

    it('signs in with a password, makes a key, uses it, signs out', async () => {
      const { email, password, baseUrl, orgSlug } = started().admin
      const person = { SELVEDGE_API_KEY: '', SELVEDGE_PASSWORD: password }
      const login = await cli.as(person, 'login', '--base-url', baseUrl, '--org', orgSlug, '--email', email)
      expect(login.code, login.stderr).toBe(0)
      expect((await cli.as(person, 'whoami')).stdout).toMatch(new RegExp(`^user\\t${email}$`, 'm'))
      const made = await cli.as(person, 'getApiKey', '--name', 'by command', '--scope', 'read', '--save-as', 'robot')
      expect(made.stdout).toMatch(/^app:\w{40,}\n$/)
      const refused = await cli.as(person, 'entities', 'create', 'item', '--set', 'name=x', '--profile', 'robot')
      expect(refused.stderr).toContain('403, read_only_key')
      expect((await cli.as(person, 'entities', 'list', 'item', '--profile', 'robot')).code).toBe(0)
      expect((await cli.as(person, 'users', 'list')).stdout).toContain(email)
      expect((await cli.as(person, 'logout')).code).toBe(0)
      expect((await cli.as(person, 'whoami', '--profile', 'default')).code).toBe(4)
    })
  })
}

// Backup and restore by the command, against the real service (N63).

import { copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bringBack, check } from '../../../src/clients/cli/backup/bring-back.ts'
import { type Client, Operator } from '../../../src/clients/typescript/index.ts'
import { type CommandLine, commandLine } from './command-line.ts'
import { newOrg, type Service } from './start.ts'

const PASSPHRASE = 'a passphrase of the tests'

export function backup(started: () => Service): void {
  describe('N63 backup and restore', () => {
    let cli: CommandLine
    let operator: Operator
    beforeAll(async () => {
      cli = await commandLine(started())
      operator = new Operator(started().operator)
    })
    afterAll(() => cli.end())

    const secured = ['--passphrase-env', 'BACKUP_PASSPHRASE']
    const variables = { BACKUP_PASSPHRASE: PASSPHRASE, WRONG_PASSPHRASE: 'another one, and wrong' }
    const run = (...words: string[]) => cli.as(variables, 'operator', ...words)
    const stateOf = async (client: Client) => ({
      items: await client.entities.list({ entityName: 'item', queryParams: { limit: 5 } }),
      changes: await client.changes.list({ after: '', limit: 5 }),
      types: await client.entities.list({ entityName: 'type' }),
    })

    it('saves, goes on after any cut, brings back', async () => {
      const client = await newOrg(started(), 'saved')
      const content = new Uint8Array(9 * 1024 * 1024).map((_, at) => at * 7)
      const large = await client.files.upload({ content, fileName: 'large.bin' })
      const empty = await client.files.upload({ content: new Uint8Array(), fileName: 'empty.txt' })
      const objects = Array.from({ length: 30 }, (_, n) => ({ name: `Item ${n}`, text: 'ä\u2028"' }))
      await client.entities.createBatch({ entityName: 'item', objects })
      const before = await stateOf(client)
      const file = path.join(cli.folder, 'saved.selvedge')
      const made = await run('backup', 'saved', '--out', file, ...secured)
      expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('saved is saved in')])
      expect((await readFile(file)).includes('Item 1')).toBe(false)

      const { size } = await stat(file)
      for (const share of [0.02, 0.6]) {
        const again = path.join(cli.folder, `cut-${share}`)
        await copyFile(file, `${again}.part`)
        await truncate(`${again}.part`, Math.floor(size * share))
        const resumed = await run('backup', 'saved', '--out', again, ...secured)
        expect([share, resumed.code, resumed.stderr]).toEqual([share, 0, expect.stringContaining('Going on')])
        expect((await check(again, PASSPHRASE)).frames).toBeGreaterThan(5)
        await rm(again)
      }

      expect((await run('restore', file, ...secured)).stderr).toContain('409, duplicate')
      await operator.deleteOrg({ slug: 'saved' })
      const checked = await check(file, PASSPHRASE)
      // Stopped in the middle, twice, as a person does or a machine.
      for (const parts of [2, 4]) {
        const stopped = new AbortController()
        const told = (part: number) => {
          if (part === parts) stopped.abort(new Error('stopped'))
        }
        const half = { operator, file, passphrase: PASSPHRASE, checked, slug: undefined, suspended: false, told }
        await expect(bringBack({ ...half, signal: stopped.signal })).rejects.toThrow('stopped')
        await expect(operator.getOrg({ slug: 'saved' })).rejects.toMatchObject({ status: 404 })
      }
      const restored = await run('restore', file, ...secured)
      expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining('The organization saved is back.')])
      expect(await stateOf(client)).toEqual(before)
      const back = await client.files.download({ id: large.id })
      expect(Buffer.from(await back.arrayBuffer()).equals(Buffer.from(content))).toBe(true)
      expect((await (await client.files.download({ id: empty.id })).arrayBuffer()).byteLength).toBe(0)
    })

    it('comes back under another name where its own is taken before the end', async () => {
      await newOrg(started(), 'named')
      const file = path.join(cli.folder, 'named.selvedge')
      expect((await run('backup', 'named', '--out', file)).code).toBe(0)
      await operator.deleteOrg({ slug: 'named' })
      const stopped = new AbortController()
      const half = { operator, file, passphrase: undefined, checked: await check(file, undefined) }
      const told = () => stopped.abort(new Error('stopped'))
      const bringing = bringBack({ ...half, slug: undefined, suspended: false, told, signal: stopped.signal })
      await expect(bringing).rejects.toThrow('stopped')
      await newOrg(started(), 'named')
      expect((await run('restore', file)).stderr).toContain('Run it again with --slug')
      const back = await run('restore', file, '--slug', 'named-again')
      expect([back.code, back.stderr]).toEqual([0, expect.stringContaining('The organization named-again is back.')])
    })

    it('refuses what is no archive of it before anything is sent', async () => {
      await newOrg(started(), 'refused')
      const file = path.join(cli.folder, 'refused.selvedge')
      expect((await run('backup', 'refused', '--out', file, '--passphrase-env', 'NOT_SET')).code).toBe(2)
      expect((await run('backup', 'nobody', '--out', file)).stderr).toContain('404')
      expect((await run('backup', 'refused', '--out', file, ...secured)).code).toBe(0)
      await operator.deleteOrg({ slug: 'refused' })
      const failing = async (words: string[], message: string) => {
        const ran = await run('restore', file, ...words)
        expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(message)])
      }
      await failing([], 'The archive is encrypted.')
      await failing(['--passphrase-env', 'WRONG_PASSPHRASE'], 'The passphrase is not the one')
      const bytes = await readFile(file)
      await writeFile(file, Buffer.concat([bytes.subarray(0, -50), Buffer.alloc(50)]))
      await failing(secured, 'damaged, or was altered')
      await writeFile(file, bytes.subarray(0, -50))
      await failing(secured, 'cut off')
      await expect(operator.getOrg({ slug: 'refused' })).rejects.toMatchObject({ status: 404 })
      await writeFile(`${file}.part`, bytes)
      expect((await run('backup', 'demo', '--out', file, ...secured)).stderr).toContain('is of another backup')
    })
  })
}

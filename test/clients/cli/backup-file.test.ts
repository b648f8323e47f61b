import { execFileSync, spawnSync } from 'node:child_process'
import { type FileHandle, mkdir, open, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest'
import { ArchiveFile } from '../../../src/clients/cli/backup/archive-file.ts'
import { check } from '../../../src/clients/cli/backup/bring-back.ts'
import { packed } from '../../../src/platform/formats/bodies.ts'
import { MAGIC } from '../../../src/platform/formats/frames.ts'
import { bench } from './command.ts'

const about = { slug: 'demo', createdOn: '2026-05-01T00:00:00.000Z', source: 'http://localhost/api' }

describe('N63 the file of a backup', () => {
  it('is no pipe, no folder, and no link to one', async () => {
    const { folder } = await bench()
    const [pipe, link, dir] = ['pipe', 'link', 'dir'].map(name => path.join(folder, name)) as [string, string, string]
    execFileSync('mkfifo', [pipe])
    await symlink(pipe, link)
    await mkdir(dir)
    for (const file of [pipe, link, dir]) {
      await expect(ArchiveFile.open(file, about, undefined)).rejects.toThrow(`${file} is no file`)
      await expect(stat(`${file}.part`)).rejects.toThrow('ENOENT')
    }
    expect((await stat(pipe)).isFIFO()).toBe(true)
  })

  it('does not take the place of a file that was never an archive', async () => {
    const { folder } = await bench()
    const file = path.join(folder, 'demo')
    for (const text of ['somebody’s own\n', 'S']) {
      await writeFile(`${file}.part`, `${text}${text}`)
      await expect(ArchiveFile.open(file, about, undefined)).rejects.toThrow('demo.part is no archive')
      expect(await readFile(`${file}.part`, 'utf8')).toBe(`${text}${text}`)
    }
  })

  it.each(['', MAGIC.slice(0, 7), MAGIC, `${MAGIC}{"slug":"de`])(
    'is begun anew where its beginning was cut: %j',
    async text => {
      const { folder } = await bench()
      const file = path.join(folder, 'demo')
      await writeFile(`${file}.part`, text)
      const archive = await ArchiveFile.open(file, about, undefined)
      expect(archive.progress.after).toBeUndefined()
      await archive.finish()
      expect(await readFile(file, 'latin1')).toContain(`${MAGIC}{"slug":"demo"`)
    },
  )
})

const end = '{"table":"end","format":1,"organizationId":"AAAAAAAAAAAAAAAA","slug":"demo","parts":1,"highest":{}}\n'
const page = async (digest: string) => ({
  kind: 'rows' as const,
  body: await packed(`${end}{"table":"mark","part":0,"digest":"${digest}","after":null}\n`),
})

describe('a disk that takes a few bytes at a time', () => {
  it('gets all of them', async () => {
    const { folder } = await bench()
    const file = path.join(folder, 'demo')
    const some = await open(path.join(folder, 'some'), 'w')
    const handles: FileHandle = Object.getPrototypeOf(some)
    await some.close()
    const write = handles.write as (...args: unknown[]) => Promise<unknown>
    const short = vi.spyOn(handles, 'write') as unknown as MockInstance<typeof write>
    onTestFinished(() => short.mockRestore())
    short.mockImplementation(function (this: FileHandle, bytes, offset, length, position) {
      return write.call(this, bytes, offset, Math.min(5, Number(length)), position)
    })
    const archive = await ArchiveFile.open(file, about, undefined)
    await archive.write(await page('a'))
    await archive.finish()
    expect(await check(file, undefined)).toMatchObject({ digest: 'a', frames: 1 })
  })
})

describe('two runs with one file', () => {
  it('are one: the second is refused, and spoils nothing of the first', async () => {
    const { folder } = await bench()
    const file = path.join(folder, 'demo')
    const both = await Promise.allSettled([1, 2].map(() => ArchiveFile.open(file, about, undefined)))
    const [first] = both.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    const [refused] = both.flatMap(each => (each.status === 'rejected' ? [each.reason.message] : []))
    expect(refused).toBe(`Another run is writing ${file}.part.`)
    if (!first) throw new Error('nobody opened it')
    await first.write(await page('a'))
    await expect(ArchiveFile.open(file, about, undefined)).rejects.toThrow('Another run')
    await first.finish()
    expect(await check(file, undefined)).toMatchObject({ digest: 'a', frames: 1 })
    const next = await ArchiveFile.open(file, about, undefined)
    await next.close()
    expect((await readdir(folder)).sort()).toEqual(['demo', 'demo.part'])
  })

  it('a refusal leaves no lock', async () => {
    const { folder } = await bench()
    const file = path.join(folder, 'demo')
    await (await ArchiveFile.open(file, about, undefined)).close()
    await expect(ArchiveFile.open(file, { ...about, slug: 'other' }, undefined)).rejects.toThrow('of another backup')
    await (await ArchiveFile.open(file, about, undefined)).finish()
    expect(await readdir(folder)).toEqual(['demo'])
  })

  it('a run that has died is not waited for, one that lives is', async () => {
    const { folder } = await bench()
    const file = path.join(folder, 'demo')
    const lock = `${file}.part.lock`
    const { pid: dead } = spawnSync('true')
    const [here, host] = [os.hostname(), 'another-machine']
    const left = (holder: object, agoMs = 0) =>
      writeFile(lock, JSON.stringify(holder)).then(() => utimes(lock, new Date(), new Date(Date.now() - agoMs)))
    for (const [holder, agoMs] of [
      [{ host: here, pid: process.ppid }, 0],
      [{ host, pid: dead }, 60_000],
      [{}, 0],
    ] as const) {
      await left(holder, agoMs)
      await expect(ArchiveFile.open(file, about, undefined)).rejects.toThrow('Another run')
    }
    for (const [holder, agoMs] of [
      [{ host: here, pid: dead }, 0],
      // Of a container that came before this one.
      [{ host: here, pid: process.pid }, 0],
      [{ host, pid: process.ppid }, 180_000],
      [{}, 180_000],
    ] as const) {
      await left(holder, agoMs)
      await (await ArchiveFile.open(file, about, undefined)).close()
    }
  })

  it('gives signs of life as long as it lasts', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { folder } = await bench()
    const file = path.join(folder, 'demo')
    const archive = await ArchiveFile.open(file, about, undefined)
    await utimes(`${file}.part.lock`, 0, 0)
    vi.advanceTimersByTime(60_000)
    await expect.poll(async () => (await stat(`${file}.part.lock`)).mtimeMs).toBeGreaterThan(Date.now() - 60_000)
    await archive.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('who was taken for dead writes no more', async () => {
    const { folder } = await bench()
    const file = path.join(folder, 'demo')
    const slept = await ArchiveFile.open(file, about, undefined)
    await slept.write(await page('a'))
    const lock = JSON.stringify({ host: 'another-machine', pid: 1, token: 'other' })
    await writeFile(`${file}.part.lock`, lock)
    await expect(slept.write(await page('b'))).rejects.toThrow('Another run')
    await expect(slept.finish()).rejects.toThrow('Another run')
    await slept.close()
    expect(await readFile(`${file}.part.lock`, 'utf8')).toBe(lock)
    expect((await readdir(folder)).sort()).toEqual(['demo.part', 'demo.part.lock'])
  })
})

describe('an archive without encryption', () => {
  it('is refused where a passphrase is given: anybody could have made it', async () => {
    const { folder, command } = await bench()
    const file = path.join(folder, 'forged')
    const archive = await ArchiveFile.open(file, about, undefined)
    await archive.write(await page('a'))
    await archive.finish()
    const checking = ['operator', 'restore', file, '--check']
    expect(await command(checking)).toMatchObject({ code: 0 })
    const env = { BACKUP_PASSPHRASE: 'the passphrase of the operator' }
    const ran = await command([...checking, '--passphrase-env', 'BACKUP_PASSPHRASE'], { env })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('The archive is not encrypted.') })
    expect(ran.stderr).toContain('Leave --passphrase-env out if you mean it.')
  })
})

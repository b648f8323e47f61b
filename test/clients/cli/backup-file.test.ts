import { execFileSync } from 'node:child_process'
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ArchiveFile } from '../../../src/clients/cli/backup/archive-file.ts'
import { MAGIC } from '../../../src/formats/frames.ts'
import { bench } from './command.ts'

const about = { slug: 'demo', createdOn: '2026-05-01T00:00:00.000Z', source: 'http://localhost/api' }

describe('the file of a backup', () => {
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

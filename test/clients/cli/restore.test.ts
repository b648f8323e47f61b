// A restore that meets another one, or whose name is taken before its end.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ArchiveFile } from '../../../src/clients/cli/backup/archive-file.ts'
import { packed } from '../../../src/platform/formats/bodies.ts'
import { type Asked, fakeServer, problem, type Reply } from '../fake-server.ts'
import { bench } from './command.ts'

const ID = 'AAAAAAAAAAAAAAAA'
const end = { table: 'end', format: 1, organizationId: ID, slug: 'demo', parts: 1, highest: {} }

interface Begun {
  slug: string
  digest: string
  isShifted: boolean
  nextPart: number
}

/** As the service has it: one restore, which goes on as it was begun; `demo` is taken before its end. */
function service(known?: Begun) {
  let restore = known
  const shown = (state: string): Reply => ({
    json: { ...restore, id: 'r1', state, leftOut: { passwords: 0, endpoints: [], identityProvider: false } },
  })
  const begin = ({ slug = 'demo', digest, positions }: Record<string, string>): Reply => {
    const asked = { slug, digest: digest ?? '', isShifted: positions === 'shift' }
    restore ??= { ...asked, nextPart: 0 }
    const isSame = Object.entries(asked).every(([key, value]) => restore?.[key as keyof Begun] === value)
    return isSame ? shown('receiving') : problem(409, 'conflict', { restoreId: 'r1' })
  }
  return ({ method, path, json }: Asked): Reply => {
    if (path.endsWith('/restores')) return begin(json as Record<string, string>)
    if (!restore) return problem(404, 'not_found')
    if (method === 'PUT') restore.nextPart++
    if (method === 'DELETE') {
      restore = undefined
      return { status: 204 }
    }
    if (!path.endsWith('/complete')) return shown('receiving')
    restore.slug = (json as { slug?: string }).slug ?? restore.slug
    const message = 'Another organization has taken this slug. Complete with another one.'
    return restore.slug === 'demo'
      ? problem(409, 'duplicate', { errors: [{ path: '/slug', message }] })
      : shown('complete')
  }
}

async function restoring(known?: Begun) {
  const server = await fakeServer(service(known))
  const { folder, command } = await bench()
  const file = path.join(folder, 'demo.selvedge')
  const about = { slug: 'demo', createdOn: '2026-05-01T00:00:00.000Z', source: null }
  const archive = await ArchiveFile.open(file, about, undefined)
  const mark = { table: 'mark', part: 0, digest: 'x', after: null }
  const body = await packed(`${JSON.stringify(end)}\n${JSON.stringify(mark)}\n`)
  await archive.write({ kind: 'rows', body })
  await archive.finish()
  const env = { SELVEDGE_BASE_URL: server.baseUrl, SELVEDGE_OPERATOR_KEY: 'key' }
  const run = (...words: string[]) => command(['operator', ...words], { env })
  return { server, run, restore: (...words: string[]) => run('restore', file, ...words) }
}

describe('N63 a restore', () => {
  it('goes on under another name where its own was taken meanwhile', async () => {
    const { server, restore } = await restoring()
    const taken = await restore()
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('Run it again with --slug') })
    const sent = () => server.asked.filter(({ method }) => method === 'PUT').length
    expect(sent()).toBe(1)
    const ran = await restore('--slug', 'other')
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The organization other is back.')])
    expect(sent()).toBe(1)
  })

  it.each([true, false])(
    'goes on as it was begun, and ends under the name that is asked for (shifted: %s)',
    async isShifted => {
      const { server, restore } = await restoring({ slug: 'drill', digest: 'x', isShifted, nextPart: 1 })
      expect((await restore('--slug', 'other')).stderr).toContain('The organization other is back.')
      expect(server.asked.filter(({ method }) => method === 'PUT')).toEqual([])
      // Without a slug it is the archive's own, and not what an earlier run had asked for.
      const again = await restoring({ slug: 'drill', digest: 'x', isShifted, nextPart: 1 })
      expect((await again.restore()).stderr).toContain('409, duplicate')
    },
  )

  it('of another archive is in the way until it is given up', async () => {
    const { run, restore } = await restoring({ slug: 'demo', digest: 'another', isShifted: false, nextPart: 3 })
    const refused = await restore('--slug', 'other')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('operator restores abandon r1') })
    expect((await run('restores', 'get', 'r1')).stdout).toContain('receiving')
    expect(await run('restores', 'abandon', 'r1')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The restore of demo is given up.'),
    })
    expect((await restore('--slug', 'other')).code).toBe(0)
    const none = await restoring()
    expect(await none.run('restores', 'abandon', 'r1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('404'),
    })
  })
})

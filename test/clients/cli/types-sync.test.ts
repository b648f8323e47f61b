// N54: types as files in a folder, and what a push says before it does anything.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Asked, fakeServer, type Reply } from '../fake-server.ts'
import { bench } from './command.ts'

const COMMON = { label: null, version: 1 }
const ITEM = {
  ...COMMON,
  id: 't1',
  typePath: 'item',
  label: 'Item',
  properties: [
    { slug: 'season', propertyType: 'choice', options: ['SS27', { value: 'FW27', label: 'Fall: "27"' }] },
    { slug: 'price', label: 'Price', propertyType: 'currency', required: true, archived: null },
  ],
}
const SHOE = {
  ...COMMON,
  id: 't2',
  typePath: 'item:shoe',
  properties: [
    ...ITEM.properties.map(each => ({ ...each, inheritedFrom: 'item' })),
    { slug: 'heel', propertyType: 'number' },
  ],
}
const FIT = { checked: 3, unfit: 0, examples: [], nextPageKey: null }
const UNFIT = {
  ...FIT,
  unfit: 2,
  examples: [
    {
      entityType: 'item',
      id: 'i1',
      typePath: 'item',
      name: 'Shirt',
      errors: [{ path: '/size', message: 'This property is required.' }],
    },
  ],
}

const service = (types: () => unknown[], check: (asked: Asked) => Reply = () => ({ json: FIT })) =>
  fakeServer(asked => {
    if (asked.path === '/api/types/check') return check(asked)
    if (asked.path === '/api/types/batch') return { json: { results: [] } }
    return { json: { results: types(), nextPageKey: null, entityTypes: [] } }
  })

const writes = (asked: readonly Asked[]) => asked.filter(({ path: to }) => to === '/api/types/batch')

describe('N54 types pull', () => {
  it('writes what each type says itself, and nothing where nothing has changed', async () => {
    let types: unknown[] = [SHOE, ITEM]
    const server = await service(() => types)
    const { folder, command } = await bench(server)
    const dir = path.join(folder, 'types')
    const pull = () => command(['types', 'pull', '--dir', dir, '--json'])
    expect(JSON.parse((await pull()).stdout)).toEqual({ written: ['item.yaml', 'item.shoe.yaml'], removed: [] })
    expect(await readFile(path.join(dir, 'item.shoe.yaml'), 'utf8')).toBe(
      'typePath: item:shoe\nproperties:\n  - slug: heel\n    propertyType: number\n',
    )
    expect(JSON.parse((await pull()).stdout)).toEqual({ written: [], removed: [] })
    expect((await command(['types', 'push', '--dir', dir])).stderr).toContain('already')
    expect(writes(server.asked)).toEqual([])
    await writeFile(path.join(dir, 'notes.yaml'), 'mine: true\n')
    types = [ITEM]
    expect(JSON.parse((await pull()).stdout)).toEqual({ written: [], removed: ['item.shoe.yaml'] })
    expect((await readdir(dir)).sort()).toEqual(['item.yaml', 'notes.yaml'])
  })
})

describe('N54 types push', () => {
  async function changed(check?: (asked: Asked) => Reply) {
    const server = await service(() => [ITEM, SHOE], check)
    const { folder, command } = await bench(server)
    const dir = path.join(folder, 'types')
    await command(['types', 'pull', '--dir', dir])
    const item = (await readFile(path.join(dir, 'item.yaml'), 'utf8')).replace(/ {2}- slug: price[\s\S]*/, '')
    await writeFile(
      path.join(dir, 'item.yaml'),
      `${item}  - slug: size\n    propertyType: string\n    required: true\n`,
    )
    await writeFile(
      path.join(dir, 'color.yaml'),
      'typePath: color\nproperties:\n  - slug: pantone\n    propertyType: string\n',
    )
    await rm(path.join(dir, 'item.shoe.yaml'))
    return { server, command, dir }
  }

  it('--dry-run says what would be created, changed and archived, and writes nothing', async () => {
    const { server, command, dir } = await changed()
    const ran = await command(['types', 'push', '--dir', dir, '--dry-run', '--json'])
    expect(ran.code).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      changes: [
        { typePath: 'color', action: 'create', what: ['+ pantone'] },
        { typePath: 'item', action: 'change', what: ['+ size', '- price (archived)'] },
        { typePath: 'item:shoe', action: 'left alone' },
      ],
      entities: { checked: 3, unfit: 0 },
    })
    expect(writes(server.asked)).toEqual([])
  })

  it('writes it: new types, then changed ones, archiving what files no longer have', async () => {
    const { server, command, dir } = await changed()
    expect(await command(['types', 'push', '--dir', dir])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Created 1 and changed 1 types.'),
    })
    const [created, updated] = writes(server.asked)
    expect([created?.method, created?.json]).toMatchObject(['POST', [{ typePath: 'color' }]])
    expect([updated?.method, updated?.json]).toMatchObject([
      'PUT',
      [{ id: 't1', properties: [{ slug: 'season' }, { slug: 'size' }, { slug: 'price', archived: true }] }],
    ])
  })

  it('stops where stored entities would no longer fit, with examples, unless it is told to go on', async () => {
    const parts = [{ ...FIT, nextPageKey: 'k' }, UNFIT]
    const { server, command, dir } = await changed(asked => ({
      json: (asked.json as { nextPageKey?: string }).nextPageKey ? parts[1] : parts[0],
    }))
    const stopped = await command(['types', 'push', '--dir', dir])
    expect(stopped.code).toBe(1)
    expect(stopped.stderr).toContain('2 of 6 entities would no longer fit')
    expect(stopped.stderr).toContain('item:i1')
    expect(writes(server.asked)).toEqual([])
    const short = await command(['types', 'push', '--dir', dir, '--dry-run', '--look', '3'])
    expect(short.stderr).toContain('At least 0 of 3')
    expect((await command(['types', 'push', '--dir', dir, '--allow-unfit'])).code).toBe(0)
    expect(writes(server.asked)).toHaveLength(2)
  })

  it.each([
    ['an empty folder', {}, 'no types'],
    ['a file without a path', { 'a.yaml': 'label: x\n' }, 'no typePath'],
    ['an unknown member', { 'a.yaml': 'typePath: item\nlable: x\n' }, 'lable'],
    [
      'an unknown member of a property',
      { 'a.yaml': 'typePath: item\nproperties:\n  - {slug: s, requred: true}\n' },
      'Did you mean required?',
    ],
    ['two files of a path', { 'a.yaml': 'typePath: item\n', 'b.yml': 'typePath: item\n' }, 'Two files'],
    ['properties that are none', { 'a.yaml': 'typePath: item\nproperties: [season]\n' }, 'not a list of properties'],
    ['what is no YAML', { 'a.yaml': 'typePath: [\n' }, 'cannot be parsed'],
  ])('refuses %s', async (_, files, said) => {
    const server = await service(() => [])
    const { folder, command } = await bench(server)
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
    expect(await command(['types', 'push', '--dir', folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(said),
    })
    expect(server.asked).toEqual([])
  })
})

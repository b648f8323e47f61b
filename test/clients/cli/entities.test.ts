import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeServer, problem } from '../fake-server.ts'
import { bench } from './command.ts'

const shirt = {
  id: 'i1',
  name: 'Linen shirt',
  typePath: 'item',
  federatedId: null,
  updatedOn: '2026-05-01T00:00:00.000Z',
}
const listing = () => fakeServer(() => ({ json: { results: [shirt], nextPageKey: null } }))

describe('entities', () => {
  it('prints a table at a terminal, tabs into a pipe, JSON for programs', async () => {
    const { command } = await bench(await listing())
    const words = ['entities', 'list', 'item']
    expect((await command(words, { terminal: 80 })).stdout.split('\n')).toEqual([
      'ID  NAME         TYPEPATH  FEDERATEDID  UPDATEDON',
      'i1  Linen shirt  item                   2026-05-01T00:00:00Z',
      '',
    ])
    expect((await command(words)).stdout).toBe('i1\tLinen shirt\titem\t\t2026-05-01T00:00:00.000Z\n')
    expect(JSON.parse((await command([...words, '--json'])).stdout)).toEqual({ results: [shirt], nextPageKey: null })
    expect((await command([...words, '--columns', 'name,id'])).stdout).toBe('Linen shirt\ti1\n')
  })

  it('turns its options into a query', async () => {
    const server = await listing()
    const { command } = await bench(server)
    const where = ['--where', 'roles=family', '--where', 'season=SS27', '--criteria', '{"name": ["A", "B"]}']
    await command([
      'entities',
      'list',
      'item',
      ...where,
      '--order',
      'name:desc',
      '--limit',
      '5',
      '--relations',
      'itemFamily',
    ])
    expect(server.asked[0]?.query).toEqual({
      criteria: '{"name":["A","B"],"roles":"family","season":"SS27"}',
      order: '{"orderField":"name","order":"desc"}',
      limit: '5',
      relations: 'itemFamily',
    })
  })

  it('says when there are more pages, and prints them all with --all, a document a line', async () => {
    const server = await fakeServer(({ query }) => ({
      json: query.nextPageKey
        ? { results: [{ id: 'b' }], nextPageKey: null }
        : { results: [{ id: 'a' }], nextPageKey: 'p2' },
    }))
    const { command } = await bench(server)
    expect((await command(['entities', 'list', 'item'])).stderr).toContain('--page-key p2')
    expect((await command(['entities', 'list', 'item', '--all', '--json'])).stdout).toBe('{"id":"a"}\n{"id":"b"}\n')
  })

  it('shows ids and times whole on a screen of 80 columns, whatever else must give way', async () => {
    const long = {
      ...shirt,
      id: 'AbCdEfGhIjKlMnOp',
      name: 'A linen shirt with a name that goes on',
      typePath: 'item:apparel:shirt:long-sleeved',
    }
    const { command } = await bench(await fakeServer(() => ({ json: { results: [long], nextPageKey: null } })))
    const { stdout } = await command(['entities', 'list', 'item'], { terminal: 80 })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(stdout).toContain('AbCdEfGhIjKlMnOp')
    expect(stdout).toContain('2026-05-01T00:00:00Z')
    expect(stdout).toContain('…')
    const many = { ...long, itemId: long.id, projectId: long.id, projectItemId: long.id }
    const wide = await bench(await fakeServer(() => ({ json: { results: [many], nextPageKey: null } })))
    const chosen = ['--columns', 'id,itemId,projectId,projectItemId,updatedOn,name']
    const blocks = await wide.command(['entities', 'list', 'item', ...chosen], { terminal: 80 })
    expect(blocks.stdout).toMatch(/^ID +AbCdEfGhIjKlMnOp\nITEMID +AbCdEfGhIjKlMnOp\n/)
    expect(blocks.stdout).toMatch(/UPDATEDON +2026-05-01T00:00:00Z\nNAME +A linen shirt with a name that goes on\n/)
  })

  it('N71 says that nothing fits only where the service has looked at everything', async () => {
    const pages: Record<string, object> = {
      '': { results: [], nextPageKey: 'p2', isPartial: true },
      p2: { results: [], nextPageKey: 'p3', isPartial: true },
      p3: { results: [shirt], nextPageKey: null },
    }
    const found = await bench(await fakeServer(({ query }) => ({ json: pages[query.nextPageKey ?? ''] })))
    const ran = await found.command(['entities', 'list', 'item', '--where', 'price=5'])
    expect([ran.stdout.split('\t')[0], ran.stderr]).toEqual(['i1', ''])
    const none = await bench(await fakeServer(() => ({ json: { results: [], nextPageKey: null } })))
    const empty = await none.command(['entities', 'list', 'item', '--where', 'price=5'], { terminal: 80 })
    expect([empty.stdout, empty.stderr]).toEqual(['', 'No item fits.\n'])
  })

  it('suggests the entity type that was meant', async () => {
    const { command } = await bench(await fakeServer(() => problem(404, 'not_found')))
    for (const words of [
      ['list', 'itemz'],
      ['get', 'itemz', 'i1'],
      ['create', 'itemz', '--set', 'name=x'],
      ['delete', 'itemz', 'i1'],
    ]) {
      const { code, stderr } = await command(['entities', ...words])
      expect(code).toBe(2)
      expect(stderr).toContain('There is no entity type "itemz".')
      expect(stderr).toContain('Did you mean item? `selvedge types list` shows all of them.')
    }
    expect((await command(['entities', 'list', 'nothing-like-it'])).stderr).not.toContain('Did you mean')
    expect((await command(['entities', 'get', 'items', 'i1'])).stderr).toContain('Check the id')
  })

  it.each<[string[], object]>([
    [['season=SS27'], { season: 'SS27' }],
    [['price>40'], { price: { gt: 40 } }],
    [['price>=40', 'price<50.5'], { price: { gte: 40, lt: 50.5 } }],
    [['price <= 40'], { price: { lte: 40 } }],
    [['price != 40'], { price: { notIn: [40, '40'] } }],
    [['federatedId=1001'], { federatedId: { in: [1001, '1001'] } }],
    [['federatedId="1001"'], { federatedId: '1001' }],
    [['federatedId=0012'], { federatedId: '0012' }],
    [['federatedId=9007199254740993'], { federatedId: { in: ['9007199254740993'] } }],
    [['isActive=true'], { isActive: { in: [true, 'true'] } }],
    [['size=[38,40]'], { size: [38, 40] }],
    [['price=40', 'price>30'], { price: { in: [40, '40'], gt: 30 } }],
    [['code~9007199254740993'], { code: { contains: '9007199254740993' } }],
    [['season!=["SS27","AW27"]'], { season: { notIn: ['SS27', 'AW27'] } }],
    [['season!=null'], { season: { not: null } }],
    [['name~shirt'], { name: { contains: 'shirt' } }],
    [['code~12'], { code: { contains: '12' } }],
    [['name^="Li nen"'], { name: { startsWith: 'Li nen' } }],
    [['createdOn>2026-01-01'], { createdOn: { gt: '2026-01-01' } }],
    [['name=a>b'], { name: 'a>b' }],
    [['roles=["family"]', 'roles!=null'], { roles: { in: ['family'], not: null } }],
    [['name=A', 'name~a'], { name: { eq: 'A', contains: 'a' } }],
  ])('N48 --where %j compares', async (conditions, criteria) => {
    const server = await listing()
    const { command } = await bench(server)
    const flags = conditions.flatMap(condition => ['--where', condition])
    for (const verb of ['list', 'count']) {
      expect((await command(['entities', verb, 'item', ...flags])).code).toBe(0)
      expect(JSON.parse(String(server.asked.at(-1)?.query.criteria))).toEqual(criteria)
    }
  })

  it('N48 --or takes sets of conditions, of which one must hold', async () => {
    const server = await listing()
    const { command } = await bench(server)
    const or = ['--or', 'price>40 && name~shirt', '--or', 'season=SS27']
    expect((await command(['entities', 'list', 'item', '--where', 'roles=family', ...or])).code).toBe(0)
    expect(JSON.parse(String(server.asked.at(-1)?.query.criteria))).toEqual({
      roles: 'family',
      or: [{ price: { gt: 40 }, name: { contains: 'shirt' } }, { season: 'SS27' }],
    })
  })

  it('refuses conditions that say nothing, or the same twice', async () => {
    const server = await listing()
    const { command } = await bench(server)
    const twice = [
      ['name~a', 'name~b'],
      ['season=A', 'season=B'],
      ['price=1', 'price=2'],
      ['season=null', 'season=A'],
    ]
    for (const where of [['name'], ['=x'], ['>40'], ...twice]) {
      const { code, stderr } = await command(['entities', 'list', 'item', ...where.flatMap(each => ['--where', each])])
      expect([where, code]).toEqual([where, 2])
      expect(stderr).toMatch(/season=SS27|--criteria/)
    }
    const range = ['price=BETWEEN 1 and 5', 'price=3'].flatMap(each => ['--where', each])
    expect((await command(['entities', 'list', 'item', ...range])).stderr).toContain('price>=a and price<=b')
    const both = ['--criteria', '{"or": [{"name": "A"}]}', '--or', 'name=B']
    expect((await command(['entities', 'list', 'item', ...both])).code).toBe(2)
    expect(server.asked).toEqual([])
  })

  it('N50 searches in a list and over all types', async () => {
    const server = await listing()
    const { command } = await bench(server)
    expect((await command(['entities', 'list', 'item', '--search', 'linen shi'])).code).toBe(0)
    expect(server.asked.at(-1)?.query.q).toBe('linen shi')
    expect((await command(['search', 'linen', 'shi', '--type', 'item', '--limit', '3'])).code).toBe(0)
    expect(server.asked.at(-1)).toMatchObject({
      path: '/api/search',
      query: { q: 'linen shi', entityType: 'item', limit: '3' },
    })
  })

  it('N50 counts, and says so for people and for programs', async () => {
    const server = await fakeServer(() => ({ json: { count: 10_000, isExact: false } }))
    const { command } = await bench(server)
    const ran = await command(['entities', 'count', 'item', '--json'])
    expect(JSON.parse(ran.stdout)).toEqual({ count: 10_000, isExact: false })
    expect(server.asked[0]).toMatchObject({ method: 'GET', path: '/api/items/count' })
    expect((await command(['entities', 'count', 'item'])).stdout).toMatch(/10000/)
  })

  it('creates from a document, a file, stdin and --set', async () => {
    const server = await fakeServer(() => ({ status: 201, json: shirt }))
    const { command, folder } = await bench(server)
    const file = path.join(folder, 'shirt.yaml')
    await writeFile(file, 'name: From YAML\ntags: [a, b]\n')
    await command(['entities', 'create', 'item', '{"name": "In place"}'])
    await command([
      'entities',
      'create',
      'item',
      file,
      '--set',
      'price=12.5',
      '--set',
      'code="12"',
      '--set',
      'name=Set wins',
    ])
    await command(['entities', 'create', 'item', '-'], { stdin: '{"name": "From stdin"}' })
    expect(server.asked.map(each => each.json)).toEqual([
      { name: 'In place' },
      { name: 'Set wins', tags: ['a', 'b'], price: 12.5, code: '12' },
      { name: 'From stdin' },
    ])
  })

  it('updates and deletes, several ids as one batch', async () => {
    const server = await fakeServer(({ method }) => (method === 'DELETE' ? { status: 204 } : { json: shirt }))
    const { command } = await bench(server)
    const { stdout } = await command(['entities', 'update', 'item', 'i1', '--set', 'season=null', '--if-match', '3'])
    expect(stdout).toContain('name\tLinen shirt\n')
    const shown = await command(['entities', 'get', 'item', 'i1'], { terminal: 80 })
    expect(shown.stdout).toContain('name         Linen shirt\n')
    await command(['entities', 'delete', 'item', 'i1'])
    await command(['entities', 'delete', 'item', 'i1', 'i2'])
    expect(server.asked.map(each => [each.method, each.path, each.json])).toEqual([
      ['PUT', '/api/items/i1', { season: null }],
      ['GET', '/api/items/i1', undefined],
      ['DELETE', '/api/items/i1', undefined],
      ['DELETE', '/api/items/batch', ['i1', 'i2']],
    ])
    expect(server.asked[0]?.headers['if-match']).toBe('"3"')
  })

  it('imports lines of JSON in batches and names the line that is none', async () => {
    const server = await fakeServer(({ json }) => ({ status: 201, json: { results: json } }))
    const { command } = await bench(server)
    const lines = Array.from({ length: 1201 }, (_, i) => JSON.stringify({ federatedId: `c${i}` }))
    const { code, stdout } = await command(['entities', 'import', 'color', '-', '--upsert'], {
      stdin: lines.join('\n'),
    })
    expect([code, stdout]).toEqual([0, '1201 entities written.\n'])
    expect(server.asked.map(each => (each.json as unknown[]).length)).toEqual([500, 500, 201])
    expect(server.asked[0]?.query).toEqual({ upsertBy: 'federatedId' })
    const bad = await command(['entities', 'import', 'color', '-'], { stdin: '{"a":1}\nnonsense\n' })
    expect(bad.code).toBe(2)
    expect(bad.stderr).toContain('Line 2')
  })

  it('tells faults of a batch by their lines', async () => {
    const errors = [1, 0].map(at => ({ path: `/${at}${at ? '/hex' : ''}`, message: 'No.' }))
    const server = await fakeServer((_asked, nth) =>
      nth === 0 ? { json: {} } : problem(400, 'invalid_input', { errors }),
    )
    const { command } = await bench(server)
    const lines = Array.from({ length: 500 }, () => '{"name":"c"}')
    const stdin = [...lines, '', '{"name":"a"}', '', '{"name":"b"}', ''].join('\n')
    const { code, stderr } = await command(['entities', 'import', 'color', '-'], { stdin })
    expect(code).toBe(1)
    expect(stderr).toContain('- line 504 /hex: No.\n')
    expect(stderr).toContain('- line 502: No.\n')
  })
})

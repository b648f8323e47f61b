import JSURL from 'jsurl'
import { beforeAll, describe, expect, it } from 'vitest'
import { QUERY_OBJECT_MAX_LENGTH } from '../../../src/platform/limits.ts'
import { call, type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'

const ITEMS: Json[] = [
  { name: 'A', size: 1, tags: ['red', 'blue'], flag: true, status: 'new', 'a.b': 'x', größe: 'L', "it's": 1 },
  { name: 'B', size: 2.5, tags: ['blue'], flag: false, status: ['new', 'old'], nested: { size: 1, tag: 'red' } },
  { name: 'C', size: '1', tags: 'red', flag: 'true', status: 5, federatedId: 'F-C', 'a b': null },
  { name: 'D', size: 100, tags: [1, true], flag: 1, status: true, typePath: 'item:x', date: '2026-01-15' },
  { size: -3, tags: [], typePath: 'item:x', date: '2026-02-01', 'semi;--': 1 },
]

let org: TestOrg

beforeAll(async () => {
  org = await newOrg()
  const other = await newOrg()
  for (const item of ITEMS) {
    await org.make('/items', item)
    await other.make('/items', item)
  }
})

async function found(criteria: Json): Promise<unknown[]> {
  const answer = await org.get('/items', { criteria })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(answer.body.nextPageKey).toBeNull()
  const asJsurl = await org.get('/items', { criteria: JSURL.stringify(criteria) })
  expect(asJsurl.body).toEqual(answer.body)
  return (answer.body.results ?? []).map(entity => entity.name)
}

describe('a criterion', () => {
  it('N16 that is a value asks for equality, with its type', async () => {
    expect(await found({ size: 1 })).toEqual(['A'])
    expect(await found({ size: '1' })).toEqual(['C'])
    expect(await found({ size: 2.5 })).toEqual(['B'])
    expect(await found({ size: 100.0 })).toEqual(['D'])
    expect(await found({ flag: true })).toEqual(['A'])
    expect(await found({ flag: false })).toEqual(['B'])
    expect(await found({ flag: 'true' })).toEqual(['C'])
    expect(await found({ flag: 1 })).toEqual(['D'])
    expect(await found({ name: 'A' })).toEqual(['A'])
    expect(await found({ name: 'a' })).toEqual([])
    expect(await found({ name: 1 })).toEqual([])
    expect(await found({ createdById: { gt: 5 }, itemFamilyId: { gt: 5 } })).toEqual([])
    expect(await found({ nowhere: 1 })).toEqual([])
  })

  it('N16 that is a list asks for any of its values', async () => {
    expect(await found({ name: ['A', 'C', 'Z'] })).toEqual(['A', 'C'])
    expect(await found({ size: [1, 100] })).toEqual(['A', 'D'])
    expect(await found({ federatedId: ['F-C', 'x'] })).toEqual(['C'])
    expect(await found({ typePath: ['item', 'item:x'] })).toHaveLength(5)
  })

  it('N16 that is null asks for absence', async () => {
    expect(await found({ name: null })).toEqual([null])
    expect(await found({ federatedId: null })).toEqual(['A', 'B', 'D', null])
    expect(await found({ identifier: null, flag: null })).toEqual([null])
    expect(await found({ itemFamilyId: null })).toHaveLength(5)
  })

  it('N16 matches a list that contains the value, but no object', async () => {
    expect(await found({ tags: 'red' })).toEqual(['A', 'C'])
    expect(await found({ tags: ['red', 'blue'] })).toEqual(['A', 'B', 'C'])
    expect(await found({ tags: 1 })).toEqual(['D'])
    expect(await found({ tags: true })).toEqual(['D'])
    expect(await found({ nested: 'red' })).toEqual([])
    expect(await found({ nested: 1 })).toEqual([])
  })

  it('N16 keeps its rules for a property that another entity type has an index on', async () => {
    expect(await found({ status: 'new' })).toEqual(['A', 'B'])
    expect(await found({ status: 5 })).toEqual(['C'])
    expect(await found({ status: '5' })).toEqual([])
    expect(await found({ status: true })).toEqual(['D'])
    expect(await found({ status: null })).toEqual([null])
  })

  it('N16 takes ranges of numbers, text and times', async () => {
    expect(await found({ size: 'BETWEEN -3 and 2.5' })).toEqual(['A', 'B', null])
    expect(await found({ date: 'between 2026-01-01 AND 2026-01-31' })).toEqual(['D'])
    expect(await found({ name: 'BETWEEN B and C' })).toEqual(['B', 'C'])
    expect(await found({ name: 'BETWEEN 1 and 2' })).toEqual([])
    expect(await found({ version: 'BETWEEN 1 and 1' })).toHaveLength(5)
    const today = new Date().toISOString().slice(0, 10)
    expect(await found({ createdOn: `BETWEEN ${today} and ${today}` })).toHaveLength(5)
    expect(await found({ createdOn: ['2020-01-01', today] })).toHaveLength(5)
    expect(await found({ updatedOn: 'BETWEEN 2020-01-01 and 2020-12-31' })).toEqual([])
    expect(await found({ size: 'BETWEEN 1 and Infinity' })).toEqual(['C'])
  })

  it('N16 takes the ends of a range of names as text, also where they look like numbers', async () => {
    const other = await newOrg()
    for (const name of ['15', '25']) await other.make('/items', { name })
    const { body } = await other.get('/items', { criteria: { name: 'BETWEEN 1 and 2' } })
    expect(body.results?.map(({ name }) => name)).toEqual(['15'])
  })

  it('N16 finds an entity by any of its common fields', async () => {
    const [first] = (await org.get('/items', { limit: 1 })).body.results ?? []
    for (const field of ['id', 'createdById', 'version', 'typePath', 'createdOn', 'updatedOn']) {
      const { body } = await org.get('/items', { criteria: { [field]: first?.[field] } })
      expect(body.results?.map(entity => entity.id)).toContain(first?.id)
    }
    expect((await org.get('/items', { criteria: { createdOn: first?.createdOn } })).status).toBe(200)
  })

  it('N16 may have a name with dots, quotes, spaces or umlauts', async () => {
    expect(await found({ 'a.b': 'x' })).toEqual(['A'])
    expect(await found({ größe: 'L' })).toEqual(['A'])
    expect(await found({ "it's": 1 })).toEqual(['A'])
    expect(await found({ 'semi;--': 1 })).toEqual([null])
    expect(await found({ 'a b': 1 })).toEqual([])
  })

  it('takes SQL in a name or a value for what it is: a name or a value', async () => {
    for (const text of [
      "' OR 1=1 --",
      "'; DROP TABLE entities; --",
      '$',
      '$.name',
      "$.name') OR (1=1",
      '[0]',
      '#-1',
      '*',
      '%',
    ]) {
      expect(await found({ [text]: 'x' })).toEqual([])
      expect(await found({ name: text })).toEqual([])
      expect(await found({ other: text })).toEqual([])
    }
    expect(await found({})).toHaveLength(5)
  })

  it('N16 holds together with others', async () => {
    expect(await found({ tags: 'blue', flag: false, size: 'BETWEEN 0 and 10' })).toEqual(['B'])
    expect(await found({ typePath: 'item:x', name: null })).toEqual([null])
  })
})

describe('criteria that are refused with 400', () => {
  it.each([
    'item',
    '{',
    '[]',
    '~(',
    '~(name~constructor)',
    '~(__proto__~1)',
    '~__proto__',
    '{"__proto__":1}',
    '{"constructor":1}',
    '{"a":{"b":1}}',
    '{"a":[[1]]}',
    '{"a":[]}',
    '{"a":1e999}',
    '{"a\\"b":1}',
    '{"a\\\\b":1}',
    '{"a\\u0000":1}',
    '{"":1}',
    '{"createdOn":"BETWEEN 2026-02-30 and 2026-03-01"}',
    '{"createdOn":"BETWEEN 2026-03-02 and 2026-03-01"}',
    '{"createdOn":"yesterday"}',
    '{"createdOn":5}',
    '{"size":"BETWEEN 2 and 1"}',
    JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`p${at}`, 1]))),
    JSON.stringify({ a: Array(1001).fill(1) }),
    `{"a":"${'x'.repeat(QUERY_OBJECT_MAX_LENGTH)}"}`,
    `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
  ])('%.60s', async criteria => {
    const answer = await org.call('GET', `/items?${new URLSearchParams({ criteria })}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'invalid_input' })
    expect((answer.body.errors as Json[])[0]?.path).toMatch(/^\/criteria/)
  })

  it('name every fault at once', async () => {
    const { body } = await org.call('GET', '/items?limit=0&order={"orderField":""}&criteria={"a":{}}&x=1&relations=y')
    const paths = (body.errors as Json[]).map(error => error.path)
    expect(paths).toEqual(expect.arrayContaining(['/limit', '/order/orderField', '/criteria/a', '/x']))
  })
})

describe('parameters of a list', () => {
  it.each([
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=',
    'limit=1&limit=2',
    'Limit=1',
    'nextPageKey=x',
    'nextPageKey=',
    '__proto__=1',
    'constructor=1',
    'relations=nothing',
    'relations=__proto__',
    'relations=itemFamily.itemFamily.itemFamily.itemFamily',
    'order=name',
    'order={}',
    '%00=1',
  ])('%s is 400', async query => expect((await org.call('GET', `/items?${query}`)).status).toBe(400))

  it('N16 a page key of another list, type or organization is refused', async () => {
    const { body } = await org.get('/items', { limit: 1 })
    const nextPageKey = body.nextPageKey
    expect((await org.get('/items', { limit: 2, nextPageKey })).status).toBe(200)
    expect((await org.get('/items', { nextPageKey, criteria: { size: 1 } })).status).toBe(400)
    expect((await org.get('/items', { nextPageKey, order: { orderField: 'name' } })).status).toBe(400)
    expect((await org.get('/colors', { nextPageKey })).status).toBe(400)
    expect((await (await newOrg()).get('/items', { nextPageKey })).status).toBe(400)
  })

  it('none of these changed anything', async () => {
    const { body } = await org.get('/items')
    expect(body.results).toHaveLength(ITEMS.length)
    for (const { id } of body.results ?? []) expect(await recordsOf(String(id))).toHaveLength(1)
    expect((await call('GET', '/api/items')).status).toBe(401)
  })
})

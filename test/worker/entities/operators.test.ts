import JSURL from 'jsurl'
import { beforeAll, describe, expect, it } from 'vitest'
import { ORDER_FIELDS } from '../../../src/features/entities/criteria.ts'
import { OPERATORS } from '../../../src/features/entities/operators.ts'
import { type Json, newOrg, type TestOrg } from '../api.ts'
import { Random } from '../loads/differential/random.ts'
import { fits, order, randomCriteria, randomEntity } from './criteria-model.ts'

const ENTITIES = 160
const RUNS = 150

let org: TestOrg
let stored: Json[]

beforeAll(async () => {
  org = await newOrg()
  const random = new Random(48)
  const made = Array.from({ length: ENTITIES }, (_, n) => randomEntity(random, n))
  const { body } = await org.post('/items/batch', made)
  stored = body.results ?? []
  for (const at of [3, 30, 60]) {
    const { body: updated } = await org.put(`/items/${stored[at]?.id}`, { a: 'again' })
    stored[at] = updated
  }
})

const ids = (entities: Json[]) => entities.map(entity => entity.id)

async function listed(query: Json, between?: () => Promise<unknown>): Promise<Json[]> {
  const all: Json[] = []
  let nextPageKey: unknown
  do {
    const { status, body } = await org.get('/items', { ...query, ...(nextPageKey ? { nextPageKey } : {}) })
    expect(status, JSON.stringify([query, body])).toBe(200)
    all.push(...(body.results ?? []))
    nextPageKey = body.nextPageKey
    if (nextPageKey) await between?.()
  } while (nextPageKey)
  return all
}

function sorted(entities: Json[], field: string, way: string): Json[] {
  const sign = way === 'desc' ? -1 : 1
  const at = (entity: Json) => stored.indexOf(entity)
  return entities.toSorted((a, b) => {
    const [x, y] = [a[field], b[field]]
    if (x == null || y == null) return x == null && y == null ? sign * (at(a) - at(b)) : x == null ? 1 : -1
    return sign * (order(String(x), String(y)) || at(a) - at(b))
  })
}

describe('criteria with operators', () => {
  it('N48 find what a simple filter finds, in every order and page size, in both encodings', async () => {
    const random = new Random(4800)
    const used = new Set<string>()
    for (let run = 0; run < RUNS; run++) {
      const day = String(stored[0]?.createdOn).slice(0, 10)
      const criteria = randomCriteria(random, day)
      for (const name of JSON.stringify(criteria).matchAll(/"(\w+)":/g)) used.add(name[1] ?? '')
      const orderField = random.pick(ORDER_FIELDS)
      const way = random.pick(['asc', 'desc'])
      const expected = sorted(
        stored.filter(entity => fits(entity, criteria)),
        orderField,
        way,
      )
      const limit = random.pick([3, 17, 100, 1000])
      const sent = random.chance(0.5) ? criteria : JSURL.stringify(criteria)
      const found = await listed({ criteria: sent, order: { orderField, order: way }, limit })
      expect(ids(found), JSON.stringify({ criteria, orderField, way, limit })).toEqual(ids(expected))
      const { body } = await org.get('/items/count', { criteria: sent })
      expect(body, JSON.stringify(criteria)).toEqual({ count: expected.length, isExact: true })
    }
    expect([...used]).toEqual(expect.arrayContaining([...OPERATORS, 'or']))
  })

  it('N48 page completely and never twice while others write', async () => {
    const random = new Random(481)
    const base = stored.length
    for (const orderField of ['createdOn', 'name'] as const) {
      const criteria = { or: [{ a: { not: 'nothing' } }, { name: { exists: true } }], typePath: { startsWith: 'ITEM' } }
      const found = await listed({ criteria, order: { orderField }, limit: 23 }, async () => {
        await org.post('/items/batch', [randomEntity(random, ++made), { name: 'zz late', a: 1 }])
        await org.put(`/items/${random.pick(stored).id}`, { touched: made })
      })
      const seen = ids(found)
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter(id => ids(stored).includes(id))).toHaveLength(base)
    }
  })
})

describe('texts with letters beyond ASCII', () => {
  it('N48 are found, and after them plain ones, by the same operators on the same property', async () => {
    const other = await newOrg()
    await other.post('/items/batch', [{ word: 'CAFÉ 12' }, { word: '12 Ωmega' }, { word: '12 plain' }])
    const found = async (word: Json) =>
      (await other.get('/items', { criteria: { word } })).body.results?.map(item => item.word)
    for (const operator of ['contains', 'startsWith']) {
      const isStart = operator === 'startsWith'
      expect(await found({ [operator]: isStart ? 'caFé' : 'Fé' })).toEqual(['CAFÉ 12'])
      expect(await found({ [operator]: '12' })).toHaveLength(isStart ? 2 : 3)
      expect(await found({ [operator]: isStart ? '12 ωm' : 'ωm' })).toEqual(['12 Ωmega'])
      expect(await found({ [operator]: isStart ? '12 p' : 'l' })).toEqual(['12 plain'])
    }
  })
})

let made = 10_000

describe('operators that are refused with 400', () => {
  it.each<[string, string, RegExp]>([
    ['{"price":{"gtt":1}}', '/criteria/price/gtt', /no operator "gtt".*Did you mean "gt"/],
    ['{"price":{"$gte":1}}', '/criteria/price/$gte', /Did you mean "gte"/],
    ['{"price":{"like":1}}', '/criteria/price/like', /Operators are eq, not, in/],
    ['{"price":{}}', '/criteria/price', /at least one operator/],
    ['{"price":{"eq":[1]}}', '/criteria/price/eq', /"in" and "notIn"/],
    ['{"price":{"in":1}}', '/criteria/price/in', /list/],
    ['{"price":{"in":[]}}', '/criteria/price/in', /./],
    ['{"price":{"in":[null]}}', '/criteria/price/in/0', /./],
    ['{"price":{"gt":true}}', '/criteria/price/gt', /number or text/],
    ['{"price":{"gt":null}}', '/criteria/price/gt', /number or text/],
    ['{"price":{"gt":1,"lt":"z"}}', '/criteria/price', /one type/],
    ['{"price":{"between":[1]}}', '/criteria/price/between', /./],
    ['{"price":{"between":[1,"z"]}}', '/criteria/price/between', /one type/],
    ['{"price":{"between":[2,1]}}', '/criteria/price/between', /after its end/],
    ['{"name":{"contains":""}}', '/criteria/name/contains', /./],
    ['{"name":{"contains":5}}', '/criteria/name/contains', /text/],
    [`{"name":{"contains":"${'x'.repeat(513)}"}}`, '/criteria/name/contains', /512/],
    ['{"name":{"exists":"yes"}}', '/criteria/name/exists', /true or false/],
    ['{"createdOn":{"contains":"2026"}}', '/criteria/createdOn/contains', /no text/],
    ['{"createdOn":{"gt":"soon"}}', '/criteria/createdOn/gt', /date/],
    ['{"or":[{}]}', '/criteria/or/0', /at least one criterion/],
    ['{"or":[{"a":1},5]}', '/criteria/or/1', /./],
    ['{"or":[{"or":[{"a":1}]}]}', '/criteria/or/0/or', /inside/],
    ['{"or":[{"a":{"gtt":1}}]}', '/criteria/or/0/a/gtt', /Did you mean/],
    ['{"or":[{"createdOn":"soon"}]}', '/criteria/or/0/createdOn', /time/],
    [JSON.stringify({ or: Array.from({ length: 11 }, () => ({ a: 1, b: 2 })) }), '/criteria', /At most 20/],
    [
      JSON.stringify({ a: { gte: 1, lt: 2 }, or: Array.from({ length: 19 }, () => ({ a: 1 })) }),
      '/criteria',
      /At most 20/,
    ],
    [`{"name":{"contains":"${letters(0x400, 0x42f)}${letters(0x391, 0x3a9)}"}}`, '/criteria', /letters/],
  ])('N48 number %#', async (criteria, path, message) => {
    const answer = await org.call('GET', `/items?${new URLSearchParams({ criteria })}`)
    expect(answer.status).toBe(400)
    const errors = answer.body.errors as { path: string; message: string }[]
    expect(errors).toContainEqual({ path, message: expect.stringMatching(message) })
  })

  it('N48 but every bound may be reached', async () => {
    const russian = letters(0x410, 0x42f)
    const name = `x${russian.toLowerCase()}x`
    await org.make('/colors', { name, n: [1] })
    const criteria = {
      name: { contains: russian },
      or: Array.from({ length: 9 }, (_, at) => ({ n: { gte: 1, lt: 2 + at } })),
    }
    const { status, body } = await org.get('/colors', { criteria })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.results?.map(color => color.name)).toEqual([name])
  })
})

function letters(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at))
}

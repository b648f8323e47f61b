// N49: lists along the index of a property answer what they answer without it, in every order, while it is filled and after.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { fillIndexes } from '../../../src/features/indexes/fill.ts'
import { fillNext, unfinishedIndex } from '../../../src/features/indexes/store.ts'
import { Database, databaseFor } from '../../../src/platform/db/client.ts'
import {
  BACKGROUND_COMMIT_MAX_BYTES,
  INDEXED_PROPERTIES_MAX,
  INDEXED_TEXT_MAX_LENGTH,
} from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'
import { fits, order, randomCriteria, randomEntity } from '../entities/criteria-model.ts'
import { eventually } from '../eventually.ts'
import { Random } from '../loads/differential/random.ts'

const single = (value: unknown) => (typeof value === 'object' ? null : value)

const marked = (...slugs: string[]) => slugs.map(slug => ({ slug, propertyType: 'string', indexed: true }))

/** Nothing describes these entities, so that their properties hold whatever they like. */
const elsewhere = (org: TestOrg, slugs: string[]) =>
  org.make('/types', { typePath: 'item:elsewhere', properties: marked(...slugs) })

const indexesOf = async (org: TestOrg) => (await org.get('/types/item:elsewhere')).body.indexes as Json[]

const unfinished = async (org: TestOrg) => {
  const index = await unfinishedIndex(databaseFor(env, org.id), org.id)
  return index ? [index] : []
}

const fill = (org: TestOrg) => fillIndexes(env, org.id, Date.now() + 60_000)

async function listed(org: TestOrg, query: Json): Promise<Json[]> {
  const all: Json[] = []
  let nextPageKey: unknown
  do {
    const { status, body } = await org.get('/items', { ...query, ...(nextPageKey ? { nextPageKey } : {}) })
    expect(status, JSON.stringify([query, body])).toBe(200)
    all.push(...(body.results ?? []))
    nextPageKey = body.nextPageKey
    expect(all.length, 'pages go round in circles').toBeLessThan(5000)
  } while (nextPageKey)
  return all
}

const ids = (entities: Json[]) => entities.map(({ id }) => id)

/** Numbers, texts, false, true; those without a value at the end, whatever the way. */
function sorted(entities: Json[], stored: Json[], field: string, way: string): Json[] {
  const sign = way === 'desc' ? -1 : 1
  const rank = (value: unknown) => ['number', 'string', 'boolean'].indexOf(typeof value)
  const at = (entity: Json) => stored.indexOf(entity)
  return entities.toSorted((a, b) => {
    const [x, y] = [single(a[field]), single(b[field])]
    if (x == null || y == null) return x == null && y == null ? sign * (at(a) - at(b)) : x == null ? 1 : -1
    return sign * (rank(x) - rank(y) || order(x as string, y as string) || at(a) - at(b))
  })
}

describe('a list along the index of a property', () => {
  let org: TestOrg
  let stored: Json[]

  beforeAll(async () => {
    org = await newOrg()
    const random = new Random(49)
    const made = Array.from({ length: 160 }, (_, n) => {
      const entity = randomEntity(random, n)
      return { ...entity, a: single(entity.a), b: single(entity.b) }
    })
    const half = async (some: Json[]) => (await org.post('/items/batch', some)).body.results ?? []
    const before = await half(made.slice(0, 80))
    await elsewhere(org, ['a', 'b', 'tags'])
    stored = [...before, ...(await half(made.slice(80)))]
    for (const at of [3, 30, 100])
      stored[at] = (await org.put(`/items/${stored[at]?.id}`, { a: 'again', b: null })).body
    await org.delete(`/items/${stored.splice(50, 1)[0]?.id}`)
    await fill(org)
  })

  it('N49 finds and orders what a simple filter does', async () => {
    expect((await indexesOf(org)).map(({ state }) => state)).toEqual(['ready', 'ready', 'ready'])
    const random = new Random(4900)
    for (let run = 0; run < 120; run++) {
      const criteria = randomCriteria(random, String(stored[0]?.createdOn).slice(0, 10))
      const orderField = random.pick(['createdOn', 'name', 'a', 'b'])
      const way = random.pick(['asc', 'desc'])
      const expected = sorted(
        stored.filter(entity => fits(entity, criteria)),
        stored,
        orderField,
        way,
      )
      const limit = random.pick([3, 17, 1000])
      const found = await listed(org, { criteria, order: { orderField, order: way }, limit })
      expect(ids(found), JSON.stringify({ criteria, orderField, way, limit })).toEqual(
        ids(orderField === 'createdOn' ? (way === 'desc' ? inOrder(expected).reverse() : inOrder(expected)) : expected),
      )
      const { body } = await org.get('/items/count', { criteria })
      expect(body, JSON.stringify(criteria)).toEqual({ count: expected.length, isExact: true })
    }
  })

  const inOrder = (entities: Json[]) => stored.filter(entity => entities.includes(entity))
})

describe('the index of a property', () => {
  it('N49 orders by one property what a range of another one leaves', async () => {
    const org = await newOrg()
    await elsewhere(org, ['a'])
    await org.post(
      '/items/batch',
      Array.from({ length: 9 }, (_, n) => ({ a: n, c: 8 - n })),
    )
    await fill(org)
    const query = { criteria: { c: { gte: 2, lt: 4 } }, order: { orderField: 'a', order: 'asc' } }
    expect((await listed(org, query)).map(({ a, c }) => [a, c])).toEqual([
      [5, 3],
      [6, 2],
    ])
  })

  it('N49 lists entities without a value after all others, once each, wherever a page ends', async () => {
    const org = await newOrg()
    await elsewhere(org, ['a'])
    const values = [2, null, 1, 2, null, 1, null]
    await org.post(
      '/items/batch',
      values.map((a, n) => ({ a, name: `${n}` })),
    )
    await fill(org)
    const names = { asc: ['2', '5', '0', '3', '1', '4', '6'], desc: ['3', '0', '5', '2', '6', '4', '1'] }
    for (const [way, expected] of Object.entries(names)) {
      for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
        const found = await listed(org, { order: { orderField: 'a', order: way }, limit })
        expect([way, limit, found.map(({ name }) => name)]).toEqual([way, limit, expected])
      }
    }
  })

  it('N49 is filled in the background, whatever dies, and lists answer as before until it is complete', async () => {
    const org = await newOrg()
    const made = Array.from({ length: 1200 }, (_, n) => ({ name: `n${n}`, price: n % 7, size: n }))
    for (const part of [made.slice(0, 600), made.slice(600)]) await org.post('/items/batch', part)
    const batch = vi.spyOn(Database.prototype, 'batch')
    const random = new Random(4901)
    let dies = true
    batch.mockImplementation(async function (this: Database, statements) {
      const isPass = statements.some(({ sql }) => sql.startsWith('INSERT INTO "property_values"'))
      if (isPass) dies = !dies
      if (isPass && !dies) throw new Error('dies before')
      const results = await original.call(this, statements)
      if (isPass && random.chance(0.3)) throw new Error('dies after')
      return results
    } as typeof original)
    await elsewhere(org, ['price', 'size'])
    expect((await org.get('/items/count', { criteria: { price: 3 } })).body).toMatchObject({ count: 171 })
    expect((await org.get('/items', { order: { orderField: 'price' } })).status).toBe(400)
    for (let tries = 0; tries < 50 && !(await fill(org).catch(() => false)); tries++) {
      await org.put('/items/federatedId/none', {}).catch(() => undefined)
    }
    batch.mockRestore()
    expect(await indexesOf(org)).toEqual([
      { property: 'price', state: 'ready', done: 1200, total: 1200 },
      { property: 'size', state: 'ready', done: 1200, total: 1200 },
    ])
    const { body } = await org.get('/items', { order: { orderField: 'size', order: 'desc' }, limit: 2 })
    expect(body.results?.map(({ size }) => size)).toEqual([1199, 1198])
  })

  it('N49 takes in no more bytes at a time than its bound, and still every entity', async () => {
    const org = await newOrg()
    const large = 'x'.repeat(BACKGROUND_COMMIT_MAX_BYTES / 4)
    for (let n = 0; n < 12; n++) await org.make('/items', { price: n, large })
    await elsewhere(org, ['price'])
    const passes: number[] = []
    for (let isDone = false; !isDone; ) {
      isDone = await fillIndexes(env, org.id, 0)
      const [index] = await unfinished(org)
      if (index) await fillNext(databaseFor(env, org.id), index)
      passes.push(Number((await indexesOf(org))[0]?.done))
    }
    expect(passes.length).toBeGreaterThan(2)
    expect(Math.max(...passes.map((done, at) => done - (passes[at - 1] ?? 0)))).toBeLessThanOrEqual(4)
    expect(ids(await listed(org, { order: { orderField: 'price' } }))).toHaveLength(12)
  })

  it('N49 is made by the object that follows commits, without anybody asking', async () => {
    const org = await newOrg()
    await org.make('/items', { price: 1 })
    await elsewhere(org, ['price'])
    const indexes = await eventually(
      () => indexesOf(org),
      found => found[0]?.state === 'ready',
    )
    expect(indexes).toEqual([{ property: 'price', state: 'ready', done: 1, total: 1 }])
  })

  it('N49 is left where an entity holds a list, and taken again when it holds none', async () => {
    const org = await newOrg()
    const one = await org.make('/items', { size: 'M' })
    await elsewhere(org, ['size'])
    await fill(org)
    const found = async () => ids(await listed(org, { criteria: { size: 'M' } }))
    expect(await found()).toEqual([one.id])
    const two = await org.make('/items', { size: ['S', 'M'] })
    expect(await found()).toEqual([one.id, two.id])
    expect(ids(await listed(org, { order: { orderField: 'size' } }))).toEqual([one.id, two.id])
    await org.put(`/items/${two.id}`, { size: 'S' })
    expect(await found()).toEqual([one.id])
  })

  it('N49 goes with its mark, with its type and with its organization, and nothing is left of it', async () => {
    const org = await newOrg()
    const values = async () =>
      (await env.DB.prepare(
        'SELECT (SELECT count(*) FROM property_values v JOIN entities e ON e.seq = v.seq WHERE e.org_id = ?1) AS n, (SELECT count(*) FROM property_indexes WHERE org_id = ?1) AS p',
      )
        .bind(org.id)
        .first()) as { n: number; p: number }
    for (const part of ['a', 'b', 'c']) await org.make('/items', { price: part })
    const type = await elsewhere(org, ['price'])
    await fill(org)
    expect(await values()).toEqual({ n: 3, p: 1 })
    const byPrice = { order: { orderField: 'price' } }
    expect((await org.get('/items', byPrice)).status).toBe(200)
    await org.put(`/types/${type.id}`, { properties: [{ slug: 'price', propertyType: 'string' }] })
    const refused = await org.get('/items', byPrice)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body.errors)).toContain('indexed: true')
    expect(ids(await listed(org, { criteria: { price: 'b' } }))).toHaveLength(1)
    await fill(org)
    expect(await values()).toEqual({ n: 0, p: 0 })
    await org.put(`/types/${type.id}`, { properties: marked('price') })
    await fill(org)
    expect(await values()).toEqual({ n: 3, p: 1 })
    await org.delete(`/types/${type.id}`)
    await fill(org)
    expect(await values()).toEqual({ n: 0, p: 0 })
  })

  it('N49 finds long texts by their beginning and by all of them', async () => {
    const org = await newOrg()
    const long = 'x'.repeat(INDEXED_TEXT_MAX_LENGTH)
    const notes = [long, `${long}a`, `${long}b`, 'x']
    const made = await Promise.all(notes.map(note => org.make('/items', { note })))
    await elsewhere(org, ['note'])
    await fill(org)
    for (const [at, note] of notes.entries()) {
      expect(ids(await listed(org, { criteria: { note } }))).toEqual([made[at]?.id])
    }
    expect(await listed(org, { criteria: { note: { startsWith: `${long}B` } } })).toHaveLength(1)
    expect(await listed(org, { criteria: { note: { gte: long } }, order: { orderField: 'note' } })).toHaveLength(3)
  })
})

describe.each(['with an index', 'without an index'])(
  'numbers that SQLite reads as another double than JavaScript, %s',
  how => {
    const numbers = [
      5.810695290565491e-244, 8.904273863881825e-304, 54321098765432104, 2.328306436538697e244, 1.7976931348623157e308,
    ]
    let org: TestOrg
    const made: Json[] = []

    beforeAll(async () => {
      org = await newOrg()
      const random = new Random(14)
      for (let n = 0; n < 60; n++)
        numbers.push(
          Number(`${random.below(2 ** 30) * 2 ** 23 + 1}e${random.pick([-1, 1]) * (30 + random.below(250))}`),
        )
      const twice = [...numbers, ...numbers].map(size => ({ size }))
      const { status, body } = await org.post('/items/batch', twice)
      expect(status, JSON.stringify(body)).toBe(201)
      made.push(...(body.results ?? []))
      if (how === 'with an index') await elsewhere(org, ['size'])
      await fill(org)
    })

    it('N48 are found by equality and by ranges that end with them', async () => {
      const found = async (size: unknown, id: unknown) =>
        ids(await listed(org, { criteria: { size, id: { in: [id, 'none'] } } })).length
      for (const [at, n] of numbers.entries()) {
        const expected = [
          { eq: n },
          { in: [n, -1] },
          { gte: n },
          { lte: n },
          { between: [n, n] },
          { not: n },
          { gt: n },
          { lt: n },
        ]
        const results = await Promise.all(expected.map(criterion => found(criterion, made[at]?.id)))
        expect(results, String(n)).toEqual([1, 1, 1, 1, 1, 0, 0, 0])
        expect(ids(await listed(org, { criteria: { size: n } }))).toContain(made[at]?.id)
      }
    })

    if (how !== 'with an index') return
    it('N48 are each listed once, page by page in their order', async () => {
      for (const way of ['asc', 'desc']) {
        const found = await listed(org, { order: { orderField: 'size', order: way }, limit: 1 })
        expect(new Set(ids(found)).size).toBe(made.length)
        expect(found).toHaveLength(made.length)
      }
    })
  },
)

describe('marks that are refused', () => {
  it('N49 of lists, of too many, and of what is no truth value', async () => {
    const org = await newOrg()
    const post = (properties: Json[]) => org.post('/types', { typePath: 'item:many', properties })
    const list = await post([{ slug: 'a', propertyType: 'multi_select', indexed: true }])
    expect(list.status).toBe(400)
    expect(list.body.errors).toEqual([{ path: '/properties/0/indexed', message: expect.stringContaining('single') }])
    expect((await post([{ slug: 'a', propertyType: 'string', indexed: 'yes' }])).status).toBe(400)
    const slugs = Array.from({ length: INDEXED_PROPERTIES_MAX + 1 }, (_, n) => `p${n}`)
    const many = await post(marked(...slugs))
    expect(many.status).toBe(400)
    expect(JSON.stringify(many.body.errors)).toContain('can be indexed')
    expect((await post(marked(...slugs.slice(1)))).status).toBe(201)
    const { body } = await org.get('/types/item:many')
    expect(body.indexes).toHaveLength(INDEXED_PROPERTIES_MAX)
  })
})

const original = Database.prototype.batch

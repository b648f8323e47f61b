import { describe, expect, it } from 'vitest'
import { ORDER_FIELDS } from '../../../src/features/entities/criteria.ts'
import { PAGE_SCAN_MAX_ROWS } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'

/** Every page of a list; `between` runs before each next page. */
async function pages(org: TestOrg, path: string, query: Json, between?: (page: number) => Promise<unknown>) {
  const all: Json[][] = []
  let nextPageKey: unknown
  do {
    const { status, body } = await org.get(path, { ...query, ...(nextPageKey ? { nextPageKey } : {}) })
    expect(status, JSON.stringify(body)).toBe(200)
    all.push(body.results ?? [])
    nextPageKey = body.nextPageKey
    expect(all.length).toBeLessThan(200)
    if (nextPageKey) await between?.(all.length)
  } while (nextPageKey)
  return all
}

const ids = (entities: Json[]) => entities.map(entity => entity.id)

describe.each(ORDER_FIELDS)('order by %s', orderField => {
  it.each(['asc', 'desc'] as const)('N16 %s is complete at every page size, absent values last', async order => {
    const org = await newOrg()
    const values = ['b', null, 'a', 'ä', 'B', null, '10', '9', 'a b', null, '👕', 'z']
    const isUnique = orderField === 'federatedId' || orderField === 'identifier'
    for (const [at, value] of values.entries()) {
      await org.make('/workspaces', { [isUnique ? orderField : 'name']: value, n: at })
    }
    if (!isUnique) await org.make('/workspaces', { name: 'b', n: values.length })
    const [whole = []] = await pages(org, '/workspaces', { order: { orderField, order } })
    expect(new Set(ids(whole)).size).toBe(values.length + (isUnique ? 0 : 1))
    const keys = whole.map(entity => entity[orderField])
    const present = keys.filter(key => key != null).map(String)
    expect(keys.slice(0, present.length).every(key => key != null)).toBe(true)
    const sorted = [...present].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(present).toEqual(order === 'asc' ? sorted : sorted.reverse())
    for (const limit of [1, 2, 3, 5, 12, 13]) {
      expect(ids((await pages(org, '/workspaces', { limit, order: { orderField, order } })).flat())).toEqual(ids(whole))
    }
    for (const criteria of [{ n: 'BETWEEN 1 and 8' }, { identifier: ['b', '9', 'a'] }, { typePath: 'workspace' }]) {
      const [some = []] = await pages(org, '/workspaces', { criteria, order: { orderField, order } })
      const paged = await pages(org, '/workspaces', { criteria, limit: 2, order: { orderField, order } })
      expect(ids(paged.flat())).toEqual(ids(some))
      expect(ids(whole).filter(id => ids(some).includes(id))).toEqual(ids(some))
    }
  })
})

describe('paging', () => {
  it.each(['asc', 'desc'] as const)(
    'N16 goes on behind an entity that is gone, among those without a value, %s',
    async order => {
      const org = await newOrg()
      const made: string[] = []
      for (let at = 0; at < 9; at++) made.push((await org.make('/workspaces', { n: at })).id)
      const inOrder = order === 'asc' ? made : made.toReversed()
      const query = { limit: 2, order: { orderField: 'identifier', order } }
      const all = await pages(org, '/workspaces', query, page => org.delete(`/workspaces/${inOrder[page * 2 - 1]}`))
      expect(ids(all.flat())).toEqual(inOrder)
    },
  )

  it('N16 neither skips nor repeats while entities are created, changed and deleted', async () => {
    const org = await newOrg()
    const made: string[] = []
    for (let at = 0; at < 40; at++) made.push((await org.make('/items', { n: at })).id)
    const doomed = made.slice(30, 33)
    const all = await pages(org, '/items', { limit: 7 }, async page => {
      if (page > 6) return
      await Promise.all([
        ...Array.from({ length: 3 }, () => org.make('/items', { late: true })),
        ...made.slice(0, 20).map(id => org.put(`/items/${id}`, { touched: page })),
        ...(page === 1 ? doomed.map(id => org.delete(`/items/${id}`)) : []),
      ])
    })
    const seen = ids(all.flat())
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter(id => made.includes(String(id)))).toEqual(made.filter(id => !doomed.includes(id)))
    expect(all.flat().filter(entity => entity.late)).toHaveLength(18)
  })

  it('N16 goes on from an entity that is gone', async () => {
    const org = await newOrg()
    const made = [await org.make('/items'), await org.make('/items'), await org.make('/items')]
    const all = await pages(org, '/items', { limit: 1 }, async page => {
      if (page === 1) await org.delete(`/items/${made[0]?.id}`)
    })
    expect(ids(all.flat())).toEqual(ids(made))
  })

  it('N16 answers {results, nextPageKey}, 100 to a page where no limit is sent', async () => {
    const org = await newOrg()
    await org.post(
      '/items/batch',
      Array.from({ length: 101 }, (_, n) => ({ n })),
    )
    const { body } = await org.get('/items')
    expect(Object.keys(body)).toEqual(['results', 'nextPageKey'])
    expect(body.results).toHaveLength(100)
    expect((await org.get('/items', { limit: 101 })).body.nextPageKey).toBeNull()
  })

  it('N16 gives short pages for criteria without an index, and misses nothing', async () => {
    const org = await newOrg()
    const rows = PAGE_SCAN_MAX_ROWS * 2 + 500
    await env.DB.prepare(
      `INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
       WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)
       SELECT ?1 || '-' || n, ?1, 'item', 1, 1, 1, 'x', 'x', json_object('typePath', 'item', 'n', n, 'rare', n % 7000) FROM c`,
    )
      .bind(org.id, rows)
      .run()
    const all = await pages(org, '/items', { criteria: { rare: 5 } })
    expect(all.flat().map(entity => entity.n)).toEqual([5, 7005, 14_005])
    expect(all.length).toBe(3)
    const backwards = await pages(org, '/items', {
      criteria: { rare: 5 },
      order: { orderField: 'createdOn', order: 'desc' },
    })
    expect(backwards.flat().map(entity => entity.n)).toEqual([14_005, 7005, 5])
    const single = await pages(org, '/items', { criteria: { rare: 5 }, limit: 1 })
    expect(single.flat().map(entity => entity.n)).toEqual([5, 7005, 14_005])
  })

  it('N71 says so where a page is short although more may fit, and only there', async () => {
    const org = await newOrg()
    await env.DB.prepare(
      `INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
       WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)
       SELECT ?1 || '-' || n, ?1, 'item', 1, 1, 1, 'x', 'x', json_object('typePath', 'item', 'late', n > ?2 - 2) FROM c`,
    )
      .bind(org.id, PAGE_SCAN_MAX_ROWS + 10)
      .run()
    const first = await org.get('/items', { criteria: { late: 1 } })
    expect(first.body).toMatchObject({ results: [], isPartial: true })
    const second = await org.get('/items', { criteria: { late: 1 }, nextPageKey: first.body.nextPageKey })
    expect(second.body.results).toHaveLength(2)
    expect(second.body).not.toHaveProperty('isPartial')
    const full = await org.get('/items', { criteria: { late: 0 }, limit: 3 })
    expect(full.body.nextPageKey).not.toBeNull()
    expect(full.body).not.toHaveProperty('isPartial')
  })

  it('N48 ends a page that has read too much, and goes on behind it', async () => {
    const org = await newOrg()
    const rows = 14
    await env.DB.prepare(
      `INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
       WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)
       SELECT ?1 || '-' || n, ?1, 'item', 1, 1, 1, 'x', 'x',
         json_object('typePath', 'item', 'n', n, 'text', replace(hex(zeroblob(250000)), '0', 'x') || iif(n % 5 = 0, 'É', '')) FROM c`,
    )
      .bind(org.id, rows)
      .run()
    const or = Array.from({ length: 18 }, (_, at) => ({ n: -at }))
    const criteria = { n: { gt: 0 }, or: [{ text: { contains: 'xé' } }, ...or] }
    const all = await pages(org, '/items', { criteria })
    expect(all.flat().map(entity => entity.n)).toEqual([5, 10])
    expect(all.length).toBeGreaterThan(1)
    expect((await org.get('/items/count', { criteria })).body).toEqual({ count: 2, isExact: true })
  })
})

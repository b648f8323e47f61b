import { beforeAll, describe, expect, it } from 'vitest'
import { COUNT_MAX, COUNT_MAX_SCANS, PAGE_SCAN_MAX_ROWS } from '../../../src/platform/limits.ts'
import { env, newOrg, type TestOrg } from '../api.ts'

const ROWS = PAGE_SCAN_MAX_ROWS * 2 + 500

let org: TestOrg

async function fill(orgId: string, rows: number): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
     WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)
     SELECT ?1 || '-' || n, ?1, 'item', 1, 1, 1, 'x', 'x',
       json_object('typePath', iif(n % 2, 'item', 'item:even'), 'n', n, 'federatedId', 'f' || n) FROM c`,
  )
    .bind(orgId, rows)
    .run()
}

beforeAll(async () => {
  org = await newOrg()
  await fill(org.id, ROWS)
})

const count = async (criteria?: object) => (await org.get('/items/count', criteria ? { criteria } : {})).body

describe('a count', () => {
  it('N50 is exact up to its bound, and says where it is not', async () => {
    expect(await count()).toEqual({ count: COUNT_MAX, isExact: false })
    expect(await count({ n: { lte: COUNT_MAX } })).toEqual({ count: COUNT_MAX, isExact: true })
    expect(await count({ n: { lte: COUNT_MAX + 1 } })).toEqual({ count: COUNT_MAX, isExact: false })
    expect(await count({ typePath: 'item:even', n: { gt: ROWS - 10 } })).toEqual({ count: 5, isExact: true })
    expect(await count({ federatedId: ['f1', 'f2', 'none'] })).toEqual({ count: 2, isExact: true })
    expect(await count({ createdOn: '1970-01-01' })).toEqual({ count: COUNT_MAX, isExact: false })
    expect(await count({ n: -1 })).toEqual({ count: 0, isExact: true })
  })

  it('N50 takes one look where an index serves it, and a bounded number where none does', async () => {
    const roundTrips = async (criteria: object) =>
      Number(
        /round trips: (\d+)/.exec(
          (await org.get('/items/count', { criteria })).headers.get('Server-Timing') ?? '',
        )?.[1],
      )
    expect(await roundTrips({})).toBe(1)
    expect(await roundTrips({ typePath: 'item' })).toBe(1)
    expect(await roundTrips({ n: 1 })).toBe(3)
    const large = await newOrg()
    await fill(large.id, PAGE_SCAN_MAX_ROWS * COUNT_MAX_SCANS + 1)
    const { body } = await large.get('/items/count', { criteria: { n: { lte: 3 } } })
    expect(body).toEqual({ count: 3, isExact: false })
  })

  it('N50 counts the organization’s own entities of one type', async () => {
    const other = await newOrg()
    expect((await other.get('/items/count')).body).toEqual({ count: 0, isExact: true })
    await other.make('/colors', {})
    expect((await other.get('/color/count/')).body).toEqual({ count: 1, isExact: true })
    expect((await other.get('/items/count')).body).toEqual({ count: 0, isExact: true })
  })

  it('refuses what a list refuses', async () => {
    expect((await org.get('/items/count', { criteria: { n: { over: 1 } } })).status).toBe(400)
    expect((await org.get('/items/count', { limit: 1 })).status).toBe(400)
  })
})

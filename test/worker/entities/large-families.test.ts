// Lists by a value that mostly few entities share, where very many do: a page looks at no more than any other (N60).
import { beforeAll, describe, expect, it } from 'vitest'
import type { Criteria, Order } from '../../../src/features/entities/criteria.ts'
import { INDEX_GATHER_MAX_ENTITIES } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'
import { explainedPage } from '../explained.ts'

const OPTIONS = 21_000
const NOTED = 7000
/** A row is counted where it is found, placed, sized and tested; and one that may be gathered, once more. */
const PAGE_MAX_READS = 6 * 10_000 + 100

let org: TestOrg

/** Their names lie in another order than they do, every third belongs to a family of its own hundred, and a few have a note. */
beforeAll(async () => {
  org = await newOrg()
  await env.DB.prepare(
    `INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
     WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)
     SELECT 'o' || n || ?1, ?1, 'item', 1, 1700000000000 + n, 1700000000000 + n, 'x', 'x', json_object('typePath', 'item',
       'name', printf('n%06d', n * 7919 % 100003), 'itemFamilyId', iif(n % 3, 'large', 'small' || (n / 300)),
       'notes', iif(n % ?3 = 2, 'a fuzzy zz', 'plain')) FROM c`,
  )
    .bind(org.id, OPTIONS, NOTED)
    .run()
}, 60_000)

const named = (n: number) => `n${String((n * 7919) % 100_003).padStart(6, '0')}`
const numbers = Array.from({ length: OPTIONS }, (_, at) => at + 1)
const isLarge = (n: number) => n % 3 !== 0
const isSmall = (n: number) => n % 3 === 0 && Math.floor(n / 300) === 5
const isNoted = (n: number) => n % NOTED === 2

const BY_NAME: Order = { orderField: 'name', order: 'asc' }
const LAST_FIRST: Order = { orderField: 'createdOn', order: 'desc' }
const notes = { contains: 'zz' }

const ofType = { typePath: 'item' }

const LISTS: [string, Criteria, Order | undefined, (n: number) => boolean][] = [
  ['a large family', { itemFamilyId: 'large', notes }, undefined, n => isLarge(n) && isNoted(n)],
  ['a large family, last first', { itemFamilyId: 'large', notes }, LAST_FIRST, n => isLarge(n) && isNoted(n)],
  ['a large family by name', { itemFamilyId: 'large', notes }, BY_NAME, n => isLarge(n) && isNoted(n)],
  ['several families', { itemFamilyId: ['large', 'small5'], notes }, undefined, n => isLarge(n) && isNoted(n)],
  ['several that are few', { itemFamilyId: ['small5', 'nobody'] }, undefined, isSmall],
  ['a small family by name', { itemFamilyId: 'small5' }, BY_NAME, isSmall],
  ['a small family of a type', { ...ofType, itemFamilyId: ['small5'] }, LAST_FIRST, isSmall],
  ['any name', { name: [2, 3, 5].map(named) }, undefined, n => [2, 3, 5].includes(n)],
  ['any name of a type', { ...ofType, name: [2, 3, 5].map(named) }, BY_NAME, n => [2, 3, 5].includes(n)],
  ['all of a type by name', { ...ofType, notes }, BY_NAME, isNoted],
  ['all of a type', { typePath: ['item', 'item:none'], notes }, LAST_FIRST, isNoted],
]

describe('N60 a list of', () => {
  it.each(LISTS)('%s is the same in any number of pages, each of which reads a bounded number', async (...list) => {
    const [, criteria, order, fits] = list
    const fitting = numbers.filter(fits).map(named)
    const expected = order === BY_NAME ? fitting.sort() : order === LAST_FIRST ? fitting.reverse() : fitting
    expect(expected.length).toBeGreaterThan(1)
    const names: unknown[] = []
    const pages: Json[] = []
    for (let nextPageKey: unknown; nextPageKey !== null; ) {
      const { body } = await org.get('/items', {
        criteria,
        ...(order && { order }),
        ...(nextPageKey !== undefined && { nextPageKey }),
      })
      names.push(...(body.results ?? []).map(({ name }) => name))
      pages.push(body)
      nextPageKey = body.nextPageKey
    }
    expect(names).toEqual(expected)
    expect(pages.slice(0, -1).every(({ isPartial }) => isPartial)).toBe(true)
    expect(pages.length > 1).toBe('notes' in criteria)
    const { read } = await explainedPage(org.id, 'item', criteria, { order })
    expect(read).toBeLessThanOrEqual(PAGE_MAX_READS)
    const { body } = await org.get('/items/count', { criteria })
    expect(body).toEqual({ count: expected.length, isExact: true })
  })

  it('a large family without other criteria goes along its index', async () => {
    const { read, rows, plan } = await explainedPage(org.id, 'item', { itemFamilyId: 'large' })
    expect(rows).toHaveLength(100)
    expect(read).toBeLessThanOrEqual(120)
    expect(plan).not.toContain('TEMP B-TREE')
  })

  it('all of a type by name goes along the names, once it has seen that they are many', async () => {
    const { read, rows } = await explainedPage(org.id, 'item', ofType, { order: BY_NAME })
    expect(rows).toHaveLength(100)
    expect(read).toBeLessThanOrEqual(INDEX_GATHER_MAX_ENTITIES + 10 * 100)
  })
})

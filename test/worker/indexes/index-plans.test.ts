// N49: what a page along the index of a property reads of 20,000 entities.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Criteria, Order } from '../../../src/features/entities/criteria.ts'
import { fillIndexes } from '../../../src/features/indexes/fill.ts'
import { type KnownIndex, readyIndexes } from '../../../src/features/indexes/store.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { explainedPage, LIMIT } from '../explained.ts'

const ENTITIES = 20_000

let org: TestOrg
let indexes: readonly KnownIndex[]

beforeAll(async () => {
  org = await newOrg()
  const properties = ['group', 'place', 'note'].map(slug => ({ slug, propertyType: 'string', indexed: true }))
  await org.make('/types', { typePath: 'item:elsewhere', properties })
  await env.DB.prepare(
    `INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
     WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)
     SELECT 'x' || n || ?1, ?1, 'item', 1, 1700000000000 + n, 1700000000000 + n, 'x', 'x',
       json_object('typePath', 'item', 'name', 'n' || n, 'group', 'g' || (n % 100), 'place', n * 7919 % 20011, 'note', 'Note ' || n) FROM c`,
  )
    .bind(org.id, ENTITIES)
    .run()
  await fillIndexes(env, org.id, Date.now() + 60_000)
  indexes = await databaseFor(env, org.id).all(readyIndexes(org.id, 'item'))
}, 60_000)

const byPlace: Order = { orderField: 'place', order: 'desc' }
const byName: Order = { orderField: 'name', order: 'asc' }

/** Rows of the index and entities; what is sorted reads the few twice, once to see that they are few. */
const PATHS: [string, Criteria, Order | undefined, number][] = [
  ['one value', { group: 'g7' }, undefined, 3 * LIMIT],
  ['its order', {}, byPlace, 3 * LIMIT],
  ['a range of its order', { place: { gte: 500, lt: 9000 } }, byPlace, 3 * LIMIT],
  ['a range of few', { place: { between: [500, 600] } }, undefined, 10 * LIMIT],
  ['a range of few in another order', { place: { between: [500, 600] } }, byName, 10 * LIMIT],
  ['a beginning', { note: { startsWith: 'NOTE 1999' } }, undefined, 3 * LIMIT],
  ['several values', { group: { in: ['g7', 'g8'] } }, byName, 20 * LIMIT],
  ['a range of many', { place: { gte: 5 } }, undefined, 2001 + 6 * LIMIT],
]

describe('a page along the index of a property', () => {
  it.each(PATHS)('N49 by %s reads no more than it must', async (_, criteria, order, most) => {
    const asked = { order, indexes }
    const first = await explainedPage(org.id, 'item', criteria, asked)
    expect(first.rows.length).toBeGreaterThan(0)
    expect(first.plan).not.toMatch(/SCAN (entities|e|property_values|n|x)(?! USING)/)
    expect(first.plan).toMatch(/USING (COVERING )?INDEX property_values_(value|folded) \(index_id=\?/)
    expect(first.read, first.plan).toBeLessThanOrEqual(most + 20)
    const last = first.rows.at(-1)
    const next = await explainedPage(org.id, 'item', criteria, asked, last && { value: last.k, seq: last.seq })
    expect(next.read, next.plan).toBeLessThanOrEqual(most + 20)
  })
})

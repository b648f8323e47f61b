// Loads and batches around every bound there is: slices of 1 MB within a commit, commits of 2,000 entities, chunks of 1 MB or
// 4,000 rows, batches of 8 MB.
import { describe, expect, it } from 'vitest'
import { env, newOrg, type TestOrg } from '../api.ts'
import { load } from './loading.ts'

async function counted(org: TestOrg) {
  const of = async (sql: string) => Number((await env.DB.prepare(sql).bind(org.id).first<{ n: number }>())?.n)
  return {
    items: await of(`SELECT count(*) AS n FROM entities WHERE org_id = ? AND kind = 'item'`),
    orphans:
      await of(`SELECT count(*) AS n FROM entities o WHERE o.org_id = ? AND o.kind = 'item' AND o.item_family_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM entities f WHERE f.id = o.item_family_id)`),
    records: await of(`SELECT count(*) AS n FROM changes WHERE org_id = ? AND entity_type = 'item'`),
  }
}

/** Options of a few families, in so many columns of so many characters. */
function file(rows: number, columns: number, characters: number, families: number): string {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`)
  const lines = Array.from({ length: rows }, (_, at) => {
    const cells = names.map((_name, column) => `${at}-${column}`.padEnd(characters, 'x'))
    return [`F${at % families}`, `O${at}`, ...cells].join(',')
  })
  return `${['itemFamilyFederatedId', 'itemOptionFederatedId', ...names].join(',')}\n${lines.join('\n')}\n`
}

describe('wide files (N43)', () => {
  it.each([
    ['2,500 rows × 16 columns', 2500, 16, 16, 100],
    ['1,500 rows × 34 columns', 1500, 34, 12, 100],
    ['a family for each row', 1200, 20, 30, 1200],
    ['rows of 100 KB', 30, 10, 10_000, 3],
    ['rows of 400 KB, one to a slice', 6, 4, 100_000, 1],
    ['one row more than a chunk', 4001, 2, 4, 10],
    ['as many entities as a commit, and one more', 2000, 2, 4, 1],
    ['slices that end at the same place as commits', 2000, 5, 100, 1],
  ])('%s', async (_, rows, columns, characters, families) => {
    const org = await newOrg()
    const csv = file(rows, columns, characters, families)
    const done = await load(org, csv)
    expect(done).toMatchObject({ status: 'completed', results: { item: { created: rows + families } } })
    expect(await counted(org)).toEqual({ items: rows + families, orphans: 0, records: rows + families })
    const again = await load(org, csv)
    expect(again.results.item).toMatchObject({ created: 0, updated: 0, unchanged: rows + families })
  })
})

describe('wide batches (N17)', () => {
  const padding = 'x'.repeat(7000)

  it('near 8 MB: created, updated and deleted across slices, with references into other slices', async () => {
    const org = await newOrg()
    const bodies = Array.from({ length: 1000 }, (_, at) => ({ federatedId: `k${at}`, padding: `${at}${padding}` }))
    const created = await org.post('/items/batch', bodies)
    expect(created.status).toBe(201)
    const ids = (created.body.results ?? []).map(({ id }) => String(id))
    // Each refers to the first one, which another slice holds.
    const updates = ids.slice(1).map(id => ({ id, itemFamilyId: ids[0], padding: `u${padding}` }))
    expect((await org.put('/items/batch', updates)).status).toBe(200)
    expect(await counted(org)).toMatchObject({ items: 1000, orphans: 0 })
    expect((await org.delete(`/items/${ids[0]}`)).status).toBe(409)
    // The family and its options go at once, although they stand in different slices.
    const gone = await org.call('DELETE', '/items/batch', { body: ids })
    expect(gone.status).toBe(204)
    expect(await counted(org)).toMatchObject({ items: 0 })
  })

  it('one refused write refuses all slices, and is named by its place', async () => {
    const org = await newOrg()
    const bodies = Array.from({ length: 400 }, (_, at) => ({
      padding: `${at}${padding}`,
      ...(at === 399 && { itemFamilyId: 'nobody' }),
    }))
    const refused = await org.post<{ errors: { path: string }[] }>('/items/batch', bodies)
    expect([refused.status, refused.body.errors.map(({ path }) => path)]).toEqual([400, ['/399/itemFamilyId']])
    expect(await counted(org)).toMatchObject({ items: 0, records: 0 })
  })
})

// Rows that say what is stored already (N29): they are done with when they are read.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'
import { all, holdLoads, type Load, load, one, SMALL, start, worked } from './loading.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId,color'
const rowsOf = (count: number, color: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => `F${n},,${color(n)}`)
const csvOf = (rows: string[]) => `${HEAD}\n${rows.join('\n')}\n`
const counts = (more: Partial<Load['results'][string]>) => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  ...more,
})

async function loadSmall(org: TestOrg, rows: string[], more: Json = {}): Promise<Load> {
  holdLoads()
  return worked(org, (await start(org, csvOf(rows), { loadType: ['ITEM'], ...more })).id, SMALL)
}

const isChunk = (key: unknown) => typeof key === 'string' && key.includes('/chunk-')

/** Tells how many chunks are staged from here on. */
function chunksStaged(): () => number {
  const put = vi.spyOn(env.FILES, 'put')
  onTestFinished(() => put.mockRestore())
  return () => put.mock.calls.filter(([key]) => isChunk(key)).length
}

/** Between the reading of the file and the writing of its first chunk. */
function beforeWriting(work: () => Promise<unknown>): void {
  const original = env.FILES.get.bind(env.FILES) as (key: string, options?: R2GetOptions) => Promise<R2ObjectBody>
  let isDone = false
  const get = vi.spyOn(env.FILES, 'get').mockImplementation((async (key: string, options?: R2GetOptions) => {
    if (isChunk(key) && !isDone) {
      isDone = true
      await work()
    }
    return original(key, options)
  }) as never)
  onTestFinished(() => get.mockRestore())
}

describe('rows that change nothing', () => {
  it('are not staged, and are counted', async () => {
    const org = await newOrg()
    await load(org, csvOf(rowsOf(9, () => 'red')))
    const staged = chunksStaged()
    const again = await loadSmall(
      org,
      rowsOf(9, () => 'red'),
    )
    expect(again).toMatchObject({ status: 'completed', results: { item: counts({ unchanged: 9 }) } })
    expect(again.progress).toMatchObject({ rowsDone: 9, rowsTotal: 9, percent: 100 })
    expect(staged()).toBe(0)
    const edited = await loadSmall(
      org,
      rowsOf(9, n => (n === 5 ? 'blue' : 'red')),
    )
    expect(edited).toMatchObject({ results: { item: counts({ updated: 1, unchanged: 8 }) }, progress: { rowsDone: 9 } })
    expect(staged()).toBe(1)
    expect((await all(org, '/items')).map(({ color }) => color)).toEqual([
      ...Array(5).fill('red'),
      'blue',
      ...Array(3).fill('red'),
    ])
  })

  it('options too, unless their families give them something', async () => {
    const org = await newOrg()
    const rows = ['F1,,red', 'F1,O1,red', 'F1,O2,blue']
    await load(org, csvOf(rows))
    const staged = chunksStaged()
    expect((await loadSmall(org, rows)).results.item).toEqual(counts({ unchanged: 3 }))
    expect(staged()).toBe(0)
    await org.make('/types', {
      typePath: 'item',
      properties: [{ slug: 'color', label: 'Color', propertyType: 'string', level: 'override' }],
    })
    expect((await loadSmall(org, ['F1,,green', 'F1,O2,blue'])).results.item).toEqual(
      counts({ updated: 2, unchanged: 1 }),
    )
    expect(await one(org, '/items', 'O1')).toMatchObject({ color: 'green' })
  })

  it('an option that moves is written, also where it says nothing else', async () => {
    const org = await newOrg()
    await load(org, csvOf(['F1,,red', 'F2,,red', 'F1,O1,red']))
    expect((await loadSmall(org, ['F2,O1,red'])).results.item).toEqual(counts({ updated: 1, unchanged: 1 }))
    const { id } = await one(org, '/items', 'F2')
    expect(await one(org, '/items', 'O1')).toMatchObject({ itemFamilyId: id })
  })

  it('a family waits for its own row, which may stand in a later chunk', async () => {
    const org = await newOrg()
    const options = Array.from({ length: 4 }, (_, n) => `F1,O${n},red`)
    await load(org, csvOf(['F1,,red', ...options]))
    expect((await loadSmall(org, [...options, 'F1,,blue'])).results.item).toEqual(counts({ updated: 1, unchanged: 4 }))
    expect(await one(org, '/items', 'F1')).toMatchObject({ color: 'blue' })
  })

  it.each([
    ['with a row of its own', ['F,,', 'F,O,']],
    ['without', ['F,O,']],
  ])('a family that is none yet becomes one by its options, %s', async (_, rows) => {
    const org = await newOrg()
    const { id } = await org.make('/items', { federatedId: 'F', name: 'F' })
    await org.make('/items', { federatedId: 'O', name: 'O', itemFamilyId: id, roles: ['option'] })
    await loadSmall(org, rows)
    expect(await one(org, '/items', 'F')).toMatchObject({ roles: ['family'] })
  })

  it('where a later row has an error, nothing is counted', async () => {
    const org = await newOrg()
    await load(org, csvOf(rowsOf(9, () => 'red')))
    const failed = await loadSmall(org, [...rowsOf(9, () => 'red'), ',,x'])
    expect(failed).toMatchObject({ status: 'failed', results: {} })
  })

  it('come before what others do while the load runs', async () => {
    const org = await newOrg()
    await load(org, csvOf(['F0,,red']))
    const { id } = await one(org, '/items', 'F0')
    beforeWriting(() => org.put(`/items/${id}`, { color: 'blue' }))
    const done = await loadSmall(
      org,
      rowsOf(2, () => 'red'),
    )
    expect(done.results.item).toEqual(counts({ created: 1, unchanged: 1 }))
    expect(await one(org, '/items', 'F0')).toMatchObject({ color: 'blue' })
  })

  it('an option whose family is deleted meanwhile ends the load with a reason', async () => {
    const org = await newOrg()
    await load(org, csvOf(['F0,,red']))
    const { id } = await one(org, '/items', 'F0')
    beforeWriting(() => org.delete(`/items/${id}`))
    const failed = await loadSmall(org, ['F0,,red', 'F0,O1,red'])
    expect(failed).toMatchObject({
      status: 'failed',
      issues: [{ message: expect.stringContaining('The item F0 was deleted') }],
    })
    expect((await loadSmall(org, ['F0,,red', 'F0,O1,red'])).results.item).toEqual(counts({ created: 2 }))
  })
})

describe('rows whose keys are not stored', () => {
  it('are not looked up again, and give way to somebody who was faster', async () => {
    const org = await newOrg()
    beforeWriting(() => org.make('/items', { federatedId: 'F1', color: 'blue', fabric: 'wool' }))
    const done = await loadSmall(
      org,
      rowsOf(3, () => 'red'),
    )
    expect(done).toMatchObject({ status: 'completed', results: { item: counts({ created: 2, updated: 1 }) } })
    expect(await one(org, '/items', 'F1')).toMatchObject({ color: 'red', fabric: 'wool' })
  })
})

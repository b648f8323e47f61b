// Two workers on one load find different rows to be as they are stored. Whichever is faster, no row is lost (N34).
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { BOUNDS } from '../../../src/features/loads/job.ts'
import { open } from '../../../src/features/loads/phases/open.ts'
import { validate } from '../../../src/features/loads/phases/validate.ts'
import { write } from '../../../src/features/loads/phases/write.ts'
import { StepSuperseded } from '../../../src/platform/jobs/commit-step.ts'
import * as jobs from '../../../src/platform/jobs/store.ts'
import { env, newOrg } from '../api.ts'
import { all, holdLoads, one, SMALL, start, stored, worked, workerOf, workOnLoads } from './loading.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId,color'
const always = async () => true
const once = async () => false

describe('N34 a worker that comes late', () => {
  it('goes on behind chunks that have nothing to write', async () => {
    const org = await newOrg()
    holdLoads()
    const rows = (color: (at: number) => string) => Array.from({ length: 12 }, (_, at) => `F${at},,${color(at)}\n`)
    const csv = (color: (at: number) => string) => `${HEAD}\n${rows(color).join('')}`
    await worked(
      org,
      (
        await start(
          org,
          csv(() => 'red'),
          { loadType: ['ITEM'] },
        )
      ).id,
    )
    const edited = csv(at => (at === 0 || at === 11 ? 'blue' : 'red'))
    const { id } = await start(org, edited, { loadType: ['ITEM'] })
    const opened = await open(workerOf(org, id, SMALL), await stored(org, id))
    const read = await validate(workerOf(org, id, SMALL), opened, always)
    expect(read.state.skipped).toEqual({ ranges: [[1, 2]], rows: 4, unchanged: 4 })
    await write(workerOf(org, id, SMALL), read, once)
    const done = await worked(org, id, SMALL)
    expect(done.results.item).toEqual({ created: 0, updated: 2, unchanged: 10, removed: 0 })
    expect(done.progress).toMatchObject({ rowsDone: 12, rowsTotal: 12 })
  })

  it('does not shorten a chunk that is half written', async () => {
    const org = await newOrg()
    holdLoads()
    const rows = Array.from({ length: 10 }, (_, at) => `F${at}\n`)
    const { id } = await start(org, `itemFamilyFederatedId\n${rows.join('')}`, { loadType: ['ITEM'] })
    const bounds = { ...BOUNDS, commitMaxEntities: 5 }
    const opened = await open(workerOf(org, id, bounds), await stored(org, id))
    const read = await validate(workerOf(org, id, bounds), opened, always)
    await write(workerOf(org, id, bounds), read, once)
    await expect(validate(workerOf(org, id, bounds), opened, always)).rejects.toThrow(StepSuperseded)
    const done = await worked(org, id, bounds)
    expect(await all(org, '/items')).toHaveLength(10)
    expect(done).toMatchObject({ status: 'completed', results: { item: { created: 10 } } })
  })

  it('puts away what the one before it had no need of, in nobody’s place', async () => {
    const org = await newOrg()
    holdLoads()
    const color = 'itemFamilyFederatedId,color\n'
    const rows = Array.from({ length: 8 }, (_, at) => `F${at},red\n`).join('')
    const { id } = await start(org, color + rows, { loadType: ['ITEM'] })
    const opened = await open(workerOf(org, id, SMALL), await stored(org, id))
    const put = env.FILES.put.bind(env.FILES)
    let isFirst = true
    const spy = vi.spyOn(env.FILES, 'put').mockImplementation((async (key: string, ...more: unknown[]) => {
      if (String(key).includes('/chunk-') && isFirst) {
        isFirst = false
        for (let at = 0; at < 4; at++)
          await org.make('/items', { federatedId: `F${at}`, color: 'red', name: `F${at}`, roles: ['family'] })
        await validate(workerOf(org, id, SMALL), { ...opened }, always)
      }
      return (put as never as (...a: unknown[]) => unknown)(key, ...more)
    }) as never)
    onTestFinished(() => spy.mockRestore())
    await expect(validate(workerOf(org, id, SMALL), opened, always)).rejects.toThrow(StepSuperseded)
    const done = await worked(org, id, SMALL)
    expect((await all(org, '/items')).length).toBe(8)
    expect(done).toMatchObject({ status: 'completed', results: { item: { created: 4, unchanged: 4 } } })
  })

  it('that misses a family does not end the load', async () => {
    const org = await newOrg()
    holdLoads()
    await worked(org, (await start(org, `${HEAD}\nF0,,red\n`, { loadType: ['ITEM'] })).id)
    const rows = ['F0,,red', 'F0,O1,red', ...Array.from({ length: 8 }, (_, at) => `G${at},,red`)]
    const { id } = await start(org, `${HEAD}\n${rows.join('\n')}\n`, { loadType: ['ITEM'] })
    const opened = await open(workerOf(org, id, SMALL), await stored(org, id))
    const late = await validate(workerOf(org, id, SMALL), opened, always)
    const gone = await write(workerOf(org, id, SMALL), late, once)
    expect(gone.step).toBe(late.step + 1)
    for (const key of ['O1', 'F0']) {
      const { id: itemId } = await one(org, '/items', key)
      expect((await org.delete(`/items/${itemId}`)).status).toBeLessThan(300)
    }
    const first = vi.spyOn(jobs, 'takeFirst').mockResolvedValueOnce({ job: late, before: [] })
    onTestFinished(() => first.mockRestore())
    await workOnLoads(env, org.id, SMALL)
    first.mockRestore()
    const done = await worked(org, id, SMALL)
    expect(done.status).toBe('completed')
  })
})

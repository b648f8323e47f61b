// Whatever call fails while records move into files (N58), before or after it took effect: the history is whole at once, the next
// sweep goes on, and an object that is left behind is swept.
import { expect, it, vi } from 'vitest'
import { fileRecords } from '../../../src/features/history/file-records.ts'
import { sweepHistory } from '../../../src/features/history/sweep.ts'
import { sweepBucket } from '../../../src/features/loads/sweep-bucket.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { Injector, MOMENTS } from '../faults/injector.ts'
import { BOUNDS, FIRST_ON, fileAll, filesOf, inTable, objectsOf, spread, walked } from './filing.ts'

const DAY_MS = 86_400_000
const RECORDS = 7
const POINTS_MAX = 40

async function furnished(): Promise<TestOrg> {
  const org = await newOrg()
  const bodies = Array.from({ length: RECORDS }, (_, at) => ({ name: `item ${at}` }))
  await org.post('/items/batch', bodies)
  await spread(org)
  return org
}

const step = (used: typeof env, org: TestOrg) =>
  fileRecords(used, org.id, 1, Date.now(), { ...BOUNDS, records: 3, files: 2 })

it('N58 every call of the move of records may fail', async () => {
  const injector = new Injector()
  let points = 0
  for (const moment of MOMENTS) {
    for (let n = 1; n <= POINTS_MAX; n++) {
      const org = await furnished()
      const all = await walked(org, {})
      await injector.during(n, moment, () => step(injector.env, org)).catch(() => undefined)
      if (injector.hit === undefined) break
      points++
      const what = `${injector.hit} ${n} ${moment}`
      expect(await walked(org, {}), what).toEqual(all)
      const filed = (await filesOf(org)).reduce((sum, { records }) => sum + records, 0)
      expect(filed + (await inTable(org)), what).toBe(RECORDS)
      while ((await step(env, org)) > 0);
      expect(await inTable(org), what).toBe(0)
      expect(await walked(org, {}), what).toEqual(all)
      await sweepBucket(env, Date.now() + 2 * DAY_MS)
      expect(await objectsOf(org), what).toHaveLength((await filesOf(org)).length)
      expect(await walked(org, {}), what).toEqual(all)
    }
  }
  expect(points).toBeGreaterThan(8)
  vi.restoreAllMocks()
})

it('N58 two sweeps at once move each record once', async () => {
  const org = await furnished()
  const all = await walked(org, {})
  await Promise.all([step(env, org), step(env, org), step(env, org)])
  while ((await step(env, org)) > 0);
  expect((await filesOf(org)).reduce((sum, { records }) => sum + records, 0)).toBe(RECORDS)
  expect(await walked(org, {})).toEqual(all)
})

it('N58 every call of the removal of a file by the retention may fail', async () => {
  const injector = new Injector()
  for (const moment of MOMENTS) {
    for (let n = 1; n <= POINTS_MAX; n++) {
      const org = await furnished()
      await fileAll(org, { records: 2 })
      const all = await walked(org, {})
      await operator('PUT', `/orgs/${org.slug}`, { historyRetentionDays: 1 })
      // All but the last two are over their time.
      const now = FIRST_ON + 5 * 40 * DAY_MS + DAY_MS
      await injector.during(n, moment, () => sweepHistory(injector.env, now)).catch(() => undefined)
      const isHit = injector.hit !== undefined
      const seen = await walked(org, {})
      expect(all.slice(0, seen.length)).toEqual(seen)
      await sweepHistory(env, now)
      await operator('PUT', `/orgs/${org.slug}`, { historyRetentionDays: null })
      expect(await walked(org, {})).toEqual(all.slice(0, 3))
      await sweepBucket(env, Date.now() + 2 * DAY_MS)
      expect(await objectsOf(org)).toHaveLength((await filesOf(org)).length)
      if (!isHit) break
    }
  }
  vi.restoreAllMocks()
})

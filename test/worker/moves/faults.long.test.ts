// N57: a move whose n-th call to D1, a queue or an object fails, before or after it took effect, for every n: it goes on and ends with
// everything in the target. Every day some of them; VITE_FAULTS=all takes all.
import { describe, expect, it } from 'vitest'
import { newOrg, operator, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { Injector, MOMENTS } from '../faults/injector.ts'
import { look, rowsOf, stateIn, stepByHand, stepMove } from './moving.ts'

const settings = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env
const isWhole = settings?.VITE_FAULTS === 'all'
const POINTS_MAX = 300
const STRIDE = isWhole ? 1 : 13

async function furnished(): Promise<TestOrg> {
  const org = await newOrg()
  await org.post('/items/batch', [{ name: 'a', federatedId: 'f-a' }, { name: 'b' }])
  await org.call('POST', '/items', { body: { name: 'c' }, headers: { 'Idempotency-Key': 'c' } })
  return org
}

const goOn = (injector: Injector, org: TestOrg) =>
  eventually(
    async () => {
      await stepMove(injector.env, org.id)
      return look(org)
    },
    ({ body }) => body.state !== 'moving',
  )

describe('a move that dies (N57)', () => {
  it('goes on from wherever it was, and loses nothing', async () => {
    stepByHand()
    const injector = new Injector()
    let points = 0
    for (let n = 1; n < POINTS_MAX; n += STRIDE) {
      const moment = MOMENTS[points % 2] ?? 'before'
      const org = await furnished()
      expect((await operator('POST', `/orgs/${org.slug}/move`, { database: 'DATA_01' })).status).toBe(202)
      const before = await rowsOf('DB', org.id)
      await injector.during(n, moment, () => goOn(injector, org)).catch(() => undefined)
      const place = `${n} ${moment} ${injector.hit}`
      if (injector.hit === undefined) break
      points++
      await goOn(injector, org)
      expect((await look(org)).body, place).toMatchObject({ state: 'complete' })
      expect(await rowsOf('DATA_01', org.id), place).toEqual(before)
      expect([await stateIn('DB', org.id), await stateIn('DATA_01', org.id)], place).toEqual(['moved', 'open'])
      const again = await org.call('POST', '/items', { body: { name: 'c' }, headers: { 'Idempotency-Key': 'c' } })
      expect(again.status, place).toBe(201)
      expect((await org.get('/items')).body.results, place).toHaveLength(3)
    }
    expect(points).toBeGreaterThan(isWhole ? 60 : 6)
    console.log(`${points} fault points of a move`)
  })
})

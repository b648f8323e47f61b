// What cannot be divided comes apart while others are being served (N60).
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as apart from '../../../src/platform/company/apart.ts'
import { bodiesApart, commitsApart } from '../../../src/platform/company/apart.ts'
import { Visit } from '../../../src/platform/company/company.ts'
import {
  COMPANY_APART_BYTES,
  COMPANY_APART_FROM_BYTES,
  COMPANY_APART_FROM_ENTITIES,
  COMPANY_APART_LOOK_MS,
  COMPANY_APART_MAX_MS,
  COMPANY_APART_THOUSAND_MS,
  COMPANY_LASTS_MS,
} from '../../../src/platform/company/limits.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, newOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
import { alone, visitOf } from '../visits.ts'

const LARGE = COMPANY_APART_FROM_ENTITIES
const LARGE_MS = (LARGE * COMPANY_APART_THOUSAND_MS) / 1000
/** Entities that others wait for longer than anybody waits. */
const MOST = (1000 * COMPANY_APART_MAX_MS) / COMPANY_APART_THOUSAND_MS

/** Nobody waits in earnest, and it is told for how long they would. */
function looks() {
  const wait = vi.spyOn(scheduler, 'wait').mockClear().mockResolvedValue(undefined)
  return () => {
    const { length } = wait.mock.calls.filter(([ms]) => ms === COMPANY_APART_LOOK_MS)
    wait.mockClear()
    return length * COMPANY_APART_LOOK_MS
  }
}

describe('N60 in company', () => {
  it.each([
    ['large commits', commitsApart, LARGE, LARGE_MS],
    ['large bodies', bodiesApart, COMPANY_APART_FROM_BYTES, COMPANY_APART_FROM_BYTES / COMPANY_APART_BYTES],
  ])('%s wait for as long as those before were large, and not for small ones', async (_, wait, large, ms) => {
    const [own, other] = [newId(), newId()]
    const clock = holdClock()
    visitOf(newId())
    const waited = looks()
    await wait(own, large)
    expect(waited()).toBe(0)
    await wait(own, large - 1)
    expect(waited()).toBe(0)
    await wait(own, 2 * large)
    expect(waited()).toBe(ms)
    await wait(other, large)
    expect(waited()).toBe(0)
    clock.forward(ms)
    visitOf(newId())
    await wait(own, large)
    expect(waited()).toBe(2 * ms)
  })

  it('a commit does not wait for the body that it came with', async () => {
    const own = newId()
    holdClock()
    visitOf(newId())
    const waited = looks()
    await bodiesApart(own, COMPANY_APART_FROM_BYTES)
    await commitsApart(own, LARGE)
    expect(waited()).toBe(0)
  })

  it('nobody waits any longer when the others have gone, or where there are none', async () => {
    const own = newId()
    await alone(own)
    const waited = looks()
    await commitsApart(own, LARGE)
    await commitsApart(own, LARGE)
    expect(waited()).toBe(0)
    vi.restoreAllMocks()
    const clock = holdClock()
    visitOf(newId()).end()
    await commitsApart(own, LARGE)
    const wait = vi.spyOn(scheduler, 'wait').mockImplementation(async () => clock.forward(COMPANY_LASTS_MS))
    await commitsApart(own, LARGE)
    expect(wait.mock.calls.filter(([ms]) => ms === COMPANY_APART_LOOK_MS)).toHaveLength(1)
  })

  it('more than can wait are told when to come again, and do not count', async () => {
    const own = newId()
    const clock = holdClock()
    visitOf(newId())
    looks()
    await commitsApart(own, MOST)
    await commitsApart(own, 1.1 * MOST)
    const refused = { code: 'rate_limited', headers: { 'Retry-After': '5' } }
    await expect(commitsApart(own, LARGE)).rejects.toMatchObject(refused)
    await expect(commitsApart(own, LARGE)).rejects.toMatchObject(refused)
    clock.forward(COMPANY_APART_MAX_MS)
    visitOf(newId())
    await commitsApart(own, LARGE)
  })

  it('whoever sends one after the other is never refused, however large they are', async () => {
    const [own, other] = [newId(), newId()]
    const clock = holdClock()
    const begun = Date.now()
    const call = () => {
      const visit = new Visit()
      visit.isOf(other)
      visit.end()
    }
    vi.spyOn(scheduler, 'wait').mockImplementation(async ms => {
      clock.forward(Number(ms))
      call()
    })
    call()
    for (let turn = 0; turn < 4; turn++) await bodiesApart(own, 8 * COMPANY_APART_MAX_MS * COMPANY_APART_BYTES)
    expect(Date.now() - begun).toBe(3 * COMPANY_APART_MAX_MS)
  })

  it('the next request of the same organization is no company', async () => {
    const own = newId()
    await alone(own)
    visitOf(own)
    const unknown = new Visit()
    onTestFinished(() => unknown.end())
    const waited = looks()
    for (let turn = 0; turn < 3; turn++) await commitsApart(own, MOST)
    expect(waited()).toBe(0)
  })

  it('a clock that was put back makes nobody wait', async () => {
    const own = newId()
    const clock = holdClock()
    clock.forward(1_000_000)
    visitOf(newId())
    const waited = looks()
    await commitsApart(own, MOST)
    clock.forward(-1_000_000)
    visitOf(newId())
    await commitsApart(own, LARGE)
    expect(waited()).toBe(0)
  })

  it('work that nobody waits for goes on', async () => {
    const own = newId()
    holdClock()
    visitOf(newId())
    const waited = looks()
    for (let turn = 0; turn < 3; turn++) await databaseFor(env, own).commitsApart(LARGE)
    expect(waited()).toBe(0)
    for (let turn = 0; turn < 2; turn++) await databaseFor(env, own, null).commitsApart(LARGE)
    expect(waited()).toBe(LARGE_MS)
  })

  it('every body and every commit of a caller is asked for', async () => {
    const org = await newOrg()
    const [bodies, commits] = [vi.spyOn(apart, 'bodiesApart'), vi.spyOn(apart, 'commitsApart')]
    const items = Array.from({ length: 3 }, (_, at) => ({ name: `${at}` }))
    expect((await org.post('/items/batch', items)).status).toBe(201)
    expect(bodies).toHaveBeenCalledWith(org.id, JSON.stringify(items).length)
    expect(commits).toHaveBeenCalledWith(org.id, 3)
  })

  it('too many large batches at once are 429 with the time to wait, and write nothing', async () => {
    const org = await newOrg()
    holdClock()
    visitOf(newId())
    looks()
    for (let turn = 0; turn < 2; turn++) await commitsApart(org.id, MOST)
    const items = Array.from({ length: LARGE }, (_, at) => ({ name: `${at}` }))
    const answer = await org.post('/items/batch', items)
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(answer.headers.get('Retry-After')).toBe('5')
    vi.restoreAllMocks()
    expect((await org.get('/items')).body.results).toEqual([])
  })
})

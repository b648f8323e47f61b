// Pages that are read in portions while others wait (N60) hold what they held, in the same order; smaller ones, where it is much.
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as company from '../../src/platform/company/company.ts'
import { PAGE_IN_COMPANY_MAX_BYTES, PORTION_MAX_BYTES } from '../../src/platform/paging/limits.ts'
import { type Answer, type Json, newOrg, type TestOrg } from './api.ts'
import { eventually } from './eventually.ts'
import { holdsUpOthers } from './holds-up.ts'

const ITEMS = 12
const OTHERS = 30

let org: TestOrg

beforeAll(async () => {
  org = await newOrg()
  const text = 'x'.repeat(PORTION_MAX_BYTES / 2)
  for (let at = 0; at < ITEMS; at++)
    await org.make('/items', { name: `item ${at % 5}`, at, text, isEven: at % 2 === 0 })
  const small = Array.from({ length: OTHERS }, (_, at) => ({ name: `small ${at}`, isEven: true }))
  await org.post('/items/batch', small)
})

const roundTrips = ({ headers }: Answer) => Number(/round trips: (\d+)/.exec(headers.get('Server-Timing') ?? '')?.[1])

interface Walked {
  pages: Json[][]
  trips: number[]
  end: unknown
}

async function walk(path: string, query: Record<string, unknown>): Promise<Walked> {
  const walked: Walked = { pages: [], trips: [], end: undefined }
  for (let nextPageKey: unknown; nextPageKey !== null; ) {
    const answer = await org.get(path, nextPageKey ? { ...query, nextPageKey } : query)
    expect(answer.status).toBe(200)
    walked.pages.push(answer.body.results ?? [])
    walked.trips.push(roundTrips(answer))
    walked.end = answer.body.syncKey
    nextPageKey = answer.body.nextPageKey
  }
  return walked
}

describe('N60 in portions', () => {
  it.each([
    ['/items', { limit: 1000 }],
    ['/items', { limit: 5 }],
    ['/items', { limit: 1000, order: { orderField: 'name', order: 'desc' } }],
    ['/items', { limit: 1000, criteria: { isEven: true } }],
    ['/items', { limit: 7, criteria: { isEven: true } }],
    ['/items', { limit: 1000, criteria: { isEven: 'neither' } }],
    ['/items', { limit: 1000, criteria: { isEven: true }, order: { orderField: 'name', order: 'asc' } }],
    ['/change-history', { limit: 1000 }],
    ['/change-history', { limit: 5 }],
    ['/change-history', { limit: 1000, after: '' }],
  ])('%s %j is what it was, read in more than one', async (path, query) => {
    const before = await walk(path, query)
    holdsUpOthers(true)
    const meanwhile = await walk(path, query)
    expect(meanwhile.pages.flat().map(({ id }) => id)).toEqual(before.pages.flat().map(({ id }) => id))
    expect(meanwhile.end).toEqual(before.end)
    expect(Math.max(...meanwhile.trips)).toBeGreaterThan(Math.max(...before.trips))
    // None is larger than one may be, by more than its last entity; none but the last is smaller by more than a portion.
    const sizes = meanwhile.pages.map(page => JSON.stringify(page).length)
    expect(Math.max(...sizes)).toBeLessThan(PAGE_IN_COMPANY_MAX_BYTES + PORTION_MAX_BYTES)
    if (query.limit === 1000 && sizes.length > 1)
      expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(PAGE_IN_COMPANY_MAX_BYTES - PORTION_MAX_BYTES)
  })

  it.each([{ relations: 'itemFamily' }, { q: 'item' }])('smaller pages come with %j, too', async query => {
    // The search index follows what is written.
    const before = await eventually(
      () => walk('/items', { limit: 1000, ...query }),
      ({ pages }) => pages.flat().length >= ITEMS,
    )
    holdsUpOthers(true)
    const meanwhile = await walk('/items', { limit: 1000, ...query })
    expect(meanwhile.pages.flat().map(({ id }) => id)).toEqual(before.pages.flat().map(({ id }) => id))
    const sizes = meanwhile.pages.map(page => JSON.stringify(page).length)
    expect(Math.max(...sizes)).toBeLessThan(PAGE_IN_COMPANY_MAX_BYTES + PORTION_MAX_BYTES)
  })

  it('a page that is full is not called partial where its bytes end, too', async () => {
    holdsUpOthers(true)
    const query = { relations: 'itemFamily' }
    const { body } = await org.get('/items', { ...query, limit: 1000 })
    expect(body.isPartial).toBe(true)
    const full = await org.get('/items', { ...query, limit: body.results?.length })
    expect(full.body.results).toHaveLength(body.results?.length ?? 0)
    expect(full.body).not.toHaveProperty('isPartial')
  })

  it('a history by its times is asked for by a caller, like any other', async () => {
    const afterOthers = vi.spyOn(company, 'afterOthers')
    const takesMuch = vi.spyOn(company, 'takesMuch').mockReturnValue(true)
    onTestFinished(() => void vi.restoreAllMocks())
    await org.get('/change-history', { criteria: { createdOn: 'BETWEEN 2000-01-01 and 2100-01-01' }, limit: 5 })
    expect(takesMuch).toHaveBeenCalledWith(org.id)
    expect(afterOthers).toHaveBeenCalledWith(org.id, expect.anything(), false)
  })

  it('counts what was counted', async () => {
    const query = { criteria: { isEven: true } }
    const before = await org.get('/items/count', query)
    expect(before.body).toEqual({ count: ITEMS / 2 + OTHERS, isExact: true })
    holdsUpOthers(true)
    const meanwhile = await org.get('/items/count', query)
    expect(meanwhile.body).toEqual(before.body)
    expect(roundTrips(meanwhile)).toBeGreaterThan(roundTrips(before))
  })

  it('is a matter of those alone who keep others waiting', async () => {
    vi.mocked(company.holdsUpOthers).mockRestore()
    await eventually(
      async () => company.takesMuch(org.id),
      isMuch => !isMuch,
    )
    const answer = await org.get('/items', { limit: 1000, criteria: { isEven: 'neither' } })
    expect(roundTrips(answer)).toBe(1)
  })
})

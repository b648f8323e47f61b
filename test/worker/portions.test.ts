// Pages that are read in portions while others wait (N60) are the pages that they were.
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as company from '../../src/platform/company.ts'
import { PORTION_MAX_BYTES } from '../../src/platform/paging/limits.ts'
import { type Answer, type Json, newOrg, type TestOrg } from './api.ts'

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

function inCompany(): void {
  const spy = vi.spyOn(company, 'holdsUpOthers').mockReturnValue(true)
  onTestFinished(() => spy.mockRestore())
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
    inCompany()
    const meanwhile = await walk(path, query)
    expect(meanwhile.pages.flat().map(({ id }) => id)).toEqual(before.pages.flat().map(({ id }) => id))
    expect(meanwhile.end).toEqual(before.end)
    expect(Math.max(...meanwhile.trips)).toBeGreaterThan(Math.max(...before.trips))
    // Its pages are no smaller than they were, but for what the end of a portion has cut.
    expect(meanwhile.pages.length).toBeLessThanOrEqual(before.pages.length + 1)
  })

  it('counts what was counted', async () => {
    const query = { criteria: { isEven: true } }
    const before = await org.get('/items/count', query)
    expect(before.body).toEqual({ count: ITEMS / 2 + OTHERS, isExact: true })
    inCompany()
    const meanwhile = await org.get('/items/count', query)
    expect(meanwhile.body).toEqual(before.body)
    expect(roundTrips(meanwhile)).toBeGreaterThan(roundTrips(before))
  })

  it('is a matter of those alone who keep others waiting', async () => {
    const answer = await org.get('/items', { limit: 1000, criteria: { isEven: 'neither' } })
    expect(roundTrips(answer)).toBe(1)
  })
})

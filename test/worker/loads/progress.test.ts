// What a load shows of itself while it runs (N74). How rate and time left are reckoned: test/pure/loads/progress.test.ts.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Database } from '../../../src/platform/db/client.ts'
import { env, newOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { holdLoads, SMALL, start, worked } from './loading.ts'
import { SEASON_HEAD, season } from './season.ts'

interface Progress {
  phase: string
  rowsTotal: number | null
  rowsDone: number
  percent: number
  rowsPerSecond: number | null
  secondsLeft: number | null
}

/** What a caller could have seen of a load, after each round trip. No two of them end within the same millisecond. */
function watched(id: string): Progress[] {
  const seen: Progress[] = []
  const { batch } = Database.prototype
  const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
    const ended = Date.now()
    await eventually(
      async () => Date.now(),
      now => now > ended,
    )
    const results = await batch.call(this, statements)
    const row = await env.DB.prepare(`SELECT data ->> '$.progress' AS progress FROM entities WHERE id = ?`)
      .bind(id)
      .first<{ progress: string }>()
    if (row) seen.push(JSON.parse(row.progress) as Progress)
    return results
  })
  onTestFinished(() => spy.mockRestore())
  return seen
}

const isSorted = (numbers: number[]) => numbers.every((number, at) => at === 0 || number >= (numbers[at - 1] ?? 0))

describe('progress (N74)', () => {
  it('covers all phases, never runs back, and counts the rows of each phase', async () => {
    const org = await newOrg()
    const { configuration } = await season(org)
    await org.make('/types', {
      typePath: 'item',
      properties: [{ slug: 'fabric', propertyType: 'string', level: 'family' }],
    })
    holdLoads()
    const rows = Array.from({ length: 22 }, (_, at) => `F${at % 5},O${at},${at % 2 ? 'M' : 'W'},wool`)
    const { id } = await start(org, `${SEASON_HEAD},fabric\n${rows.join('\n')}\n`, configuration())
    const seen = watched(id)
    const done = await worked(org, id, SMALL)
    expect(done).toMatchObject({ status: 'completed' })
    const nothing = { rowsPerSecond: null, secondsLeft: null }
    expect(done.progress).toEqual({ phase: 'done', rowsTotal: 22, rowsDone: 22, percent: 100, ...nothing })
    const phases = [...new Set(seen.map(({ phase }) => phase))]
    const inOrder = ['opening', 'validating', 'writing', 'spreading', 'removing', 'publishing', 'reporting', 'done']
    expect(phases).toEqual(inOrder)
    expect(isSorted(seen.map(({ percent }) => percent))).toBe(true)
    expect(new Set(seen.map(({ percent }) => percent)).size).toBeGreaterThan(10)

    const of = (wanted: string) => seen.filter(({ phase }) => phase === wanted)
    const reading = of('validating')
    expect(reading.every(({ rowsTotal }) => rowsTotal === null)).toBe(true)
    expect([...new Set(reading.map(({ rowsDone }) => rowsDone))]).toEqual([0, 4, 8, 12, 16, 20, 22])
    const writing = of('writing')
    expect(writing.every(({ rowsTotal }) => rowsTotal === 22)).toBe(true)
    expect([...new Set(writing.map(({ rowsDone }) => rowsDone))]).toEqual([0, 4, 8, 12, 16, 20, 22])

    // A rate needs two looks at a phase that counts rows; the time left needs a little of the whole.
    for (const phase of ['validating', 'writing']) expect(of(phase).at(-1)?.rowsPerSecond).toBeTypeOf('number')
    for (const phase of ['opening', 'removing', 'publishing']) {
      expect(of(phase).every(({ rowsPerSecond }) => rowsPerSecond === null)).toBe(true)
    }
    expect(writing.every(({ secondsLeft }) => secondsLeft !== null && secondsLeft >= 0)).toBe(true)
    expect(of('opening').every(({ secondsLeft }) => secondsLeft === null)).toBe(true)
  })

  it('stays where it is when a load fails', async () => {
    const org = await newOrg()
    holdLoads()
    const rows = Array.from({ length: 9 }, (_, at) => `F${at}`)
    const { id } = await start(org, `itemFamilyFederatedId\n${rows.join('\n')}\n"F1\n`, { loadType: ['ITEM'] })
    const seen = watched(id)
    const failed = await worked(org, id, SMALL)
    expect(failed.status).toBe('failed')
    const percents = seen.map(({ percent }) => percent)
    expect(isSorted(percents)).toBe(true)
    expect(percents.at(-1)).toBeGreaterThan(0)
    expect(percents.at(-1)).toBeLessThan(100)
  })
})

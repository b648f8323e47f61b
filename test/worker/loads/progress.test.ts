// What a load tells of itself while it runs (N74). The clock is held: each round trip takes 100 ms.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Database } from '../../../src/platform/db/client.ts'
import { env, newOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
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

/** The progress of a load after each of its commits. */
function watched(id: () => string, forward: () => void): Progress[] {
  const seen: Progress[] = []
  const { batch } = Database.prototype
  const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
    const results = await batch.call(this, statements)
    forward()
    const row = await env.DB.prepare(`SELECT data ->> '$.progress' AS progress FROM entities WHERE id = ?`)
      .bind(id())
      .first<{ progress: string }>()
    if (row) seen.push(JSON.parse(row.progress) as Progress)
    return results
  })
  onTestFinished(() => spy.mockRestore())
  return seen
}

describe('progress (N74)', () => {
  it('never runs back, covers all phases, and tells rate and time left', async () => {
    const org = await newOrg()
    const { configuration } = await season(org)
    await org.make('/types', {
      typePath: 'item',
      properties: [{ slug: 'fabric', propertyType: 'string', level: 'family' }],
    })
    holdLoads()
    const clock = holdClock()
    const rows = Array.from({ length: 22 }, (_, at) => `F${at % 5},O${at},${at % 2 ? 'M' : 'W'},wool`).join('\n')
    const { id } = await start(org, `${SEASON_HEAD},fabric\n${rows}\n`, configuration())
    const seen = watched(
      () => id,
      () => clock.forward(100),
    )
    const done = await worked(org, id, SMALL)
    expect(done).toMatchObject({ status: 'completed' })
    const percents = seen.map(({ percent }) => percent)
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    expect(new Set(percents).size).toBeGreaterThan(10)
    expect(done.progress).toEqual({
      phase: 'done',
      rowsTotal: 22,
      rowsDone: 22,
      percent: 100,
      rowsPerSecond: null,
      secondsLeft: null,
    })
    expect([...new Set(seen.map(({ phase }) => phase))]).toEqual([
      'opening',
      'validating',
      'writing',
      'spreading',
      'removing',
      'publishing',
      'reporting',
      'done',
    ])
    const reading = seen.filter(({ phase }) => phase === 'validating')
    expect(reading.every(({ rowsTotal }) => rowsTotal === null)).toBe(true)
    expect(reading.at(-1)?.rowsDone).toBe(22)
    const writing = seen.filter(({ phase }) => phase === 'writing')
    expect(writing.at(-1)).toMatchObject({ rowsTotal: 22, rowsPerSecond: expect.any(Number) })
    expect(writing.every(({ secondsLeft }) => secondsLeft !== null && secondsLeft > 0)).toBe(true)
  })

  it('stays where it is when a load fails', async () => {
    const org = await newOrg()
    holdLoads()
    const rows = Array.from({ length: 9 }, (_, at) => `F${at}`).join('\n')
    const { id } = await start(org, `itemFamilyFederatedId\n${rows}\n"F1\n`, { loadType: ['ITEM'] })
    const seen = watched(
      () => id,
      () => undefined,
    )
    const failed = await worked(org, id, SMALL)
    expect(failed.status).toBe('failed')
    const percents = seen.map(({ percent }) => percent)
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    expect(percents.at(-1)).toBeLessThan(100)
  })
})

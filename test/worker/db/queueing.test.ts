// Background jobs rest in proportion to the queueing of their calls, and on an idle database they do not (N76).
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../../src/platform/db/client.ts'
import {
  CARRIED_CHARACTERS,
  QUEUEING_NOISE_MS,
  QUEUEING_RECENT_CALLS,
  REST_MAX_MS,
  REST_PER_QUEUED,
} from '../../../src/platform/db/limits.ts'
import { Queueing } from '../../../src/platform/db/queueing.ts'

afterEach(() => vi.restoreAllMocks())

const answer = (duration: number, results: Record<string, unknown>[] = []) =>
  [{ success: true, meta: { duration }, results }] as unknown as D1Result[]

/** How long a job rests after calls that took so long, of which the database worked so long. */
async function restAfter(queueing: Queueing, ...calls: [wallMs: number, durationMs: number][]): Promise<number> {
  for (const [wallMs, durationMs] of calls) queueing.note(wallMs, [], answer(durationMs))
  const wait = vi.spyOn(scheduler, 'wait').mockClear().mockResolvedValue(undefined)
  await queueing.rest()
  return Number(wait.mock.calls[0]?.[0])
}

describe('N76 a background job', () => {
  it('does not rest while its calls do not queue, however far the database is and however long it works', async () => {
    expect(await restAfter(new Queueing(), [45, 5], [240, 200], [41, 1], [40 + QUEUEING_NOISE_MS, 0])).toBe(0)
  })

  it('rests in proportion to the time that its calls queued beyond the least of the recent ones, once', async () => {
    const queueing = new Queueing()
    expect(await restAfter(queueing, [10, 5], [35, 10], [15, 10])).toBe(20 * REST_PER_QUEUED)
    expect(await restAfter(queueing)).toBe(0)
    expect(await restAfter(queueing, [25, 10], [25, 10])).toBe(20 * REST_PER_QUEUED)
  })

  it('takes a longer way to the database for queueing only until all recent calls took it', async () => {
    const queueing = new Queueing()
    expect(await restAfter(queueing, [5, 0], [25, 0])).toBe(20 * REST_PER_QUEUED)
    await restAfter(queueing, ...Array.from({ length: QUEUEING_RECENT_CALLS }, (): [number, number] => [25, 0]))
    expect(await restAfter(queueing, [25, 0])).toBe(0)
  })

  it('does not take the transfer of large values for queueing', async () => {
    const queueing = new Queueing()
    const text = 'x'.repeat(20 * CARRIED_CHARACTERS)
    queueing.note(2, [], answer(1))
    queueing.note(42, [{ sql: '', params: [text, 1, null] }], answer(1, [{ id: 1, text }]))
    expect(await restAfter(queueing)).toBe(0)
  })

  it('never rests for longer than the longest rest', async () => {
    expect(await restAfter(new Queueing(), [1, 0], [REST_MAX_MS, 0])).toBe(REST_MAX_MS)
  })

  it('measures the calls of its database; a caller that waits for an answer never rests', async () => {
    let queuedMs = 0
    const batch = async () => {
      await scheduler.wait(queuedMs)
      return answer(0)
    }
    const session = { prepare: () => ({ bind: () => ({}) }), batch, getBookmark: () => null }
    const site = { database: 'DB', epoch: 0, open: () => session as unknown as D1DatabaseSession }
    for (const queueing of [new Queueing(), undefined]) {
      const db = new Database(() => site, undefined, { queueing })
      for (const ms of [0, 50]) {
        queuedMs = ms
        await db.all({ sql: 'SELECT 1', params: [] })
      }
      const wait = vi.spyOn(scheduler, 'wait')
      await db.rest()
      const rests = wait.mock.calls.map(([ms]) => Number(ms))
      wait.mockRestore()
      if (queueing) expect(rests).toEqual([expect.closeTo(50 * REST_PER_QUEUED, -2.5)])
      else expect(rests).toEqual([])
    }
  })
})

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { backoffMs, delayMs, mayRepeat, retryAfterMs } from '../../src/clients/typescript/retry.ts'
import { sleep } from '../../src/clients/typescript/wait.ts'

describe('when a call is repeated', () => {
  it('repeats after 429, 503 and a broken connection where that is safe', () => {
    for (const status of [429, 503, 502, 504, 0]) expect(mayRepeat('always', status)).toBe(true)
    for (const status of [400, 401, 403, 404, 409, 410, 412, 500]) expect(mayRepeat('always', status)).toBe(false)
  })

  it('repeats a conditional write only when it was refused, and a call that issues credentials never', () => {
    expect(mayRepeat('refused', 429)).toBe(true)
    expect(mayRepeat('refused', 503)).toBe(false)
    expect(mayRepeat('refused', 0)).toBe(false)
    expect(mayRepeat('never', 429)).toBe(false)
  })
})

describe('how long it waits', () => {
  it('doubles with each retry up to a bound, half of it by chance', () => {
    expect([0, 1, 2, 3].map(retry => backoffMs(retry, 1))).toEqual([250, 500, 1000, 2000])
    expect([0, 1, 2, 3].map(retry => backoffMs(retry, 0))).toEqual([125, 250, 500, 1000])
    expect(backoffMs(60, 1)).toBe(20_000)
  })

  it('never comes back before Retry-After and gives up where too much patience is asked', () => {
    expect(delayMs(0, 3000, 0)).toBe(3000)
    expect(delayMs(0, 3000, 1)).toBeGreaterThan(3000)
    expect(delayMs(0, 121_000, 0)).toBeUndefined()
  })

  it('reads Retry-After as seconds and as a date', () => {
    const now = Date.parse('2026-05-01T00:00:00Z')
    expect(retryAfterMs('2', now)).toBe(2000)
    expect(retryAfterMs('Fri, 01 May 2026 00:00:05 GMT', now)).toBe(5000)
    expect(retryAfterMs('Fri, 01 May 2020 00:00:05 GMT', now)).toBe(0)
    expect(retryAfterMs('soon', now)).toBeUndefined()
    expect(retryAfterMs(null, now)).toBeUndefined()
  })
})

describe('a pause', () => {
  it('that is longer than a timer can hold is as long as one can', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    for (const ms of [2 ** 31, Number.POSITIVE_INFINITY]) {
      let isOver = false
      const pause = sleep(ms, undefined).then(() => {
        isOver = true
      })
      await vi.advanceTimersByTimeAsync(2 ** 31 - 2)
      expect(isOver).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      await pause
    }
  })
})

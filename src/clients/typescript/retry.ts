// When a call may be repeated and how long to wait before it. Pure: no I/O, no clock, no randomness of its own.

export const DEFAULT_MAX_RETRIES = 4
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 20_000
/** A server that asks for more than this is not waited for: the caller gets the error instead. */
export const LONGEST_RETRY_AFTER_MS = 120_000

/**
 * `always`: repeating the call cannot do harm, even when the first one was carried out unseen.
 * `refused`: only after an answer that says the call was not carried out (429).
 * `never`: calls that issue credentials.
 */
export type Repeat = 'always' | 'refused' | 'never'

/** What became of an attempt: an answer's status, or 0 for a broken connection or a timeout. */
export function mayRepeat(repeat: Repeat, status: number): boolean {
  if (repeat === 'never') return false
  if (status === 429) return true
  return repeat === 'always' && leavesInDoubt(status)
}

/** True where the call may have been carried out although it seems to have failed. */
export function leavesInDoubt(status: number): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504
}

/** Exponential, half of it random, so that clients that failed together do not come back together. */
export function backoffMs(retry: number, random: number): number {
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retry)
  return full / 2 + (full / 2) * random
}

/** `Retry-After` in milliseconds, from seconds or from a date; undefined when absent or unreadable. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** How long to wait before the next attempt, or undefined when the server asks for too much patience. */
export function delayMs(retry: number, askedMs: number | undefined, random: number): number | undefined {
  const own = backoffMs(retry, random)
  if (askedMs === undefined) return own
  return askedMs > LONGEST_RETRY_AFTER_MS ? undefined : askedMs + own * random
}

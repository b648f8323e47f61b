// How long an account stays closed after a wrong password (N10): the first few cost nothing, then each doubles the wait.
// Pure.
import { SIGN_IN_FIRST_WAIT_MS, SIGN_IN_LONGEST_WAIT_MS } from './limits.ts'

export function waitAfter(failures: number, free: number): number {
  if (failures <= free) return 0
  const doublings = Math.min(failures - free - 1, 30)
  return Math.min(SIGN_IN_FIRST_WAIT_MS * 2 ** doublings, SIGN_IN_LONGEST_WAIT_MS)
}

/** By number of failures; the last one stands for all that follow. */
export const waitsAfter = (free: number): readonly number[] =>
  Array.from({ length: free + 12 }, (_, failures) => waitAfter(failures, free))

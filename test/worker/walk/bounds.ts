// How long the searches among calls and inputs go on: a few runs on every test, or for so many minutes in all (`npm run fuzz`).
import { env } from '../api.ts'

const { WALK_RUNS, FUZZ_MINUTES, FUZZ_SEED } = env as unknown as Record<string, string>
const MINUTES = Number(FUZZ_MINUTES)
const SEED = 20_260_302

/** `parts`: how many searches share the minutes with this one. */
export function bounds(parts: number): { seed: number; numRuns: number; interruptAfterTimeLimit?: number } {
  if (MINUTES === 0) return { seed: SEED, numRuns: Number(WALK_RUNS) }
  const eachMs = (MINUTES * 60_000) / parts
  return { seed: Number(FUZZ_SEED), numRuns: 1_000_000, interruptAfterTimeLimit: eachMs }
}

// How long the searches among calls and inputs go on: a few runs on every test, or for so many minutes in all (`npm run fuzz`).
import fc from 'fast-check'
import { env } from '../api.ts'

const { WALK_RUNS, FUZZ_MINUTES, FUZZ_SEED } = env as unknown as Record<string, string>
const MINUTES = Number(FUZZ_MINUTES)
const SEED = 20_260_302

function bounds(parts: number): fc.Parameters<unknown> {
  if (MINUTES === 0) return { seed: SEED, numRuns: Number(WALK_RUNS) }
  const eachMs = (MINUTES * 60_000) / parts
  return { seed: Number(FUZZ_SEED), numRuns: 1_000_000, interruptAfterTimeLimit: eachMs }
}

/** `parts`: how many searches share the minutes with this one. */
export async function search<T>(property: fc.IAsyncProperty<T>, parts: number): Promise<void> {
  const details = await fc.check(property, { ...(bounds(parts) as fc.Parameters<T>), endOnFailure: true })
  // One whose time was up before its first call was over has found nothing.
  const isCutOff = details.interrupted && details.counterexample === null
  if (!details.failed || isCutOff) return
  throw new Error(await fc.asyncDefaultReportMessage(details), { cause: details.errorInstance })
}

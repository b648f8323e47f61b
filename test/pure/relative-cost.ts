// What work costs as a multiple of a fixed amount of plain work, measured one after the other: a slow machine is slow at both.
// The quickest of several tries counts, so that a pause of the machine does not.
const TRIES = 10
/** Whatever takes less costs nothing, on any machine. */
const QUICK_MS = 50
const PLAIN_STEPS = 20_000_000

let sink = 0

function plainWork(): void {
  let sum = 0
  for (let step = 0; step < PLAIN_STEPS; step++) sum = (sum + step * 31) | 0
  sink = sum
}

function timed(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

/** Tries again as long as it is more than `enough`. */
export function relativeCost(work: () => unknown, enough: number): number {
  if (timed(work) < QUICK_MS) return 0
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least > enough; tries++) {
    least = Math.min(least, timed(work) / timed(plainWork))
  }
  return sink === Number.POSITIVE_INFINITY ? 0 : least
}

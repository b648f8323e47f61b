// When a failed call is tried again. Pure.

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Waits between tries of a delivery: about a day in all. */
const DELIVERY_WAITS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
]
const LOCAL_DELIVERY_WAITS_MS = [SECOND_MS, SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS, 8 * SECOND_MS]

/** Waits between tries of a task's own call: a run is not held up for long. */
const TASK_WAITS_MS = [2 * SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS]
const LOCAL_TASK_WAITS_MS = [SECOND_MS, SECOND_MS, SECOND_MS, SECOND_MS]

export interface Pace {
  isLocal: boolean
}

/** After so many tries; undefined: no more. */
export function deliveryWaitMs(attempts: number, { isLocal }: Pace): number | undefined {
  return (isLocal ? LOCAL_DELIVERY_WAITS_MS : DELIVERY_WAITS_MS)[attempts - 1]
}

export function taskWaitMs(attempts: number, { isLocal }: Pace): number | undefined {
  return (isLocal ? LOCAL_TASK_WAITS_MS : TASK_WAITS_MS)[attempts - 1]
}

/** How long a delivery is tried at all. */
export function deliveryPeriodMs({ isLocal }: Pace): number {
  return isLocal ? MINUTE_MS : 24 * HOUR_MS
}

// Wakes the runner: one message at once, for speed, and a watchdog that sends one again after every period without a sign of life (N34).
import type { Env } from '../env.ts'
import { paceOf } from '../pace.ts'
import { sendWakeUp } from '../wake/message.ts'
import type { WakeUp } from '../wake/wake-up.ts'
import { watchdogs } from '../wake/watch.ts'

const wakeUp = (lane: string, orgId: string): WakeUp => ({ kind: 'job', lane, orgId })

export const watchdogOf = (env: Env, lane: string, orgId: string) => watchdogs(env).getByName(`job:${lane}:${orgId}`)

/** Before a job exists, so that it runs even if its starter dies, and as a sign of life. */
export async function watchJobs(
  env: Env,
  lane: string,
  orgId: string,
  periodMs = paceOf(env).jobWatchMs,
): Promise<void> {
  await watchdogOf(env, lane, orgId).watch({ message: wakeUp(lane, orgId), periodMs })
}

export function sendJobs(env: Env, lane: string, orgId: string, waitMs = 0): Promise<void> {
  return sendWakeUp(env, wakeUp(lane, orgId), waitMs)
}

interface Wake {
  waitMs?: number
  watchMs?: number | undefined
}

export async function wakeJobs(
  env: Env,
  lane: string,
  orgId: string,
  { waitMs = 0, watchMs }: Wake = {},
): Promise<void> {
  await watchJobs(env, lane, orgId, watchMs)
  await sendJobs(env, lane, orgId, waitMs)
}

/** A wake-up of an earlier release, which had watchdogs of its own: from here on the lane's watches. */
export async function runForEarlierRelease(env: Env, lane: string, orgId: string, watchdog: string): Promise<void> {
  await wakeJobs(env, lane, orgId)
  await watchdogs(env).getByName(watchdog).rest()
}

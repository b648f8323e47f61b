// Wakes the listeners of an organization: one message at once, and a watchdog that repeats it for as long as
// there is anything to look after. The message is sent for speed; that nothing is lost rests on the watch.
import { type Env, namespaceOf } from '../env.ts'
import { RECOVER_PERIOD_MS } from '../limits.ts'
import { paceOf } from '../pace.ts'
import { wakeDispatch } from './message.ts'
import type { WatchObject } from './watch-object.ts'

const KNOWN_MAX = 10_000

/** When this isolate last made sure of an organization's watch. */
const watched = new Map<string, number>()

export async function announce(env: Env, orgId: string, now: number): Promise<void> {
  await Promise.all([wakeOnce(env, orgId), keepWatchNowAndThen(env, orgId, now)])
}

/** Who writes often sends one message for many writes: at once, and then one after each pause. */
const GATHERED_MS = 50

/** When this isolate last woke the dispatcher of an organization, or will have; it sees all that was committed before. */
const wokenOn = new Map<string, number>()

async function wakeOnce(env: Env, orgId: string): Promise<void> {
  const now = Date.now()
  const last = wokenOn.get(orgId) ?? 0
  // Another request is about to send one. Should it die before, the watch sends it.
  if (last > now && last <= now + GATHERED_MS) return
  const waitMs = Math.max(0, Math.min(GATHERED_MS, last + GATHERED_MS - now))
  if (wokenOn.size >= KNOWN_MAX) wokenOn.clear()
  wokenOn.set(orgId, now + waitMs)
  if (waitMs > 0) await scheduler.wait(waitMs)
  await wakeDispatch(env, orgId)
}

async function keepWatchNowAndThen(env: Env, orgId: string, now: number): Promise<void> {
  if ((watched.get(orgId) ?? 0) > now - RECOVER_PERIOD_MS) return
  await keepWatch(env, orgId)
  if (watched.size >= KNOWN_MAX) watched.clear()
  watched.set(orgId, now)
}

/** Called before the work exists: if the caller dies afterwards, the watchdog still wakes the work. */
export async function keepWatch(env: Env, orgId: string): Promise<void> {
  await watchOf(env, orgId).keep({ message: { kind: 'recover', orgId }, periodMs: paceOf(env).recoverMs })
}

/** False if the watchdog was asked for a moment ago, by a caller that may be about to begin its work. */
export async function endWatch(env: Env, orgId: string): Promise<boolean> {
  const isOver = await watchOf(env, orgId).rest()
  if (isOver) watched.delete(orgId)
  return isOver
}

export const watchdogs = ({ WATCH }: Pick<Env, 'WATCH'>) => namespaceOf<WatchObject>(WATCH)

export function watchOf(env: Env, orgId: string) {
  return watchdogs(env).getByName(`organization:${orgId}`)
}

/** The organization is gone. */
export async function forgetWatches(env: Env, orgId: string): Promise<void> {
  watched.delete(orgId)
  await watchOf(env, orgId).forget()
}

// Every way of sending a wake-up.
import type { Env } from '../env.ts'
import type { WakeUp } from './wake-up.ts'

const QUEUES = {
  job: 'LOAD_QUEUE',
  loads: 'LOAD_QUEUE',
  events: 'STEP_QUEUE',
  recover: 'STEP_QUEUE',
  patrol: 'STEP_QUEUE',
  process: 'STEP_QUEUE',
  call: 'CALL_QUEUE',
  delivery: 'CALL_QUEUE',
  'begin-backup': 'LOAD_QUEUE',
  backup: 'LOAD_QUEUE',
  move: 'LOAD_QUEUE',
} as const satisfies Record<WakeUp['kind'], keyof Env>

export async function sendWakeUp(env: Env, wakeUp: WakeUp, waitMs = 0): Promise<void> {
  const queue: Queue<WakeUp> = env[QUEUES[wakeUp.kind]]
  await (waitMs > 0 ? queue.send(wakeUp, { delaySeconds: delaySeconds(waitMs) }) : queue.send(wakeUp))
}

/** Whole seconds, as queues count, and never earlier than asked for. */
export function delaySeconds(waitMs: number): number {
  return Math.max(0, Math.ceil(waitMs / 1000))
}

const MESSAGES_A_SEND = 100

async function sendAll(queue: Queue<WakeUp>, wakeUps: readonly WakeUp[]): Promise<void> {
  for (let at = 0; at < wakeUps.length; at += MESSAGES_A_SEND) {
    await queue.sendBatch(wakeUps.slice(at, at + MESSAGES_A_SEND).map(body => ({ body })))
  }
}

export function wakeDispatch(env: Env, orgId: string): Promise<void> {
  return sendWakeUp(env, { kind: 'events', orgId })
}

export function wakeNewBackups(env: Env, orgIds: readonly string[]): Promise<void> {
  return sendAll(
    env.LOAD_QUEUE,
    orgIds.map(orgId => ({ kind: 'begin-backup', orgId })),
  )
}

export function wakeRun(env: Env, orgId: string, id: string, waitMs?: number): Promise<void> {
  return sendWakeUp(env, { kind: 'process', orgId, id }, waitMs)
}

export function wakeCall(env: Env, orgId: string, id: string, waitMs?: number): Promise<void> {
  return sendWakeUp(env, { kind: 'call', orgId, id }, waitMs)
}

export function wakeRuns(env: Env, orgId: string, ids: readonly string[]): Promise<void> {
  return sendAll(
    env.STEP_QUEUE,
    ids.map(id => ({ kind: 'process', orgId, id })),
  )
}

export function wakeDelivery(env: Env, orgId: string, id: string, waitMs?: number): Promise<void> {
  return sendWakeUp(env, { kind: 'delivery', orgId, id }, waitMs)
}

export function wakeDeliveries(env: Env, orgId: string, ids: readonly string[]): Promise<void> {
  return sendAll(
    env.CALL_QUEUE,
    ids.map(id => ({ kind: 'delivery', orgId, id })),
  )
}

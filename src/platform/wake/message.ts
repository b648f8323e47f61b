// What goes through the queues: wake-ups, a kind and ids, never data. Here is their shape, and every way of sending one.
import * as z from 'zod'
import type { Env } from '../../env.ts'

const Id = z.string().min(1).max(64)
const OfOrganization = z.strictObject({ orgId: Id })

export const WakeUp = z.discriminatedUnion('kind', [
  /** The organization's first load goes on. */
  OfOrganization.extend({ kind: z.literal('loads') }),
  /** There are events to dispatch. */
  OfOrganization.extend({ kind: z.literal('events') }),
  /** The organization is looked after. */
  OfOrganization.extend({ kind: z.literal('recover') }),
  /** The same, as earlier releases have sent it and watches still hold it. */
  OfOrganization.extend({ kind: z.literal('patrol') }),
  /** A run moves on. */
  OfOrganization.extend({ kind: z.literal('process'), id: Id }),
  /** It is the hour for the organization's backup. */
  OfOrganization.extend({ kind: z.literal('begin-backup') }),
  /** The backup of the organization goes on. */
  OfOrganization.extend({ kind: z.literal('backup') }),
  /** The move of the organization to another database goes on. */
  OfOrganization.extend({ kind: z.literal('move') }),
  /** A delivery is tried. */
  OfOrganization.extend({ kind: z.literal('delivery'), id: Id }),
])
export type WakeUp = z.output<typeof WakeUp>

const QUEUES = {
  loads: 'LOAD_QUEUE',
  events: 'STEP_QUEUE',
  recover: 'STEP_QUEUE',
  patrol: 'STEP_QUEUE',
  process: 'STEP_QUEUE',
  delivery: 'STEP_QUEUE',
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

export function wakeBackup(env: Env, orgId: string): Promise<void> {
  return sendWakeUp(env, { kind: 'backup', orgId })
}

export function wakeRun(env: Env, orgId: string, id: string, waitMs?: number): Promise<void> {
  return sendWakeUp(env, { kind: 'process', orgId, id }, waitMs)
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
    env.STEP_QUEUE,
    ids.map(id => ({ kind: 'delivery', orgId, id })),
  )
}

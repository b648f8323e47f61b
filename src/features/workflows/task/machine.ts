// What becomes of an async task (N37, N38): the one place that decides between callback, timeout and cancel. Pure; the
// object that asks it loads, saves, and holds no rules.

import { timeText } from '../../../platform/db/row.ts'
import { jsonBytes } from '../../../platform/json-size.ts'
import {
  TASK_LOG_LINE_MAX_LENGTH,
  TASK_LOGS_MAX_BYTES,
  TASK_LOGS_MAX_LINES,
  TASK_OUTPUT_MAX_BYTES,
} from '../../../platform/limits.ts'

type Output = Record<string, unknown>

export interface Callback {
  status: 'SUCCESS' | 'FAILURE'
  logs?: string | string[] | undefined
  output?: Output | undefined
  subtext?: string | undefined
}

export interface Received {
  callback: Callback
  /** Equal for deep-equal bodies. */
  fingerprint: string
  actorId: string
  now: number
}

export interface Outcome {
  by: 'callback' | 'timeout' | 'cancel' | 'failure'
  status: 'complete' | 'failed' | 'cancelled'
  endedOn: string
  fingerprint?: string
}

export interface TaskState {
  orgId: string
  taskId: string
  processId: string | null
  status: 'active' | 'awaiting' | Outcome['status']
  output: Output
  logs: string[]
  timeoutSeconds: number
  openedOn: number
  /** When it stops waiting. */
  deadline: number | null
  /** A callback that came while the task's own code still ran. */
  kept: Received | null
  outcome: Outcome | null
}

export type TaskInput =
  /** The task's own code has ended: well, or with a reason why not. */
  | {
      type: 'settle'
      output: Output
      /** Lines that its record has already. */
      earlier: string[]
      logs: string[]
      failure: string | null
      actorId: string
      now: number
    }
  | ({ type: 'callback' } & Received)
  | { type: 'timeout'; now: number }
  | { type: 'cancel'; actorId: string; now: number }

/** Fields of the task record to write, each whole; and those of its process. */
export interface TaskPatch {
  task: Record<string, unknown>
  process: Record<string, unknown>
  actorId: string
}

export type Verdict = 'applied' | 'kept' | 'repeated' | 'refused' | 'too_large'

export interface Decision {
  verdict: Verdict
  state: TaskState
  /** Absent: the record stays as it is. */
  patch?: TaskPatch
}

export function decide(state: TaskState, input: TaskInput): Decision {
  if (input.type === 'callback') return decideCallback(state, input)
  if (state.outcome) return { verdict: 'refused', state }
  if (input.type === 'settle') return decideSettle(state, input)
  if (input.type === 'cancel') {
    return ended(state, 'cancel', 'cancelled', input.now, input.actorId, { logs: ['Cancelled.'] })
  }
  if (state.status !== 'awaiting' || state.deadline === null || input.now < state.deadline) {
    return { verdict: 'refused', state }
  }
  const line = `No callback came within ${state.timeoutSeconds} seconds.`
  return ended(state, 'timeout', 'failed', input.now, state.taskId, { logs: [line] })
}

function decideCallback(state: TaskState, received: Received): Decision {
  const earlier = state.outcome?.fingerprint ?? state.kept?.fingerprint
  if (state.outcome || state.kept) {
    return { verdict: earlier === received.fingerprint ? (state.outcome ? 'repeated' : 'kept') : 'refused', state }
  }
  if (isTooLarge(state, received.callback)) return { verdict: 'too_large', state }
  if (state.status === 'active') {
    const { callback, fingerprint, actorId, now } = received
    return { verdict: 'kept', state: { ...state, kept: { callback, fingerprint, actorId, now } } }
  }
  return applied(state, received)
}

function decideSettle(state: TaskState, input: TaskInput & { type: 'settle' }): Decision {
  if (state.status !== 'active') return { verdict: 'refused', state }
  const lines = input.failure === null ? input.logs : [...input.logs, input.failure]
  const settled: TaskState = {
    ...state,
    output: { ...state.output, ...input.output },
    logs: appended(input.earlier, lines, input.now),
  }
  // The callback proves that the call arrived, even if its response was lost.
  if (state.kept) return applied({ ...roomFor(state.kept, state, settled, input.now), kept: null }, state.kept)
  if (input.failure !== null) return ended(settled, 'failure', 'failed', input.now, input.actorId, {})
  const deadline = input.now + state.timeoutSeconds * 1000
  const awaiting: TaskState = { ...settled, status: 'awaiting', deadline }
  return {
    verdict: 'applied',
    state: awaiting,
    patch: {
      task: {
        status: 'awaiting',
        output: awaiting.output,
        logs: awaiting.logs,
        expiresOn: timeText(deadline),
        dueOn: null,
      },
      process: { status: 'awaiting' },
      actorId: input.actorId,
    },
  }
}

/** The callback was accepted at its size, so when both together are too large, the task's own output is dropped. */
function roomFor({ callback }: Received, before: TaskState, settled: TaskState, now: number): TaskState {
  if (!isTooLarge(settled, callback)) return settled
  const line = `The output of the task itself is left out: with that of the callback it would hold more than ${TASK_OUTPUT_MAX_BYTES} bytes.`
  return { ...settled, output: before.output, logs: appended(settled.logs, [line], now) }
}

function applied(state: TaskState, { callback, fingerprint, actorId, now }: Received): Decision {
  const { status, output = {}, logs = [], subtext } = callback
  const decision = ended(state, 'callback', status === 'SUCCESS' ? 'complete' : 'failed', now, actorId, {
    output,
    logs: typeof logs === 'string' ? [logs] : logs,
    fingerprint,
  })
  if (subtext === undefined || !decision.patch) return decision
  const { patch } = decision
  return {
    ...decision,
    patch: { ...patch, task: { ...patch.task, subtext }, process: { ...patch.process, subtext } },
  }
}

interface Ending {
  output?: Output
  logs?: string[]
  fingerprint?: string
}

function ended(
  state: TaskState,
  by: Outcome['by'],
  status: Outcome['status'],
  now: number,
  actorId: string,
  { output = {}, logs = [], fingerprint }: Ending,
): Decision {
  const endedOn = timeText(now)
  const end: TaskState = {
    ...state,
    status,
    output: { ...state.output, ...output },
    logs: appended(state.logs, logs, now),
    deadline: null,
    kept: null,
    outcome: { by, status, endedOn, ...(fingerprint !== undefined && { fingerprint }) },
  }
  return {
    verdict: 'applied',
    state: end,
    patch: {
      task: { status, output: end.output, logs: end.logs, endedOn, expiresOn: null, dueOn: null },
      // A cancel ends the process as well; every other end continues it.
      process: by === 'cancel' ? {} : { status: 'active' },
      actorId,
    },
  }
}

function isTooLarge(state: TaskState, { output = {} }: Callback): boolean {
  return jsonBytes({ ...state.output, ...output }) > TASK_OUTPUT_MAX_BYTES
}

/** Each line behind the time of its receipt; the newest that fit are kept. */
export function appended(logs: readonly string[], lines: readonly string[], now: number): string[] {
  const time = timeText(now)
  const all = [...logs, ...lines.map(line => `${time} ${line.slice(0, TASK_LOG_LINE_MAX_LENGTH)}`)]
  let bytes = 0
  let first = all.length
  while (first > 0 && all.length - first < TASK_LOGS_MAX_LINES) {
    bytes += jsonBytes(all[first - 1]) + 1
    if (bytes > TASK_LOGS_MAX_BYTES) break
    first--
  }
  return all.slice(first)
}

// What a run does next, read from its records alone: the same records always give the same move, so a step may be
// started twice. Pure.
import { TASK_MAX_ATTEMPTS } from '../../platform/limits.ts'
import type { TaskDefinition } from './definition.ts'

export type TaskStatus = 'pending' | 'active' | 'awaiting' | 'complete' | 'failed' | 'cancelled' | 'skipped'
export type ProcessStatus = 'pending' | 'active' | 'awaiting' | 'complete' | 'failed' | 'cancelled'

export interface RunTask {
  id: string
  version: number
  name: string
  position: number
  status: TaskStatus
  action: TaskDefinition['action']
  async: boolean
  config: Record<string, unknown>
  timeoutSeconds: number | null
  output: Record<string, unknown>
  logs: string[]
  startedOn: number | null
  /** How often its action was begun since it last showed progress. */
  attempts: number
  /** While the task is active, no other worker begins its action before this time. */
  dueOn: number | null
}

export interface RunProcess {
  id: string
  version: number
  status: ProcessStatus
  triggerEvent: Record<string, unknown>
  depth: number
}

export interface End {
  do: 'end'
  status: 'complete' | 'failed' | 'cancelled'
  skipped: RunTask[]
  /** Why the run has failed. */
  error?: { code: 'task_failed'; detail: string }
}

export type Move =
  | { do: 'nothing' }
  | { do: 'wait' }
  | { do: 'later'; at: number }
  | { do: 'run'; task: RunTask }
  | { do: 'give-up'; task: RunTask }
  | End

export function hasEnded(status: ProcessStatus): boolean {
  return status === 'complete' || status === 'failed' || status === 'cancelled'
}

export function nextMove(process: RunProcess, tasks: readonly RunTask[], now: number): Move {
  if (hasEnded(process.status)) return { do: 'nothing' }
  for (const task of inOrder(tasks)) {
    if (task.status === 'complete') continue
    if (task.status === 'pending') return { do: 'run', task }
    if (task.status === 'awaiting') return { do: 'wait' }
    if (task.status === 'active') return activeMove(task, now)
    const skipped = tasks.filter(other => other.status === 'pending')
    if (task.status === 'cancelled') return { do: 'end', status: 'cancelled', skipped }
    return { do: 'end', status: 'failed', skipped, error: { code: 'task_failed', detail: failureOf(task) } }
  }
  return { do: 'end', status: 'complete', skipped: [] }
}

const DETAIL_MAX_LENGTH = 1000

/** Its last line of log, without the time in front. */
function failureOf({ name, logs }: RunTask): string {
  const line = logs.at(-1)?.replace(/^\S+ /, '') ?? 'The task has failed.'
  return `${name}: ${line}`.slice(0, DETAIL_MAX_LENGTH)
}

/** What the end of a run writes into its record. */
export function endOf({ status, error }: End) {
  return { status, ...(error && { error }) }
}

/** Another worker holds the task until `dueOn`. */
function activeMove(task: RunTask, now: number): Move {
  if (task.dueOn !== null && task.dueOn > now) return { do: 'later', at: task.dueOn }
  return task.attempts >= TASK_MAX_ATTEMPTS ? { do: 'give-up', task } : { do: 'run', task }
}

function inOrder(tasks: readonly RunTask[]): RunTask[] {
  return [...tasks].sort((a, b) => a.position - b.position)
}

/** Outputs of the tasks that are complete, by name. */
export function outputsOf(tasks: readonly RunTask[]): Record<string, unknown> {
  const complete = inOrder(tasks).filter(task => task.status === 'complete')
  return Object.fromEntries(complete.map(task => [task.name, task.output]))
}

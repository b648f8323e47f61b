// What the action of a task is given, and what can come of it.
import type { Background } from '../../../platform/background.ts'
import type { RunTask } from '../next-move.ts'

export type Output = Record<string, unknown>

export function isObject(value: unknown): value is Output {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface Action {
  context: Background
  task: RunTask
  /** Evaluates the expressions in a value of the config. */
  fill: (value: unknown) => unknown
  event: Output
  taskOutputs: Output
  /** Of the run in a chain of workflows. */
  depth: number
}

export type ActionResult =
  | { end: 'done'; output: Output; logs: string[] }
  | { end: 'failed'; failure: string }
  /** Not yet: look again after `waitMs`. */
  | { end: 'again'; waitMs: number; isProgress: boolean; log: string | null; output?: Output }

import { describe, expect, it } from 'vitest'
import {
  type End,
  nextMove,
  outputsOf,
  type RunProcess,
  type RunTask,
  type TaskStatus,
} from '../../../src/features/workflows/next-move.ts'

const NOW = 1_000_000
const process: RunProcess = { id: 'p', version: 1, status: 'active', triggerEvent: {}, depth: 1 }

const task = (position: number, status: TaskStatus, own: Partial<RunTask> = {}): RunTask => ({
  id: `t${position}`,
  version: 1,
  name: `task ${position}`,
  position,
  status,
  action: 'wait',
  async: false,
  config: {},
  timeoutSeconds: null,
  output: { position },
  logs: [],
  startedOn: null,
  attempts: 0,
  dueOn: null,
  ...own,
})

describe('what a run does next', () => {
  it('N35 runs its tasks in order, whatever order they are read in', () => {
    const tasks = [task(2, 'pending'), task(1, 'pending'), task(0, 'complete')]
    expect(nextMove(process, tasks, NOW)).toMatchObject({ do: 'run', task: { id: 't1' } })
  })

  it('N37 waits for a task that awaits, ends after the last, and does nothing once ended', () => {
    expect(nextMove(process, [task(0, 'awaiting'), task(1, 'pending')], NOW)).toEqual({ do: 'wait' })
    expect(nextMove(process, [task(0, 'complete')], NOW)).toEqual({ do: 'end', status: 'complete', skipped: [] })
    for (const status of ['complete', 'failed', 'cancelled'] as const) {
      expect(nextMove({ ...process, status }, [task(0, 'pending')], NOW)).toEqual({ do: 'nothing' })
    }
  })

  it('N37 skips what comes after a failure', () => {
    const move = nextMove(process, [task(0, 'failed'), task(1, 'pending'), task(2, 'pending')], NOW)
    expect(move).toMatchObject({ do: 'end', status: 'failed', skipped: [{ id: 't1' }, { id: 't2' }] })
  })

  it('N37 says which task has failed, and why', () => {
    const logs = ['2026-11-15T10:00:00.000Z begun', '2026-11-15T10:00:01.000Z Endpoint erp answered 404.']
    const error = (own: Partial<RunTask>) => (nextMove(process, [task(0, 'failed', own)], NOW) as End).error
    expect(error({ logs })).toEqual({ code: 'task_failed', detail: 'task 0: Endpoint erp answered 404.' })
    expect(error({})).toEqual({ code: 'task_failed', detail: 'task 0: The task has failed.' })
  })

  it('N35 leaves a task to whoever has begun it until its time is up, and gives up after five tries', () => {
    expect(nextMove(process, [task(0, 'active', { dueOn: NOW + 1 })], NOW)).toEqual({ do: 'later', at: NOW + 1 })
    expect(nextMove(process, [task(0, 'active', { dueOn: NOW, attempts: 4 })], NOW).do).toBe('run')
    expect(nextMove(process, [task(0, 'active', { dueOn: NOW, attempts: 5 })], NOW).do).toBe('give-up')
  })

  it('N36 gathers the outputs of complete tasks by name', () => {
    const tasks = [task(1, 'failed'), task(0, 'complete')]
    expect(outputsOf(tasks)).toEqual({ 'task 0': { position: 0 } })
  })
})

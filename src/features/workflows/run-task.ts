// One task of a run: take it, do its action, write down what came of it. An async task's end is decided by its object.
import type { Background } from '../../platform/background.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault } from '../../platform/errors.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import {
  CALL_TASK_LEASE_MS,
  PROCESS_OUTPUTS_MAX_BYTES,
  TASK_LEASE_MS,
  TASK_TIMEOUT_DEFAULT_SECONDS,
} from '../../platform/limits.ts'
import { isLocal } from '../../platform/pace.ts'
import { wakeCall, wakeRun } from '../../platform/wake/message.ts'
import { taskWaitMs } from '../outbound/backoff.ts'
import { act } from './actions/act.ts'
import type { ActionResult } from './actions/action.ts'
import { PROCESS, TASK } from './kind.ts'
import { endOf, nextMove, outputsOf, type RunTask } from './next-move.ts'
import { type Run, readRun, taskOf } from './store.ts'
import { appended } from './task/machine.ts'
import { taskObject } from './task/objects.ts'
import { filled, runScope } from './templates.ts'
import { Budget } from './work.ts'

export function updateTask(task: RunTask, patch: Record<string, unknown>): Write {
  return { op: 'update', kind: TASK, id: task.id, patch, versions: [task.version] }
}

/** `isLast`: too many tries have come to nothing; the task fails without another one. */
export async function runTask(context: Background, run: Run, task: RunTask, { isLast }: { isLast: boolean }) {
  // What touches nothing outside needs not be taken: the write of its result is the taking.
  const isPlain = !task.async && (task.action === 'wait' || task.action === 'expression')
  const taken = isPlain ? task : await take(context, run, task)
  const isCalledBack = task.async && (await open(context, run, taken))
  const result = await resultOf(context, run, taken, { isLast, isCalledBack })
  context.now = Date.now()
  if (task.async && result.end !== 'again') return settle(context, taken, result)
  return whileOurs(context, run, taken, (now, held) =>
    result.end === 'again' ? later(context, held, result) : finish(context, now, held, result),
  )
}

async function resultOf(
  context: Background,
  run: Run,
  task: RunTask,
  { isLast, isCalledBack }: { isLast: boolean; isCalledBack: boolean },
): Promise<ActionResult> {
  // The callback shows that an earlier try of the call has arrived.
  if (isCalledBack && task.action === 'http') return { end: 'done', output: {}, logs: [] }
  if (isLast) return { end: 'failed', failure: 'The task could not be brought to an end.' }
  return attempt(context, run, task)
}

const SUBTEXTS_MOST = 20

/** A subtext that was set meanwhile does not invalidate the step; any other change of the task does. */
async function whileOurs(
  context: Background,
  run: Run,
  taken: RunTask,
  write: (run: Run, held: RunTask) => Promise<boolean>,
): Promise<boolean> {
  let [now, held] = [run, taken]
  for (let tries = 0; ; tries++) {
    try {
      return await write(now, held)
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'precondition_failed') || tries === SUBTEXTS_MOST) throw error
      const read = await readRun(context.db, context.org.id, run.process.id)
      const task = read?.tasks.find(({ id }) => id === taken.id)
      const isOurs = task?.status === taken.status && task.attempts === taken.attempts && task.dueOn === taken.dueOn
      if (!read || !task || !isOurs) throw error
      now = read
      held = { ...taken, version: task.version }
    }
  }
}

async function take(context: Background, run: Run, task: RunTask): Promise<RunTask> {
  const leaseMs = task.action === 'http' ? CALL_TASK_LEASE_MS : TASK_LEASE_MS
  const { rows } = await commit(context, [
    updateTask(task, {
      status: 'active',
      attempts: task.attempts + 1,
      dueOn: timeText(context.now + leaseMs),
      ...(task.status === 'pending' && { startedOn: timeText(context.now) }),
    }),
    processPatch(run, { status: 'active', taskOutputs: outputsOf(run.tasks) }),
  ])
  if (!rows[0]) throw new Error('a committed task did not come back')
  return taskOf(rows[0])
}

function processPatch({ process }: Run, patch: Record<string, unknown>): Write {
  return { op: 'update', kind: PROCESS, id: process.id, patch }
}

/** Whether a callback has come already. */
function open(context: Background, { process }: Run, task: RunTask): Promise<boolean> {
  return taskObject(context.env, context.org.id, task.id).open({
    orgId: context.org.id,
    taskId: task.id,
    processId: process.id,
    timeoutSeconds: task.timeoutSeconds ?? TASK_TIMEOUT_DEFAULT_SECONDS,
    output: {},
    logs: task.logs,
    waits: false,
  })
}

async function attempt(context: Background, { process, tasks }: Run, task: RunTask): Promise<ActionResult> {
  const taskOutputs = outputsOf(tasks)
  const event = process.triggerEvent
  try {
    const scope = runScope(event, taskOutputs)
    const budget = new Budget()
    const fill = (value: unknown) => filled(value, scope, budget)
    const result = await act({ context, task, fill, event, taskOutputs, depth: process.depth })
    return withWarnings(result, budget.warnings)
  } catch (error) {
    console.error('task', task.id, error)
    const waitMs = taskWaitMs(task.attempts, { isLocal: isLocal(context.env) })
    const failure = 'Something went wrong on our side.'
    return waitMs === undefined
      ? { end: 'failed', failure }
      : { end: 'again', waitMs, isProgress: false, log: `${failure} It is tried again.` }
  }
}

function withWarnings(result: ActionResult, warnings: readonly string[]): ActionResult {
  if (warnings.length === 0) return result
  if (result.end === 'done') return { ...result, logs: [...warnings, ...result.logs] }
  if (result.end === 'failed') return { end: 'failed', failure: [...warnings, result.failure].join(' ') }
  return result.log === null ? result : { ...result, log: [...warnings, result.log].join(' ') }
}

async function later(context: Background, task: RunTask, result: ActionResult & { end: 'again' }): Promise<boolean> {
  const { waitMs, isProgress, log, output } = result
  const logs = log === null ? task.logs : appended(task.logs, [log], context.now)
  await commit(context, [
    updateTask(task, {
      dueOn: timeText(context.now + waitMs),
      logs,
      ...(isProgress && { attempts: 0 }),
      ...(output && { output }),
    }),
  ])
  await (task.action === 'http' ? wakeCall : wakeRun)(context.env, context.org.id, context.actor.id, waitMs)
  return false
}

type Ended = Exclude<ActionResult, { end: 'again' }>

async function settle(context: Background, task: RunTask, result: Ended): Promise<boolean> {
  const answer = await taskObject(context.env, context.org.id, task.id).settle({
    output: result.end === 'done' ? result.output : {},
    earlier: task.logs,
    logs: result.end === 'done' ? result.logs : [],
    failure: result.end === 'failed' ? result.failure : null,
    actorId: context.actor.id,
  })
  return answer.verdict === 'applied' && answer.status !== 'awaiting'
}

async function finish(context: Background, run: Run, task: RunTask, result: Ended): Promise<boolean> {
  const endedOn = timeText(context.now)
  const lines = result.end === 'done' ? result.logs : [result.failure]
  const own = {
    logs: appended(task.logs, lines, context.now),
    ...(result.end === 'done' ? { status: 'complete' as const, output: result.output } : { status: 'failed' as const }),
  }
  const tasks = run.tasks.map(other => (other.id === task.id ? { ...other, ...own } : other))
  const taskOutputs = outputsOf(tasks)
  if (result.end === 'done' && jsonBytes(taskOutputs) > PROCESS_OUTPUTS_MAX_BYTES) {
    const failure = `With this output the run would hold more than ${PROCESS_OUTPUTS_MAX_BYTES} bytes of outputs.`
    return finish(context, run, task, { end: 'failed', failure })
  }
  const next = nextMove(run.process, tasks, context.now)
  const isEnd = next.do === 'end'
  await commit(context, [
    updateTask(task, {
      ...own,
      ...(task.status === 'pending' && { startedOn: endedOn }),
      endedOn,
      dueOn: null,
    }),
    // The last task ends the run with it. A cancel in between has changed the task's version.
    processPatch(run, { ...(isEnd ? { ...endOf(next), endedOn } : { status: 'active' }), taskOutputs }),
    ...(isEnd ? next.skipped.map(other => updateTask(other, { status: 'skipped', endedOn })) : []),
  ])
  return !isEnd
}

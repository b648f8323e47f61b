// Moves a run on, task by task, until it ends or waits for something outside. A message may come twice, late or not at
// all: every write holds the version it was decided on, so that only one of two runners commits.

import { type Background, background } from '../../platform/background.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { Fault } from '../../platform/errors.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { PROCESS_OUTPUTS_MAX_BYTES } from '../../platform/limits.ts'
import { wakeCall, wakeRun } from '../../platform/wake/message.ts'
import { activeOrganization } from '../organizations/service.ts'
import { PROCESS } from './kind.ts'
import { RUN_MESSAGE_MAX_MS } from './limits.ts'
import { endOf, hasEnded, nextMove, outputsOf, type RunTask } from './next-move.ts'
import { runTask, updateTask } from './run-task.ts'
import { type Run, readRun } from './store.ts'

const MOVES_A_MESSAGE = 25

/** `mayCall`: on the queue for calls outside, where nothing else is done (N86). Each queue hands the run to the other. */
export async function stepRun(env: Env, orgId: string, processId: string, { mayCall } = { mayCall: false }) {
  const org = await activeOrganization(env, orgId, Date.now())
  if (!org) return
  const context = background(env, org, { id: processId, type: 'workflow' })
  const endsOn = Date.now() + RUN_MESSAGE_MAX_MS
  let goesOn = true
  for (let moves = 0; goesOn && moves < MOVES_A_MESSAGE && Date.now() < endsOn; moves++) {
    context.now = Date.now()
    const run = await readRun(context.db, orgId, processId)
    const next = run && nextMove(run.process, run.tasks, context.now)
    const isCall = next && 'task' in next ? next.task.action === 'http' : mayCall
    if (isCall !== mayCall) {
      mayCall = isCall
      break
    }
    goesOn = run !== undefined && (await givingWay(() => move(context, run)))
  }
  if (goesOn) await (mayCall ? wakeCall : wakeRun)(env, orgId, processId)
  await context.settled()
}

/** Another runner has changed the records: read them again. */
async function givingWay(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && error.code === 'precondition_failed') return true
    throw error
  }
}

/** Whether there may be another move right away. */
async function move(context: Background, run: Run): Promise<boolean> {
  const { process, tasks } = run
  const taskOutputs = outputsOf(tasks)
  if (!hasEnded(process.status) && jsonBytes(taskOutputs) > PROCESS_OUTPUTS_MAX_BYTES) {
    const detail = `The outputs of the tasks hold more than ${PROCESS_OUTPUTS_MAX_BYTES} bytes.`
    const skipped = tasks.filter(task => task.status === 'pending')
    return end(context, run, skipped, { status: 'failed', error: { code: 'too_large', detail }, subtext: detail })
  }
  const next = nextMove(process, tasks, context.now)
  switch (next.do) {
    case 'nothing':
    case 'later':
      return false
    case 'wait':
      if (process.status !== 'awaiting')
        await commit(context, [updateProcess(run, { status: 'awaiting', taskOutputs })])
      return false
    case 'end':
      return end(context, run, next.skipped, { ...endOf(next), taskOutputs })
    case 'give-up':
      return runTask(context, run, next.task, { isLast: true })
    case 'run':
      return runTask(context, run, next.task, { isLast: false })
  }
}

function updateProcess({ process }: Run, patch: Record<string, unknown>): Write {
  return { op: 'update', kind: PROCESS, id: process.id, patch, versions: [process.version] }
}

async function end(
  context: Background,
  run: Run,
  skipped: readonly RunTask[],
  fields: Record<string, unknown>,
): Promise<boolean> {
  const endedOn = timeText(context.now)
  await commit(context, [
    updateProcess(run, { ...fields, endedOn }),
    ...skipped.map(task => updateTask(task, { status: 'skipped', endedOn })),
  ])
  return false
}

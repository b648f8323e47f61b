// From a workflow and an event to the records of a run: the process, and the tasks of the path that applies. Pure but for
// the ids it gives.
import type { Write } from '../../platform/db/commit/write.ts'
import { newId } from '../../platform/ids.ts'
import { WORKFLOW_MAX_DEPTH } from '../../platform/limits.ts'
import { boundedEvent, briefEvent } from '../history/change-event.ts'
import type { WorkflowPath } from './definition.ts'
import { PROCESS, TASK } from './kind.ts'
import { type RefusalCode, refusedKey } from './refused.ts'
import { choosePath, runScope } from './templates.ts'
import { Budget } from './work.ts'

export interface Workflow {
  id: string
  name: string | null
  paths: readonly WorkflowPath[]
}

export interface Trigger {
  key: string
  event: Record<string, unknown>
  /** 1 for a run that no other run has caused. */
  depth: number
  /** Why no run may begin any more today. */
  refusal?: string | undefined
  now: string
  /** Keys of refused runs that are recorded: of each there is one. Absent: each is recorded. */
  refusedBefore?: Set<string>
}

interface Refusal {
  code: RefusalCode
  detail: string
}

/** Why no run of the workflow may begin, on any path. */
function refusalOf({ depth, refusal }: Trigger): Refusal | undefined {
  if (depth > WORKFLOW_MAX_DEPTH) {
    const detail = `Workflows trigger each other in a chain of more than ${WORKFLOW_MAX_DEPTH}.`
    return { code: 'workflow_loop', detail }
  }
  return refusal === undefined ? undefined : { code: 'quota_exceeded', detail: refusal }
}

/** No run where no path applies. A run that cannot begin is recorded as failed, so that it is visible. */
export function beginRun(workflow: Workflow, trigger: Trigger, budget = new Budget()): Write[] {
  const refusal = refusalOf(trigger)
  const event = boundedEvent(trigger.event)
  let path: WorkflowPath | undefined
  try {
    path = choosePath(workflow.paths, runScope(event, {}), budget)
  } catch (error) {
    if (refusal) return refusedRun(workflow, trigger, refusal)
    const detail = `A conditional ${error instanceof Error ? error.message : 'cannot be evaluated'}`
    return [failedRun(workflow, { ...trigger, event }, { code: 'conditional_failed', detail })]
  }
  if (!path) return []
  if (refusal) return refusedRun(workflow, trigger, refusal)
  const process = processWrite(workflow, { ...trigger, event }, { status: 'pending' })
  return [process, ...path.tasks.map((task, position) => taskWrite(process.id, task, position))]
}

/** The runs that these writes begin. */
export function pendingRuns(writes: readonly Write[]): string[] {
  return writes.flatMap(write =>
    write.op === 'create' && write.kind === PROCESS && write.data.status === 'pending' ? [write.id] : [],
  )
}

/** Runs that count for the quota: those that were refused do not. */
export function countedRuns(writes: readonly Write[]): number {
  return writes.filter(write => write.op === 'create' && write.kind === PROCESS && !write.data.federatedId).length
}

/** One record stands for all refused runs of a workflow, without the whole event: one for each would cost as much as the runs. */
function refusedRun(workflow: Workflow, trigger: Trigger, error: Refusal): Write[] {
  const { refusedBefore, event, now } = trigger
  const brief = { ...trigger, event: briefEvent(event) }
  if (!refusedBefore) return [failedRun(workflow, brief, error)]
  const federatedId = refusedKey(workflow.id, error.code, now)
  if (refusedBefore.has(federatedId)) return []
  refusedBefore.add(federatedId)
  return [failedRun(workflow, brief, error, { federatedId })]
}

function processWrite(workflow: Workflow, trigger: Trigger, own: Record<string, unknown>): Write {
  return {
    op: 'create',
    kind: PROCESS,
    id: newId(),
    data: {
      typePath: PROCESS.name,
      ...(workflow.name !== null && { name: workflow.name }),
      eventWorkflowId: workflow.id,
      triggerKey: trigger.key,
      triggerEvent: trigger.event,
      taskOutputs: {},
      startedOn: trigger.now,
      depth: trigger.depth,
      ...own,
    },
  }
}

function failedRun(
  workflow: Workflow,
  trigger: Trigger,
  error: { code: string; detail: string },
  own: { federatedId?: string } = {},
): Write {
  return processWrite(workflow, trigger, {
    ...own,
    status: 'failed',
    error,
    subtext: error.detail.slice(0, 1000),
    endedOn: trigger.now,
  })
}

function taskWrite(processId: string, task: WorkflowPath['tasks'][number], position: number): Write {
  return {
    op: 'create',
    kind: TASK,
    id: newId(),
    data: {
      typePath: TASK.name,
      name: task.name,
      processId,
      position,
      action: task.action,
      async: task.async ?? false,
      config: task.config ?? {},
      ...(task.timeoutSeconds !== undefined && { timeoutSeconds: task.timeoutSeconds }),
      status: 'pending',
      output: {},
      logs: [],
    },
  }
}

// From a workflow and an event to the records of a run: the process, and the tasks of the path that applies. Pure but for
// the ids it gives.
import type { Write } from '../../platform/db/commit/write.ts'
import { newId } from '../../platform/ids.ts'
import { WORKFLOW_MAX_DEPTH } from '../../platform/limits.ts'
import { boundedEvent } from '../history/change-event.ts'
import type { WorkflowPath } from './definition.ts'
import { PROCESS, TASK } from './kind.ts'
import { choosePath, runScope } from './templates.ts'

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
}

/** None where no path applies. A run that cannot begin is recorded as failed, so that somebody sees it. */
export function beginRun(workflow: Workflow, trigger: Trigger): Write[] {
  const event = boundedEvent(trigger.event)
  if (trigger.depth > WORKFLOW_MAX_DEPTH) {
    const detail = `Workflows trigger each other in a chain of more than ${WORKFLOW_MAX_DEPTH}.`
    return [failedRun(workflow, { ...trigger, event }, { code: 'workflow_loop', detail })]
  }
  if (trigger.refusal !== undefined) {
    return [failedRun(workflow, { ...trigger, event }, { code: 'quota_exceeded', detail: trigger.refusal })]
  }
  let path: WorkflowPath | undefined
  try {
    path = choosePath(workflow.paths, runScope(event, {}))
  } catch (error) {
    const detail = `A conditional ${error instanceof Error ? error.message : 'cannot be evaluated'}`
    return [failedRun(workflow, { ...trigger, event }, { code: 'conditional_failed', detail })]
  }
  if (!path) return []
  const process = processWrite(workflow, { ...trigger, event }, { status: 'pending' })
  return [process, ...path.tasks.map((task, position) => taskWrite(process.id, task, position))]
}

/** The runs that these writes begin. */
export function pendingRuns(writes: readonly Write[]): string[] {
  return writes.flatMap(write =>
    write.op === 'create' && write.kind === PROCESS && write.data.status === 'pending' ? [write.id] : [],
  )
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

function failedRun(workflow: Workflow, trigger: Trigger, error: { code: string; detail: string }): Write {
  return processWrite(workflow, trigger, {
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

// Workflows, their runs and tasks, and webhooks in the table of entity types.
import * as z from 'zod'
import type { FieldError } from '../../platform/errors.ts'
import { findKind, kind, reference } from '../../platform/kind.ts'
import { listenStatement } from '../history/outbox-store.ts'
import { EventWorkflowProcess, EventWorkflowTask, processFields, taskFields } from './contract.ts'
import {
  type TaskDefinition,
  type WorkflowPath,
  webhookFields,
  workflowExample,
  workflowFields,
  workflowRules,
} from './definition.ts'
import { loadConfigFaults } from './load-config.ts'
import { workflowGuard } from './quota-store.ts'
import { forgetTasks, reopenTasks } from './task/objects.ts'

function taskFaults(task: TaskDefinition): FieldError[] {
  if (task.action === 'load') return loadConfigFaults(task.config)
  if (task.action !== 'entity') return []
  const { entityName, operation } = task.config
  if (findKind(entityName)?.operations.some(known => known === operation)) return []
  const message = `There is no entity type of this name with the operation ${operation}.`
  return [{ path: '/entityName', message }]
}

/** A run has all rights, regardless of who wrote the workflow. */
function reachedTypes({ paths }: Record<string, unknown>): (string | null)[] {
  const tasks = ((paths ?? []) as WorkflowPath[]).flatMap(path => path.tasks)
  return tasks.flatMap(({ action, config }) => {
    if (action === 'entity') return config.entityName
    return action === 'http' || action === 'load' ? null : []
  })
}

export const WORKFLOW = kind('event-workflow', 'event-workflows', 'Tasks that run when an event is triggered.', {
  group: 'Workflows',
  fields: workflowFields,
  example: workflowExample,
  rules: workflowRules(taskFaults),
  guard: workflowGuard,
  reaches: reachedTypes,
  alongside: orgId => [listenStatement(orgId)],
  listens: true,
})

export const WEBHOOK = kind('webhook', 'webhooks', 'An address that triggers workflows when it is called.', {
  fields: webhookFields,
  group: 'Workflows',
  readOnly: { triggerKey: z.string(), triggerUrl: z.string() },
  example: { name: 'Orders of the shop' },
  operations: ['get', 'list', 'update', 'delete'],
})

export const PROCESS = kind('event-workflow-process', 'event-workflow-processes', 'One run of a workflow.', {
  group: 'Workflows',
  fields: processFields,
  answer: EventWorkflowProcess,
  recorded: false,
  operations: ['get', 'list'],
})

export const TASK = kind('event-workflow-task', 'event-workflow-tasks', 'One task of a run.', {
  group: 'Workflows',
  fields: taskFields,
  answer: EventWorkflowTask,
  references: [reference('processId', PROCESS.name)],
  forget: forgetTasks,
  revive: { statuses: ['awaiting'], act: reopenTasks },
  recorded: false,
  operations: ['get', 'list'],
})

// Workflows, their runs and tasks, and webhooks in the table of entity types.
import { findKind, kind, reference } from '../../platform/kind.ts'
import { listenStatements } from '../history/outbox-store.ts'
import { processFields, taskFields } from './contract.ts'
import { webhookFields, workflowFields, workflowRules } from './definition.ts'

export const WORKFLOW = kind('event-workflow', 'event-workflows', 'Tasks that run when an event is triggered.', {
  fields: workflowFields,
  rules: workflowRules((name, operation) => findKind(name)?.operations.some(known => known === operation) ?? false),
  alongside: listenStatements,
  listens: true,
})

export const WEBHOOK = kind('webhook', 'webhooks', 'An address that triggers workflows when it is called.', {
  fields: webhookFields,
  readOnly: ['triggerKey', 'triggerUrl'],
  operations: ['get', 'list', 'update', 'delete'],
})

export const PROCESS = kind('event-workflow-process', 'event-workflow-processes', 'One run of a workflow.', {
  fields: processFields,
  recorded: false,
  operations: ['get', 'list'],
})

export const TASK = kind('event-workflow-task', 'event-workflow-tasks', 'One task of a run.', {
  fields: taskFields,
  references: [reference('processId', PROCESS.name)],
  recorded: false,
  operations: ['get', 'list'],
})

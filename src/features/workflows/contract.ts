// Wire shapes and endpoints of workflows, tasks and callbacks. Definitions, runs and tasks are entities besides: they are
// listed and read like every other.
import * as z from 'zod'
import { commonExample, commonFields } from '../../platform/entity-shape.ts'
import { JsonValue, named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import {
  SUBTEXT_MAX_LENGTH,
  TASK_LOG_LINE_MAX_LENGTH,
  TASK_TIMEOUT_DEFAULT_SECONDS,
  TASK_TIMEOUT_MAX_SECONDS,
} from '../../platform/limits.ts'
import { TriggerKey } from './definition.ts'

const Line = z.string().max(TASK_LOG_LINE_MAX_LENGTH)
const Output = z.record(z.string(), JsonValue)
const Subtext = z.string().max(SUBTEXT_MAX_LENGTH)
const Name = z.string().trim().min(1).max(200)

export const Callback = named(
  'Callback',
  z.strictObject({
    taskId: z.string().min(1).max(64),
    status: z.enum(['SUCCESS', 'FAILURE']),
    logs: z
      .union([Line, z.array(Line).max(10_000)])
      .optional()
      .describe('A string is one line; each entry of a list is one line.'),
    output: Output.optional().describe('Merged into the output of the task; these values win.'),
    subtext: Subtext.optional().describe('Short text on the latest state; also set on the process.'),
  }),
  { taskId: 'Vn3KqJ8sW2xT0aLb', status: 'SUCCESS', logs: ['Sent to the factory.'], output: { orderNumber: 'PO-4711' } },
)
export type Callback = z.output<typeof Callback>

export const CreateTask = named(
  'CreateTask',
  z.strictObject({
    name: Name,
    async: z.literal(true),
    timeoutSeconds: z.int().min(1).max(TASK_TIMEOUT_MAX_SECONDS).default(TASK_TIMEOUT_DEFAULT_SECONDS),
    subtext: Subtext.optional(),
  }),
  { name: 'Confirm the price', async: true, timeoutSeconds: 3600 },
)
export type CreateTask = z.output<typeof CreateTask>

/** A fetched task may be sent back with another subtext; everything else must be as it is. */
export const UpdateTask = named('UpdateTask', z.looseObject({ subtext: Subtext.nullish() }), {
  subtext: 'Waiting for the factory',
})
export type UpdateTask = z.output<typeof UpdateTask>

export const WorkflowRequest = named(
  'EventWorkflowRequest',
  z.strictObject({ triggerKey: TriggerKey, event: z.record(z.string(), JsonValue).default({}) }),
  { triggerKey: 'season-opened', event: { season: 'SS27' } },
)
export type WorkflowRequest = z.output<typeof WorkflowRequest>

/** Beside the name that it must have, a webhook is made of what may be sent of every entity. */
export const CreateWebhook = named(
  'CreateWebhook',
  z.looseObject({
    name: Name,
    isActive: z.boolean().optional(),
    federatedId: z.string().min(1).max(200).optional(),
  }),
  { name: 'Orders of the shop' },
)
export type CreateWebhook = z.output<typeof CreateWebhook>

/** The own fields of runs and tasks, for their rows of the table. */
export const processFields = {
  eventWorkflowId: z.string(),
  triggerKey: z.string(),
  status: z.enum(['pending', 'active', 'awaiting', 'complete', 'failed', 'cancelled']),
  triggerEvent: Output,
  taskOutputs: Output,
  subtext: z.string().optional(),
  startedOn: z.iso.datetime(),
  endedOn: z.iso.datetime().optional(),
  depth: z.int(),
  error: z.object({ code: z.string(), detail: z.string() }).optional(),
}

export const taskFields = {
  processId: z.string().optional(),
  status: z.enum(['pending', 'active', 'awaiting', 'complete', 'failed', 'cancelled', 'skipped']),
  action: z.string(),
  async: z.boolean(),
  output: Output,
  logs: z.array(z.string()),
  subtext: z.string().optional(),
  timeoutSeconds: z.int().optional(),
  startedOn: z.iso.datetime().optional(),
  endedOn: z.iso.datetime().optional(),
  expiresOn: z.iso.datetime().optional().describe('When a task that waits stops waiting.'),
}

export const EventWorkflowTask = named('EventWorkflowTask', z.looseObject({ ...commonFields, ...taskFields }), {
  ...commonExample,
  typePath: 'event-workflow-task',
  name: 'confirm',
  processId: 'm8TqE3rUz6KpL1vB',
  status: 'awaiting',
  action: 'wait',
  async: true,
  output: {},
  logs: ['2026-03-02T09:30:00.000Z Sent to the factory.'],
  timeoutSeconds: 86_400,
  startedOn: '2026-03-02T09:30:00.000Z',
  expiresOn: '2026-03-03T09:30:00.000Z',
})
export const EventWorkflowProcess = named(
  'EventWorkflowProcess',
  z.looseObject({ ...commonFields, ...processFields }),
  {
    ...commonExample,
    typePath: 'event-workflow-process',
    name: 'Tell the factory',
    eventWorkflowId: 'h5YcB0nWv7RtK2qD',
    triggerKey: 'item|update',
    status: 'awaiting',
    triggerEvent: { newData: { name: 'Linen shirt' } },
    taskOutputs: { sum: { text: 'Linen shirt has changed' } },
    startedOn: '2026-03-02T09:30:00.000Z',
    depth: 1,
  },
)

const common = { tag: 'workflows', access: 'organization' } as const

export const callback = {
  id: 'callBack',
  tag: 'workflows',
  access: 'task',
  method: 'POST',
  path: '/external-events/callback',
  summary: 'Complete or fail an async task',
  keepsAnswer: true,
  description:
    'A repeat of the same body answers 200 and changes nothing; another body after the first is 409 with the recorded outcome. ' +
    'A callback that comes before the task waits is kept (202). The `callbackToken` of the task is accepted as bearer token.',
  body: Callback,
  answer: EventWorkflowTask,
  status: 200,
  also: { 202: 'The task does not wait yet; the callback is kept, and applied when it does.' },
  sends: ['ETag'],
  faults: ['not_found', 'task_not_awaiting'],
} as const satisfies Operation

export const createTask = {
  id: 'createEventWorkflowTask',
  ...common,
  method: 'POST',
  path: '/event-workflow-tasks',
  summary: 'Create a free-standing async task, to try an integration with',
  body: CreateTask,
  answer: EventWorkflowTask,
  status: 201,
  sends: ['ETag', 'Location'],
} as const satisfies Operation

export const updateTask = {
  id: 'updateEventWorkflowTask',
  ...common,
  method: 'PUT',
  path: '/event-workflow-tasks/:id',
  summary: 'Set the subtext of a task and of its process',
  body: UpdateTask,
  answer: EventWorkflowTask,
  status: 200,
  sends: ['ETag'],
  conditions: ['If-Match'],
} as const satisfies Operation

export const requestWorkflows = {
  id: 'requestEventWorkflows',
  ...common,
  method: 'POST',
  path: '/event-workflow-requests',
  summary: 'Start the workflows of a trigger key',
  body: WorkflowRequest,
  answer: named('EventWorkflowRuns', z.object({ results: z.array(EventWorkflowProcess) })),
  status: 201,
} as const satisfies Operation

export const cancelProcess = {
  id: 'cancelEventWorkflowProcess',
  ...common,
  method: 'POST',
  path: '/event-workflow-processes/:id/cancel',
  summary: 'Cancel a run and the tasks that have not ended',
  keepsAnswer: true,
  answer: EventWorkflowProcess,
  status: 200,
  sends: ['ETag'],
  faults: ['conflict'],
} as const satisfies Operation

export const createWebhook = {
  id: 'createWebhook',
  ...common,
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook; its trigger address is shown this once',
  description: 'A call to the address starts the workflows with the trigger key `webhookId:<id>`.',
  body: CreateWebhook,
  answer: named(
    'CreatedWebhook',
    z.looseObject({ ...commonFields, name: z.string(), triggerKey: z.string(), triggerUrl: z.string() }),
  ),
  status: 201,
  sends: ['ETag', 'Location'],
  issuesCredential: true,
  faults: ['duplicate'],
} as const satisfies Operation

export const triggerWebhook = {
  id: 'triggerWebhook',
  tag: 'workflows',
  access: 'anybody',
  method: 'POST',
  path: '/trigger-webhooks/:secret',
  summary: 'Trigger a webhook; the secret address is all the proof there is',
  description: 'Any query and any content type. The event is `{body, headers}`, with JSON and form bodies as objects.',
  query: z.record(z.string(), z.string()),
  rawBody: { 'application/json': 'bytes', 'application/octet-stream': 'bytes' },
  answer: named('TriggeredRuns', z.object({ results: z.array(z.object({ id: z.string() })) })),
  status: 202,
  faults: ['rate_limited'],
} as const satisfies Operation

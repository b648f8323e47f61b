// What a workflow definition may hold (N35), checked whole on every write: a conditional that does not parse is refused.
import * as z from 'zod'
import type { FieldError } from '../../platform/errors.ts'
import { compileConditional, compileTemplate } from '../../platform/expression/compile/compile.ts'
import { JsonValue, named } from '../../platform/http/components.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import {
  TASK_CONFIG_MAX_BYTES,
  TASK_TIMEOUT_MAX_SECONDS,
  WORKFLOW_MAX_PATHS,
  WORKFLOW_PATH_MAX_TASKS,
} from '../../platform/limits.ts'

const CONTROL = /\p{Cc}/u
const clean = (text: string) => !CONTROL.test(text)

/** Why an expression cannot be taken. */
function syntaxFault(compile: () => unknown): string | undefined {
  try {
    compile()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be read'
  }
}

const Conditional = z
  .string()
  .max(10_000)
  .superRefine((source, context) => {
    const fault = syntaxFault(() => compileConditional(source))
    if (fault) context.addIssue({ code: 'custom', message: `The conditional ${fault}.` })
  })

/** Any JSON; its strings may hold expressions. */
const Template = JsonValue.superRefine((value, context) => checkTemplates(value, [], context))

function checkTemplates(value: unknown, path: PropertyKey[], context: z.RefinementCtx): void {
  if (typeof value === 'string') {
    const fault = syntaxFault(() => compileTemplate(value))
    if (fault) context.addIssue({ code: 'custom', path, message: `The expression ${fault}.` })
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) checkTemplates(inner, [...path, name], context)
  }
}

const TextTemplate = z
  .string()
  .max(10_000)
  .superRefine((value, context) => checkTemplates(value, [], context))

const common = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[^.{}]+$/, 'A task name holds no dots and no braces: expressions name tasks by it.')
    .refine(clean, 'Control characters are not allowed.')
    .refine(name => !['__proto__', 'constructor', 'prototype'].includes(name), 'This name is not allowed.'),
  async: z.boolean().optional(),
  timeoutSeconds: z.int().min(1).max(TASK_TIMEOUT_MAX_SECONDS).optional(),
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const ENTITY_OPERATIONS = ['get', 'create', 'update', 'delete'] as const

const HttpConfig = z.strictObject({
  endpoint: z.string().min(1).max(63).describe('Name of an endpoint that the operator configured.'),
  path: TextTemplate.optional(),
  method: z.enum(METHODS).optional(),
  body: Template.optional(),
})

const EntityConfig = z
  .strictObject({
    operation: z.enum(ENTITY_OPERATIONS),
    entityName: z.string().min(1).max(64),
    id: TextTemplate.optional(),
    object: z.record(z.string(), Template).optional(),
  })
  .superRefine(({ operation, id, object }, context) => {
    const needsId = operation !== 'create'
    const needsObject = operation === 'create' || operation === 'update'
    if (needsId && id === undefined)
      context.addIssue({ code: 'custom', path: ['id'], message: `${operation} needs it.` })
    if (!needsId && id !== undefined) context.addIssue({ code: 'custom', path: ['id'], message: 'create takes none.' })
    if (needsObject && object === undefined) {
      context.addIssue({ code: 'custom', path: ['object'], message: `${operation} needs it.` })
    }
  })

const taskOf = <Action extends string, Config extends z.ZodType>(action: Action, config: Config) =>
  z.strictObject({ ...common, action: z.literal(action), config })

export const TaskDefinition = named(
  'TaskDefinition',
  z
    .discriminatedUnion('action', [
      named('HttpTask', taskOf('http', HttpConfig)),
      named('ExpressionTask', taskOf('expression', z.strictObject({ output: Template }))),
      named('EntityTask', taskOf('entity', EntityConfig)),
      named('LoadTask', taskOf('load', z.record(z.string(), Template))),
      named('WaitTask', taskOf('wait', z.strictObject({}).optional())),
    ])
    .superRefine((task, context) => {
      if (jsonBytes(task.config ?? {}) > TASK_CONFIG_MAX_BYTES) {
        const message = `The config of a task may hold at most ${TASK_CONFIG_MAX_BYTES} bytes.`
        context.addIssue({ code: 'custom', path: ['config'], message })
      }
      if (task.action !== 'http' || !task.async) return
      const { method = 'POST', body } = task.config
      if (method === 'GET' || method === 'DELETE') {
        context.addIssue({
          code: 'custom',
          path: ['config', 'method'],
          message: 'An async call needs a method with a body.',
        })
      }
      if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
        context.addIssue({
          code: 'custom',
          path: ['config', 'body'],
          message: 'The body of an async call is an object: taskId, callbackUrl and callbackToken are added to it.',
        })
      }
    }),
)
export type TaskDefinition = z.output<typeof TaskDefinition>

export const WorkflowPath = z.strictObject({
  conditional: Conditional.optional().describe('Absent: the path always applies.'),
  tasks: z
    .array(TaskDefinition)
    .min(1)
    .max(WORKFLOW_PATH_MAX_TASKS)
    .superRefine((tasks, context) => {
      tasks.forEach(({ name }, at) => {
        if (tasks.findIndex(other => other.name === name) < at) {
          context.addIssue({ code: 'custom', path: [at, 'name'], message: 'Another task of this path has this name.' })
        }
      })
    }),
})
export type WorkflowPath = z.output<typeof WorkflowPath>

export const TriggerKey = z
  .string()
  .min(1)
  .max(200)
  .refine(clean, 'Control characters are not allowed.')
  .describe('For example `item|update`, `assortment|publish`, `webhookId:<id>`, or a key of your own.')

/** The own fields of an event-workflow, for its row of the table. One without a trigger or a path is a draft: it never runs. */
export const workflowFields = {
  triggerKey: TriggerKey.optional(),
  isActive: z.boolean().optional(),
  includeLoads: z.boolean().optional(),
  paths: z.array(WorkflowPath).max(WORKFLOW_MAX_PATHS).optional(),
}

export const workflowExample = {
  name: 'Tell the factory',
  triggerKey: 'item|update',
  isActive: true,
  paths: [
    {
      conditional: "{newData.season} === 'SS27'",
      tasks: [
        { name: 'sum', action: 'expression', config: { output: { text: '{newData.name} has changed' } } },
        { name: 'confirm', action: 'wait', async: true, timeoutSeconds: 86_400 },
      ],
    },
  ],
}

export const webhookFields = { isActive: z.boolean().optional() }

/** Rules of tasks beyond their shape: what their actions would be refused for later. */
export function workflowRules(faultsOf: (task: TaskDefinition) => FieldError[]) {
  return ({ paths }: Record<string, unknown>): FieldError[] =>
    ((paths ?? []) as WorkflowPath[]).flatMap(({ tasks }, path) =>
      tasks.flatMap((task, at) =>
        faultsOf(task).map(fault => ({ ...fault, path: `/paths/${path}/tasks/${at}/config${fault.path}` })),
      ),
    )
}

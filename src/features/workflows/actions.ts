// The five actions of tasks (N35). Each may be begun twice: what it writes is written once, and calls carry the same id.
import { kindNamed } from '../../kinds.ts'
import type { Background } from '../../platform/background.ts'
import { Fault } from '../../platform/errors.ts'
import type { Scope } from '../../platform/expression/evaluation.ts'
import { newId } from '../../platform/ids.ts'
import { LOAD_LOOK_MS, TASK_OUTPUT_MAX_BYTES } from '../../platform/limits.ts'
import { createEntity, deleteEntity, getEntity, updateEntity } from '../entities/entities.ts'
import { byteLength } from '../events/change-event.ts'
import { callAction } from './call-action.ts'
import { loads } from './load-port.ts'
import type { RunTask } from './steps.ts'
import { actOf, actStatement, hasActed } from './store.ts'
import { filled } from './templates.ts'

type Output = Record<string, unknown>

export type ActionResult =
  | { end: 'done'; output: Output; logs: string[] }
  | { end: 'failed'; failure: string }
  /** Not yet: look again after `waitMs`. */
  | { end: 'again'; waitMs: number; isProgress: boolean; log: string | null }

export interface Action {
  context: Background
  task: RunTask
  scope: Scope
  event: Output
  taskOutputs: Output
}

const done = (output: Output): ActionResult => ({ end: 'done', output, logs: [] })
const failed = (failure: string): ActionResult => ({ end: 'failed', failure })

export async function act(action: Action): Promise<ActionResult> {
  try {
    const result = await ACTIONS[action.task.action](action)
    if (result.end === 'done' && byteLength(result.output) > TASK_OUTPUT_MAX_BYTES) {
      return failed(`The output would hold more than ${TASK_OUTPUT_MAX_BYTES} bytes.`)
    }
    return result
  } catch (error) {
    if (error instanceof Fault && error.code !== 'unavailable' && error.code !== 'internal')
      return failed(faultText(error))
    if (error instanceof Error && error.name.startsWith('Expression')) return failed(`An expression ${error.message}`)
    throw error
  }
}

function faultText({ message, errors = [] }: Fault): string {
  return [message, ...errors.map(({ path, message }) => `${path} ${message}`)].join(' ').slice(0, 2000)
}

const ACTIONS: Record<RunTask['action'], (action: Action) => Promise<ActionResult>> = {
  wait: async () => done({}),
  http: callAction,
  expression: async ({ task, scope }) => {
    const value = filled(task.config.output, scope)
    return done(isObject(value) ? value : { value })
  },
  entity: entityAction,
  load: loadAction,
}

function isObject(value: unknown): value is Output {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function entityAction(action: Action): Promise<ActionResult> {
  const { context, task, scope } = action
  const { operation, entityName } = task.config
  const kind = kindNamed(String(entityName))
  const id = operation === 'create' ? newId() : textOf(filled(task.config.id, scope))
  if (id === undefined) return failed('The id of the entity is empty.')
  if (operation === 'get') return done(brief(await getEntity(context, kind, id)))
  const object = (filled(task.config.object ?? {}, scope) ?? {}) as Output
  const inside = { before: [actStatement(context.org.id, task.id, id, context.now)] }
  try {
    if (operation === 'create') return done(brief(await createEntity(context, kind, object, { ...inside, id })))
    if (operation === 'update') return done(brief(await updateEntity(context, kind, id, object, undefined, inside)))
    await deleteEntity(context, kind, id, undefined, inside)
    return done({ id })
  } catch (error) {
    if (!hasActed(error)) throw error
    const target = (await actOf(context.db, context.org.id, task.id)) ?? id
    return done(operation === 'delete' ? { id: target } : brief(await getEntity(context, kind, target)))
  }
}

const textOf = (value: unknown) => (value === null || value === undefined || value === '' ? undefined : String(value))

const BRIEF = ['id', 'typePath', 'name', 'federatedId', 'version']

/** An entity can be larger than an output may be. */
function brief(entity: Output): Output {
  if (byteLength(entity) <= TASK_OUTPUT_MAX_BYTES) return entity
  return { ...Object.fromEntries(BRIEF.map(name => [name, entity[name]])), truncated: true }
}

const LOADED = new Set(['completed', 'failed', 'cancelled'])

async function loadAction({ context, task, scope }: Action): Promise<ActionResult> {
  const started = await actOf(context.db, context.org.id, task.id)
  if (started === undefined) {
    if (!loads.port) return failed('This deployment has no loader.')
    const id = newId()
    const before = [actStatement(context.org.id, task.id, id, context.now)]
    await loads.port.start(context, id, filled(task.config, scope) as Output, before)
    return { end: 'again', waitMs: LOAD_LOOK_MS, isProgress: true, log: `Load ${id} started.` }
  }
  const load = await getEntity(context, kindNamed('loader-process'), started)
  if (!LOADED.has(String(load.status))) return { end: 'again', waitMs: LOAD_LOOK_MS, isProgress: true, log: null }
  if (load.status === 'completed') return done({ loaderProcessId: started, results: load.results ?? {} })
  return failed(`Load ${started} is ${load.status}.`)
}

// The five actions of tasks (N35). Each may be begun twice: what it writes is written once, and calls carry the same id.
import type { Background } from '../../../platform/background.ts'
import { type Fault, isRefusal } from '../../../platform/errors.ts'
import { jsonBytes } from '../../../platform/json-size.ts'
import { kindNamed } from '../../../platform/kind.ts'
import { LOAD_LOOK_MAX_MS, LOAD_LOOK_MS, TASK_OUTPUT_MAX_BYTES } from '../../../platform/limits.ts'
import { checkedBody } from '../../entities/checked-body.ts'
import { createEntity, deleteEntity, getEntity, updateEntity } from '../../entities/service.ts'
import { LOADER_PROCESS } from '../../loads/kind.ts'
import { startLoad } from '../../loads/service.ts'
import type { RunTask } from '../next-move.ts'
import { type Action, type ActionResult, isObject, type Output } from './action.ts'
import { callAction } from './call.ts'

/** The longer a load takes, the less often it is looked at. */
function lookAgain({ context, task }: Action): ActionResult & { end: 'again' } {
  const soFarMs = context.now - (task.startedOn ?? context.now)
  const waitMs = Math.min(LOAD_LOOK_MAX_MS, Math.max(LOAD_LOOK_MS, soFarMs / 4))
  return { end: 'again', waitMs, isProgress: true, log: null }
}

const done = (output: Output): ActionResult => ({ end: 'done', output, logs: [] })
const failed = (failure: string): ActionResult => ({ end: 'failed', failure })

export async function act(action: Action): Promise<ActionResult> {
  try {
    const result = await ACTIONS[action.task.action](action)
    if (result.end === 'done' && jsonBytes(result.output) > TASK_OUTPUT_MAX_BYTES) {
      return failed(`The output would hold more than ${TASK_OUTPUT_MAX_BYTES} bytes.`)
    }
    return result
  } catch (error) {
    if (isRefusal(error)) return failed(faultText(error))
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
  expression: async ({ task, fill }) => {
    const value = fill(task.config.output)
    return done(isObject(value) ? value : { value })
  },
  entity: entityAction,
  load: loadAction,
}

/** Under the task's own idempotency key (N18): a repeat finds what the first time has written. */
function once({ context, task }: Action): Background {
  return { ...context, idempotency: { credentialId: task.id, key: task.action, digest: task.id } }
}

async function entityAction(action: Action): Promise<ActionResult> {
  const { task, fill } = action
  const { operation, entityName } = task.config
  const kind = kindNamed(String(entityName))
  const object = (fill(task.config.object ?? {}) ?? {}) as Output
  if (operation === 'create') {
    return done(brief(await createEntity(once(action), kind, checkedBody(kind, 'create', object))))
  }
  const id = textOf(fill(task.config.id))
  if (id === undefined) return failed('The id of the entity is empty.')
  if (operation === 'get') return done(brief(await getEntity(action.context, kind, id)))
  if (operation === 'update') {
    return done(brief(await updateEntity(once(action), kind, id, checkedBody(kind, 'update', object))))
  }
  await deleteEntity(once(action), kind, id)
  return done({ id })
}

const textOf = (value: unknown) => (value === null || value === undefined || value === '' ? undefined : String(value))

const BRIEF = ['id', 'typePath', 'name', 'federatedId', 'version']

/** An entity can be larger than an output may be. */
function brief(entity: Output): Output {
  if (jsonBytes(entity) <= TASK_OUTPUT_MAX_BYTES) return entity
  return { ...Object.fromEntries(BRIEF.map(name => [name, entity[name]])), truncated: true }
}

const LOADED = new Set(['completed', 'failed', 'cancelled'])

/** Its conditional columns are expressions over the rows of the file, and none of ours. */
async function loadAction(action: Action): Promise<ActionResult> {
  const { context, task, fill } = action
  const { loaderProcessId } = task.output
  if (typeof loaderProcessId !== 'string') {
    const { conditionalColumns, ...config } = task.config
    const configuration = {
      ...(fill(config) as Output),
      ...(conditionalColumns !== undefined && { conditionalColumns }),
    }
    const { id } = await startLoad(once(action), configuration)
    return { ...lookAgain(action), log: `Load ${id} started.`, output: { loaderProcessId: id } }
  }
  const load = await getEntity(context, LOADER_PROCESS, loaderProcessId)
  if (!LOADED.has(String(load.status))) return lookAgain(action)
  if (load.status === 'completed') return done({ loaderProcessId, results: load.results ?? {} })
  return failed(`Load ${loaderProcessId} is ${load.status}.`)
}

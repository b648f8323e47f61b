// Verbs over single tasks: the callback that ends one (N38), a free-standing one to try with (N37), the subtext (N40).
import type { Context } from '../../../platform/context.ts'
import { databaseFor } from '../../../platform/db/client.ts'
import { commit } from '../../../platform/db/commit/commit.ts'
import type { Write } from '../../../platform/db/commit/write.ts'
import { type Entity, entityOf, timeText } from '../../../platform/db/row.ts'
import { digestOf } from '../../../platform/digest.ts'
import { Fault, invalid, notFound, pointer } from '../../../platform/errors.ts'
import { ID_PATTERN, newId } from '../../../platform/ids.ts'
import { COMMON_READ_ONLY } from '../../../platform/kind.ts'
import { FAULTS_MAX, TASK_OUTPUT_MAX_BYTES } from '../../../platform/limits.ts'
import { getEntity } from '../../entities/service.ts'
import type { Callback, CreateTask, UpdateTask } from '../contract.ts'
import { PROCESS, TASK } from '../kind.ts'
import { fingerprint } from './fingerprint.ts'
import type { Outcome } from './machine.ts'
import { taskObject } from './objects.ts'

export interface CallbackResult {
  task: Entity
  /** It came before the task waits, and is applied when it does. */
  isKept: boolean
}

/** One call of the task's object, which tells D1 before it answers. */
export async function callBack(context: Context, body: Callback): Promise<CallbackResult> {
  const { taskId, ...callback } = body
  const { org, actor, principal } = context
  const isAllowed = principal.taskId === undefined || principal.taskId === taskId
  if (!isAllowed || !ID_PATTERN.test(taskId)) throw notFound('task')
  const received = { callback, fingerprint: await digestOf(fingerprint(body)), actorId: actor.id, now: context.now }
  const { database, epoch } = await context.db.place()
  const answer = await taskObject(context.env, org.id, taskId).callback(received, org.id, { database, epoch })
  context.db.noteBookmark(answer.bookmark)
  if (answer.verdict === 'unknown') throw await neverAwaiting(context, taskId)
  if (answer.verdict === 'unwritten') throw notWritten()
  if (answer.verdict === 'refused') throw notAwaiting(taskId, answer.status ?? '', answer.outcome)
  if (answer.verdict === 'too_large') {
    throw new Fault('too_large', `The output of a task may hold at most ${TASK_OUTPUT_MAX_BYTES} bytes.`)
  }
  if (answer.row) return { task: entityOf(answer.row), isKept: answer.verdict === 'kept' }
  // The object wrote in a session of its own, which this session may not see yet.
  const task = await taskEntity(atPrimary(context), taskId)
  // A cancel that came before the object was there has ended the record alone.
  if (task.status === 'cancelled' && answer.status !== 'cancelled') throw notAwaiting(taskId, 'cancelled', null)
  return { task, isKept: answer.verdict === 'kept' }
}

/** What has been decided stays decided; a repeat finds it. */
export function notWritten(): Fault {
  return new Fault('unavailable', 'The store is briefly unavailable. Send the same again.', {
    headers: { 'Retry-After': '1' },
  })
}

const taskEntity = (context: Context, id: string) => getEntity(context, TASK, id)
const atPrimary = (context: Context) => ({ ...context, db: databaseFor(context.env, context.org.id, null) })

/** A synchronous task, or one that has not begun, has no object: only its record knows it. */
async function neverAwaiting(context: Context, taskId: string): Promise<Fault> {
  const task = await taskEntity(context, taskId).catch(error => {
    throw error instanceof Fault && error.code === 'not_found' ? notFound('task') : error
  })
  // Its code is about to begin: the object that keeps the callback comes in a moment (N38).
  if (task.async && task.status === 'active') return notWritten()
  return notAwaiting(taskId, String(task.status), null)
}

function notAwaiting(taskId: string, status: string, outcome: Outcome | null): Fault {
  const { by, endedOn } = outcome ?? {}
  return new Fault('task_not_awaiting', `The task is ${status}; it does not wait for this callback.`, {
    members: { taskId, outcome: { status, ...(by && { by }), ...(endedOn && { endedOn }) } },
  })
}

/** The object is there before the record: a record that waits without an object could never be called back. */
export async function createTask(context: Context, { name, timeoutSeconds, subtext }: CreateTask): Promise<Entity> {
  const { env, org, now } = context
  const id = newId()
  const open = { orgId: org.id, taskId: id, processId: null, timeoutSeconds, output: {}, logs: [], waits: true }
  await taskObject(env, org.id, id).open(open)
  const data = {
    typePath: TASK.name,
    name,
    action: 'wait',
    async: true,
    timeoutSeconds,
    status: 'awaiting',
    output: {},
    logs: [],
    ...(subtext !== undefined && { subtext }),
    startedOn: timeText(now),
    expiresOn: timeText(now + timeoutSeconds * 1000),
  }
  const { rows } = await commit(context, [{ op: 'create', kind: TASK, id, data }])
  const [row] = rows
  if (!row) throw new Error('a committed task did not come back')
  return entityOf(row)
}

const IGNORED = new Set<string>([...COMMON_READ_ONLY, 'subtext'])

/** N40: nothing but the subtext can be set; fields that say something else than the record are refused. */
export async function setSubtext(
  context: Context,
  id: string,
  body: UpdateTask,
  versions?: readonly number[],
): Promise<Entity> {
  const task = await taskEntity(context, id)
  const faults = Object.entries(body)
    .filter(([name, value]) => !IGNORED.has(name) && fingerprint(value ?? null) !== fingerprint(task[name] ?? null))
    .map(([name]) => ({ path: pointer([name]), message: 'Only the subtext of a task can be set.' }))
  if (faults.length) throw invalid(faults.slice(0, FAULTS_MAX))
  const isSet = body.subtext !== undefined
  const patch = isSet ? { subtext: body.subtext } : {}
  const writes: Write[] = [{ op: 'update', kind: TASK, id, patch, versions }]
  if (isSet && typeof task.processId === 'string') {
    writes.push({ op: 'update', kind: PROCESS, id: task.processId, patch })
  }
  const { rows } = await commit(context, writes)
  return rows[0] ? entityOf(rows[0]) : task
}

// Writes what the entities of a step are to have again, by the same checks as every write (N65). What is refused is left out
// and told; the rest goes through.
import { Refused } from '../../platform/db/commit/refusal.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { errorsOf, Fault, isRefusal, pointerParts } from '../../platform/errors.ts'
import type { Kind } from '../../platform/kind.ts'
import { returnFault } from '../entities/earlier-version.ts'
import { shapes } from '../entities/shapes.ts'
import type { LoadScope } from '../loads/checkpoint.ts'
import { guardOf, type Stored, withTypes } from '../types/service.ts'
import { advance } from './checkpoint.ts'
import type { RevertCounts, RevertReason } from './contract.ts'
import type { Action } from './entity-plan.ts'
import { counted, type Revert, type RevertState } from './state.ts'

export interface Task {
  kind: Kind
  id: string
  action: Action
  unrecorded: boolean
}

export interface Refusal {
  task: Task
  reason: RevertReason
  message: string
}

/** Somebody has written one of the entities in between: what to do with it is to be thought over again. */
export class Overtaken extends Error {}

export async function apply(
  scope: LoadScope,
  given: Revert,
  tasks: readonly Task[],
): Promise<{ revert: Revert; refused: Refusal[] }> {
  const refused = shapeFaults(tasks)
  const faulty = new Set(refused.map(({ task }) => task))
  const fine = tasks.filter(task => !faulty.has(task))
  let revert = given
  for (const group of groupsOf(fine)) {
    const done = await applyGroup(scope, revert, group)
    revert = done.revert
    refused.push(...done.refused)
  }
  return { revert, refused }
}

/** Entity types with rules of their own in the store are written one at a time, all others together. */
function groupsOf(tasks: readonly Task[]): Task[][] {
  const ruled = [...new Set(tasks.map(({ kind }) => kind).filter(kind => kind.guard))]
  const groups = ruled.map(kind => tasks.filter(task => task.kind === kind))
  return [tasks.filter(({ kind }) => !kind.guard), ...groups].filter(group => group.length > 0)
}

async function applyGroup(
  scope: LoadScope,
  given: Revert,
  group: readonly Task[],
): Promise<{ revert: Revert; refused: Refusal[] }> {
  const refused: Refusal[] = []
  let left = group
  while (left.length > 0) {
    try {
      const tasks = left
      const revert = await withTypes(scope, types => {
        const writes = tasks.map(writeOf)
        const guard = guardOf(types, writes, true, storedOf(tasks))
        return advance(scope, given, withWritten(given.state, tasks), { writes, types: guard })
      })
      return { revert, refused }
    } catch (error) {
      const found = refusalsIn(error, left)
      if (found.length === 0) return await halves(scope, given, left, refused, error)
      refused.push(...found)
      const out = new Set(found.map(({ task }) => task))
      left = left.filter(task => !out.has(task))
    }
  }
  return { revert: given, refused }
}

/** A refusal that does not say whose it is: each half by itself, down to the one that it is about. */
async function halves(
  scope: LoadScope,
  given: Revert,
  tasks: readonly Task[],
  before: Refusal[],
  error: unknown,
): Promise<{ revert: Revert; refused: Refusal[] }> {
  if (!isRefusal(error)) throw error
  const [only] = tasks
  if (tasks.length === 1 && only)
    return { revert: given, refused: [...before, refusalOf(only, error.code, error.message)] }
  const middle = Math.ceil(tasks.length / 2)
  const first = await applyGroup(scope, given, tasks.slice(0, middle))
  const second = await applyGroup(scope, first.revert, tasks.slice(middle))
  return { revert: second.revert, refused: [...before, ...first.refused, ...second.refused] }
}

const refusalOf = (task: Task, code: string, message: string): Refusal => ({
  task,
  reason: code === 'duplicate' ? 'duplicate' : code === 'in_use' ? 'in_use' : 'does_not_fit',
  message,
})

function refusalsIn(error: unknown, tasks: readonly Task[]): Refusal[] {
  if (!(error instanceof Fault)) return []
  const reasons = error instanceof Refused ? error.refusals : []
  if (reasons.some(({ reason }) => reason === 'missing' || reason === 'stale')) throw new Overtaken()
  const why = new Map(reasons.map(({ index, reason }) => [index, reason]))
  const found = new Map<Task, Refusal>()
  for (const { path, message } of error.errors ?? []) {
    const [index = '', ...rest] = pointerParts(path)
    const task = tasks[Number(index)]
    if (!task || found.has(task)) continue
    const reason = why.get(Number(index))
    const code = reason === 'reference' ? 'reference_gone' : (reason ?? error.code)
    const text = rest.length ? `${rest.join('/')}: ${message}` : message
    found.set(task, { ...refusalOf(task, code, text), ...(code === 'reference_gone' && { reason: code }) })
  }
  return [...found.values()]
}

export function writeOf({ kind, id, action, unrecorded }: Task): Write {
  const base = { kind, id, ...(unrecorded && { unrecorded: true as const }) }
  if (action.op === 'delete') return { ...base, op: 'delete', versions: [action.version] }
  if (action.op === 'create') return { ...base, op: 'create', data: action.data, version: action.version }
  // With its type path the write is held against that type alone.
  const patch = { typePath: action.data.typePath, ...action.patch }
  return { ...base, op: 'update', patch, versions: [action.version] }
}

/** What moves to another type path answers for what is stored as well (N67). */
export function storedOf(tasks: readonly Task[]): Map<string, Stored> {
  return new Map(
    tasks.flatMap(({ id, action }) =>
      action.op === 'update' && 'typePath' in action.patch
        ? [[id, { version: action.version, data: action.data }] as const]
        : [],
    ),
  )
}

/** What cannot be written whatever is stored, also told by a dry run. */
export function shapeFaults(tasks: readonly Task[]): Refusal[] {
  return tasks.flatMap(task => shapeFault(task) ?? [])
}

/** What an older release has stored may not be taken any more; and not everything that is deleted returns (N65). */
function shapeFault(task: Task): Refusal | undefined {
  const { kind, action } = task
  if (action.op === 'delete') return undefined
  const fault = action.op === 'create' ? returnFault(kind) : undefined
  if (fault !== undefined) return { task, reason: 'does_not_fit', message: fault }
  const shape = action.op === 'create' ? shapes(kind).create : shapes(kind).update
  const body = action.op === 'create' ? action.data : action.patch
  const parsed = shape.safeParse(body)
  const [first] = parsed.success ? (kind.rules?.(body) ?? []) : errorsOf(parsed.error.issues)
  return first && { task, reason: 'does_not_fit', message: `${first.path.slice(1)}: ${first.message}` }
}

const COUNTED: Record<Action['op'], keyof RevertCounts> = { delete: 'deleted', create: 'restored', update: 'updated' }

export function withWritten(state: RevertState, tasks: readonly Task[]): RevertState {
  let { written } = state
  for (const { kind, action } of tasks) written = counted(written, kind.name, COUNTED[action.op])
  return { ...state, written, hasWritten: true }
}

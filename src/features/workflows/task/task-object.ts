// One object for each async task. It loads, asks the machine, saves; then it writes the result to D1 and wakes the run. What is not
// written there yet lies in its outbox, and an alarm tries again until it is.
import { DurableObject } from 'cloudflare:workers'
import { databaseFor } from '../../../platform/db/client.ts'
import { commit } from '../../../platform/db/commit/commit.ts'
import type { Write } from '../../../platform/db/commit/write.ts'
import { learnPlace, type Place } from '../../../platform/db/placement.ts'
import type { EntityRow } from '../../../platform/db/row.ts'
import type { Env } from '../../../platform/env.ts'
import { Fault } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { RUNS_RETENTION_MS, TASK_OUTBOX_RETRY_MS } from '../../../platform/limits.ts'
import { wakeRun } from '../../../platform/wake/message.ts'
import { keepWatch } from '../../../platform/wake/watch.ts'
import { PROCESS, TASK } from '../kind.ts'
import { appended, decide, type Received, type TaskInput, type TaskPatch, type TaskState } from './machine.ts'
import type { OpenTask, TaskAnswer, TaskCalls } from './objects.ts'
import { RUN_ENDED, TASK_ENDED, TASK_MISSING, underWayGuard } from './store.ts'

interface Unsent extends TaskPatch {
  /** Of which decision it is: a later one may come while this one is being told. */
  decisionId: string
  /** D1 knows; the run has still to be woken. */
  isWritten: boolean
}

/** Far longer than the writing of a record may take. */
const MAKING_MS = 12 * TASK_OUTBOX_RETRY_MS

const UNKNOWN: TaskAnswer = { verdict: 'unknown', outcome: null, status: null, row: null, bookmark: null }

export class TaskObject extends DurableObject<Env> implements TaskCalls {
  #telling: Promise<unknown> = Promise.resolve()
  #bookmark: string | null = null

  /** From now on callbacks are taken. Opening twice is opening once. Whether a callback is kept already. */
  async open(task: OpenTask): Promise<boolean> {
    const known = await this.#state()
    if (known) return known.kept !== null
    const now = Date.now()
    await this.ctx.storage.put('state', opened(task, now))
    await this.#arm()
    return false
  }

  async settle(result: Omit<TaskInput & { type: 'settle' }, 'type' | 'now'>): Promise<TaskAnswer> {
    return this.#take({ type: 'settle', ...result, now: Date.now() })
  }

  /** The caller passes the organization's database, which saves a look-up. */
  async callback(received: Received, orgId?: string, place?: Place): Promise<TaskAnswer> {
    if (orgId !== undefined && place) learnPlace(orgId, place)
    return this.#take({ type: 'callback', ...received })
  }

  async cancel(actorId: string): Promise<TaskAnswer> {
    return this.#take({ type: 'cancel', actorId, now: Date.now() })
  }

  /** Its organization is gone. */
  async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    const now = Date.now()
    // Armed before anything can fail: an alarm that fails six times would never come again.
    await this.ctx.storage.setAlarm(now + TASK_OUTBOX_RETRY_MS)
    const state = await this.#state()
    const isOver = state && isForgettable(state, now) && !(await this.#unsent())
    if (!state || isOver) {
      await this.ctx.storage.deleteAlarm()
      return this.ctx.storage.deleteAll()
    }
    await this.#take({ type: 'timeout', now })
    await this.#arm()
  }

  /** Nothing but storage is awaited between loading and saving, so that no other call can come in between. */
  async #take(input: TaskInput): Promise<TaskAnswer> {
    const state = await this.#state()
    if (!state) return UNKNOWN
    const decision = decide(state, input)
    if (decision.state !== state) await this.#save(decision.state, decision.patch)
    const { outcome, status } = decision.state
    try {
      const row = await this.#tell()
      return { verdict: decision.verdict, outcome, status, row, bookmark: this.#bookmark }
    } catch (error) {
      console.error('task', state.taskId, 'is not told yet', error)
      return { verdict: 'unwritten', outcome, status, row: null, bookmark: null }
    }
  }

  async #save(state: TaskState, patch?: TaskPatch): Promise<void> {
    const earlier = await this.#unsent()
    const isPending = earlier && !earlier.isWritten
    const unsent: Unsent | undefined = patch && {
      task: { ...(isPending ? earlier.task : {}), ...patch.task },
      process: { ...(isPending ? earlier.process : {}), ...patch.process },
      actorId: patch.actorId,
      decisionId: newId(),
      isWritten: false,
    }
    await this.ctx.storage.put({ state, ...(unsent && { unsent }) })
    await this.#arm()
  }

  /** One telling at a time, in the order of the decisions; each ends with everything told. */
  async #tell(): Promise<EntityRow | null> {
    const mine = this.#telling.then(() => this.#tellNow())
    this.#telling = mine.catch(() => undefined)
    return mine
  }

  async #tellNow(): Promise<EntityRow | null> {
    const [state, unsent] = await Promise.all([this.#state(), this.#unsent()])
    if (!state || !unsent) return null
    const row = unsent.isWritten ? null : await this.#write(state, unsent)
    if (!unsent.isWritten && (await this.#unsent())?.decisionId === unsent.decisionId) {
      await this.ctx.storage.put('unsent', { ...unsent, isWritten: true })
    }
    this.ctx.waitUntil(this.#wake(state, unsent.decisionId))
    return row
  }

  async #write(state: TaskState, { task, process, actorId }: Unsent): Promise<EntityRow | null> {
    const { orgId, taskId, processId } = state
    const record: Write = { op: 'update', kind: TASK, id: taskId, patch: task }
    const hasParent = processId !== null && Object.keys(process).length > 0
    const parent: Write[] = hasParent ? [{ op: 'update', kind: PROCESS, id: processId, patch: process }] : []
    const actor = { id: actorId, type: 'app' } as const
    const scope = { db: databaseFor(this.env, orgId), org: { id: orgId, slug: '' }, actor, now: Date.now() }
    const tell = (writes: Write[], runId: string | null) =>
      commit(scope, writes, { before: [underWayGuard(orgId, taskId, runId)] })
    try {
      const { rows } = await tell([record, ...parent], processId).catch(error => {
        // A run that has ended stays as it is.
        if (isAbout(error, RUN_ENDED)) return tell([record], null)
        // What is too large will be so for ever: a task that cannot end would hold its run for good.
        if (error instanceof Fault && error.code === 'too_large') {
          return tell([{ ...record, patch: withoutOutput(task, scope.now) }, ...parent], processId)
        }
        throw error
      })
      this.#bookmark = scope.db.bookmark
      return rows[0] ?? null
    } catch (error) {
      // D1 has this result already, or a different end.
      if (isAbout(error, TASK_ENDED)) return null
      // Its record may still be on its way; later on it was swept, or never made.
      if (isAbout(error, TASK_MISSING) && scope.now - state.openedOn > MAKING_MS) return null
      throw error
    }
  }

  async #wake({ orgId, processId, status }: TaskState, decisionId: string): Promise<void> {
    if (processId !== null && status !== 'awaiting') {
      // The watch may have ended while the run waited; this is kept in the outbox until both are done.
      await Promise.all([keepWatch(this.env, orgId), wakeRun(this.env, orgId, processId)])
    }
    const unsent = await this.#unsent()
    if (unsent?.isWritten && unsent.decisionId === decisionId) await this.ctx.storage.delete('unsent')
    await this.#arm()
  }

  /** The next deadline: retry the write to D1, end the wait, or forget the task. */
  async #arm(): Promise<void> {
    const [state, unsent] = await Promise.all([this.#state(), this.#unsent()])
    if (!state) return
    await this.ctx.storage.setAlarm(unsent ? Date.now() + TASK_OUTBOX_RETRY_MS : (state.deadline ?? forgetOn(state)))
  }

  #state(): Promise<TaskState | undefined> {
    return this.ctx.storage.get<TaskState>('state')
  }

  #unsent(): Promise<Unsent | undefined> {
    return this.ctx.storage.get<Unsent>('unsent')
  }
}

const isAbout = (error: unknown, message: string) => error instanceof Error && error.message.includes(message)

function withoutOutput(task: TaskPatch['task'], now: number): TaskPatch['task'] {
  const logs = appended(
    [],
    ['The output and the earlier lines are left out: the task would be too large to be kept.'],
    now,
  )
  return { ...task, ...(task.status === 'complete' && { status: 'failed' }), output: {}, logs }
}

function opened({ waits, deadline, ...task }: OpenTask, now: number): TaskState {
  return {
    ...task,
    status: waits ? 'awaiting' : 'active',
    openedOn: now,
    deadline: waits ? (deadline ?? now + task.timeoutSeconds * 1000) : null,
    kept: null,
    outcome: null,
  }
}

function forgetOn(state: TaskState): number {
  return (state.outcome ? Date.parse(state.outcome.endedOn) : state.openedOn) + RUNS_RETENTION_MS
}

function isForgettable(state: TaskState, now: number): boolean {
  return state.deadline === null && now >= forgetOn(state)
}

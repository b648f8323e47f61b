// Cancels a run (N37). The task that waits is asked first, through its object: between cancel and callback one wins, and
// D1 knows which before the run is ended.
import type { Context } from '../../platform/context.ts'
import { databaseFor } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { type Entity, entityOf, timeText } from '../../platform/db/row.ts'
import { Fault, notFound } from '../../platform/errors.ts'
import { getEntity } from '../entities/service.ts'
import { PROCESS, TASK } from './kind.ts'
import { hasEnded, type RunTask } from './next-move.ts'
import { type Run, readRun } from './store.ts'
import { taskObject } from './task/objects.ts'
import { notWritten } from './task/tasks.ts'

const TRIES = 10

export async function cancelProcess(context: Context, id: string): Promise<Entity> {
  const told = new Set<string>()
  for (let attempt = 1; ; attempt++) {
    // The object wrote in a session of its own, which this session may not see yet.
    const db = attempt === 1 ? context.db : databaseFor(context.env, context.org.id, null)
    const run = await readRun(db, context.org.id, id)
    if (!run) throw notFound()
    if (run.process.status === 'cancelled') return getEntity({ ...context, db }, PROCESS, id)
    if (hasEnded(run.process.status)) {
      throw new Fault('conflict', `The run has ended already: it is ${run.process.status}.`, {
        members: { outcome: { status: run.process.status } },
      })
    }
    // Once its object has answered, the record of a task says how it ended; the run is read again to see it.
    const asked = run.tasks.filter(task => task.async && isUnderWay(task) && !told.has(task.id))
    for (const task of asked) {
      const answer = await taskObject(context.env, context.org.id, task.id).cancel(context.actor.id)
      if (answer.verdict === 'unwritten') throw notWritten()
      told.add(task.id)
    }
    if (asked.length) continue
    try {
      return await cancelRest(context, run)
    } catch (error) {
      const isOvertaken = error instanceof Fault && error.code === 'precondition_failed'
      if (!isOvertaken || attempt >= TRIES) throw error
    }
  }
}

const isUnderWay = (task: RunTask) => task.status === 'active' || task.status === 'awaiting'

async function cancelRest(context: Context, { process, tasks }: Run): Promise<Entity> {
  const patch = { status: 'cancelled', endedOn: timeText(context.now) }
  const rest = tasks.filter(task => task.status === 'pending' || isUnderWay(task))
  const writes: Write[] = [
    { op: 'update', kind: PROCESS, id: process.id, patch, versions: [process.version] },
    ...rest.map(({ id, version }): Write => {
      return { op: 'update', kind: TASK, id, patch: { ...patch, dueOn: null }, versions: [version] }
    }),
  ]
  const { rows } = await commit(context, writes)
  if (!rows[0]) throw new Error('a committed process did not come back')
  return entityOf(rows[0])
}

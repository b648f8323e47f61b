import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { beginRun } from '../../../src/features/workflows/begin-run.ts'
import { TASK } from '../../../src/features/workflows/kind.ts'
import { sweepRuns } from '../../../src/features/workflows/sweep.ts'
import type { TaskState } from '../../../src/features/workflows/task/machine.ts'
import { taskObject } from '../../../src/features/workflows/task/objects.ts'
import { background } from '../../../src/platform/background.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import { newId } from '../../../src/platform/ids.ts'
import { RUNS_RETENTION_MS } from '../../../src/platform/limits.ts'
import { env, newOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { callBack, type Found, processWith, request, tasksOf } from './runs.ts'

describe('a task that nobody calls back', () => {
  it('N39 fails after its timeoutSeconds, and its run with it', async () => {
    const org = await newOrg()
    const waiting = { name: 'approve', action: 'wait', async: true, timeoutSeconds: 1 }
    await org.make('/event-workflows', { triggerKey: 'go', paths: [{ tasks: [waiting] }] })
    const [process] = await request(org, 'go')
    await processWith(org, process?.id ?? '', 'failed')
    const [task] = await tasksOf(org, process?.id ?? '')
    expect(task).toMatchObject({ status: 'failed', logs: [expect.stringContaining('within 1 seconds')] })
    const late = await callBack(org, { taskId: task?.id ?? '', status: 'SUCCESS' })
    expect(late.status).toBe(409)
    expect(late.body.outcome).toMatchObject({ by: 'timeout', status: 'failed' })
  })

  it('N39 fails although its time was over before its record was there', async () => {
    const org = await newOrg()
    const id = newId()
    const object = taskObject(env, org.id, id)
    const clock = holdClock()
    const open = { orgId: org.id, taskId: id, processId: null, timeoutSeconds: 60, output: {}, logs: [], waits: true }
    await object.open(open)
    clock.forward(61_000)
    expect(await runDurableObjectAlarm(object)).toBe(true)
    const data = {
      typePath: TASK.name,
      name: 't',
      action: 'wait',
      async: true,
      status: 'awaiting',
      output: {},
      logs: [],
    }
    await commit(background(env, org, { id: 'x', type: 'app' }), [{ op: 'create', kind: TASK, id, data }])
    expect(await runDurableObjectAlarm(object)).toBe(true)
    expect((await org.get(`/event-workflow-tasks/${id}`)).body.status).toBe('failed')
  })

  it('N39 waits seven days where no timeoutSeconds is given', async () => {
    const org = await newOrg()
    const task = (await org.make('/event-workflow-tasks', { name: 'free', async: true })) as Found
    expect(Date.parse(String(task.expiresOn)) - Date.parse(String(task.startedOn))).toBe(7 * 24 * 3600 * 1000)
  })
})

describe('a callback when D1 fails', () => {
  it('N38 is 503, is not lost, and is told to D1 and the run by the alarm of the object', async () => {
    const org = await newOrg()
    const waiting = { name: 'approve', action: 'wait', async: true }
    await org.make('/event-workflows', { triggerKey: 'go', paths: [{ tasks: [waiting] }] })
    const [process] = await request(org, 'go')
    await processWith(org, process?.id ?? '', 'awaiting')
    const [task] = await tasksOf(org, process?.id ?? '')
    const stub = taskObject(env, org.id, task?.id ?? '')
    const body = { taskId: task?.id ?? '', status: 'SUCCESS', logs: 'kept', output: { a: 1 } }
    const { DB } = env
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const swap = (database: D1Database) =>
      runInDurableObject(stub, object => {
        const own = object as unknown as { env: typeof env }
        own.env = { ...own.env, DB: database }
      })
    const down = { prepare: () => ({ bind: () => ({}) }), batch: () => Promise.reject(new Error('D1 is down')) }
    await swap({ withSession: () => down } as unknown as D1Database)
    expect((await callBack(org, body)).status).toBe(503)
    await swap(DB)
    quiet.mockRestore()
    expect((await tasksOf(org, process?.id ?? ''))[0]?.status).toBe('awaiting')
    expect(await runDurableObjectAlarm(stub)).toBe(true)
    expect((await processWith(org, process?.id ?? '', 'complete')).taskOutputs).toEqual({ approve: { a: 1 } })
    const repeat = await callBack(org, body)
    expect(repeat.status).toBe(200)
    expect(repeat.body.logs).toHaveLength(1)
  })
})

describe('a callback while D1 is still being told that the task waits', () => {
  it('N38 is written after it, and not lost', async () => {
    const org = await newOrg()
    const trigger = { key: 'go', event: {}, depth: 1, now: new Date().toISOString() }
    const paths = [{ tasks: [{ name: 'approve', action: 'wait' as const, async: true }] }]
    const [process, task] = beginRun({ id: newId(), name: null, paths }, trigger)
    if (!process || !task) throw new Error('no run')
    const actor = { id: 'x', type: 'app' as const }
    await commit({ db: databaseFor(env, org.id), org: { id: org.id, slug: '' }, actor, now: Date.now() }, [
      process,
      task,
    ])
    const stub = taskObject(env, org.id, task.id)
    const open = { orgId: org.id, taskId: task.id, processId: process.id, timeoutSeconds: 60, output: {}, logs: [] }
    await stub.open({ ...open, waits: false })
    const gate = { isOpen: false, waiting: 0 }
    await runInDurableObject(stub, object => {
      const own = object as unknown as { env: typeof env }
      const slow = (session: D1DatabaseSession) => ({
        prepare: (sql: string) => session.prepare(sql),
        getBookmark: () => session.getBookmark(),
        batch: async (statements: D1PreparedStatement[]) => {
          gate.waiting++
          while (!gate.isOpen) await scheduler.wait(5)
          return session.batch(statements)
        },
      })
      const DB = { withSession: (constraint: string) => slow(env.DB.withSession(constraint)) }
      own.env = { ...own.env, DB: DB as unknown as D1Database }
    })
    const outcome = () =>
      runInDurableObject(stub, async (_, { storage }) => (await storage.get<TaskState>('state'))?.outcome ?? null)
    const settling = stub.settle({ output: {}, earlier: [], logs: [], failure: null, actorId: 'x' })
    await eventually(
      async () => gate.waiting,
      waiting => waiting === 1,
    )
    const calling = callBack(org, { taskId: task.id, status: 'SUCCESS', output: { a: 1 } })
    await eventually(outcome, found => found !== null)
    gate.isOpen = true
    const answer = await calling
    expect(answer.body).toMatchObject({ status: 'complete', output: { a: 1 } })
    await settling
    expect((await org.get(`/event-workflow-tasks/${task.id}`)).body.status).toBe('complete')
    await processWith(org, process.id, 'complete')
  })
})

describe('what is kept for a stated time', () => {
  it('N42 sweeps ended runs with their tasks and free-standing tasks after 90 days, and nothing that has not ended', async () => {
    const org = await newOrg()
    const tasks = [{ name: 'note', action: 'expression', config: { output: { a: 1 } } }]
    await org.make('/event-workflows', { triggerKey: 'go', paths: [{ tasks }] })
    const [process] = await request(org, 'go')
    await processWith(org, process?.id ?? '', 'complete')
    const done = await org.make('/event-workflow-tasks', { name: 'done', async: true })
    const open = await org.make('/event-workflow-tasks', { name: 'open', async: true })
    await callBack(org, { taskId: done.id, status: 'SUCCESS' })
    await sweepRuns(env, Date.now() + RUNS_RETENTION_MS - 60_000)
    expect((await org.get(`/event-workflow-processes/${process?.id}`)).status).toBe(200)
    await sweepRuns(env, Date.now() + RUNS_RETENTION_MS + 60_000)
    expect((await org.get(`/event-workflow-processes/${process?.id}`)).status).toBe(404)
    expect(await tasksOf(org, process?.id ?? '')).toEqual([])
    expect((await org.get(`/event-workflow-tasks/${done.id}`)).status).toBe(404)
    expect((await org.get(`/event-workflow-tasks/${open.id}`)).status).toBe(200)
  })

  it('N42 the object of a task that has ended forgets it after 90 days', async () => {
    const org = await newOrg()
    const task = (await org.make('/event-workflow-tasks', { name: 'done', async: true })) as Found
    const { endedOn } = (await callBack(org, { taskId: task.id, status: 'SUCCESS' })).body
    const stub = taskObject(env, org.id, task.id)
    const forgets = Date.parse(String(endedOn)) + RUNS_RETENTION_MS
    await eventually(
      () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm()),
      alarm => alarm === forgets,
    )
    const kept = () => runInDurableObject(stub, async (_, { storage }) => (await storage.list()).size)
    const now = vi.spyOn(Date, 'now').mockReturnValue(forgets - 1)
    onTestFinished(() => now.mockRestore())
    await runDurableObjectAlarm(stub)
    expect(await kept()).toBeGreaterThan(0)
    now.mockReturnValue(forgets)
    await runDurableObjectAlarm(stub)
    expect(await kept()).toBe(0)
  })

  it('N39 gives a Durable Object to async tasks only', async () => {
    const org = await newOrg()
    const tasks = [{ name: 'note', action: 'expression', config: { output: { a: 1 } } }]
    await org.make('/event-workflows', { triggerKey: 'go', paths: [{ tasks }] })
    const [process] = await request(org, 'go')
    await processWith(org, process?.id ?? '', 'complete')
    const [task] = await tasksOf(org, process?.id ?? '')
    const stub = taskObject(env, org.id, task?.id ?? '')
    expect(await runInDurableObject(stub, async (_, state) => (await state.storage.list()).size)).toBe(0)
    const refused = await callBack(org, { taskId: task?.id ?? '', status: 'SUCCESS' })
    expect(refused.status).toBe(409)
    expect(refused.body.outcome).toEqual({ status: 'complete' })
    await eventually(
      async () => (await tasksOf(org, process?.id ?? ''))[0],
      found => found?.version === task?.version,
    )
  })
})

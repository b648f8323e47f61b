// What recovery wakes, and what it leaves alone; and that somebody comes to look whatever dies.
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEntity } from '../../../src/features/entities/service.ts'
import { keepAllWatches, recover } from '../../../src/features/events/recover.ts'
import * as unread from '../../../src/features/history/unread-store.ts'
import { insertDeliveries } from '../../../src/features/outbound/store.ts'
import { WORKFLOW } from '../../../src/features/workflows/kind.ts'
import { taskObject } from '../../../src/features/workflows/task/objects.ts'
import { background } from '../../../src/platform/background.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import { newId } from '../../../src/platform/ids.ts'
import { kindNamed } from '../../../src/platform/kind.ts'
import { RECOVER_PERIOD_MS } from '../../../src/platform/limits.ts'
import { keepWatch, watchOf } from '../../../src/platform/wake/watch.ts'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
import { eventually, nothingLeft } from '../eventually.ts'
import { callBack, expression, processesOf, processWith, request, tasksOf, workflow } from '../workflows/runs.ts'

afterEach(() => vi.restoreAllMocks())

const watchAlarm = (org: TestOrg) => runInDurableObject(watchOf(env, org.id), (_, state) => state.storage.getAlarm())

/** A run with one task, as its runner has left it. */
async function standingRun(org: TestOrg, dueOn: number | null): Promise<string> {
  const [id, taskId] = [newId(), newId()]
  const own = { status: 'active', ...(dueOn !== null && { dueOn: new Date(dueOn).toISOString() }) }
  const scope = { db: databaseFor(env, org.id), org, actor: { id: 'x', type: 'app' as const }, now: Date.now() }
  const process = kindNamed('event-workflow-process')
  const task = kindNamed('event-workflow-task')
  await commit(scope, [
    { op: 'create', kind: process, id, data: { typePath: process.name, status: 'active', depth: 1 } },
    { op: 'create', kind: task, id: taskId, data: { typePath: task.name, processId: id, action: 'wait', ...own } },
  ])
  return id
}

/** The runs of the organization that were sent for: others may be at work beside it. */
function listeningQueue(org: TestOrg) {
  const batch = vi.spyOn(env.STEP_QUEUE, 'sendBatch').mockResolvedValue(undefined as never)
  return () => {
    const sent = batch.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body as Json))
    batch.mockClear()
    return sent.filter(({ kind, orgId }) => kind === 'process' && orgId === org.id).map(({ id }) => id)
  }
}

describe('recovery', () => {
  it('N36 wakes a run that stands still once, and again only when that message must have come by', async () => {
    const org = await newOrg()
    const sent = listeningQueue(org)
    const clock = holdClock()
    const id = await standingRun(org, null)
    clock.forward(2 * RECOVER_PERIOD_MS)
    const early = Date.now()
    clock.forward(RECOVER_PERIOD_MS)
    await recover(env, org.id, early)
    expect(sent()).toEqual([id])
    // Sent before the wake-up, and here after it: the wake-up may be queued behind it.
    await recover(env, org.id, early + 1)
    expect(sent()).toEqual([])
    clock.forward(1)
    await recover(env, org.id)
    expect(sent()).toEqual([id])
  })

  it('N36 wakes although the clock has gone back since it woke last', async () => {
    const org = await newOrg()
    const sent = listeningQueue(org)
    const clock = holdClock()
    const id = await standingRun(org, null)
    clock.forward(100 * RECOVER_PERIOD_MS)
    await recover(env, org.id)
    expect(sent()).toEqual([id])
    clock.forward(-60 * RECOVER_PERIOD_MS)
    await recover(env, org.id)
    expect(sent()).toEqual([id])
  })

  it('N36 wakes although an event cannot be dispatched', async () => {
    const org = await newOrg()
    await workflow(org, [expression('a', {})], { triggerKey: 'item|create' })
    const sent = listeningQueue(org)
    const clock = holdClock()
    const id = await standingRun(org, null)
    clock.forward(2 * RECOVER_PERIOD_MS)
    vi.spyOn(unread, 'readUnread').mockRejectedValue(new Error('unreadable'))
    await expect(recover(env, org.id)).rejects.toThrow('unreadable')
    expect(sent()).toEqual([id])
  })

  it('N36 leaves a run alone that had moved when the message was sent, however late it comes', async () => {
    const org = await newOrg()
    const sent = listeningQueue(org)
    const clock = holdClock()
    await standingRun(org, null)
    const soon = Date.now() + 1
    clock.forward(10 * RECOVER_PERIOD_MS)
    await recover(env, org.id, soon)
    expect(sent()).toEqual([])
  })

  it('N36 leaves a run alone whose task has a time to come: a message waits for it', async () => {
    const org = await newOrg()
    const sent = listeningQueue(org)
    const clock = holdClock()
    const id = await standingRun(org, Date.now() + 5 * RECOVER_PERIOD_MS)
    clock.forward(4 * RECOVER_PERIOD_MS)
    await recover(env, org.id)
    expect(sent()).toEqual([])
    clock.forward(2 * RECOVER_PERIOD_MS)
    await recover(env, org.id)
    expect(sent()).toEqual([id])
  })
})

describe('the watch', () => {
  it('N36 stands before the first listener does', async () => {
    const org = await newOrg()
    const context = background(env, org, { id: 'x', type: 'app' })
    // Whoever dies after the commit announces nothing.
    context.announce = () => undefined
    await createEntity(context, WORKFLOW, { triggerKey: 'item|create' })
    expect(await watchAlarm(org)).not.toBeNull()
  })

  it('N36 is not ended while what it was asked for may still come to be', async () => {
    const org = await newOrg()
    const clock = holdClock()
    await keepWatch(env, org.id)
    await recover(env, org.id)
    expect(await watchAlarm(org)).not.toBeNull()
    clock.forward(2 * RECOVER_PERIOD_MS)
    await recover(env, org.id)
    expect(await watchAlarm(org)).toBeNull()
  })

  it('N36 stands again for a run that goes on after it has ended, though the message that wakes the run is lost', async () => {
    const org = await newOrg()
    const tasks = [{ name: 'one', action: 'wait', async: true }, expression('two', { x: 1 })]
    await workflow(org, tasks)
    const id = (await request(org, 'go'))[0]?.id ?? ''
    await processWith(org, id, 'awaiting')
    const clock = holdClock()
    clock.forward(3 * RECOVER_PERIOD_MS)
    await recover(env, org.id)
    expect(await watchAlarm(org)).toBeNull()
    const send = vi.spyOn(env.STEP_QUEUE, 'send').mockResolvedValue(undefined as never)
    const taskId = (await tasksOf(org, id))[0]?.id ?? ''
    expect((await callBack(org, { taskId, status: 'SUCCESS' })).status).toBe(200)
    const unsent = () =>
      runInDurableObject(taskObject(env, org.id, taskId), (_, { storage }) => storage.get<Json>('unsent'))
    await eventually(unsent, left => left === undefined)
    expect(await watchAlarm(org)).not.toBeNull()
    send.mockRestore()
    clock.forward(2 * RECOVER_PERIOD_MS)
    await recover(env, org.id)
    await processWith(org, id, 'complete')
  })

  it('N36 is brought back by the cron where a run stands still, or a delivery, though nobody listens', async () => {
    const [idle, running, delivering] = [await newOrg(), await newOrg(), await newOrg()]
    await standingRun(running, null)
    await idle.make('/items', { name: 'a' })
    await delivering.make('/items', { name: 'a' })
    const row = { id: newId(), endpointName: 'x', triggerKey: 'item|create', payload: '{}', depth: 0 }
    await databaseFor(env, delivering.id).batch(insertDeliveries(delivering.id, [row], Date.now(), Date.now() + 1))
    await keepAllWatches(env)
    expect(await Promise.all([running, delivering].map(watchAlarm))).not.toContain(null)
    expect(await watchAlarm(idle)).toBeNull()
  })
})

describe('a repeat under an Idempotency-Key', () => {
  it('N36 announces what the first time may have died before announcing', async () => {
    const org = await newOrg()
    const tasks = [{ name: 'w', action: 'wait' }]
    const { id } = await org.make('/event-workflows', { triggerKey: 'item|create', paths: [{ tasks }] })
    await nothingLeft(org)
    const send = vi.spyOn(env.STEP_QUEUE, 'send').mockResolvedValue(undefined as never)
    const post = () => org.call('POST', '/items', { body: { name: 'a' }, headers: { 'Idempotency-Key': 'k' } })
    const first = await post()
    expect(await processesOf(org, id)).toEqual([])
    send.mockRestore()
    expect((await post()).body).toEqual(first.body)
    await nothingLeft(org)
    expect(await processesOf(org, id)).toHaveLength(1)
  })
})

// A task's object that died after it had told D1 tells it again: what has happened since stays.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { taskObject } from '../../../src/features/workflows/task/objects.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'
import { callBack, type Found, processWith, request, tasksOf } from './runs.ts'

const waiting = (name: string) => ({ name, action: 'wait', async: true })

/** The first of two tasks is called back, and the second one waits. */
async function halfWay(org: TestOrg, own: Json = {}): Promise<{ processId: string; task: Found }> {
  await org.make('/event-workflows', { triggerKey: 'go', paths: [{ tasks: [waiting('one'), waiting('two')] }] })
  const [process] = await request(org, 'go')
  const processId = process?.id ?? ''
  await processWith(org, processId, 'awaiting')
  const [task] = await tasksOf(org, processId)
  if (!task) throw new Error('no task')
  expect((await callBack(org, { taskId: task.id, status: 'SUCCESS', ...own })).status).toBe(200)
  await processWith(org, processId, 'awaiting')
  return { processId, task }
}

/** As it is when the object dies between D1's commit and its own note of it. */
function forgetTelling(org: TestOrg, task: Found, told: Json) {
  const unsent = {
    task: { status: 'complete', output: {}, logs: [], expiresOn: null, dueOn: null, ...told },
    process: { status: 'active', ...told },
    actorId: 'x',
    decisionId: newId(),
    isWritten: false,
  }
  return runInDurableObject(taskObject(env, org.id, task.id), async (_, state) => {
    await state.storage.put('unsent', unsent)
    await state.storage.setAlarm(Date.now() + 3_600_000)
  })
}

const stateOf = async (org: TestOrg, id: string) => (await org.get(`/event-workflow-processes/${id}`)).body

describe('a task that tells D1 again', () => {
  it('N37 does not undo a cancel that was acknowledged since', async () => {
    const org = await newOrg()
    const { processId, task } = await halfWay(org)
    await forgetTelling(org, task, {})
    expect((await org.post(`/event-workflow-processes/${processId}/cancel`, {})).status).toBe(200)
    const cancelled = await stateOf(org, processId)
    expect(await runDurableObjectAlarm(taskObject(env, org.id, task.id))).toBe(true)
    expect(await stateOf(org, processId)).toEqual(cancelled)
    expect(cancelled.status).toBe('cancelled')
  })

  it('N40 does not overwrite a subtext that was set since', async () => {
    const org = await newOrg()
    const { processId, task } = await halfWay(org, { subtext: 'old' })
    await forgetTelling(org, task, { subtext: 'old' })
    expect((await org.put(`/event-workflow-tasks/${task.id}`, { subtext: 'new' })).status).toBe(200)
    expect(await runDurableObjectAlarm(taskObject(env, org.id, task.id))).toBe(true)
    expect(await stateOf(org, processId)).toMatchObject({ subtext: 'new', status: 'awaiting' })
    expect((await tasksOf(org, processId))[0]).toMatchObject({ subtext: 'new', status: 'complete' })
  })

  it('N37 ends its task, but does not revive a run that has ended', async () => {
    const org = await newOrg()
    const { processId } = await halfWay(org)
    const two = (await tasksOf(org, processId))[1]
    await env.DB.prepare("UPDATE entities SET data = json_set(data, '$.status', 'failed') WHERE id = ?")
      .bind(processId)
      .run()
    expect((await callBack(org, { taskId: two?.id ?? '', status: 'SUCCESS' })).status).toBe(200)
    expect((await tasksOf(org, processId))[1]?.status).toBe('complete')
    expect((await stateOf(org, processId)).status).toBe('failed')
  })
})

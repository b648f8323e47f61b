import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'
import { callBack, expression, processesOf, processWith, request, tasksOf, workflow } from './runs.ts'

afterEach(() => vi.restoreAllMocks())

const waiting = { name: 'approve', action: 'wait', async: true, timeoutSeconds: 600 }

async function awaitingRun(org: TestOrg) {
  await workflow(org, [
    expression('first', { total: '{event.price} * 2' }),
    waiting,
    expression('last', { got: '{taskOutputs.approve.by}', total: '{taskOutputs.first.total}' }),
  ])
  const [process] = await request(org, 'go', { price: 21 })
  const awaiting = await processWith(org, process?.id ?? '', 'awaiting')
  const tasks = await tasksOf(org, awaiting.id)
  return { process: awaiting, tasks, taskId: tasks[1]?.id ?? '' }
}

describe('a workflow of three tasks with an async one in the middle', () => {
  it('N37 waits for its callback', async () => {
    const org = await newOrg()
    const { tasks, process } = await awaitingRun(org)
    expect(tasks.map(task => task.status)).toEqual(['complete', 'awaiting', 'pending'])
    expect(process.taskOutputs).toEqual({ first: { total: 42 } })
  })

  it('N37 continues on SUCCESS with the output and subtext of the callback', async () => {
    const org = await newOrg()
    const { process, taskId } = await awaitingRun(org)
    await callBack(org, { taskId, status: 'SUCCESS', output: { by: 'Ann' }, subtext: 'approved' })
    const ended = await processWith(org, process.id, 'complete')
    expect(ended).toMatchObject({
      subtext: 'approved',
      triggerEvent: { price: 21 },
      taskOutputs: { first: { total: 42 }, approve: { by: 'Ann' }, last: { got: 'Ann', total: 42 } },
    })
    expect(Date.parse(String(ended.endedOn))).toBeGreaterThanOrEqual(Date.parse(String(ended.startedOn)))
    expect((await tasksOf(org, process.id)).map(task => task.status)).toEqual(['complete', 'complete', 'complete'])
  })

  it('N37 fails on FAILURE and skips what would have come after', async () => {
    const org = await newOrg()
    const { process, taskId } = await awaitingRun(org)
    await callBack(org, { taskId, status: 'FAILURE', logs: 'no' })
    await processWith(org, process.id, 'failed')
    expect((await tasksOf(org, process.id)).map(task => task.status)).toEqual(['complete', 'failed', 'skipped'])
  })

  it('N37 cancels: the tasks that have not ended are cancelled, a late callback is 409, a second cancel is the same', async () => {
    const org = await newOrg()
    const { process, taskId } = await awaitingRun(org)
    const cancelled = await org.post(`/event-workflow-processes/${process.id}/cancel`, undefined)
    expect(cancelled.status).toBe(200)
    expect(cancelled.body.status).toBe('cancelled')
    expect((await tasksOf(org, process.id)).map(task => task.status)).toEqual(['complete', 'cancelled', 'cancelled'])
    const late = await callBack(org, { taskId, status: 'SUCCESS' })
    expect(late.status).toBe(409)
    expect(late.body.outcome).toMatchObject({ status: 'cancelled', by: 'cancel' })
    expect((await org.post(`/event-workflow-processes/${process.id}/cancel`, undefined)).status).toBe(200)
  })

  it('N37 refuses to cancel what has ended, and what is not there', async () => {
    const org = await newOrg()
    await workflow(org, [expression('only', { a: 1 })])
    const [process] = await request(org, 'go')
    await processWith(org, process?.id ?? '', 'complete')
    expect((await org.post(`/event-workflow-processes/${process?.id}/cancel`, undefined)).status).toBe(409)
    expect((await org.post('/event-workflow-processes/AAAAAAAAAAAAAAAA/cancel', undefined)).status).toBe(404)
  })

  it('N40 copies a subtext set by PUT to the process', async () => {
    const org = await newOrg()
    const { process, taskId } = await awaitingRun(org)
    await org.put(`/event-workflow-tasks/${taskId}`, { subtext: 'asked Ann' })
    expect((await org.get(`/event-workflow-processes/${process.id}`)).body.subtext).toBe('asked Ann')
  })
})

describe('the paths of a workflow', () => {
  it('N35 runs the first path whose conditional holds, and none where none does', async () => {
    const org = await newOrg()
    const path = (conditional: string, name: string) => ({ conditional, tasks: [expression(name, { name })] })
    await org.make('/event-workflows', {
      triggerKey: 'go',
      paths: [path('{event.n} > 10', 'large'), path('{event.n} > 5', 'middle')],
    })
    const [middle] = await request(org, 'go', { n: 7 })
    expect((await processWith(org, middle?.id ?? '', 'complete')).taskOutputs).toEqual({ middle: { name: 'middle' } })
    expect(await request(org, 'go', { n: 1 })).toEqual([])
  })

  it('N35 records a run as failed whose conditional cannot be evaluated', async () => {
    const org = await newOrg()
    const tasks = [expression('never', {})]
    await org.make('/event-workflows', { triggerKey: 'go', paths: [{ conditional: '{event.x}.y.z > 1', tasks }] })
    const [process] = await request(org, 'go')
    expect(process).toMatchObject({ status: 'failed', error: { code: 'conditional_failed' } })
  })

  it('N35 starts nothing for a workflow that is not active', async () => {
    const org = await newOrg()
    const { id } = await workflow(org, [expression('a', {})])
    await org.put(`/event-workflows/${id}`, { isActive: false })
    expect(await request(org, 'go')).toEqual([])
  })
})

describe('a definition that is refused', () => {
  it('N35 names a conditional and an expression that do not parse, on create and on update', async () => {
    const org = await newOrg()
    const tasks = [expression('a', { x: 1 })]
    const bad = { triggerKey: 'go', paths: [{ conditional: '{event.n} >', tasks }] }
    const created = await org.post('/event-workflows', bad)
    expect(created.status).toBe(400)
    expect(created.body.errors).toMatchObject([{ path: '/paths/0/conditional' }])
    const { id } = await org.make('/event-workflows', { triggerKey: 'go', paths: [{ tasks }] })
    const updated = await org.put(`/event-workflows/${id}`, { paths: bad.paths })
    expect(updated.status).toBe(400)
    expect(await recordsOf(id)).toHaveLength(1)
  })

  it('N7 names unknown properties, repeated task names, unknown actions and entity types', async () => {
    const org = await newOrg()
    const refusedAt = async (tasks: unknown[]) => {
      const answer = await org.post('/event-workflows', { triggerKey: 'go', paths: [{ tasks }] })
      expect(answer.status).toBe(400)
      return (answer.body.errors as { path: string }[]).map(({ path }) => path)
    }
    const ok = expression('a', {})
    expect(await refusedAt([{ ...ok, extra: 1 }])).toEqual(['/paths/0/tasks/0/extra'])
    expect(await refusedAt([ok, ok])).toEqual(['/paths/0/tasks/1/name'])
    expect(await refusedAt([{ name: 'x', action: 'shell', config: {} }])).toEqual(['/paths/0/tasks/0/action'])
    const entity = (entityName: string) => ({
      name: 'e',
      action: 'entity',
      config: { operation: 'create', entityName, object: {} },
    })
    for (const name of ['nothing', 'event-workflow-task', 'file', '__proto__']) {
      expect(await refusedAt([entity(name)])).toEqual(['/paths/0/tasks/0/config/entityName'])
    }
    expect(await refusedAt([])).toEqual(['/paths/0/tasks'])
  })
})

describe('the entity action', () => {
  it('N35 creates, updates, reads and deletes in the name of the run, with change records', async () => {
    const org = await newOrg()
    const entity = (name: string, operation: string, more: Json) => ({
      name,
      action: 'entity',
      config: { operation, entityName: 'item', ...more },
    })
    const { id: workflowId } = await workflow(org, [
      entity('make', 'create', { object: { name: '{event.name}', price: '{event.price}' } }),
      entity('change', 'update', { id: '{taskOutputs.make.id}', object: { price: '{event.price} + 1' } }),
      entity('read', 'get', { id: '{taskOutputs.make.id}' }),
      entity('remove', 'delete', { id: '{taskOutputs.make.id}' }),
    ])
    const [process] = await request(org, 'go', { name: 'Scarf', price: 9 })
    const ended = await processWith(org, process?.id ?? '', 'complete')
    const outputs = ended.taskOutputs as Record<string, Json>
    expect(outputs.read).toMatchObject({ name: 'Scarf', price: 10, version: 2, createdById: process?.id })
    expect((await recordsOf(String(outputs.make?.id))).map(record => record.change_type)).toEqual([
      'create',
      'update',
      'delete',
    ])
    expect((await processesOf(org, workflowId))[0]?.id).toBe(process?.id)
  })

  it('N35 fails the task where the entity is refused', async () => {
    const org = await newOrg()
    await org.make('/items', { federatedId: 'taken' })
    const config = { operation: 'create', entityName: 'item', object: { federatedId: 'taken' } }
    await workflow(org, [{ name: 'make', action: 'entity', config }])
    const [process] = await request(org, 'go')
    await processWith(org, process?.id ?? '', 'failed')
    const [task] = await tasksOf(org, process?.id ?? '')
    expect(task?.logs).toEqual([expect.stringContaining('federatedId')])
  })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { beginRun } from '../../../src/features/workflows/begin-run.ts'
import type { WorkflowPath } from '../../../src/features/workflows/definition.ts'
import { stepRun } from '../../../src/features/workflows/run.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { outside } from '../outside.ts'
import { callBack, processWith, tasksOf } from './runs.ts'

afterEach(() => vi.restoreAllMocks())

/** A run that nobody has been woken for. */
async function silentRun(org: TestOrg, tasks: WorkflowPath['tasks']): Promise<string> {
  const trigger = { key: 'go', event: {}, depth: 1, now: new Date().toISOString() }
  const writes = beginRun({ id: newId(), name: null, paths: [{ tasks }] }, trigger)
  const actor = { id: 'x', type: 'app' as const }
  await commit({ db: databaseFor(env, org.id), org: { id: org.id, slug: '' }, actor, now: Date.now() }, writes)
  return writes[0]?.id ?? ''
}

/** As a runner leaves it that dies after the action and before it can write down the result. */
async function asIfDied(taskId: string): Promise<void> {
  const begun = JSON.stringify({ status: 'active', attempts: 1, dueOn: '2020-01-01T00:00:00.000Z', endedOn: null })
  await env.DB.prepare('UPDATE entities SET data = json_patch(data, ?2), version = version + 1 WHERE id = ?1')
    .bind(taskId, begun)
    .run()
  await env.DB.prepare(
    `UPDATE entities SET data = json_patch(data, '{"status":"active"}') WHERE id = (SELECT process_id FROM entities WHERE id = ?1)`,
  )
    .bind(taskId)
    .run()
}

const makeItem = {
  name: 'make',
  action: 'entity' as const,
  config: { operation: 'create' as const, entityName: 'item', object: { name: 'once' } },
}

describe('a step that is started more than once', () => {
  it('N35 acts once, of many at the same time', async () => {
    const org = await newOrg()
    const process = await silentRun(org, [makeItem, { ...makeItem, name: 'again' }])
    await Promise.all(Array.from({ length: 8 }, () => stepRun(env, org.id, process)))
    await processWith(org, process, 'complete')
    expect((await org.get('/items')).body.results).toHaveLength(2)
  })

  it('N35 acts once, when the runner died before it could say so', async () => {
    const org = await newOrg()
    const process = await silentRun(org, [makeItem])
    await stepRun(env, org.id, process)
    const [first] = await tasksOf(org, process)
    await asIfDied(first?.id ?? '')
    await stepRun(env, org.id, process)
    const ended = await processWith(org, process, 'complete')
    const items = (await org.get('/items')).body.results ?? []
    expect(items).toHaveLength(1)
    expect(ended.taskOutputs).toMatchObject({ make: { id: items[0]?.id, name: 'once' } })
  })

  it('N39 calls with the same webhook-id, and goes on to wait', async () => {
    const org = await newOrg()
    const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
    const endpoint = { url: `https://erp.example.com/${org.slug}/`, auth: { kind: 'hmac', secret } }
    await operator('PUT', `/orgs/${org.slug}/endpoints/erp`, endpoint)
    const world = outside(org.slug)
    world.answer(async sent => {
      if (world.calls.length === 1) await asIfDied(String(sent.json().taskId))
      return new Response('ok')
    })
    const process = await silentRun(org, [{ name: 'call', action: 'http', async: true, config: { endpoint: 'erp' } }])
    await stepRun(env, org.id, process, { mayCall: true })
    const [task] = await tasksOf(org, process)
    expect(task?.status).toBe('awaiting')
    await asIfDied(task?.id ?? '')
    await stepRun(env, org.id, process, { mayCall: true })
    expect(world.calls.map(sent => sent.headers.get('webhook-id'))).toEqual(world.calls.map(() => task?.id))
    await callBack(org, { taskId: task?.id ?? '', status: 'SUCCESS' })
    await processWith(org, process, 'complete')
  })

  it('N35 fails after five tries that came to nothing', async () => {
    const org = await newOrg()
    const process = await silentRun(org, [makeItem])
    const [task] = await tasksOf(org, process)
    await asIfDied(task?.id ?? '')
    await env.DB.prepare(`UPDATE entities SET data = json_set(data, '$.attempts', 5) WHERE id = ?`).bind(task?.id).run()
    await stepRun(env, org.id, process)
    await processWith(org, process, 'failed')
    expect((await org.get('/items')).body.results).toEqual([])
  })

  it('N18 a free-standing task is made once for one Idempotency-Key, and can be called back', async () => {
    const org = await newOrg()
    const make = () =>
      org.call('POST', '/event-workflow-tasks', {
        body: { name: 'free', async: true },
        headers: { 'Idempotency-Key': 'one' },
      })
    const [first, second] = [await make(), await make()]
    expect(second.body).toEqual(first.body)
    expect((await callBack(org, { taskId: String(first.body.id), status: 'SUCCESS' })).status).toBe(200)
  })
})

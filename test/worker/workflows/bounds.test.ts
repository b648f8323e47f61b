// How much of the service workflows may take (N60), and that what is refused does not refuse for ever.
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../src/features/events/dispatch.ts'
import { WORKFLOWS_MAX } from '../../../src/features/workflows/limits.ts'
import { env, type Json, newOrg } from '../api.ts'
import { nothingLeft } from '../eventually.ts'
import { expression, processesOf, workflow } from './runs.ts'

const tasks = [expression('note', { a: 1 })]

describe('N60 workflows', () => {
  it('that may not run any more today are told of once, and run again tomorrow', async () => {
    const org = await newOrg()
    const { id } = await workflow(org, tasks, { triggerKey: 'item|create' })
    const set = env.DB.prepare('UPDATE clocks SET quotas = ? WHERE org_id = ?')
    await set.bind(JSON.stringify({ runsPerDay: 2 }), org.id).run()
    const make = async (count: number) => {
      for (let n = 0; n < count; n++) await org.make('/items', { name: 'x' })
      await dispatch(env, org.id)
      await nothingLeft(org)
    }
    await make(6)
    const refused = async () =>
      (await processesOf(org, id)).filter(({ error }) => (error as Json | undefined)?.code === 'quota_exceeded')
    expect(await processesOf(org, id)).toHaveLength(3)
    expect(await refused()).toHaveLength(1)
    // The two that did run were yesterday.
    await env.DB.prepare(
      "UPDATE entities SET created_on = created_on - 90000000 WHERE org_id = ? AND kind = 'event-workflow-process' AND status = 'complete'",
    )
      .bind(org.id)
      .run()
    await make(2)
    expect(await refused()).toHaveLength(1)
    expect(await processesOf(org, id)).toHaveLength(5)
  })

  it('of keys that nothing happens by listen to nothing', async () => {
    const org = await newOrg()
    const listensTo = () =>
      env.DB.prepare('SELECT listens_to FROM clocks WHERE org_id = ?').bind(org.id).first('listens_to')
    await workflow(org, tasks, { triggerKey: 'anything|goes' })
    expect(await listensTo()).toBeNull()
    await workflow(org, tasks, { triggerKey: 'item|update' })
    await workflow(org, tasks, { triggerKey: 'assortment|publish' })
    expect(
      String(await listensTo())
        .split(',')
        .sort(),
    ).toEqual(['assortment', 'item'])
  })

  it('are bounded in number, whatever their trigger keys are', async () => {
    const org = await newOrg()
    await env.DB.prepare(
      `INSERT INTO entities (id, org_id, kind, created_on, updated_on, created_by_id, updated_by_id, version, data)
       WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)
       SELECT 'w' || n || ?1, ?1, 'event-workflow', 1, 1, 'x', 'x', 1,
         json_object('typePath', 'event-workflow', 'triggerKey', 'k' || n) FROM c`,
    )
      .bind(org.id, WORKFLOWS_MAX - 1)
      .run()
    await workflow(org, tasks)
    const refused = await org.post('/event-workflows', { name: 'one more', triggerKey: 'more' })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'quota_exceeded', quota: 'workflows', limit: WORKFLOWS_MAX })
  })
})

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../src/features/events/dispatch.ts'
import { recover } from '../../../src/features/events/recover.ts'
import { kindNamed } from '../../../src/kinds.ts'
import { newId } from '../../../src/platform/ids.ts'
import { RECOVER_PERIOD_MS } from '../../../src/platform/limits.ts'
import { keepWatch, watchOf } from '../../../src/platform/wake/watch.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
import { eventually, nothingLeft } from '../eventually.ts'
import { commitAndDie, ended, item, listener, tasks } from './listeners.ts'
import { processesOf, processWith, request } from './runs.ts'

const watchAlarm = (org: TestOrg) => runInDurableObject(watchOf(env, org.id), (_, state) => state.storage.getAlarm())

describe('no event is lost and none is acted on twice', () => {
  it('N36 when the Worker dies between the commit and the wake-up: the watch brings it', async () => {
    const org = await newOrg()
    const kind = kindNamed('event-workflow')
    const id = newId()
    const data = { typePath: kind.name, triggerKey: 'item|create', paths: [{ tasks }] }
    await keepWatch(env, org.id)
    await commitAndDie(org, [{ op: 'create', kind, id, data }])
    await commitAndDie(org, [item('one'), item('two')])
    expect(await processesOf(org, id)).toEqual([])
    expect(await runDurableObjectAlarm(watchOf(env, org.id))).toBe(true)
    await eventually(() => processesOf(org, id), ended(2))
    await nothingLeft(org)
    expect(await processesOf(org, id)).toHaveLength(2)
    expect(await watchAlarm(org)).not.toBeNull()
  })

  it('N36 because an organization is watched from its first workflow on', async () => {
    const org = await newOrg()
    await listener(org, 'item|create')
    await eventually(
      () => watchAlarm(org),
      alarm => alarm !== null,
    )
  })

  it('N36 when the Worker dies after it has recorded a run, before it can wake it: the watch does', async () => {
    const org = await newOrg()
    await org.make('/event-workflows', { triggerKey: 'go', paths: [{ tasks }] })
    const [process] = await request(org, 'go')
    await processWith(org, process?.id ?? '', 'complete')
    const past = Date.now() - 120_000
    await env.DB.prepare(
      `UPDATE entities SET updated_on = ?1, data = json_set(data, '$.status', 'pending') WHERE kind LIKE 'event-workflow-%' AND org_id = ?2`,
    )
      .bind(past, org.id)
      .run()
    await recover(env, org.id)
    await processWith(org, process?.id ?? '', 'complete')
  })

  it('N36 when many listeners look at once', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'item|create')
    await commitAndDie(
      org,
      Array.from({ length: 30 }, (_, n) => item(`item ${n}`)),
    )
    await Promise.all(Array.from({ length: 8 }, () => dispatch(env, org.id)))
    await dispatch(env, org.id)
    await nothingLeft(org)
    expect(await processesOf(org, id)).toHaveLength(30)
  })

  it('N36 over more changes than one look takes in, in their order', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'item|create')
    await commitAndDie(
      org,
      Array.from({ length: 250 }, (_, n) => item(`item ${n}`)),
    )
    await dispatch(env, org.id)
    const runs = env.DB.prepare(
      `SELECT data ->> '$.triggerEvent.newData.name' AS name FROM entities WHERE event_workflow_id = ? ORDER BY seq`,
    ).bind(id)
    const { results } = await eventually(
      () => runs.all<{ name: string }>(),
      found => found.results.length >= 250,
    )
    expect(results.map(row => row.name)).toEqual(Array.from({ length: 250 }, (_, n) => `item ${n}`))
  })

  it('N36 costs an organization without workflows and endpoints nothing: nobody listens, no watch is kept', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'quiet' })
    const clock = await env.DB.prepare('SELECT heard_seq FROM clocks WHERE org_id = ?').bind(org.id).first()
    expect(clock).toEqual({ heard_seq: null })
    expect(await watchAlarm(org)).toBeNull()
  })

  it('N36 stops listening and watching when the last workflow is gone', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'item|create')
    await org.put(`/event-workflows/${id}`, { isActive: false })
    const clock = await env.DB.prepare('SELECT heard_seq FROM clocks WHERE org_id = ?').bind(org.id).first()
    expect(clock).toEqual({ heard_seq: null })
    holdClock().forward(2 * RECOVER_PERIOD_MS)
    await recover(env, org.id)
    expect(await watchAlarm(org)).toBeNull()
  })
})

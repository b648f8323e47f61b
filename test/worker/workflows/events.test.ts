import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../src/features/events/dispatch.ts'
import { recover } from '../../../src/features/events/recover.ts'
import { publishStatement } from '../../../src/features/history/outbox-store.ts'
import { kindNamed } from '../../../src/kinds.ts'
import type { ActorType } from '../../../src/platform/context.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import type { Write } from '../../../src/platform/db/commit/write.ts'
import { newId } from '../../../src/platform/ids.ts'
import { RECOVER_PERIOD_MS } from '../../../src/platform/limits.ts'
import { keepWatch, watchOf } from '../../../src/platform/wake/watch.ts'
import { env, type Json, newOrg, operator, TestOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
import { eventually, nothingLeft } from '../eventually.ts'
import { type Found, processesOf, processWith, request } from './runs.ts'

const tasks = [{ name: 'note', action: 'expression', config: { output: { event: '{event}' } } }]

function listener(org: TestOrg, triggerKey: string, more: Json = {}) {
  return org.make('/event-workflows', { name: triggerKey, triggerKey, paths: [{ tasks }], ...more })
}

/** A commit whose Worker dies before it can wake anybody. */
async function commitAndDie(org: TestOrg, writes: Write[], type: ActorType = 'app'): Promise<void> {
  const scope = {
    db: databaseFor(env, org.id),
    org: { id: org.id, slug: org.slug },
    actor: { id: 'x', type },
    now: Date.now(),
  }
  await commit(scope, writes)
}

const watchAlarm = (org: TestOrg) => runInDurableObject(watchOf(env, org.id), (_, state) => state.storage.getAlarm())

const item = (name: string): Write => ({
  op: 'create',
  kind: kindNamed('item'),
  id: newId(),
  data: { typePath: 'item', name },
})

const ended = (count: number) => (found: Found[]) =>
  found.length === count && found.every(process => ['complete', 'failed'].includes(process.status))

describe('changes of entities start workflows', () => {
  it('N36 with {newData, oldData, propertyDiffs} of each change, as it was at its time', async () => {
    const org = await newOrg()
    const ids = {
      create: (await listener(org, 'item|create')).id,
      update: (await listener(org, 'item|update')).id,
      delete: (await listener(org, 'item|delete')).id,
    }
    const { id } = await org.make('/items', { name: 'a', keep: 1 })
    await org.put(`/items/${id}`, { name: 'b' })
    await org.put(`/items/${id}`, { name: 'c', keep: null })
    await org.delete(`/items/${id}`)
    await org.make('/colors', { name: 'red' })
    const [created] = await eventually(() => processesOf(org, ids.create), ended(1))
    const updated = await eventually(() => processesOf(org, ids.update), ended(2))
    const [deleted] = await eventually(() => processesOf(org, ids.delete), ended(1))
    expect(created?.triggerEvent).toMatchObject({ newData: { id, name: 'a', keep: 1, version: 1 }, oldData: null })
    expect(updated.map(process => process.triggerEvent)).toMatchObject([
      {
        newData: { id, name: 'b', keep: 1, version: 2 },
        oldData: { id, name: 'a', keep: 1, version: 1 },
        propertyDiffs: { name: { oldValue: 'a', newValue: 'b' } },
      },
      { newData: { id, name: 'c', version: 3 }, oldData: { id, name: 'b', keep: 1, version: 2 } },
    ])
    expect(updated[1]?.triggerEvent).not.toHaveProperty('newData.keep')
    expect(deleted?.triggerEvent).toMatchObject({ newData: null, oldData: { id, name: 'c' } })
  })

  it('N68 with every entity exactly as the API has shown it', async () => {
    const org = await newOrg()
    const keys = ['create', 'update', 'delete'] as const
    const ids = await Promise.all(keys.map(async key => (await listener(org, `item|${key}`)).id))
    const issued = await operator<{ key: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'other' })
    const other = new TestOrg(org.slug, org.id, issued.body.key)
    const { body: first } = await org.post('/items', { name: 'a', federatedId: 'f', nested: { x: [1, null] } })
    const { body: second } = await other.put(`/items/${first.id}`, { price: 1.5, nested: null })
    const { body: third } = await org.put(`/items/${first.id}`, { name: null })
    await other.delete(`/items/${first.id}`)
    const events: Json[] = []
    for (const [at, id] of ids.entries()) {
      const found = await eventually(() => processesOf(org, id), ended(at === 1 ? 2 : 1))
      events.push(...found.map(process => process.triggerEvent as Json))
    }
    expect(events.map(({ newData, oldData }) => [newData, oldData])).toEqual([
      [first, null],
      [second, first],
      [third, second],
      [null, third],
    ])
  })

  it('N68 with its whole state where a large change has come since, and a large property is gone since', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'item|update')
    const write = (entityId: string, patch: Json): Write => ({
      op: 'update',
      kind: kindNamed('item'),
      id: entityId,
      patch,
    })
    const small = item('small')
    const large = { ...item('large'), data: { typePath: 'item', name: 'large', text: 'x'.repeat(40_000) } } as Write
    await commitAndDie(org, [small, large])
    await commitAndDie(org, [write(small.id, { price: 1 }), write(large.id, { price: 1 })])
    await commitAndDie(org, [write(small.id, { text: 'y'.repeat(300_000) })])
    await commitAndDie(org, [write(small.id, { text: null }), write(large.id, { text: null })])
    await commitAndDie(org, [write(small.id, { text: 'z'.repeat(200_000) })])
    await commitAndDie(org, [{ op: 'delete', kind: kindNamed('item'), id: large.id }])
    await dispatch(env, org.id)
    const found = await eventually(() => processesOf(org, id), ended(6))
    const events = found.map(process => process.triggerEvent as Json)
    expect(events[0]).toMatchObject({ newData: { name: 'small', price: 1 } })
    expect(events[0]).not.toHaveProperty('truncated')
    expect(events[0]).not.toHaveProperty('newData.text')
    expect(events[1]).toMatchObject({ newData: { name: 'large', price: 1, text: 'x'.repeat(40_000) } })
    expect(events[1]).not.toHaveProperty('truncated')
    expect(events.slice(2).map(({ truncated }) => truncated)).toEqual([true, true, undefined, true])
    expect(events[4]).toMatchObject({ newData: { price: 1 }, oldData: { text: 'x'.repeat(40_000) } })
  })

  it('N36 not by what happened before the workflow was there', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'before' })
    const { id } = await listener(org, 'item|create')
    await org.make('/items', { name: 'after' })
    await eventually(() => processesOf(org, id), ended(1))
    await nothingLeft(org)
    const found = await processesOf(org, id)
    expect(found.map(process => process.triggerEvent)).toMatchObject([{ newData: { name: 'after' } }])
  })

  it('N36 by loads only where the workflow asks for them', async () => {
    const org = await newOrg()
    const plain = await listener(org, 'item|create')
    const loads = await listener(org, 'item|create', { includeLoads: true })
    await commitAndDie(org, [item('loaded')], 'loader')
    await org.make('/items', { name: 'by hand' })
    const both = await eventually(() => processesOf(org, loads.id), ended(2))
    expect(both.map(process => (process.triggerEvent as { newData: Json }).newData.name)).toEqual(['loaded', 'by hand'])
    await nothingLeft(org)
    expect(await processesOf(org, plain.id)).toMatchObject([{ triggerEvent: { newData: { name: 'by hand' } } }])
  })

  it('N36 by no load from before they asked for loads', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'item|create')
    const auth = { kind: 'header', name: 'X-Partner-Key', value: 'k-123' }
    const endpoint = { url: 'https://partner.example.com/', events: ['item|create'], auth }
    const configure = (includeLoads: boolean) =>
      operator('PUT', `/orgs/${org.slug}/endpoints/partner`, { ...endpoint, includeLoads })
    await configure(false)
    await nothingLeft(org)
    await commitAndDie(org, [item('earlier load')], 'loader')
    await org.put(`/event-workflows/${id}`, { includeLoads: true })
    await configure(true)
    await commitAndDie(org, [item('later load')], 'loader')
    // Neither is switched on again by being written again.
    await org.put(`/event-workflows/${id}`, { name: 'renamed' })
    await configure(true)
    await dispatch(env, org.id)
    const names = (await processesOf(org, id)).map(process => (process.triggerEvent as { newData: Json }).newData.name)
    expect(names).toEqual(['later load'])
    const { body } = await operator('GET', `/orgs/${org.slug}/endpoints/partner/deliveries`)
    expect(JSON.stringify(body)).toContain('later load')
    expect(JSON.stringify(body)).not.toContain('earlier load')
  })

  it('N36 ends a chain of workflows that trigger each other at depth 5 with workflow_loop', async () => {
    const org = await newOrg()
    const config = { operation: 'create', entityName: 'item', object: { name: 'again' } }
    const { id } = await org.make('/event-workflows', {
      triggerKey: 'item|create',
      paths: [{ tasks: [{ name: 'make', action: 'entity', config }] }],
    })
    await org.make('/items', { name: 'first' })
    const found = await eventually(() => processesOf(org, id), ended(6))
    expect(found.map(process => process.depth)).toEqual([1, 2, 3, 4, 5, 6])
    expect(found.at(-1)).toMatchObject({ status: 'failed', error: { code: 'workflow_loop' } })
    await nothingLeft(org)
    expect(await processesOf(org, id)).toHaveLength(6)
    expect((await org.get('/items', {})).body.results).toHaveLength(6)
  })

  it('N36 by assortment|publish, written in the transaction of the publish', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'assortment|publish')
    const event = { assortmentId: 'a', assortmentPublishChangeId: 'b' }
    const publish = { orgId: org.id, triggerKey: 'assortment|publish', event, createdById: 'load' }
    await databaseFor(env, org.id).batch([publishStatement(publish)])
    await dispatch(env, org.id)
    await dispatch(env, org.id)
    await nothingLeft(org)
    expect((await processesOf(org, id)).map(process => process.triggerEvent)).toEqual([event])
  })
})

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

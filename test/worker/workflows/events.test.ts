import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../src/features/events/dispatch.ts'
import { publishStatement } from '../../../src/features/history/outbox-store.ts'
import { kindNamed } from '../../../src/kinds.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import type { Write } from '../../../src/platform/db/commit/write.ts'
import { env, type Json, newOrg, operator, TestOrg } from '../api.ts'
import { eventually, nothingLeft } from '../eventually.ts'
import { commitAndDie, ended, item, listener } from './listeners.ts'
import { processesOf } from './runs.ts'

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

  it('N68 with who changed it last before, also where that was heard long ago', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'item|update')
    const issued = await operator<{ key: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'other' })
    const other = new TestOrg(org.slug, org.id, issued.body.key)
    const item = await org.make('/items', { name: 'a' })
    const { body: second } = await other.put(`/items/${item.id}`, { name: 'b' })
    await eventually(() => processesOf(org, id), ended(1))
    await org.put(`/items/${item.id}`, { name: 'c' })
    const [, event] = await eventually(() => processesOf(org, id), ended(2))
    expect(event?.triggerEvent).toHaveProperty('oldData', second)
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

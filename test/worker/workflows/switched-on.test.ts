// A workflow that is switched on hears of what comes then, not of what happened while it was off (N36).
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../src/features/events/dispatch.ts'
import { publishStatement } from '../../../src/features/history/outbox-store.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'
import { nothingLeft } from '../eventually.ts'
import { commitAndDie, item, listener } from './listeners.ts'
import { processesOf } from './runs.ts'

async function heard(org: TestOrg, id: string) {
  for (let times = 0; times < 2; times++) await dispatch(env, org.id)
  const processes = await processesOf(org, id)
  return processes.map(({ triggerEvent }) => (triggerEvent as { newData: Json }).newData.name)
}

describe('N36 a workflow that is switched on', () => {
  it.each([
    ['by isActive', 'item|create', { isActive: false }, { isActive: true }],
    ['by another trigger key', 'own-key', {}, { triggerKey: 'item|create' }],
  ])('%s hears of no load before, and of the next one', async (_, key, draft, change) => {
    const org = await newOrg()
    await listener(org, 'color|update')
    const { id } = await listener(org, key, { includeLoads: true, ...draft })
    await commitAndDie(org, [item('before')], 'loader')
    await dispatch(env, org.id)
    await org.put(`/event-workflows/${id}`, change)
    await commitAndDie(org, [item('after')], 'loader')
    expect(await heard(org, id)).toEqual(['after'])
  })

  it('hears of no change before, although nobody has read that yet', async () => {
    const org = await newOrg()
    await listener(org, 'color|update')
    const { id } = await listener(org, 'item|create', { isActive: false })
    await heard(org, id)
    await org.make('/items', { name: 'before' })
    await org.put(`/event-workflows/${id}`, { isActive: true })
    await org.make('/items', { name: 'after' })
    expect(await heard(org, id)).toEqual(['after'])
  })

  it('hears of no publish before', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'assortment|publish')
    await nothingLeft(org)
    const publish = (name: string) =>
      databaseFor(env, org.id).batch([
        publishStatement({
          orgId: org.id,
          triggerKey: 'assortment|publish',
          event: { newData: { name } },
          createdById: 'x',
        }),
      ])
    await publish('before')
    await org.put(`/event-workflows/${id}`, { isActive: false })
    await heard(org, id)
    await org.put(`/event-workflows/${id}`, { isActive: true })
    await publish('after')
    expect(await heard(org, id)).toEqual(['after'])
  })
})

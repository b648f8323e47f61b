// The session of an agent (N55): it finds a style, looks at its history, proposes a change, makes it, and ends a task that waits.
import { describe, expect, it } from 'vitest'
import { type Json, newOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { Agent } from './agent.ts'

describe('N55 an agent', () => {
  it('finds a style, looks at its history, proposes a change, makes it, and completes a task', async () => {
    const org = await newOrg()
    await org.make('/types', {
      typePath: 'item:shirt',
      properties: [{ slug: 'season', propertyType: 'choice', options: ['SS27', 'FW27'] }],
    })
    const style = await org.make('/items', {
      typePath: 'item:shirt',
      name: 'Linen shirt',
      federatedId: 'LS-1',
      season: 'SS27',
    })
    await org.put(`/items/${style.id}`, { name: 'Linen shirt II' })
    const task = await org.make('/event-workflow-tasks', { name: 'Confirm the price', async: true })
    const agent = new Agent(org.headers)

    const types = await agent.value('describe_types')
    expect(types.typePaths).toEqual([{ typePath: 'item:shirt' }])
    const type = await agent.value('describe_types', { typePath: 'item:shirt' })
    expect(type.properties).toMatchObject([{ slug: 'season', options: ['SS27', 'FW27'] }])

    const found = await agent.value('find_entities', { entityType: 'item', criteria: { season: { in: ['SS27'] } } })
    expect(found.results).toMatchObject([{ id: style.id, name: 'Linen shirt II' }])
    const one = await agent.value('get_entity', { entityType: 'item', federatedId: 'LS-1' })
    expect(one.entity).toMatchObject({ id: style.id, season: 'SS27' })
    expect(one.changes).toMatchObject([
      { changeType: 'update', changes: { name: { oldValue: 'Linen shirt', newValue: 'Linen shirt II' } } },
      { changeType: 'create' },
    ])

    const change = { entityType: 'item', entities: [{ federatedId: 'LS-1', season: 'FW27' }] }
    const proposed = await agent.value('write_entities', { ...change, dryRun: true })
    expect(proposed).toEqual({
      dryRun: true,
      results: [
        {
          outcome: 'update',
          id: style.id,
          federatedId: 'LS-1',
          version: 2,
          changes: { season: { oldValue: 'SS27', newValue: 'FW27' } },
        },
      ],
    })
    expect((await org.get(`/items/${style.id}`)).body).toMatchObject({ season: 'SS27', version: 2 })
    const made = await agent.value('write_entities', change)
    expect(made.results).toMatchObject([{ outcome: 'update', id: style.id, version: 3 }])
    const again = await agent.value('write_entities', change)
    expect(again.results).toEqual([{ outcome: 'unchanged', id: style.id, federatedId: 'LS-1', version: 3 }])

    const history = await agent.value('change_history', { entityReference: `item:${style.id}`, limit: 1 })
    expect(history.results).toMatchObject([
      { version: 3, changes: { season: { newValue: 'FW27' } }, createdByType: 'app' },
    ])
    const older = await agent.value('change_history', {
      entityReference: `item:${style.id}`,
      limit: 1,
      nextPageKey: history.nextPageKey,
    })
    expect(older.results).toMatchObject([{ version: 2 }])

    const waiting = await agent.value('waiting_tasks')
    expect(waiting.results).toMatchObject([{ id: task.id, name: 'Confirm the price' }])
    const done = await agent.value('complete_task', { taskId: task.id, status: 'SUCCESS', output: { price: 49 } })
    expect(done).toMatchObject({ status: 'complete', output: { price: 49 } })
    expect((await agent.value('waiting_tasks')).results).toEqual([])
  })

  it('finds by words over all types, once the index has followed', async () => {
    const org = await newOrg()
    await org.make('/colors', { name: 'Olive green', federatedId: 'C-7' })
    const agent = new Agent(org.headers)
    const found = await eventually(
      async () => (await agent.value('find_entities', { q: 'oliv' })).results as Json[],
      results => results.length > 0,
    )
    expect(found).toMatchObject([{ entityType: 'color', name: 'Olive green' }])
  })

  it('gets the entity that has a key, whatever the key reads like', async () => {
    const org = await newOrg()
    const agent = new Agent(org.headers)
    await org.make('/items', { federatedId: 'T' })
    const range = await org.make('/items', { federatedId: 'between S and XL' })
    const { entity } = await agent.value('get_entity', { entityType: 'item', federatedId: 'between S and XL' })
    expect(entity).toMatchObject({ id: range.id })
  })
})

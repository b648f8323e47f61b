// Writes of agents: under the name of their key, and only over what they have seen where they say so (N55).
import { describe, expect, it } from 'vitest'
import { type Json, newOrg, operator, recordsOf } from '../api.ts'
import { Agent } from './agent.ts'

const pathsOf = (value: Json) => (value.errors as Json[]).map(error => error.path)

describe('N55 a write', () => {
  it('stands in the history under its key, which has a name', async () => {
    const org = await newOrg()
    const issued = await operator('POST', `/orgs/${org.slug}/api-keys`, { name: 'pricing agent', tier: 'internal' })
    const agent = new Agent({ 'X-Api-Key': String(issued.body.key), 'X-Api-Org': org.slug })
    await agent.value('write_entities', { entityType: 'color', entities: [{ name: 'red' }] })
    const { results } = await agent.value('change_history')
    const keys = (await operator('GET', `/orgs/${org.slug}/api-keys`)).body.results as Json[]
    const [record] = results as Json[]
    expect(record).toMatchObject({ createdByType: 'app', createdById: issued.body.id })
    expect(keys.find(({ id }) => id === record?.createdById)).toMatchObject({ name: 'pricing agent' })
  })

  it('over a version that was seen is made once, and refused with what to do where somebody was faster', async () => {
    const org = await newOrg()
    const [shirt, other] = [
      await org.make('/items', { name: 'shirt', federatedId: 'S' }),
      await org.make('/items', { name: 'other' }),
    ]
    const agent = new Agent(org.headers)
    const change = { entityType: 'item', entities: [{ id: shirt.id, version: 1, price: 5 }] }
    const proposed = await agent.value('write_entities', { ...change, dryRun: true })
    expect(proposed.results).toMatchObject([{ outcome: 'update', version: 1 }])
    expect((await agent.value('write_entities', change)).results).toMatchObject([{ outcome: 'update', version: 2 }])
    const both = [
      { id: other.id, version: 1, price: 6 },
      { id: shirt.id, version: 1, price: 7 },
    ]
    const upserts = [{ federatedId: 'S', version: 1, price: 7 }]
    for (const [entities, path] of [
      [change.entities, '/entities/0/version'],
      [both, '/entities/1/version'],
      [upserts, '/entities/0/version'],
    ] as [Json[], string][]) {
      for (const dryRun of [true, false]) {
        const told = await agent.call('write_entities', { entityType: 'item', entities, dryRun })
        expect([told.isError, told.value.code]).toEqual([true, 'precondition_failed'])
        expect(pathsOf(told.value)).toEqual([path])
        expect(told.text).toContain('You have seen version 1; it is version 2 now.')
        expect(told.text).toContain('get_entity')
      }
    }
    expect((await org.get(`/items/${other.id}`)).body.version).toBe(1)
    expect(await recordsOf(shirt.id)).toHaveLength(2)
    const seen = await agent.value('get_entity', { entityType: 'item', federatedId: 'S' })
    const { version } = seen.entity as Json
    const again = [{ federatedId: 'S', version, price: 7 }]
    const made = await agent.value('write_entities', { entityType: 'item', entities: again })
    expect(made.results).toMatchObject([{ outcome: 'update', version: 3 }])
  })

  it('of two at the same time over one version is made by one of them', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'shirt' })
    const agent = new Agent(org.headers)
    const told = await Promise.all(
      [1, 2, 3].map(price =>
        agent.call('write_entities', { entityType: 'item', entities: [{ id: item.id, version: 1, price }] }),
      ),
    )
    expect(told.map(({ isError }) => isError).sort()).toEqual([false, true, true])
    expect(told.filter(({ isError }) => isError).map(({ value }) => value.code)).toEqual([
      'precondition_failed',
      'precondition_failed',
    ])
    expect(await recordsOf(item.id)).toHaveLength(2)
  })

  it('refuses a version of what is not there, and one that is none', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'shirt' })
    const agent = new Agent(org.headers)
    const cases: [Json, string][] = [
      [{ name: 'new', version: 1 }, 'invalid_input'],
      [{ id: item.id, version: '1' }, 'invalid_input'],
      [{ id: item.id, version: 0 }, 'invalid_input'],
      [{ federatedId: 'nothing', version: 1 }, 'precondition_failed'],
    ]
    for (const [entity, code] of cases) {
      const told = await agent.call('write_entities', { entityType: 'item', entities: [entity] })
      expect([told.isError, told.value.code]).toEqual([true, code])
      expect(pathsOf(told.value)).toEqual(['/entities/0/version'])
    }
    const any = await agent.value('write_entities', { entityType: 'item', entities: [{ id: item.id, version: null }] })
    expect(any.results).toMatchObject([{ outcome: 'unchanged', version: 1 }])
  })

  it('tells what was there before, also of a property that is named like what every object has', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'shirt' })
    const agent = new Agent(org.headers)
    const write = async (value: string) => {
      const entities = [{ id: item.id, toString: value, valueOf: null }]
      return (await agent.value('write_entities', { entityType: 'item', entities })).results
    }
    const changes = (oldValue: unknown, newValue: unknown) => [{ changes: { toString: { oldValue, newValue } } }]
    expect(await write('own')).toMatchObject(changes(null, 'own'))
    expect(await write('other')).toMatchObject(changes('own', 'other'))
    expect(await write('other')).toMatchObject([{ outcome: 'unchanged' }])
  })

  it('by federatedId under two type paths shows and changes the entity of the type path it names', async () => {
    const org = await newOrg()
    for (const path of ['mill', 'dyer']) {
      await org.make('/types', { typePath: `custom-entity:${path}` })
      await org.make('/custom-entities', { typePath: `custom-entity:${path}`, federatedId: 'F', city: path })
    }
    const agent = new Agent(org.headers)
    for (const path of ['mill', 'dyer']) {
      const entities = [{ typePath: `custom-entity:${path}`, federatedId: 'F', city: 'Porto' }]
      for (const dryRun of [true, false]) {
        const { results } = await agent.value('write_entities', { entityType: 'custom-entity', entities, dryRun })
        expect(results).toMatchObject([{ changes: { city: { oldValue: path, newValue: 'Porto' } } }])
      }
    }
    const root = [{ typePath: null, federatedId: 'F', city: 'Faro' }]
    for (const outcome of ['create', 'unchanged']) {
      const input = { entityType: 'custom-entity', entities: root }
      expect((await agent.value('write_entities', input)).results).toMatchObject([{ outcome }])
    }
    expect((await org.get('/custom-entities')).body.results).toHaveLength(3)
  })
})

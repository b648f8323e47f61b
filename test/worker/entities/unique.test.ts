import { describe, expect, it } from 'vitest'
import { type Answer, type Json, newOrg, recordsOf } from '../api.ts'

const duplicate = (path: string) => ({ status: 409, body: { code: 'duplicate', errors: [{ path }] } })

function expectDuplicate(answer: Answer, path: string) {
  expect(answer).toMatchObject(duplicate(path))
}

describe('federatedId', () => {
  it('is unique per entity type and organization, on create and on update', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    await org.make('/items', { federatedId: 'F' })
    const second = await org.make('/items', { federatedId: 'G' })
    expectDuplicate(await org.post('/items', { federatedId: 'F' }), '/federatedId')
    expectDuplicate(await org.put(`/items/${second.id}`, { federatedId: 'F', name: 'lost' }), '/federatedId')
    expect((await org.get(`/items/${second.id}`)).body).toEqual(second)
    expect(await recordsOf(second.id)).toHaveLength(1)
    await org.make('/colors', { federatedId: 'F' })
    await other.make('/items', { federatedId: 'F' })
  })

  it('may be kept, cleared, and taken again', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { federatedId: 'F' })
    expect((await org.put(`/items/${id}`, { federatedId: 'F', name: 'same' })).status).toBe(200)
    expect((await org.put(`/items/${id}`, { federatedId: null })).body.federatedId).toBeNull()
    const next = await org.make('/items', { federatedId: 'F' })
    await org.delete(`/items/${next.id}`)
    await org.make('/items', { federatedId: 'F' })
  })

  it('tells apart case, spaces and numbers that look alike', async () => {
    const org = await newOrg()
    for (const federatedId of ['a', 'A', ' a', 'a ', '1', '1.0', '01', 'ä', 'a\u0308']) {
      expect((await org.post('/items', { federatedId })).status).toBe(201)
    }
  })

  it('is unique per type path for custom entities, also when the type path changes', async () => {
    const org = await newOrg()
    const a = await org.make('/custom-entities', { typePath: 'custom-entity:a', federatedId: 'F' })
    const b = await org.make('/custom-entities', { typePath: 'custom-entity:b', federatedId: 'F' })
    expectDuplicate(
      await org.post('/custom-entities', { typePath: 'custom-entity:a', federatedId: 'F' }),
      '/federatedId',
    )
    expectDuplicate(await org.put(`/custom-entities/${b.id}`, { typePath: 'custom-entity:a' }), '/federatedId')
    const c = await org.make('/custom-entities', { typePath: 'custom-entity:a', federatedId: 'G' })
    expectDuplicate(await org.put(`/custom-entities/${c.id}`, { federatedId: 'F' }), '/federatedId')
    expect((await org.get(`/custom-entities/${b.id}`)).body).toEqual(b)
    expect((await org.put(`/custom-entities/${a.id}`, { typePath: 'custom-entity:c' })).status).toBe(200)
    expect((await org.put(`/custom-entities/${b.id}`, { typePath: 'custom-entity:a' })).status).toBe(200)
  })

  it('that a custom entity gives up while it moves to another type path is in nobody’s way', async () => {
    const org = await newOrg()
    await org.make('/custom-entities', { typePath: 'custom-entity:a', federatedId: 'F' })
    const { id } = await org.make('/custom-entities', { typePath: 'custom-entity:b', federatedId: 'F' })
    const moved = await org.put(`/custom-entities/${id}`, { typePath: 'custom-entity:a', federatedId: null })
    expect(moved).toMatchObject({ status: 200, body: { typePath: 'custom-entity:a', federatedId: null } })
    await org.make('/custom-entities', { typePath: 'custom-entity:b', federatedId: 'F' })
  })

  it('has exactly one winner of many simultaneous creates', async () => {
    const org = await newOrg()
    const answers = await Promise.all(Array.from({ length: 10 }, () => org.post('/items', { federatedId: 'F' })))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, ...Array(9).fill(409)])
    expect((await org.get('/items')).body.results).toHaveLength(1)
  })

  it.each(['', 'x'.repeat(513), 'tab\t', 'nul\u0000', 5, true, ['a'], { a: 1 }])('cannot be %j', async federatedId => {
    const org = await newOrg()
    const answer = await org.post('/items', { federatedId })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/federatedId' }] } })
  })
})

describe('identifier', () => {
  it.each(['/workspaces', '/assortments', '/items'])('is unique among %s on create and on update', async path => {
    const org = await newOrg()
    await org.make(path, { identifier: 'I' })
    const second = await org.make(path, { identifier: 'J' })
    expectDuplicate(await org.post(path, { identifier: 'I' }), '/identifier')
    expectDuplicate(await org.put(`${path}/${second.id}`, { identifier: 'I' }), '/identifier')
    expect((await org.put(`${path}/${second.id}`, { identifier: null })).status).toBe(200)
    await org.make(path, { identifier: 'J' })
    await (await newOrg()).make(path, { identifier: 'I' })
  })

  it('is named beside a federatedId that is taken too', async () => {
    const org = await newOrg()
    await org.make('/workspaces', { identifier: 'I', federatedId: 'F' })
    const { body } = await org.post('/workspaces', { identifier: 'I', federatedId: 'F' })
    expect((body.errors as Json[]).map(error => error.path).sort()).toEqual(['/federatedId', '/identifier'])
  })
})

describe('pairs', () => {
  it.each([
    ['/project-items', 'projectId', '/projects'],
    ['/assortment-items', 'assortmentId', '/assortments'],
  ] as const)('of %s are unique on create and on update of either half', async (path, field, parents) => {
    const org = await newOrg()
    const [itemA, itemB] = [await org.make('/items'), await org.make('/items')]
    const [parentA, parentB] = [await org.make(parents), await org.make(parents)]
    await org.make(path, { itemId: itemA.id, [field]: parentA.id })
    const other = await org.make(path, { itemId: itemB.id, [field]: parentA.id })
    const third = await org.make(path, { itemId: itemA.id, [field]: parentB.id })
    expectDuplicate(await org.post(path, { itemId: itemA.id, [field]: parentA.id }), '')
    expectDuplicate(await org.put(`${path}/${other.id}`, { itemId: itemA.id }), '')
    expectDuplicate(await org.put(`${path}/${third.id}`, { [field]: parentA.id }), '')
    expect((await org.put(`${path}/${other.id}`, { itemId: itemB.id, [field]: parentB.id })).status).toBe(200)
    expect((await org.put(`${path}/${other.id}`, { itemId: null })).status).toBe(400)
  })

  it('of the same type path make one type', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item:a' })
    expectDuplicate(await org.post('/types', { typePath: 'item:a' }), '/typePath')
    const other = await org.make('/types', { typePath: 'anything:goes' })
    expectDuplicate(await org.put(`/types/${other.id}`, { typePath: 'item:a' }), '/typePath')
  })
})

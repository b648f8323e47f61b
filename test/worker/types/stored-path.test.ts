// Updates that name no type path are held against the types of the path that is stored.
import { describe, expect, it } from 'vitest'
import { newOrg, recordsOf, type TestOrg } from '../api.ts'

const type = (org: TestOrg, typePath: string, propertyType: string) =>
  org.make('/types', { typePath, properties: [{ slug: 'a', propertyType }] })

describe('N21 an update', () => {
  it('is held against a type that came after the types were last looked at', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'x', federatedId: 'F' })
    await type(org, 'item', 'number')
    const updates = [
      () => org.put(`/items/${item.id}`, { a: 'text' }),
      () => org.put('/items/batch', [{ id: item.id, a: 'text' }]),
      () => org.call('POST', '/items/batch?upsertBy=federatedId', { body: [{ federatedId: 'F', a: 'text' }] }),
    ]
    for (const update of updates) expect((await update()).status).toBe(400)
    expect(await recordsOf(item.id)).toHaveLength(1)
  })

  it('is held against a type that has changed in the meantime, each way', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', {})
    const defined = await type(org, 'item', 'number')
    expect((await org.put(`/items/${id}`, { a: 1 })).status).toBe(200)
    await org.put(`/types/${defined.id}`, { properties: [{ slug: 'a', propertyType: 'string' }] })
    expect((await org.put(`/items/${id}`, { a: 2 })).status).toBe(400)
    expect((await org.put(`/items/${id}`, { a: 'two' })).status).toBe(200)
    await org.put(`/types/${defined.id}`, { properties: [] })
    expect((await org.put(`/items/${id}`, { a: 3 })).status).toBe(200)
  })

  it('is held against the nearest type at or above the stored path, and no other', async () => {
    const org = await newOrg()
    await type(org, 'item', 'number')
    await type(org, 'item:x', 'string')
    await type(org, 'item:x:y', 'boolean')
    const takes = async (typePath: string) => {
      const { id } = await org.make('/items', { typePath })
      const statuses: Record<string, number> = {}
      for (const [name, a] of Object.entries({ number: 1, string: 'text', boolean: true })) {
        statuses[name] = (await org.put(`/items/${id}`, { a })).status
      }
      return Object.keys(statuses).filter(name => statuses[name] === 200)
    }
    expect(await takes('item')).toEqual(['number'])
    expect(await takes('item:w')).toEqual(['number'])
    expect(await takes('item:x')).toEqual(['string'])
    expect(await takes('item:x:z')).toEqual(['string'])
    expect(await takes('item:x:y')).toEqual(['boolean'])
    expect(await takes('item:x:y:z')).toEqual(['boolean'])
    // Begins with the same letters, and is another path.
    expect(await takes('item:xy')).toEqual(['number'])
  })

  it('names as many references as it likes where every type inherits the list from its root', async () => {
    const org = await newOrg()
    const types = Array.from({ length: 999 }, (_, at) => ({ typePath: `item:t${at}`, properties: [] }))
    const root = { typePath: 'item', properties: [{ slug: 'related', propertyType: 'object_ref_list' }] }
    expect((await org.post('/types/batch', [root, ...types])).status).toBe(201)
    const many = Array.from({ length: 100 }, (_, at) => ({ name: `n${at}` }))
    const made = await org.post('/items/batch', many)
    const related = made.body.results?.map(({ id }) => id)
    const { id } = await org.make('/items', { typePath: 'item:t5' })
    expect((await org.put(`/items/${id}`, { related })).status).toBe(200)
    const refused = await org.put(`/items/${id}`, { related: [...(related ?? []), 'nowhere'] })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/related/100' }] } })
  })

  it('says where a reference stands by a JSON Pointer, also on restoring', async () => {
    const org = await newOrg()
    const slug = 'a/b~c'
    await org.make('/types', { typePath: 'item', properties: [{ slug, propertyType: 'object_ref_list' }] })
    const [other, item] = [await org.make('/items'), await org.make('/items')]
    const errors = [expect.objectContaining({ path: '/a~1b~0c/0' })]
    for (const body of [{ [slug]: ['nowhere'] }, { [slug]: ['nowhere'], typePath: 'item' }]) {
      expect((await org.put(`/items/${item.id}`, body)).body.errors).toEqual(errors)
    }
    await org.put(`/items/${item.id}`, { [slug]: [other.id] })
    await org.put(`/items/${item.id}`, { [slug]: null })
    await org.delete(`/items/${other.id}`)
    const { status, body } = await org.post(`/items/${item.id}/restore`, { version: 2 })
    const message = `There is no entity with the id "${other.id}" any more.`
    expect([status, body.errors]).toEqual([409, [{ path: '/a~1b~0c/0', message }]])
  })

  it('is taken as it is where only types define the list that it does not have', async () => {
    const org = await newOrg()
    await type(org, 'item:x', 'object_ref_list')
    const { id } = await org.make('/items', { typePath: 'item:y' })
    expect((await org.put(`/items/${id}`, { a: ['nowhere'] })).status).toBe(200)
    const other = await org.make('/items', { typePath: 'item:x' })
    expect((await org.put(`/items/${other.id}`, { a: ['nowhere'] })).status).toBe(400)
  })
})

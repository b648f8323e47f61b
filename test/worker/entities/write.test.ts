import { describe, expect, it } from 'vitest'
import { newOrg, recordsOf } from '../api.ts'

describe('create', () => {
  it('N14 answers 201 with Location and ETag, and writes one change record', async () => {
    const org = await newOrg()
    const answer = await org.post('/items', { name: 'Jacket', typePath: 'item:apparel', price: 10 })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('Location')).toBe(`/api/items/${answer.body.id}`)
    expect(answer.headers.get('ETag')).toBe('"1"')
    expect(answer.body).toMatchObject({
      orgId: org.id,
      name: 'Jacket',
      typePath: 'item:apparel',
      price: 10,
      version: 1,
    })
    expect(await recordsOf(String(answer.body.id))).toEqual([
      { change_type: 'create', version: 1, detail: { name: 'Jacket', typePath: 'item:apparel', price: 10 } },
    ])
  })

  it('N14 gives the root type path where none is sent, and refuses one of another root', async () => {
    const org = await newOrg()
    expect((await org.post('/colors', {})).body.typePath).toBe('color')
    const refused = await org.post('/colors', { typePath: 'item:x' })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: 'invalid_input', errors: [{ path: '/typePath' }] })
  })

  it('N14 ignores read-only fields, so that a fetched entity can be sent back', async () => {
    const org = await newOrg()
    const made = await org.make('/items', { name: 'a', nested: { x: null } })
    const sent = await org.put(`/items/${made.id}`, made)
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual(made)
    expect(await recordsOf(made.id)).toHaveLength(1)
  })
})

describe('update', () => {
  it('N14 replaces the fields sent, each whole, keeps the others, clears by null, and keeps nested nulls', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'a', keep: 1, clear: 2, nested: { x: 1, y: 2 } })
    const answer = await org.put(`/items/${id}`, { name: 'b', clear: null, nested: { x: null } })
    expect(answer.body).toMatchObject({ name: 'b', keep: 1, nested: { x: null }, version: 2 })
    expect(answer.body).not.toHaveProperty('clear')
    const [, record] = await recordsOf(id)
    expect(record).toEqual({
      change_type: 'update',
      version: 2,
      detail: {
        name: { oldValue: 'a', newValue: 'b' },
        clear: { oldValue: 2, newValue: null },
        nested: { oldValue: { x: 1, y: 2 }, newValue: { x: null } },
      },
    })
  })

  it('N15 keeps all of twelve concurrent updates of different fields', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'a' })
    const fields = Array.from({ length: 12 }, (_, at) => `field${at}`)
    await Promise.all(fields.map(field => org.put(`/items/${id}`, { [field]: field })))
    const { body } = await org.get(`/items/${id}`)
    expect(body).toMatchObject(Object.fromEntries(fields.map(field => [field, field])))
    expect(body.version).toBe(13)
    expect(await recordsOf(id)).toHaveLength(13)
  })
})

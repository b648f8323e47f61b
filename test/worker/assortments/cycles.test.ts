import { describe, expect, it } from 'vitest'
import { newOrg, recordsOf, type TestOrg } from '../api.ts'

const compose = (org: TestOrg, id: string, members: string[]) =>
  org.put(`/assortments/${id}`, { memberAssortmentIds: members })

describe('an assortment', () => {
  it('does not contain itself, directly or through composites: 400 that names the cycle', async () => {
    const org = await newOrg()
    const [a, b, c] = [await org.make('/assortments'), await org.make('/assortments'), await org.make('/assortments')]
    expect((await compose(org, a.id, [b.id])).status).toBe(200)
    expect((await compose(org, b.id, [c.id])).status).toBe(200)

    const itself = await compose(org, c.id, [c.id])
    expect(itself.body).toMatchObject({ status: 400, errors: [{ path: '/memberAssortmentIds' }] })
    expect(JSON.stringify(itself.body.errors)).toContain(`${c.id} > ${c.id}.`)

    const through = await compose(org, c.id, [a.id])
    expect(through.status).toBe(400)
    expect(JSON.stringify(through.body.errors)).toContain([c.id, a.id, b.id, c.id].join(' > '))
    expect(await recordsOf(c.id)).toHaveLength(1)
  })

  it('does not get there by a batch either, which names the place', async () => {
    const org = await newOrg()
    const [a, b] = [await org.make('/assortments'), await org.make('/assortments')]
    const { status, body } = await org.put('/assortments/batch', [
      { id: a.id, memberAssortmentIds: [b.id] },
      { id: b.id, memberAssortmentIds: [a.id] },
    ])
    expect([status, (body.errors as { path: string }[])[0]?.path]).toEqual([400, '/0/memberAssortmentIds'])
    expect((await org.get(`/assortments/${a.id}`)).body.version).toBe(1)
  })

  it('does not get there by a batch of many members, nor by one of more than can be checked: 413, and fewer are looked at', async () => {
    const org = await newOrg()
    const made = async (count: number, members: string[] = []) => {
      const bodies = Array.from({ length: count }, (_, at) => ({ name: `a${at}`, memberAssortmentIds: members }))
      return (await org.post('/assortments/batch', bodies)).body.results?.map(({ id }) => String(id)) ?? []
    }
    const leaves = await made(1000)
    const [itself = '', ...tops] = await made(330)
    const circle = { id: itself, memberAssortmentIds: [itself] }
    const wide = tops.slice(0, 110).map(id => ({ id, memberAssortmentIds: leaves }))
    expect((await org.put('/assortments/batch', [...wide, circle])).status).toBe(400)
    expect((await org.put('/assortments/batch', wide)).status).toBe(200)

    const composites = await made(320, leaves.slice(0, 1))
    const above = tops.slice(0, 320).map(id => ({ id, memberAssortmentIds: composites }))
    const { status, body } = await org.put('/assortments/batch', [...above, circle])
    expect([status, body.code]).toEqual([413, 'too_large'])
    expect(body.detail).toContain('fewer composites at a time')
    expect((await org.get(`/assortments/${itself}`)).body.version).toBe(1)
    expect((await org.put('/assortments/batch', above.slice(0, 300))).status).toBe(200)
    expect((await org.put('/assortments/batch', [...above.slice(0, 200), circle])).status).toBe(400)
  })

  it('may be reached by two ways, and may leave a composite to enter another', async () => {
    const org = await newOrg()
    const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map(() => org.make('/assortments')))
    const ids = [a, b, c, d].map(made => made?.id ?? '') as [string, string, string, string]
    expect((await compose(org, ids[0], [ids[1], ids[2]])).status).toBe(200)
    expect((await compose(org, ids[1], [ids[3]])).status).toBe(200)
    expect((await compose(org, ids[2], [ids[3]])).status).toBe(200)
    expect((await compose(org, ids[0], [])).status).toBe(200)
    expect((await compose(org, ids[3], [ids[0]])).status).toBe(200)
  })
})

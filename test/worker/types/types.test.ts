import { describe, expect, it } from 'vitest'
import { type Json, newOrg, type TestOrg } from '../api.ts'

const PROPERTIES = [
  ['text', 'string', 'abc', 7],
  ['longText', 'text', 'abc', []],
  ['weight', 'number', 1.5, '1.5'],
  ['price', 'currency', 10, 'ten'],
  ['share', 'percent', 0.5, true],
  ['isNew', 'boolean', false, 'false'],
  ['launch', 'date', '2026-02-28', '2026-02-30'],
  ['fit', 'choice', 'slim', 'wide'],
  ['markets', 'multi_select', ['eu', 'us'], ['eu', 'moon']],
  ['page', 'url', 'https://example.com/a', 'javascript:alert(1)'],
  ['anything', 'json', { a: [null] }, undefined],
] as const

const OPTIONS: Record<string, unknown[]> = { fit: ['slim', { value: 'loose', label: 'Loose' }], markets: ['eu', 'us'] }

async function describeItems(org: TestOrg): Promise<void> {
  const properties = PROPERTIES.map(([slug, propertyType]) => ({ slug, propertyType, options: OPTIONS[slug] ?? null }))
  await org.make('/types', { typePath: 'item', label: 'Item', properties })
}

describe('N21 typed properties', () => {
  it.each(PROPERTIES)('%s (%s) accepts what fits', async (slug, _type, good) => {
    const org = await newOrg()
    await describeItems(org)
    expect((await org.post('/items', { [slug]: good })).status).toBe(201)
  })

  it('name every property that does not fit, on create, update and batch, and write nothing', async () => {
    const org = await newOrg()
    await describeItems(org)
    const { id } = await org.make('/items', { name: 'a' })
    const bad = Object.fromEntries(PROPERTIES.filter(row => row[3] !== undefined).map(row => [row[0], row[3]]))
    const paths = Object.keys(bad).map(slug => `/${slug}`)
    const pathsIn = (body: Json) => (body.errors as { path: string }[]).map(error => error.path)
    const created = await org.post('/items', bad)
    expect(created.status).toBe(400)
    expect(pathsIn(created.body)).toEqual(paths)
    const updated = await org.put(`/items/${id}`, bad)
    expect(updated.status).toBe(400)
    expect(pathsIn(updated.body)).toEqual(paths)
    const batch = await org.put('/items/batch', [{ id, weight: 'x' }])
    expect(batch.body).toMatchObject({ status: 400, errors: [{ path: '/0/weight' }] })
    expect((await org.get(`/items/${id}`)).body.version).toBe(1)
    expect((await org.get('/items')).body.results).toHaveLength(1)
  })

  it('accept what no type defines, as it comes', async () => {
    const org = await newOrg()
    await describeItems(org)
    expect((await org.post('/items', { unheardOf: { deep: [1] } })).status).toBe(201)
    expect((await org.post('/colors', { weight: 'not an item' })).status).toBe(201)
  })

  it('a type inherits, and an update is held against the type path that is stored', async () => {
    const org = await newOrg()
    await org.make('/types', {
      typePath: 'item:shoe',
      properties: [{ slug: 'heel', propertyType: 'number', required: true }],
    })
    await org.make('/types', { typePath: 'item:bag', properties: [{ slug: 'heel', propertyType: 'string' }] })
    const shoe = await org.make('/items', { typePath: 'item:shoe:boot', heel: 3 })
    const bag = await org.make('/items', { typePath: 'item:bag', heel: 'none' })
    const plain = await org.make('/items', { heel: true })
    expect((await org.put(`/items/${shoe.id}`, { heel: 'high' })).body).toMatchObject({
      status: 400,
      errors: [{ path: '/heel' }],
    })
    expect((await org.put(`/items/${bag.id}`, { heel: 'high' })).status).toBe(200)
    expect((await org.put(`/items/${plain.id}`, { heel: 'high' })).status).toBe(200)
    expect((await org.put(`/items/${shoe.id}`, { heel: null })).body).toMatchObject({ status: 400 })
    expect((await org.post('/items', { typePath: 'item:shoe' })).body).toMatchObject({
      status: 400,
      errors: [{ path: '/heel' }],
    })
  })

  it('references must name entities of the organization', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const foreign = await other.make('/colors', {})
    const own = await org.make('/colors', {})
    const properties = [
      { slug: 'main', propertyType: 'object_reference' },
      { slug: 'all', propertyType: 'object_ref_list' },
    ]
    await org.make('/types', { typePath: 'item', properties })
    expect((await org.post('/items', { main: own.id, all: [own.id] })).status).toBe(201)
    const refused = await org.post('/items', { main: foreign.id, all: [own.id, foreign.id] })
    expect(refused.body).toMatchObject({ status: 400, errors: [{ path: '/main' }, { path: '/all/1' }] })
  })

  it('a slug of any characters is named whole where its reference is refused', async () => {
    const org = await newOrg()
    const slugs = ['a 0:types:', "it's", 'refused 0:moved:', 'größe %41', '100%']
    const properties = slugs.map(slug => ({ slug, propertyType: 'object_reference' }))
    await org.make('/types', { typePath: 'item', properties })
    const { id } = await org.make('/items')
    for (const slug of slugs) {
      const created = await org.post('/items', { [slug]: 'AAAAAAAAAAAAAAAA' })
      expect([created.status, created.body.errors]).toMatchObject([400, [{ path: `/${slug}` }]])
      const updated = await org.put(`/items/${id}`, { [slug]: 'AAAAAAAAAAAAAAAA' })
      expect([updated.status, updated.body.errors]).toMatchObject([400, [{ path: `/${slug}` }]])
    }
  })

  it('a changed type acts on the next write', async () => {
    const org = await newOrg()
    const type = await org.make('/types', { typePath: 'item', properties: [{ slug: 'a', propertyType: 'number' }] })
    expect((await org.post('/items', { a: 'text' })).status).toBe(400)
    await org.put(`/types/${type.id}`, { properties: [{ slug: 'a', propertyType: 'string' }] })
    expect((await org.post('/items', { a: 'text' })).status).toBe(201)
    await org.put(`/types/${type.id}`, { properties: [] })
    expect((await org.post('/items', { a: 7 })).status).toBe(201)
  })
})

describe('N20 types', () => {
  it('answer with inheritance resolved, by type path and in the list, and can be sent back', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item', label: 'Item', properties: [{ slug: 'a', propertyType: 'string' }] })
    const shoe = await org.make('/types', {
      typePath: 'item:shoe',
      properties: [{ slug: 'b', propertyType: 'number' }],
    })
    const { body } = await org.get('/types/item:shoe')
    expect(body).toMatchObject({
      typePath: 'item:shoe',
      rootTypePath: 'item',
      properties: [
        { slug: 'a', inheritedFrom: 'item' },
        { slug: 'b', propertyType: 'number' },
      ],
    })
    expect((await org.put(`/types/${shoe.id}`, body)).body).toMatchObject({ version: 1, properties: [{ slug: 'b' }] })
    const list = await org.get('/types')
    expect(list.body.results?.map(type => type.rootTypePath)).toEqual(['item', 'item'])
    expect(list.body.entityTypes).toContainEqual(
      expect.objectContaining({ entityType: 'project-item', rootTypePath: 'project-item' }),
    )
  })

  it('know the roots that nobody has described, and no others', async () => {
    const org = await newOrg()
    expect((await org.get('/types/project-item')).body).toMatchObject({ typePath: 'project-item', properties: [] })
    expect((await org.get('/types/item:nothing')).status).toBe(404)
    expect((await org.get('/types/nothing')).status).toBe(404)
  })

  it.each([
    ['a second type of the same path', { typePath: 'item' }, 409],
    ['no type path', { properties: [] }, 400],
    ['a property type that does not exist', { typePath: 'a', properties: [{ slug: 'x', propertyType: 'text2' }] }, 400],
    [
      'a slug twice',
      {
        typePath: 'a',
        properties: [
          { slug: 'x', propertyType: 'text' },
          { slug: 'x', propertyType: 'text' },
        ],
      },
      400,
    ],
    ['a slug that the service sets', { typePath: 'a', properties: [{ slug: 'version', propertyType: 'text' }] }, 400],
    [
      'an unknown part of a property',
      { typePath: 'a', properties: [{ slug: 'x', propertyType: 'text', lable: 'X' }] },
      400,
    ],
  ])('refuse %s', async (_, body, status) => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item' })
    expect((await org.post('/types', body)).status).toBe(status)
  })
})

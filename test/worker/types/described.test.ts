// Which types there are, how they are addressed, and what may not be described (N67).
import { describe, expect, it } from 'vitest'
import { PAGE_MAX_BYTES, QUOTAS } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'

const property = (slug: string, more: Json = {}) => ({ slug, propertyType: 'string', ...more })

const slugs = (body: Json) => (body.properties as { slug: string }[]).map(({ slug }) => slug)

const get = (org: TestOrg, path: string, tag: string) =>
  org.call('GET', `/types/${path}`, { headers: { 'If-None-Match': tag } })

describe('N67 a type that nobody described', () => {
  it('has what the nearest described path above it defines', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item:shoe', properties: [property('heel')] })
    for (const path of ['item:shoe:boot', 'item:shoe:boot:high']) {
      const { status, body } = await org.get(`/types/${path}`)
      expect([status, body.typePath, slugs(body)]).toEqual([200, path, ['heel']])
      expect(body.properties).toEqual([expect.objectContaining({ inheritedFrom: 'item:shoe' })])
    }
    expect((await org.get('/types/item:bag')).status).toBe(404)
    expect((await org.get('/types/item:shoes')).status).toBe(404)
  })

  it('has an ETag too, like a root', async () => {
    const org = await newOrg()
    const first = await org.get('/types/item')
    const etag = first.headers.get('ETag') ?? ''
    expect(etag).toMatch(/^"0-[\w-]+"$/)
    expect((await get(org, 'item', etag)).status).toBe(304)
    await org.make('/types', { typePath: 'item', properties: [property('a')] })
    expect((await get(org, 'item', etag)).status).toBe(200)
  })
})

describe('N67 the ETag of a type', () => {
  it('changes with its parents, and with nothing else', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item', properties: [property('a')] })
    await org.make('/types', { typePath: 'item:shoe', properties: [property('b')] })
    const etag = (await org.get('/types/item:shoe')).headers.get('ETag') ?? ''
    await org.make('/types', { typePath: 'item:bag', properties: [property('c')] })
    expect((await get(org, 'item:shoe', etag)).status).toBe(304)
    await org.put('/types/item', { properties: [property('a'), property('z')] })
    const changed = await get(org, 'item:shoe', etag)
    expect([changed.status, slugs(changed.body)]).toEqual([200, ['a', 'z', 'b']])
  })

  it('is taken by If-Match: what is written is the type alone', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item', properties: [property('a')] })
    await org.make('/types', { typePath: 'item:shoe' })
    const etag = (await org.get('/types/item:shoe')).headers.get('ETag') ?? ''
    const put = (label: string) =>
      org.call('PUT', '/types/item:shoe', { body: { label }, headers: { 'If-Match': etag } })
    await org.put('/types/item', { properties: [] })
    expect((await put('Shoe')).status).toBe(200)
    expect((await put('Shoes')).status).toBe(412)
  })
})

describe('N67 PUT and DELETE of a type', () => {
  it('take its path as well as its id', async () => {
    const org = await newOrg()
    const { id } = await org.make('/types', { typePath: 'item:shoe' })
    expect((await org.put('/types/item:shoe', { label: 'Shoe' })).body).toMatchObject({ id, version: 2, label: 'Shoe' })
    expect((await org.put(`/types/${id}`, { label: 'Boot' })).body).toMatchObject({ id, version: 3 })
    expect((await org.put('/types/item:bag', { label: 'Bag' })).status).toBe(404)
    expect((await org.delete('/types/item:bag')).status).toBe(404)
    expect((await org.delete('/types/item:shoe')).status).toBe(204)
    expect((await recordsOf(id)).map(record => record.change_type)).toEqual(['create', 'update', 'update', 'delete'])
    expect((await org.get(`/types/${id}`)).status).toBe(404)
  })

  it('do not reach the types of others by path', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    await other.make('/types', { typePath: 'item:shoe' })
    expect((await org.put('/types/item:shoe', { label: 'x' })).status).toBe(404)
    expect((await org.delete('/types/item:shoe')).status).toBe(404)
  })
})

describe('N67 a fetched type', () => {
  it('can be sent back as it is, whatever it inherits and however far its indexes are', async () => {
    const org = await newOrg()
    const properties = (from: string) => Array.from({ length: 300 }, (_, at) => property(`${from}${at}`))
    await org.make('/types', { typePath: 'item', properties: properties('a') })
    const own = [...properties('b'), property('fast', { indexed: true })]
    await org.make('/types', { typePath: 'item:shoe', properties: own })
    const fetched = (await org.get('/types/item:shoe')).body
    expect([slugs(fetched).length, fetched.indexes]).toEqual([601, [expect.objectContaining({ property: 'fast' })]])
    expect(await org.put('/types/item:shoe', fetched)).toMatchObject({ status: 200, body: { version: 1 } })
    expect((await org.put('/types/item:shoe', { properties: [...own, ...properties('c')] })).status).toBe(400)
  })
})

describe('N67 a type that is used', () => {
  it.each([
    ['an entity of it', 'item:shoe'],
    ['an entity of a path below it', 'item:shoe:boot'],
  ])('is not deleted: %s', async (_, typePath) => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item:shoe' })
    await org.make('/types', { typePath: 'item:sho' })
    const item = await org.make('/items', { typePath })
    const refused = await org.delete('/types/item:shoe')
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(JSON.stringify(refused.body.errors)).toContain('item')
    expect((await org.get('/types/item:shoe')).status).toBe(200)
    expect((await org.delete('/types/item:sho')).status).toBe(204)
    await org.delete(`/items/${item.id}`)
    expect((await org.delete('/types/item:shoe')).status).toBe(204)
  })

  it('is not deleted while a described type stands below it, unless both go at once', async () => {
    const org = await newOrg()
    const shoe = await org.make('/types', { typePath: 'item:shoe' })
    const boot = await org.make('/types', { typePath: 'item:shoe:boot' })
    expect(await org.delete('/types/item:shoe')).toMatchObject({ status: 409, body: { code: 'in_use' } })
    const batch = await org.call('DELETE', '/types/batch', { body: [shoe.id] })
    expect(batch).toMatchObject({ status: 409, body: { errors: [{ path: '/0' }] } })
    expect((await org.call('DELETE', '/types/batch', { body: [shoe.id, boot.id] })).status).toBe(204)
  })

  it('does not get another path, not even by restoring one, unless what is below it moves along', async () => {
    const org = await newOrg()
    const shoe = await org.make('/types', { typePath: 'item:sandal' })
    const inUse = { status: 409, body: { code: 'in_use' } }
    expect((await org.put(`/types/${shoe.id}`, { typePath: 'item:shoe' })).status).toBe(200)
    const item = await org.make('/items', { typePath: 'item:shoe:boot' })
    expect(await org.put('/types/item:shoe', { typePath: 'item:other' })).toMatchObject(inUse)
    expect(await org.post(`/types/${shoe.id}/restore`, { version: 1 })).toMatchObject(inUse)
    // As it was fetched, it can be sent back.
    expect((await org.put('/types/item:shoe', (await org.get('/types/item:shoe')).body)).status).toBe(200)
    await org.delete(`/items/${item.id}`)
    const boot = await org.make('/types', { typePath: 'item:shoe:boot' })
    const moves = [{ id: shoe.id, typePath: 'item:other' }, { id: boot.id }]
    expect(await org.put('/types/batch', [...moves])).toMatchObject({ ...inUse, body: { errors: [{ path: '/0' }] } })
    const stays = { id: boot.id, typePath: 'item:shoe:boot', label: 'Boot' }
    expect(await org.put('/types/batch', [moves[0], stays])).toMatchObject(inUse)
    expect((await org.put('/types/batch', [moves[0], { id: boot.id, typePath: 'item:other:boot' }])).status).toBe(200)
    expect((await org.get('/types/item:other')).body.id).toBe(shoe.id)
  })

  it('is deleted although others use a type of that path', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    await org.make('/types', { typePath: 'item' })
    await other.make('/items')
    expect((await org.delete('/types/item')).status).toBe(204)
  })
})

describe('N67 a slug', () => {
  it.each([
    ['item', 'roles'],
    ['item:shoe', 'itemFamilyId'],
    ['item', 'itemFamily'],
    ['assortment', 'summary'],
    ['color:pantone', 'hex'],
    ['anything', 'name'],
    ['anything', '__proto__'],
    ['anything', 'constructor'],
    ['anything', 'federatedId'],
  ])('of %s may not be %s', async (typePath, slug) => {
    const org = await newOrg()
    const body = JSON.stringify({ typePath, properties: [property('fine'), property(slug)] })
    const { status, body: problem } = await org.call('POST', '/types', { body })
    expect([status, problem.errors]).toEqual([400, [expect.objectContaining({ path: '/properties/1/slug' })]])
    const { id } = await org.make('/types', { typePath, properties: [property('fine')] })
    const update = JSON.stringify({ properties: [property(slug)] })
    expect((await org.call('PUT', `/types/${id}`, { body: update })).status).toBe(400)
    expect((await org.get(`/types/${typePath}`)).body).toMatchObject({ version: 1, properties: [{ slug: 'fine' }] })
    const batch = await org.put('/types/batch', [{ id, properties: [property('also'), property(slug)] }])
    expect(batch.status).toBe(400)
  })

  it('is free where another entity type declares it', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item', properties: [property('hex'), property('sizes')] })
    await org.make('/types', { typePath: 'color', properties: [property('roles')] })
  })

  it('is looked at again when the type moves below another root', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'color', properties: [property('roles')] })
    expect((await org.put('/types/color', { typePath: 'item' })).status).toBe(400)
    expect((await org.put('/types/color', { typePath: 'project' })).status).toBe(200)
  })
})

describe('N67 an archived property', () => {
  it('is never required', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item', properties: [property('a', { required: true, archived: true })] })
    const item = await org.make('/items', { a: 'x' })
    expect((await org.put(`/items/${item.id}`, { a: null })).status).toBe(200)
    await org.make('/items')
    await org.put('/types/item', { properties: [property('a', { required: true })] })
    expect((await org.post('/items', {})).status).toBe(400)
  })
})

const { types: TYPES_MAX, typeBytes: TYPES_MAX_BYTES } = QUOTAS

describe('N67 the types of an organization', () => {
  it(`are at most ${TYPES_MAX}; one more is refused, alone and in a batch`, async () => {
    const org = await newOrg()
    const paths = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => ({ typePath: `item:t${from + at}` }))
    expect((await org.post('/types/batch', paths(0, TYPES_MAX - 1))).status).toBe(201)
    const full = { status: 409, body: { code: 'quota_exceeded', quota: 'types' } }
    expect(await org.post('/types/batch', paths(TYPES_MAX, TYPES_MAX + 2))).toMatchObject(full)
    await org.make('/types', { typePath: 'item:last' })
    expect(await org.post('/types', { typePath: 'item:more' })).toMatchObject(full)
    await org.delete('/types/item:last')
    await org.make('/types', { typePath: 'item:more' })
    const [count] = (
      await env.DB.prepare(`SELECT count(*) AS n FROM entities WHERE org_id = ? AND kind = 'type'`).bind(org.id).all()
    ).results
    expect(count?.n).toBe(TYPES_MAX)
  })

  it(`hold at most ${TYPES_MAX_BYTES} bytes together`, async () => {
    const org = await newOrg()
    const options = Array.from({ length: 1000 }, (_, at) => `${at}${'x'.repeat(395)}`)
    const properties = [property('a', { propertyType: 'choice', options })]
    const types = Math.floor(TYPES_MAX_BYTES / 400_500)
    for (let at = 0; at < types; at++) await org.make('/types', { typePath: `item:t${at}`, properties })
    expect(await org.post('/types', { typePath: 'item:more', properties })).toMatchObject({
      status: 409,
      body: { code: 'quota_exceeded', quota: 'typeBytes' },
    })
  })
})

describe('N67 a list of types', () => {
  it('ends where what they inherit is too much, and goes on from there', async () => {
    const org = await newOrg()
    const options = Array.from({ length: 1000 }, (_, at) => `${at}-${'o'.repeat(450)}`)
    await org.make('/types', { typePath: 'item', properties: [property('a', { propertyType: 'choice', options })] })
    const paths = Array.from({ length: 9 }, (_, at) => `item:t${at}`)
    await org.post(
      '/types/batch',
      paths.map(typePath => ({ typePath })),
    )
    const found: unknown[] = []
    for (let nextPageKey: unknown; nextPageKey !== null; ) {
      const { body, status } = await org.get('/types', { limit: 1000, ...(nextPageKey ? { nextPageKey } : {}) })
      expect(status).toBe(200)
      const results = body.results as Json[]
      expect(results.length).toBeGreaterThan(0)
      expect(JSON.stringify(results).length).toBeLessThan(PAGE_MAX_BYTES)
      expect(body.isPartial).toBe(body.nextPageKey === null ? undefined : true)
      for (const type of results) expect(slugs(type)).toEqual(['a'])
      found.push(...results.map(({ typePath }) => typePath))
      nextPageKey = body.nextPageKey
    }
    expect(found).toEqual(['item', ...paths])
  })
})

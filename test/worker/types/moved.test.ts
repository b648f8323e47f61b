// An entity that moves to another type path answers for what is stored of it (N67), and references of subtypes are looked up.
import { describe, expect, it, vi } from 'vitest'
import { updateEntity } from '../../../src/features/entities/service.ts'
import { background } from '../../../src/platform/background.ts'
import { kindNamed } from '../../../src/platform/kind.ts'
import { env, type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'

const type = (org: TestOrg, typePath: string, ...properties: Json[]) => org.make('/types', { typePath, properties })

async function shoes(): Promise<TestOrg> {
  const org = await newOrg()
  await type(
    org,
    'item:shoe',
    { slug: 'heel', propertyType: 'number' },
    { slug: 'maker', propertyType: 'object_reference' },
  )
  return org
}

const REFUSED: [string, Json, Json, string][] = [
  ['a stored value does not fit', { heel: 'high' }, {}, '/heel'],
  ['a stored reference leads nowhere', { maker: 'nobody' }, {}, '/maker'],
  ['a sent value does not fit', { heel: 4 }, { heel: 'high' }, '/heel'],
]

/** Each way to update an entity. */
const WAYS: [string, (org: TestOrg, id: string, body: Json) => Promise<{ status: number; body: Json }>, string][] = [
  ['PUT', (org, id, body) => org.put(`/items/${id}`, body), ''],
  ['a batch', (org, id, body) => org.put('/items/batch', [{ id, ...body }]), '/0'],
  [
    'an upsert',
    (org, _, body) => org.call('POST', '/items/batch?upsertBy=federatedId', { body: [{ federatedId: 'F', ...body }] }),
    '/0',
  ],
]

describe.each(WAYS)('N67 %s that changes typePath', (_, update, place) => {
  it.each(REFUSED)('is refused where %s', async (_, stored, sent, path) => {
    const org = await shoes()
    const { id } = await org.make('/items', { federatedId: 'F', ...stored })
    const refused = await update(org, id, { typePath: 'item:shoe', ...sent })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_input', errors: [{ path: place + path }] } })
    expect(refused.body.errors).toHaveLength(1)
    expect((await org.get(`/items/${id}`)).body).toMatchObject({ typePath: 'item', version: 1 })
    expect(await recordsOf(id)).toHaveLength(1)
  })

  it('is taken where what does not fit is mended or cleared at once', async () => {
    const org = await shoes()
    const { id } = await org.make('/items', { federatedId: 'F', heel: 'high', maker: 'nobody', other: [1] })
    const moved = await update(org, id, { typePath: 'item:shoe', heel: 4, maker: null })
    expect([200, 201]).toContain(moved.status)
    const { body } = await org.get(`/items/${id}`)
    expect(body).toMatchObject({ typePath: 'item:shoe', heel: 4, other: [1], version: 2 })
    expect(body).not.toHaveProperty('maker')
  })
})

describe('N67 a change of typePath', () => {
  it('asks for what the new path requires, and for what a path above it does', async () => {
    const org = await newOrg()
    await type(org, 'item:shoe', { slug: 'size', propertyType: 'number', required: true })
    const { id } = await org.make('/items')
    for (const typePath of ['item:shoe', 'item:shoe:boot']) {
      expect(await org.put(`/items/${id}`, { typePath })).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/size' }] },
      })
    }
    expect((await org.put(`/items/${id}`, { typePath: 'item:shoe:boot', size: 41 })).status).toBe(200)
  })

  it('leaves alone what is stored where the path stays, or nothing is defined for the new one', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { typePath: 'item:shoe', heel: 'high' })
    await type(org, 'item:shoe', { slug: 'heel', propertyType: 'number' })
    expect((await org.put(`/items/${id}`, { typePath: 'item:shoe', name: 'x' })).status).toBe(200)
    expect((await org.put(`/items/${id}`, { typePath: 'item:bag' })).status).toBe(200)
    expect((await org.put(`/items/${id}`, { typePath: 'item:shoe' })).status).toBe(400)
  })

  it('is held against types that came after they were last looked at', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { heel: 'high' })
    await type(org, 'item:shoe', { slug: 'heel', propertyType: 'number' })
    expect((await org.put(`/items/${id}`, { typePath: 'item:shoe' })).status).toBe(400)
  })

  /** Updates while somebody else changes the entity, at the first look at what is stored: just before it, or just after. */
  async function overtaken(org: TestOrg, id: string, heel: unknown, when: 'before' | 'after', versions?: number[]) {
    const context = background(env, org, { id: 'x', type: 'app' })
    const batch = context.db.batch.bind(context.db)
    let looks = 0
    vi.spyOn(context.db, 'batch').mockImplementation(async statements => {
      const isFirstLook = statements.length === 1 && ++looks === 1
      const other = () => org.put(`/items/${id}`, { heel })
      if (isFirstLook && when === 'before') await other()
      const results = await batch(statements)
      if (isFirstLook && when === 'after') await other()
      return results as never
    })
    const fault = await updateEntity(context, kindNamed('item'), id, { typePath: 'item:shoe' }, versions).catch(e => e)
    expect(looks).toBeGreaterThan(0)
    expect((await org.get(`/items/${id}`)).body).toMatchObject({ typePath: 'item', version: 2 })
    return fault
  }

  it('is held against what is stored when it is written, not when it was looked at', async () => {
    const org = await shoes()
    const { id } = await org.make('/items', { heel: 4 })
    expect(await overtaken(org, id, 'high', 'after')).toMatchObject({
      code: 'invalid_input',
      errors: [{ path: '/heel' }],
    })
  })

  it.each(['before', 'after'] as const)('keeps to If-Match where somebody is faster, just %s the look', async when => {
    const org = await shoes()
    const { id } = await org.make('/items', { heel: 4 })
    expect(await overtaken(org, id, 5, when, [1])).toMatchObject({ code: 'precondition_failed' })
  })

  it('says what is missing or stale before anything else', async () => {
    const org = await shoes()
    const { id } = await org.make('/items', { heel: 'high' })
    const sent = { body: { typePath: 'item:shoe' }, headers: { 'If-Match': '"7"' } }
    expect((await org.call('PUT', `/items/${id}`, sent)).status).toBe(412)
    expect((await org.put('/items/AAAAAAAAAAAAAAAA', { typePath: 'item:shoe' })).status).toBe(404)
    const matching = { body: { typePath: 'item:shoe', heel: 4 }, headers: { 'If-Match': '"1"' } }
    expect((await org.call('PUT', `/items/${id}`, matching)).status).toBe(200)
  })

  it('names each place of a batch, and writes nothing of it', async () => {
    const org = await shoes()
    const items = await org.post('/items/batch', [{ heel: 1 }, { heel: 'high' }, { maker: 'nobody' }, { heel: 'low' }])
    const ids = (items.body.results ?? []).map(({ id }) => id)
    const refused = await org.put(
      '/items/batch',
      ids.map(id => ({ id, typePath: 'item:shoe' })),
    )
    const paths = (refused.body.errors as { path: string }[]).map(({ path }) => path)
    expect([refused.status, paths]).toEqual([400, ['/1/heel', '/3/heel']])
    const [fits] = ids
    expect((await org.get(`/items/${String(fits)}`)).body).toMatchObject({ typePath: 'item' })
  })
})

describe('N21 a reference that a subtype defines', () => {
  const put = (org: TestOrg, id: string, body: Json) => org.put(`/items/${id}`, body)

  it('must lead somewhere although the update names no type path', async () => {
    const org = await shoes()
    const maker = await org.make('/custom-entities', { typePath: 'custom-entity:maker' })
    const shoe = await org.make('/items', { typePath: 'item:shoe:boot' })
    const other = await org.make('/items', { typePath: 'item:shoes' })
    expect(await put(org, shoe.id, { maker: 'nobody' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/maker' }] },
    })
    expect((await put(org, shoe.id, { maker: maker.id })).status).toBe(200)
    expect((await put(org, other.id, { maker: 'nobody' })).status).toBe(200)
  })

  it('is one for the nearest type alone, each of a list', async () => {
    const org = await newOrg()
    await type(
      org,
      'item',
      { slug: 'a', propertyType: 'object_ref_list' },
      { slug: 'b', propertyType: 'object_reference' },
    )
    await type(org, 'item:x', { slug: 'a', propertyType: 'json' })
    const [root, below] = [await org.make('/items'), await org.make('/items', { typePath: 'item:x:y' })]
    const refused = await put(org, root.id, { a: [root.id, 'nobody'], b: 'no one' })
    expect(refused.status).toBe(400)
    expect((refused.body.errors as { path: string }[]).map(({ path }) => path).sort()).toEqual(['/a/1', '/b'])
    expect((await put(org, below.id, { a: ['nobody'] })).status).toBe(200)
    expect(await put(org, below.id, { b: 'no one' })).toMatchObject({ status: 400, body: { errors: [{ path: '/b' }] } })
  })
})

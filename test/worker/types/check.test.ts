import { describe, expect, it } from 'vitest'
import { TYPE_CHECK_EXAMPLES, TYPE_CHECK_PAGE_ENTITIES } from '../../../src/platform/limits.ts'
import { call, type Json, newOrg, operator, type TestOrg } from '../api.ts'

interface Check {
  checked: number
  unfit: number
  examples: { entityType: string; id: string; typePath: string; name: string; errors: { path: string }[] }[]
  nextPageKey: string | null
}

const HEEL = { slug: 'heel', propertyType: 'number' }
const check = (org: TestOrg, types: unknown[], nextPageKey?: string) =>
  org.post<Check>('/types/check', { types, ...(nextPageKey && { nextPageKey }) })

describe('N54 types that are only planned', () => {
  it('show which stored entities would no longer fit, below them too, and change nothing', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const shoe = await org.make('/items', { typePath: 'item:shoe', name: 'a', heel: 'high' })
    const boot = await org.make('/items', { typePath: 'item:shoe:boot', name: 'b', heel: [] })
    await org.make('/items', { typePath: 'item:shoe', heel: 3 })
    await org.make('/items', { typePath: 'item:shoe-2', heel: 'high' })
    await org.make('/items', { heel: 'high' })
    await other.make('/items', { typePath: 'item:shoe', heel: 'high' })
    const { status, body } = await check(org, [{ typePath: 'item:shoe', properties: [HEEL] }])
    expect([status, body]).toMatchObject([200, { checked: 3, unfit: 2, nextPageKey: null }])
    expect(body.examples.map(({ id }) => id)).toEqual([shoe.id, boot.id])
    expect(body.examples[0]).toMatchObject({ entityType: 'item', name: 'a', errors: [{ path: '/heel' }] })
    expect((await org.get('/types')).body.results).toEqual([])
    expect((await org.post('/items', { typePath: 'item:shoe', heel: 'high' })).status).toBe(201)
  })

  it('blame nothing on them that does not fit today, and look at no entity where nothing changes', async () => {
    const org = await newOrg()
    await org.make('/items', { heel: 'high' })
    await org.make('/items', { heel: 1 })
    await org.make('/types', { typePath: 'item', properties: [HEEL] })
    expect((await check(org, [{ typePath: 'item', properties: [HEEL] }])).body).toMatchObject({ checked: 0 })
    const sole = { slug: 'sole', propertyType: 'string', required: true }
    const { body } = await check(org, [{ typePath: 'item', properties: [HEEL, sole] }])
    expect(body).toMatchObject({ checked: 2, unfit: 2 })
    expect(body.examples.flatMap(({ errors }) => errors.map(({ path }) => path))).toEqual(['/sole', '/sole'])
    const gone = await check(org, [{ typePath: 'item:shoe', properties: [{ ...HEEL, required: true }] }])
    expect(gone.body).toMatchObject({ checked: 0, unfit: 0, nextPageKey: null })
  })

  it('look at a bounded part at a time, and at all in the end, one path after the other', async () => {
    const org = await newOrg()
    const names = Array.from({ length: 1000 }, (_, at) => ({ typePath: at % 2 ? 'item:a' : 'item:b', x: at % 4 }))
    for (let batch = 0; batch < 5; batch++) await org.call('POST', '/items/batch', { body: names })
    await org.make('/colors', { x: 'text' })
    const properties = [{ slug: 'x', propertyType: 'string' }]
    const types = ['item:a', 'item:b', 'color'].map(typePath => ({ typePath, properties }))
    const seen = { checked: 0, unfit: 0, pages: 0 }
    let key: string | undefined
    do {
      const { body } = await check(org, types, key)
      expect(body.checked).toBeLessThanOrEqual(TYPE_CHECK_PAGE_ENTITIES)
      expect(body.examples.length).toBe(Math.min(body.unfit, TYPE_CHECK_EXAMPLES))
      seen.checked += body.checked
      seen.unfit += body.unfit
      seen.pages++
      key = body.nextPageKey ?? undefined
    } while (key !== undefined)
    expect(seen).toEqual({ checked: 5001, unfit: 5000, pages: 5 })
  })

  it.each([
    ['no types', [], '/types'],
    [
      'a name that the entity type has',
      [{ typePath: 'item', properties: [{ ...HEEL, slug: 'roles' }] }],
      '/types/0/properties/0/slug',
    ],
    ['a path twice', [{ typePath: 'item' }, { typePath: 'item' }], '/types/1/typePath'],
    [
      'an unknown property type',
      [{ typePath: 'item', properties: [{ slug: 'a', propertyType: 'x' }] }],
      '/types/0/properties/0/propertyType',
    ],
    ['a path that is none', [{ typePath: 'item:' }], '/types/0/typePath'],
  ])('refuse %s', async (_, types, path) => {
    const { status, body } = await (await newOrg()).post<Json & { errors: { path: string }[] }>('/types/check', {
      types,
    })
    expect([status, body.errors[0]?.path]).toEqual([400, path])
  })

  it('take a read key, and a page key only with its own types', async () => {
    const org = await newOrg({ scope: 'read' })
    expect((await check(org, [{ typePath: 'item', properties: [HEEL] }])).status).toBe(200)
    expect((await check(org, [{ typePath: 'item' }], 'AAAAAAAAWzEsIiIsMF0')).status).toBe(400)
  })
})

describe('N54 the API document of an organization', () => {
  it('has its types for its own keys alone', async () => {
    const [org, other] = [await newOrg({ scope: 'read' }), await newOrg()]
    await other.make('/types', { typePath: 'item:shoe', properties: [HEEL] })
    const ask = (slug: string, headers: Record<string, string>) =>
      call<Json>('GET', `/openapi.json?org=${slug}`, { headers })
    const own = await ask(other.slug, { 'X-Api-Key': other.key })
    expect(own.status).toBe(200)
    expect(own.body).toMatchObject({
      components: { schemas: { ItemShoe: { properties: { heel: { type: 'number' } } } } },
    })
    const etag = own.headers.get('ETag') ?? ''
    expect((await ask(other.slug, { ...other.headers, 'If-None-Match': etag })).status).toBe(304)
    const foreign = await ask(org.slug, org.headers)
    expect(JSON.stringify(foreign.body)).not.toContain('ItemShoe')
    expect((await ask(other.slug, {})).status).toBe(401)
    expect((await ask(other.slug, { 'X-Api-Key': org.key })).status).toBe(401)
    expect((await ask(other.slug, org.headers)).status).toBe(400)
    await operator('PUT', `/orgs/${other.slug}`, { suspended: true })
    expect((await ask(other.slug, other.headers)).status).toBe(403)
    expect((await call('GET', '/openapi.json')).status).toBe(200)
  })
})

import { describe, expect, it } from 'vitest'
import { KINDS } from '../../../src/kinds.ts'
import { type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'

const PATHS = new Map(KINDS.map(kind => [kind.name, kind.path]))

/** An entity of the type with all of its references set, and the ids that it names by field. */
async function withReferences(org: TestOrg, name: string): Promise<{ entity: Json & { id: string }; named: Json }> {
  const named = await targetsOf(org, name)
  return { entity: await org.make(`/${PATHS.get(name)}`, named), named }
}

async function targetsOf(org: TestOrg, name: string): Promise<Json> {
  const kind = KINDS.find(candidate => candidate.name === name)
  const named: Json = {}
  for (const reference of kind?.references ?? []) {
    const target = await bare(org, reference.target)
    named[reference.field] = reference.list ? [target] : target
  }
  return named
}

async function bare(org: TestOrg, name: string): Promise<string> {
  const needs = KINDS.find(kind => kind.name === name)?.references.filter(({ field }) => isRequired(name, field)) ?? []
  const fields = await Promise.all(needs.map(async ({ field, target }) => [field, await bare(org, target)] as const))
  return (await org.make(`/${PATHS.get(name)}`, Object.fromEntries(fields))).id
}

const isRequired = (name: string, field: string) =>
  !KINDS.find(kind => kind.name === name)?.fields[field]?.safeParse(undefined).success

const referrers = KINDS.filter(kind => kind.operations.includes('create')).flatMap(kind =>
  kind.references.map(reference => [kind.name, reference.field, reference] as const),
)

describe.each(referrers)('%s.%s', (name, field, reference) => {
  const path = `/${PATHS.get(name)}`
  const pathOfFault = reference.list ? `/${field}/0` : `/${field}`
  const wrap = (id: string) => (reference.list ? [id] : id)

  it('must name an entity of the same organization and the right type, on create and on update', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const { entity } = await withReferences(org, name)
    const foreign = await bare(other, reference.target)
    const wrongType = (await org.make('/size-range-templates')).id
    for (const id of ['AAAAAAAAAAAAAAAA', foreign, wrongType, "x' OR 1=1"]) {
      const expected = { status: 400, body: { code: 'invalid_input', errors: [{ path: pathOfFault }] } }
      const created = await org.post(path, { ...(await targetsOf(org, name)), [field]: wrap(id) })
      const updated = await org.put(`${path}/${entity.id}`, { [field]: wrap(id) })
      expect(created).toMatchObject(expected)
      expect(updated).toMatchObject(expected)
      expect(JSON.stringify(created.body)).not.toContain(other.id)
    }
    expect((await org.get(`${path}/${entity.id}`)).body).toEqual(entity)
    expect(await recordsOf(entity.id)).toHaveLength(1)
  })

  it('holds the entity that it names: deleting it is 409 in_use until nobody refers to it', async () => {
    const org = await newOrg()
    const { entity, named } = await withReferences(org, name)
    const value = named[field]
    const target = `/${PATHS.get(reference.target)}/${reference.list ? (value as string[])[0] : value}`
    const refused = await org.delete(target)
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(JSON.stringify(refused.body)).toContain(name)
    expect((await org.get(target)).status).toBe(200)
    expect((await org.delete(`${path}/${entity.id}`)).status).toBe(204)
    expect((await org.delete(target)).status).toBe(204)
  })
})

describe('references', () => {
  it('are all named at once when several are wrong', async () => {
    const org = await newOrg()
    const { body } = await org.post('/assortment-items', { itemId: 'a', assortmentId: 'b', projectItemId: 'c' })
    expect((body.errors as Json[]).map(error => error.path).sort()).toEqual([
      '/assortmentId',
      '/itemId',
      '/projectItemId',
    ])
    const list = await org.post('/assortments', {
      memberAssortmentIds: ['a', (await org.make('/assortments')).id, 'b'],
    })
    expect((list.body.errors as Json[]).map(error => error.path)).toEqual([
      '/memberAssortmentIds/0',
      '/memberAssortmentIds/2',
    ])
  })

  it('to itself do not hold an entity', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items')
    await org.put(`/items/${id}`, { itemFamilyId: id })
    expect((await org.delete(`/items/${id}`)).status).toBe(204)
  })

  it('never dangle when the entity is deleted while it is being named', async () => {
    const org = await newOrg()
    const families = await Promise.all(Array.from({ length: 8 }, () => org.make('/items')))
    const answers = await Promise.all(
      families.flatMap(({ id }) => [org.post('/items', { itemFamilyId: id }), org.delete(`/items/${id}`)]),
    )
    expect(answers.every(answer => [201, 204, 400, 409].includes(answer.status))).toBe(true)
    const { body } = await org.get('/items', { relations: 'itemFamily' })
    for (const entity of body.results ?? []) if (entity.itemFamilyId) expect(entity.itemFamily).not.toBeNull()
  })

  it('N73 to a family make an option of an item that is no family itself, whatever an update leaves out', async () => {
    const org = await newOrg()
    const family = await org.make('/items', { roles: ['family'] })
    const other = await org.make('/items', { roles: ['family'] })
    const option = await org.make('/items', { itemFamilyId: family.id, federatedId: 'O' })
    const refused = [
      org.put(`/items/${other.id}`, { itemFamilyId: family.id }),
      org.put(`/items/${option.id}`, { roles: ['family'] }),
      org.call('POST', '/items/batch?upsertBy=federatedId', { body: [{ federatedId: 'O', roles: ['family'] }] }),
    ]
    for (const { status, body } of await Promise.all(refused)) {
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ path: expect.stringMatching(/\/roles$/) }])
    }
    const batch = await org.put('/items/batch', [
      { id: family.id, name: 'F' },
      { id: other.id, itemFamilyId: family.id },
    ])
    expect(batch).toMatchObject({ status: 400, body: { errors: [{ path: '/1/roles' }] } })
    expect((await org.put(`/items/${other.id}`, { itemFamilyId: family.id, roles: ['option'] })).status).toBe(200)
    expect((await org.put(`/items/${other.id}`, { itemFamilyId: null, roles: ['family'] })).status).toBe(200)
  })
})

describe('very many references at once', () => {
  it('fit into what D1 takes as one value, and each is looked at', async () => {
    const org = await newOrg()
    const made = await org.post(
      '/assortments/batch',
      Array.from({ length: 1000 }, () => ({})),
    )
    const memberAssortmentIds = made.body.results?.map(({ id }) => id) ?? []
    const composites = Array.from({ length: 40 }, () => ({ memberAssortmentIds }))
    expect((await org.post('/assortments/batch', composites)).status).toBe(201)
    const wrong = { memberAssortmentIds: [...memberAssortmentIds.slice(1), 'nowhere'] }
    const refused = await org.post('/assortments/batch', [...composites.slice(1), wrong])
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/39/memberAssortmentIds/999' }] } })
    expect(refused.body.errors).toHaveLength(1)
  })
})

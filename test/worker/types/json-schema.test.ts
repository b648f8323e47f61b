import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ITEM } from '../../../src/features/entities/kind.ts'
import { schemaOfAll, schemaOfType } from '../../../src/features/entities/type-schemas.ts'
import { PROPERTY_TYPES, type PropertyDefinition } from '../../../src/features/types/contract.ts'
import { TypeTable } from '../../../src/features/types/table.ts'
import { bodies, isTaken } from '../../pure/types/generated.ts'
import { type Json, newOrg, ORIGIN, type TestOrg } from '../api.ts'

const baseUrl = `${ORIGIN}/api`
/** Ids would have to lead somewhere. */
const PLAIN = PROPERTY_TYPES.filter(type => !type.startsWith('object_'))
const OPTIONS = ['slim', { value: 'loose', label: 'Loose' }]

const ROWS: { typePath: string; label: string | null; properties: PropertyDefinition[] }[] = [
  {
    typePath: 'item',
    label: 'Item',
    properties: PLAIN.map(propertyType => ({ slug: `any ${propertyType}`, propertyType, options: OPTIONS })),
  },
  {
    typePath: 'item:shoe',
    label: null,
    properties: [
      { slug: 'heel', propertyType: 'number', required: true },
      { slug: 'any text', propertyType: 'boolean' },
    ],
  },
]
const TABLE = new TypeTable(0, ROWS)

async function describeItems(org: TestOrg): Promise<void> {
  for (const row of ROWS) await org.make('/types', { ...row, label: row.label ?? undefined })
}

const ask = (org: TestOrg, path: string, etag?: string) =>
  org.call('GET', path, etag === undefined ? {} : { headers: { 'If-None-Match': etag } })

describe('N53 types as JSON Schema', () => {
  it('says what a create of the API takes', async () => {
    const org = await newOrg()
    await describeItems(org)
    const schema = await org.get('/types/item:shoe', { format: 'json-schema' })
    expect(schema.headers.get('Content-Type')).toBe('application/schema+json')
    expect(schema.body).toEqual(schemaOfType(TABLE, 'item:shoe', { baseUrl }))
    const type = { kind: ITEM, typePath: 'item:shoe', table: TABLE }
    const entities = fc.sample(bodies(type, TABLE.definitionsOf(type.typePath)), { numRuns: 100, seed: 53 })
    const answers = { 201: 0, 400: 0 }
    for (const entity of entities) {
      // What only the store can tell is no matter of a schema: keys that are taken, ids that lead nowhere.
      const { federatedId: _, identifier: __, itemFamilyId: ___, ...body } = entity
      if ((body.typePath ?? 'item') !== 'item:shoe') continue
      const expected = isTaken(type, body, 'create') ? 201 : 400
      const { status, body: answer } = await org.post('/items', body)
      expect(status, JSON.stringify({ body, answer })).toBe(expected)
      answers[expected]++
    }
    expect(Math.min(...Object.values(answers))).toBeGreaterThan(10)
  })

  it('are told by path and by id, alone and all together, in each variant', async () => {
    const org = await newOrg()
    await describeItems(org)
    const { body: shoe } = await org.get('/types/item:shoe')
    for (const variant of ['create', 'update', 'read'] as const) {
      const query = { format: 'json-schema', variant }
      const expected = schemaOfType(TABLE, 'item:shoe', { variant, baseUrl })
      expect((await org.get('/types/item:shoe', query)).body).toEqual(expected)
      expect((await org.get(`/types/${shoe.id}`, query)).body).toEqual(expected)
      expect((await org.get('/types', query)).body).toEqual(schemaOfAll(TABLE, { variant, baseUrl }))
    }
    expect((await org.get('/types', { format: 'json-schema' })).body).toEqual(schemaOfAll(TABLE, { baseUrl }))
    const below = await org.get('/types/item:shoe:boot', { format: 'json-schema' })
    expect(below.body).toMatchObject({
      properties: { heel: { type: 'number' }, typePath: { const: 'item:shoe:boot' } },
    })
    const file = await org.get('/types/file', { format: 'json-schema' })
    expect(file.body.required).toEqual(expect.arrayContaining(['fileName', 'version']))
  })

  it('know their ETag by the last change of a type, and another organization has its own', async () => {
    const [org, other] = [await newOrg({ scope: 'read' }), await newOrg()]
    await describeItems(other)
    for (const path of ['/types?format=json-schema', '/types/item?format=json-schema']) {
      const none = await ask(org, path)
      expect(none.status).toBe(200)
      const first = await ask(other, path)
      const etag = first.headers.get('ETag') ?? ''
      expect(etag).not.toBe(none.headers.get('ETag'))
      expect((await ask(other, path, etag)).status).toBe(304)
      await other.put('/types/item:shoe', { label: `Shoe ${path}` })
      expect((await ask(other, path, etag)).status).toBe(200)
      const variant = await ask(other, `${path}&variant=update`)
      expect(variant.headers.get('ETag')).not.toBe((await ask(other, path)).headers.get('ETag'))
    }
    const unknown = '/types/item:nothing?format=json-schema'
    expect((await ask(org, unknown, '*')).status).toBe(404)
  })

  it.each([
    ['/types?format=xml', '/format'],
    ['/types?variant=read', '/variant'],
    ['/types/item?variant=read', '/variant'],
    ['/types/item?format=json-schema&variant=delete', '/variant'],
    ['/types/file?format=json-schema&variant=create', '/variant'],
    ['/types?format=json-schema&criteria=%7B%7D', '/criteria'],
    ['/types?format=json-schema&q=x', '/q'],
  ])('refuse %s', async (path, fault) => {
    const org = await newOrg()
    const { status, body } = await org.get<Json & { errors: { path: string }[] }>(path)
    expect([status, body.errors[0]?.path]).toEqual([400, fault])
  })
})

// Exports over HTTP (N51): formats, criteria, columns, sizes beyond a page, refusals, and streams that fail.
import papa from 'papaparse'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Database } from '../../../src/platform/db/client.ts'
import { EXPORT_PAGE_ENTITIES } from '../../../src/platform/limits.ts'
import { fetchWorker, type Json, newOrg, queryText, type TestOrg } from '../api.ts'
import { all, load, one } from '../loads/loading.ts'
import { stateOf } from '../reverts/reverting.ts'

const fetched = (org: TestOrg, path: string, query: Json = {}) =>
  fetchWorker(`/api${path}/export${queryText(query)}`, { headers: org.headers })

async function csvOf(org: TestOrg, path: string, query: Json = {}): Promise<string[]> {
  const response = await fetched(org, path, query)
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('Content-Disposition')).toContain('.csv"')
  return (await response.text()).split('\r\n').slice(0, -1)
}

/** The form that loads back. */
const FOR_LOAD = { format: 'csv-load' }

const BROKEN_OFF = 'The export broke off here: what follows is missing. Export it again.'

/** What comes of an answer whose pages fail, up to the failure. */
async function broken(response: Response): Promise<string[]> {
  const spy = vi.spyOn(Database.prototype, 'batch').mockRejectedValue(new Error('the store is gone'))
  onTestFinished(() => spy.mockRestore())
  const texts: string[] = []
  const read = async () => {
    for await (const chunk of response.body ?? []) texts.push(new TextDecoder().decode(chunk))
  }
  await expect(read()).rejects.toThrow('the store is gone')
  spy.mockRestore()
  return texts
}

const configurationOf = (org: TestOrg, path: string, query: Json = {}) =>
  org.get(`${path}/export`, { ...query, format: 'configuration' })

describe('an export (N51)', () => {
  it('as csv-load has the columns of a load; cells that a load would change are marked', async () => {
    const org = await newOrg()
    await org.make('/types', {
      typePath: 'item',
      properties: [
        { slug: 'price', propertyType: 'currency' },
        { slug: 'old', propertyType: 'string', archived: true },
      ],
    })
    await load(
      org,
      'itemFamilyFederatedId,itemOptionFederatedId,name,optionName,price\nF1,,Shirt,,40\nF1,O1,Shirt,red,41.5\n',
    )
    expect(await csvOf(org, '/items', FOR_LOAD)).toEqual([
      'typePath,name,itemFamilyFederatedId,itemOptionFederatedId,optionName,optionGroup,price',
      'item,Shirt,F1,,(unchanged),(unchanged),40',
      'item,(unchanged),F1,O1,red,color,41.5',
    ])
    const { body } = await configurationOf(org, '/items')
    expect(body).toMatchObject({ loadType: ['ITEM'], unchangedMark: '(unchanged)' })
  })

  it('loads back with what was edited, and nothing else', async () => {
    const org = await newOrg()
    const properties = [
      { slug: 'price', propertyType: 'currency', required: true },
      { slug: 'season', propertyType: 'choice', options: [{ value: 'SS27', label: 'Spring' }, 'FW27'] },
      { slug: 'tags', propertyType: 'multi_select' },
      { slug: 'maker', propertyType: 'object_reference' },
    ]
    await org.make('/types', { typePath: 'color', properties })
    const maker = await org.make('/custom-entities', { typePath: 'custom-entity:m', name: 'Mill' })
    const gone = await org.make('/custom-entities', { typePath: 'custom-entity:m', name: 'Gone' })
    await org.make('/colors', {
      federatedId: 'A',
      name: 'A',
      price: 1,
      season: 'SS27',
      tags: ['x', 'y'],
      maker: maker.id,
    })
    await org.make('/colors', { federatedId: 'B', name: 'B', price: 2e-7, maker: gone.id, note: 'not defined' })
    await org.delete(`/custom-entities/${gone.id}`)
    const before = await stateOf(org)
    const [header = '', ...rows] = await csvOf(org, '/colors', FOR_LOAD)
    expect(rows[0]).toBe(`color,A,A,,,,,1,SS27,x|y,${maker.id},`)
    expect(rows[1]).toBe('color,B,B,,,,,0.0000002,,,(unchanged),not defined')
    const { body: configuration } = await configurationOf(org, '/colors')
    const again = await load(org, [header, ...rows, ''].join('\n'), configuration)
    expect(again.results.color).toMatchObject({ unchanged: 2, updated: 0 })
    const edit = [header, rows[0]?.replace('SS27,x|y', 'FW27,z'), rows[1]?.replace('not defined', 'edited'), '']
    const edited = await load(org, edit.join('\n'), configuration)
    expect(edited.results.color).toMatchObject({ updated: 2 })
    const [a, b] = [await one(org, '/colors', 'A'), await one(org, '/colors', 'B')]
    expect(await stateOf(org)).toEqual({
      ...before,
      [`/colors ${a.id}`]: { ...before[`/colors ${a.id}`], season: 'FW27', tags: ['z'] },
      [`/colors ${b.id}`]: { ...before[`/colors ${b.id}`], note: 'edited' },
    })
  })

  it('for a load leaves a list alone that refers to what is gone, and shows an absent reference as empty', async () => {
    const org = await newOrg()
    const properties = [
      { slug: 'maker', propertyType: 'object_reference' },
      { slug: 'makers', propertyType: 'object_ref_list' },
    ]
    await org.make('/types', { typePath: 'color', properties })
    const maker = await org.make('/custom-entities', { typePath: 'custom-entity:m', name: 'Mill' })
    const gone = await org.make('/custom-entities', { typePath: 'custom-entity:m', name: 'Gone' })
    await org.make('/colors', { federatedId: 'A', name: 'A', makers: [maker.id, gone.id] })
    await org.make('/colors', { federatedId: 'B', name: 'B', maker: maker.id, makers: [maker.id] })
    await org.delete(`/custom-entities/${gone.id}`)
    const query = { ...FOR_LOAD, properties: 'maker,makers' }
    expect(await csvOf(org, '/colors', query)).toEqual([
      'federatedId,maker,makers',
      'A,,(unchanged)',
      `B,${maker.id},${maker.id}`,
    ])
  })

  it('as CSV shows in every cell the value that GET shows (N75)', async () => {
    const org = await newOrg()
    const properties = [
      { slug: 'fabric', propertyType: 'string', level: 'family' },
      { slug: 'price', propertyType: 'number', level: 'override' },
      { slug: 'tags', propertyType: 'multi_select' },
      { slug: 'care', propertyType: 'string', required: true },
    ]
    await org.make('/types', { typePath: 'item', properties })
    const texts = { tags: ['a', 'b'], care: '(unchanged)', note: ' spaces ', empty: '', nested: { a: [1] } }
    const family = await org.make('/items', { name: 'Shirt', fabric: 'Linen', price: 2e-7, ...texts })
    const option = { name: 'red', optionName: 'red', itemFamilyId: family.id, federatedId: 'O1', care: 'x' }
    await org.make('/items', { ...option, fabric: 'Linen', price: 2e-7, tags: ['a|b'] })
    const shown = (value: unknown) => (typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value))
    const isSpecial = (name: string) => ['orgId', 'roles', 'tags'].includes(name)
    const expected = (await all(org, '/items')).map(item =>
      Object.fromEntries(
        Object.entries(item).flatMap(([name, value]) => (isSpecial(name) ? [] : [[name, shown(value)]])),
      ),
    )
    const [header = [], ...rows] = papa.parse<string[]>(await (await fetched(org, '/items')).text(), {
      skipEmptyLines: true,
    }).data
    expect(header.slice(0, 4)).toEqual(['id', 'typePath', 'name', 'federatedId'])
    const cells = rows.map(row => Object.fromEntries(header.map((name, at) => [name, row[at]])))
    expect(cells).toMatchObject(expected)
    expect(cells).toMatchObject([{ tags: 'a|b' }, { tags: '["a|b"]' }])
    expect(await csvOf(org, '/items', { properties: 'care' })).toEqual(['federatedId,care', ',(unchanged)', 'O1,x'])
    await load(org, 'name,federatedId,hex\nDerived,D,#ff0000\n', { loadType: ['COLOR'] })
    expect(await csvOf(org, '/colors', { properties: 'name,hex,red,green,blue' })).toEqual([
      'federatedId,name,hex,red,green,blue',
      'D,Derived,#ff0000,255,0,0',
    ])
  })

  it('goes by criteria and order, with the properties asked for', async () => {
    const org = await newOrg()
    for (const name of ['b', 'a', 'c']) await org.make('/colors', { name, federatedId: name, price: 1 })
    const criteria = { federatedId: ['a', 'b'] }
    const order = { orderField: 'name', order: 'desc' }
    expect(await csvOf(org, '/colors', { criteria, order, properties: 'name' })).toEqual([
      'federatedId,name',
      'b,b',
      'a,a',
    ])
    const lines = await (
      await fetched(org, '/colors', { criteria, order, format: 'jsonl', properties: 'price' })
    ).text()
    expect(
      lines
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Json),
    ).toMatchObject([{ price: 1 }, { price: 1 }])
  })

  it('as JSON lines has entities as the API shows them', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'One', nested: { a: [1] } })
    const response = await fetched(org, '/items', { format: 'jsonl' })
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson')
    const lines = (await response.text()).trim().split('\n')
    expect(lines.map(line => JSON.parse(line) as Json)).toEqual(await all(org, '/items'))
  })

  it('of nothing is a header, or nothing', async () => {
    const org = await newOrg()
    expect(await csvOf(org, '/colors')).toEqual([
      'id,typePath,name,federatedId,createdOn,updatedOn,createdById,updatedById,version',
    ])
    expect(await csvOf(org, '/colors', FOR_LOAD)).toEqual(['typePath,name,federatedId,hex,red,green,blue'])
    expect(await (await fetched(org, '/colors', { format: 'jsonl' })).text()).toBe('')
  })

  it('is complete beyond one page, once each', async () => {
    const org = await newOrg()
    const rows = EXPORT_PAGE_ENTITIES * 2 + 5
    await load(org, `federatedId\n${Array.from({ length: rows }, (_, at) => `C${at}`).join('\n')}\n`, {
      loadType: ['COLOR'],
    })
    const csv = await csvOf(org, '/colors')
    expect(csv).toHaveLength(rows + 1)
    expect(new Set(csv).size).toBe(rows + 1)
  })

  it('that fails in the middle breaks off, and says so in a last line that is no data', async () => {
    const org = await newOrg()
    const rows = EXPORT_PAGE_ENTITIES * 3
    await load(org, `federatedId\n${Array.from({ length: rows }, (_, at) => `C${at}`).join('\n')}\n`, {
      loadType: ['COLOR'],
    })
    const { body: configuration } = await configurationOf(org, '/colors', { properties: 'name' })
    const lines = await broken(await fetched(org, '/colors', { format: 'jsonl' }))
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ problem: expect.stringContaining('broke off') })
    const texts = await broken(await fetched(org, '/colors', { ...FOR_LOAD, properties: 'name' }))
    expect(texts.at(-1)).toBe('(broken off),(broken off),(broken off)\r\n')
    const csv = texts.join('')
    const refused = await load(org, csv, configuration)
    expect(refused).toMatchObject({ status: 'failed', errorCount: 1 })
    expect(refused.issues).toMatchObject([{ rowNumber: csv.split('\r\n').length - 1, message: BROKEN_OFF }])
  })

  it.each(['/projects', '/assortment-items', '/files', '/types', '/loader-processes'])(
    'of %s is CSV for people; no load writes it',
    async path => {
      const org = await newOrg()
      const [header] = await csvOf(org, path)
      expect(header).toMatch(/^id,typePath,name,federatedId/)
      for (const format of ['configuration', 'csv-load']) {
        const refused = await org.get(`${path}/export`, { format })
        expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
      }
    },
  )

  it('tells what stands against loading it back', async () => {
    const org = await newOrg()
    const keyless = await org.make('/items', { name: 'No key' })
    const refused = await configurationOf(org, '/items')
    expect(refused).toMatchObject({ status: 409, body: { entityReference: `item:${keyless.id}` } })
    expect(await org.get('/items/export', FOR_LOAD)).toMatchObject({
      status: 409,
      body: { detail: refused.body.detail },
    })
    expect((await configurationOf(org, '/items', { criteria: { federatedId: 'x' } })).status).toBe(200)
    expect((await configurationOf(org, '/custom-entities')).body.detail).toContain('typePath')
    const criteria = { typePath: 'custom-entity:a' }
    expect((await configurationOf(org, '/custom-entities', { criteria })).status).toBe(200)
  })

  it.each([
    [{ format: 'xlsx' }, '/format'],
    [{ properties: 'a,,b' }, '/properties'],
    [{ criteria: { a: { what: 1 } } }, '/criteria/a'],
    [{ order: { orderField: 'price' } }, '/order/orderField'],
    [{ limit: '5' }, '/limit'],
  ])('refuses %j', async (query, path) => {
    const org = await newOrg()
    const { status, body } = await org.get('/items/export', query)
    expect(status).toBe(400)
    expect((body.errors as Json[]).map(error => String(error.path)).some(found => found.startsWith(path))).toBe(true)
  })
})

// Exports of what a file can hardly say (N51): odd names and texts, options without a family's key, items without roles.
import { describe, expect, it } from 'vitest'
import { fetchWorker, type Json, newOrg, queryText, type TestOrg } from '../api.ts'
import { type Load, load, one } from '../loads/loading.ts'
import { stateOf } from '../reverts/reverting.ts'

async function textOf(org: TestOrg, path: string, query: Json = {}): Promise<string> {
  const response = await fetchWorker(`/api${path}/export${queryText({ format: 'csv-load', ...query })}`, {
    headers: org.headers,
  })
  expect(response.status).toBe(200)
  return response.text()
}

const configurationOf = (org: TestOrg, path: string, query: Json = {}) =>
  org.get(`${path}/export`, { ...query, format: 'configuration' })

/** Loads the export as it is: nothing may change. */
async function loadedBack(org: TestOrg, path: string, query: Json = {}): Promise<Load> {
  const before = await stateOf(org)
  const { body, status } = await configurationOf(org, path, query)
  expect(status, JSON.stringify(body)).toBe(200)
  const loaded = await load(org, await textOf(org, path, query), body)
  expect(loaded).toMatchObject({ status: 'completed', errorCount: 0 })
  expect(await stateOf(org)).toEqual(before)
  return loaded
}

const INHERITED = ['toString', 'valueOf', 'toLocaleString', 'hasOwnProperty', 'isPrototypeOf']

describe('an export of properties that are named like what every object has', () => {
  it('is whole as CSV, for loads and for people', async () => {
    const org = await newOrg()
    for (const name of INHERITED) await org.make('/colors', { federatedId: name, name, [name]: 'own' })
    const [header = '', ...rows] = (await textOf(org, '/colors')).trim().split('\r\n')
    expect(header.split(',').slice(7)).toEqual([...INHERITED].sort())
    expect(rows).toHaveLength(INHERITED.length)
    expect(rows.every(row => row.split(',').filter(cell => cell === 'own').length === 1)).toBe(true)
    expect((await loadedBack(org, '/colors')).results.color).toMatchObject({ unchanged: INHERITED.length, updated: 0 })
    await org.make('/projects', { name: 'has it', toString: 'own' })
    await org.make('/projects', { name: 'has none' })
    expect(await textOf(org, '/projects', { format: 'csv', properties: 'name,toString' })).toBe(
      'federatedId,name,toString\r\n,has it,own\r\n,has none,\r\n',
    )
  })

  it('as JSON lines says null where there is none', async () => {
    const org = await newOrg()
    const { id } = await org.make('/colors', { name: 'none' })
    const line = await textOf(org, '/colors', { format: 'jsonl', properties: INHERITED.join(',') })
    expect(JSON.parse(line)).toEqual({ id, ...Object.fromEntries(INHERITED.map(name => [name, null])) })
  })
})

it('an export with U+0000 in a text loads back; the cell is left alone', async () => {
  const org = await newOrg()
  const properties = [
    { slug: 'care', propertyType: 'text' },
    { slug: 'tags', propertyType: 'multi_select' },
    { slug: 'old', propertyType: 'text', archived: true },
  ]
  await org.make('/types', { typePath: 'color', properties })
  const odd = 'a\0b'
  await org.make('/colors', { federatedId: 'A', name: 'A', care: odd, tags: [odd], note: odd, nested: [odd], old: odd })
  const query = { properties: 'care,tags,note,nested,old' }
  expect(await textOf(org, '/colors', query)).toBe(
    'federatedId,care,tags,note,nested,old\r\nA,(unchanged),(unchanged),(unchanged),"[""a\\u0000b""]",(unchanged)\r\n',
  )
  expect((await loadedBack(org, '/colors', query)).results.color).toMatchObject({ unchanged: 1, updated: 0 })
})

describe('a property that a load would not find by its column', () => {
  const refusedFor = async (org: TestOrg, query: Json, ...names: string[]) => {
    const { status, body } = await configurationOf(org, '/colors', query)
    expect([status, body.code]).toEqual([409, 'conflict'])
    for (const name of names) expect(body.detail).toContain(JSON.stringify(name))
  }

  it('with spaces around its name is in the file, and refused in the configuration', async () => {
    const org = await newOrg()
    await org.make('/colors', { federatedId: 'A', name: 'A', ' sp ': 'wide', sp: 'narrow', _line: 'own' })
    const [header, row] = (await textOf(org, '/colors', { format: 'csv' })).split('\r\n')
    expect(header).toContain('," sp ",_line,sp,')
    expect(row).toContain(',wide,own,narrow,')
    await refusedFor(org, {}, ' sp ', '_line')
    expect((await loadedBack(org, '/colors', { properties: 'name,sp' })).results.color).toMatchObject({ unchanged: 1 })
  })

  it('is one that no type defines under the label of another, in any case', async () => {
    const org = await newOrg()
    const properties = [
      { slug: 'season', label: 'Saison', propertyType: 'string' },
      { slug: 'price', label: 'Cost', propertyType: 'number', level: 'override' },
    ]
    await org.make('/types', { typePath: 'color:a', properties })
    const stray = { SAISON: 'x', cost: 'y', priceFamily: 'z' }
    await org.make('/colors', { federatedId: 'A', typePath: 'color:a', name: 'A', season: 'SS', price: 1, ...stray })
    await org.make('/colors', { federatedId: 'B', typePath: 'color:b', name: 'B', SAISON: 'own' })
    const csv = await textOf(org, '/colors', { format: 'csv', properties: 'season,price,SAISON,cost,priceFamily' })
    expect(csv.split('\r\n')[1]).toBe('A,SS,1,x,y,z')
    await refusedFor(org, {}, ...Object.keys(stray))
    for (const properties of ['Saison', 'cost', 'priceFamily']) await refusedFor(org, { properties }, properties)
    expect((await loadedBack(org, '/colors', { properties: 'season,price' })).results.color?.updated).toBe(0)
    // In another type the label means nothing.
    expect((await loadedBack(org, '/colors', { criteria: { typePath: 'color:b' } })).results.color?.updated).toBe(0)
  })

  it('is left alone where another type defines it', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'color:a', properties: [{ slug: 'cost', propertyType: 'number' }] })
    const properties = [{ slug: 'price', label: 'Cost', propertyType: 'number' }]
    await org.make('/types', { typePath: 'color:b', properties })
    await org.make('/colors', { federatedId: 'A', typePath: 'color:a', name: 'A', cost: 1 })
    await org.make('/colors', { federatedId: 'B', typePath: 'color:b', name: 'B', price: 2 })
    await org.make('/colors', { federatedId: 'C', typePath: 'color:b', name: 'C', price: 3, cost: 4 })
    const query = { properties: 'typePath,cost' }
    expect((await loadedBack(org, '/colors', query)).results.color).toMatchObject({ unchanged: 3, updated: 0 })
    expect((await loadedBack(org, '/colors')).results.color).toMatchObject({ unchanged: 3, updated: 0 })
  })
})

describe('a configuration is refused', () => {
  const refusedFor = async (org: TestOrg, criteria: Json, id: unknown) => {
    const refused = await configurationOf(org, '/items', { criteria })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', entityReference: `item:${id}` } })
  }
  const isGiven = async (org: TestOrg, criteria: Json) =>
    expect((await configurationOf(org, '/items', { criteria })).status, JSON.stringify(criteria)).toBe(200)

  it('for options whose family has no key, and for no others', async () => {
    const org = await newOrg()
    const [keyless, keyed] = [
      await org.make('/items', { name: 'Keyless' }),
      await org.make('/items', { name: 'Keyed', federatedId: 'F' }),
    ]
    await org.make('/items', { name: 'red', federatedId: 'K-R', itemFamilyId: keyless.id })
    await org.make('/items', { name: 'blue', federatedId: 'F-B', itemFamilyId: keyed.id })
    const ids = [keyless.id, keyed.id]
    for (const criteria of [
      { federatedId: ['K-R', 'F-B'] },
      { federatedId: { exists: true } },
      { itemFamilyId: keyless.id },
      { itemFamilyId: ids },
      { itemFamilyId: { in: ids, not: 'x' } },
      { name: 'red' },
    ]) {
      await refusedFor(org, criteria, keyless.id)
    }
    for (const criteria of [
      { federatedId: ['F', 'F-B'] },
      { itemFamilyId: keyed.id },
      { itemFamilyId: { in: ids, not: keyless.id } },
      { itemFamilyId: null, federatedId: { exists: true } },
    ]) {
      await isGiven(org, criteria)
    }
  })

  it('for entities without a key, whatever criterion on the key lets them through', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'Keyless' })
    await org.make('/items', { name: 'Keyed', federatedId: 'F' })
    for (const federatedId of [{ not: 'F' }, { notIn: ['F'] }, { exists: false }, { eq: null }, null]) {
      await refusedFor(org, { federatedId }, id)
    }
    for (const federatedId of [{ not: null }, { exists: true }, { gte: 'A' }, { in: ['F'] }, { eq: 'F' }, 'F', ['F']]) {
      await isGiven(org, { federatedId })
    }
    await isGiven(org, { federatedId: { not: 'F' }, name: 'Other' })
  })
})

describe('items that were made without roles', () => {
  it('keep none when their export is loaded', async () => {
    const org = await newOrg()
    const family = await org.make('/items', { name: 'Polo', federatedId: 'POLO' })
    await org.make('/items', { name: 'navy', optionName: 'navy', federatedId: 'POLO-N', itemFamilyId: family.id })
    const { results } = await loadedBack(org, '/items')
    expect(results.item).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    // Their family is found by its key.
    const options = { criteria: { federatedId: 'POLO-N' } }
    expect((await loadedBack(org, '/items', options)).results.item).toMatchObject({ updated: 0, unchanged: 2 })
    const csv = (await textOf(org, '/items', options)).replace('POLO-N,navy', 'POLO-R,red')
    const { body } = await configurationOf(org, '/items', options)
    expect((await load(org, csv, body)).results.item).toMatchObject({ created: 1, updated: 0 })
    expect((await one(org, '/items', 'POLO-R')).roles).toEqual(['option'])
  })
})

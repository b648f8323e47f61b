// An export of families and options goes back without a change (N51), also where options differ from what their families have, and
// still says what somebody has changed in it.
import { beforeEach, describe, expect, it } from 'vitest'
import { BOUNDS } from '../../../src/features/loads/job.ts'
import { fetchWorker, type Json, newOrg, queryText, type TestOrg } from '../api.ts'
import { all, holdLoads, type Load, one, SMALL, start, worked } from '../loads/loading.ts'
import { stateOf } from '../reverts/reverting.ts'

const PROPERTIES = [
  { slug: 'fabric', propertyType: 'string', level: 'family' },
  { slug: 'price', propertyType: 'number', level: 'override' },
]

/** More than one chunk of them. */
const OPTIONS = [
  { federatedId: 'O1', fabric: 'Silk' },
  { federatedId: 'O2', price: 10 },
  { federatedId: 'O3', price: 12 },
  { federatedId: 'O4', fabric: 'Linen', price: 10 },
  { federatedId: 'O5' },
]

let org: TestOrg

beforeEach(async () => {
  holdLoads()
  org = await newOrg()
  await org.make('/types', { typePath: 'item', properties: PROPERTIES })
  const family = await org.make('/items', {
    federatedId: 'F1',
    name: 'F1',
    roles: ['family'],
    fabric: 'Linen',
    price: 10,
  })
  for (const option of OPTIONS) {
    await org.make('/items', { name: option.federatedId, itemFamilyId: family.id, roles: ['option'], ...option })
  }
})

async function exported(query: Json = {}): Promise<string> {
  return (
    await fetchWorker(`/api/items/export${queryText({ ...query, format: 'csv-load' })}`, { headers: org.headers })
  ).text()
}

async function loaded(csv: string, into = org, bounds = SMALL): Promise<Load> {
  const { body } = await org.get('/items/export', { format: 'configuration' })
  return worked(into, (await start(into, csv, body)).id, bounds)
}

const valuesOf = async (slug: string, at = org) =>
  Object.fromEntries((await all(at, '/items')).map(item => [item.federatedId, item[slug]]))

describe('an export of a family whose options differ', () => {
  it('N51 changes nothing', async () => {
    const before = await stateOf(org)
    expect(await loaded(await exported())).toMatchObject({
      status: 'completed',
      warningCount: 0,
      results: { item: { created: 0, updated: 0, unchanged: 6 } },
    })
    expect(await stateOf(org)).toEqual(before)
  })

  it('N51 says nothing of a property that nobody has, and another type does not know', async () => {
    await org.make('/types', { typePath: 'item:bag', properties: [{ slug: 'strap', propertyType: 'string' }] })
    await org.make('/items', { federatedId: 'B1', typePath: 'item:bag' })
    expect(await loaded(await exported())).toMatchObject({ status: 'completed', warningCount: 0 })
  })

  it('N51 says what was changed in it, wherever the options stand', async () => {
    const csv = await exported()
    await loaded(csv.replace('Linen,10', 'Wool,10'))
    expect(await valuesOf('fabric')).toEqual({ F1: 'Wool', O1: 'Wool', O2: 'Wool', O3: 'Wool', O4: 'Wool', O5: 'Wool' })
    await loaded(csv.replace('Linen,10', 'Wool,11'))
    // What their own cells say they keep; those without a value of their own have that of the family.
    expect(await valuesOf('price')).toEqual({ F1: 11, O1: 11, O2: 10, O3: 12, O4: 10, O5: 11 })
  })

  it('N51 takes a value that an empty cell was given', async () => {
    const csv = await exported()
    const line = csv.split('\r\n').find(row => row.includes(',O5,')) ?? ''
    const edited = csv.replace('Linen,10', 'Linen,11').replace(line, line.replace(/,$/, ',15'))
    expect(edited).toContain(',15')
    await loaded(edited)
    expect(await valuesOf('price')).toEqual({ F1: 11, O1: 11, O2: 10, O3: 12, O4: 10, O5: 15 })
  })
})

describe.each([
  ['in one chunk', BOUNDS],
  ['in several chunks', SMALL],
])('an export in which the options come before their family, %s', (_, bounds) => {
  const lastFirst = { order: { orderField: 'name', order: 'desc' } }

  it('N51 changes nothing, and says nothing', async () => {
    const before = await stateOf(org)
    const csv = await exported(lastFirst)
    expect(csv).toMatch(/\r\nitem,F1,F1,,[^\n]*Linen,10\r\n$/)
    expect(await loaded(csv, org, bounds)).toMatchObject({ status: 'completed', warningCount: 0 })
    expect(await stateOf(org)).toEqual(before)
  })

  it('N51 says what was changed on the row of the family', async () => {
    const csv = await exported(lastFirst)
    const edited = csv.replace('item,F1,F1,,', 'item,Parka,F1,,').replace('Linen,10\r\n', 'Wool,11\r\n')
    expect(await loaded(edited, org, bounds)).toMatchObject({ status: 'completed', warningCount: 0 })
    expect(await one(org, '/items', 'F1')).toMatchObject({ name: 'Parka', fabric: 'Wool', price: 11 })
    expect(await valuesOf('fabric')).toEqual({ F1: 'Wool', O1: 'Wool', O2: 'Wool', O3: 'Wool', O4: 'Wool', O5: 'Wool' })
    expect(await valuesOf('price')).toEqual({ F1: 11, O1: 11, O2: 10, O3: 12, O4: 10, O5: 11 })
    const emptied = edited.replace('Wool,11\r\n', ',11\r\n')
    expect(await loaded(emptied, org, bounds)).toMatchObject({ status: 'completed', warningCount: 0 })
    expect(new Set(Object.values(await valuesOf('fabric')))).toEqual(new Set([undefined]))
  })

  it('N51 brings the family to another organization as it is', async () => {
    const other = await newOrg()
    const required = PROPERTIES.map(property => ({ ...property, required: property.slug === 'fabric' }))
    await other.make('/types', { typePath: 'item', properties: required })
    const csv = (await exported(lastFirst)).replace('item,F1,F1,,', 'item,Parka,F1,,')
    const withoutFamily = csv.replace(/item,Parka,.*\r\n$/, '')
    expect(await loaded(withoutFamily, other, bounds)).toMatchObject({
      status: 'failed',
      issues: [{ rowNumber: 2, columnName: 'fabric', issueType: 'MISSING_DATA' }],
    })
    expect(await loaded(csv, other, bounds)).toMatchObject({ status: 'completed', warningCount: 0 })
    expect(await one(other, '/items', 'F1')).toMatchObject({ name: 'Parka', fabric: 'Linen', price: 10 })
    expect(await valuesOf('fabric', other)).toMatchObject({ O1: 'Linen', O5: 'Linen' })
  })

  it('N51 tells of what the row of an option says otherwise', async () => {
    const csv = (await exported(lastFirst)).replace(/item,[^,]*,F1,O5/, 'item,Coat,F1,O5')
    const load = await loaded(csv, org, bounds)
    expect(load.issues.map(({ message }) => message)).toEqual([
      'The family F1 has another name on line 2, which holds.',
    ])
    expect(await one(org, '/items', 'F1')).toMatchObject({ name: 'Coat' })
  })
})

// An export of families and options goes back without a change (N51), also where options differ from what their families have, and
// still says what somebody has changed in it.
import { beforeEach, describe, expect, it } from 'vitest'
import { fetchWorker, newOrg, type TestOrg } from '../api.ts'
import { all, holdLoads, type Load, SMALL, start, worked } from './loading.ts'
import { stateOf } from './reverting.ts'

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

async function exported(): Promise<string> {
  return (await fetchWorker('/api/items/export', { headers: org.headers })).text()
}

async function loaded(csv: string): Promise<Load> {
  const { body } = await org.get('/items/export', { format: 'configuration' })
  return worked(org, (await start(org, csv, body)).id, SMALL)
}

const valuesOf = async (slug: string) =>
  Object.fromEntries((await all(org, '/items')).map(item => [item.federatedId, item[slug]]))

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

// An export may come in any order (N51): what is said on the row of a family counts wherever it stands, in one chunk or in several.
import { beforeEach, describe, expect, it } from 'vitest'
import { BOUNDS } from '../../../src/features/loads/job.ts'
import { type Json, newOrg, type TestOrg } from '../api.ts'
import { all, holdLoads, type Load, one, start, worked } from '../loads/loading.ts'
import { workedBack } from '../reverts/reverting.ts'

const U = '(unchanged)'
const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'
const ONE_BY_ONE = { ...BOUNDS, chunkMaxRows: 1, commitMaxEntities: 1 }

let org: TestOrg

beforeEach(async () => {
  holdLoads()
  org = await newOrg()
})

const types = async (defined: Json, at = org) => {
  for (const [typePath, properties] of Object.entries(defined)) await at.make('/types', { typePath, properties })
}

const stateOf = async (at: TestOrg, ...names: string[]) =>
  Object.fromEntries(
    (await all(at, '/items')).map(item => [
      item.federatedId,
      Object.fromEntries(names.map(name => [name, item[name]])),
    ]),
  )

const told = ({ status, issues }: Load) => [
  status,
  ...issues.map(({ rowNumber, message }) => `${rowNumber}: ${message}`),
]

describe.each([
  ['in one chunk', BOUNDS],
  ['in chunks of a row', ONE_BY_ONE],
])('rows of an export, %s', (_, bounds) => {
  const load = async (lines: string[], more: Json = {}, at = org) =>
    worked(at, (await start(at, `${lines.join('\n')}\n`, { loadType: ['ITEM'], unchangedMark: U, ...more })).id, bounds)

  it('name the type path of their own entity', async () => {
    await types({
      'item:x': [{ slug: 'weight', propertyType: 'number', level: 'family' }],
      'item:y': [{ slug: 'w', propertyType: 'string' }],
    })
    const rows = [`${HEAD},typePath,weight,w`, `F1,O1,item:y,${U},1`, `F1,O2,item:x,${U},`, 'F1,,item:x,12,']
    // As an export has them: one type lacks either.
    const columnTypes = { weight: 'number', w: 'string' }
    expect(told(await load(rows, { columnTypes }))).toEqual(['completed'])
    const made = {
      F1: { typePath: 'item:x', weight: 12 },
      O1: { typePath: 'item:y' },
      O2: { typePath: 'item:x', weight: 12 },
    }
    expect(await stateOf(org, 'typePath', 'weight')).toEqual(made)
    expect(told(await load(rows.with(3, 'F1,,item:z,12,'), { columnTypes }))).toEqual(['completed'])
    expect(await stateOf(org, 'typePath', 'weight')).toMatchObject({ ...made, F1: { typePath: 'item:z' } })
  })

  it('leave a property of the family that only its new type has to its own row', async () => {
    const family = (slug: string) => ({ slug, propertyType: 'string', level: 'family' })
    await types({ item: [family('fabric')], 'item:z': [{ ...family('weave'), required: true }] })
    await load([`${HEAD},fabric`, 'F1,,Linen', 'F1,O1,', 'F2,,Silk'])
    const moved = [`${HEAD},typePath,fabric,weave`, `F1,O1,item:z,${U},${U}`, 'F1,,item:z,Wool,Twill']
    expect(told(await load(moved))).toEqual(['completed'])
    const state = { typePath: 'item:z', fabric: 'Wool', weave: 'Twill' }
    expect(await stateOf(org, 'typePath', 'fabric', 'weave')).toMatchObject({ F1: state, O1: state })
    const refused = await load([`${HEAD},typePath`, 'F2,O2,item:z', 'F2,,item'])
    expect(told(refused)).toEqual(['failed', '2: O2 is new, and its type requires a value for weave.'])
  })

  it('leave what a type has come to require to the row of the family, also of options that are new or move', async () => {
    const fabric = { slug: 'fabric', propertyType: 'string', level: 'family' }
    const type = await org.make('/types', { typePath: 'item', properties: [fabric] })
    await load([`${HEAD},fabric`, 'F1,,', 'F1,O1,', 'F2,,', 'F3,,Silk', 'F3,O3,'])
    await org.put(`/types/${type.id}`, { properties: [{ ...fabric, required: true }] })
    const rows = [`${HEAD},fabric`, `F1,O1,${U}`, `F1,O2,${U}`, `F2,O3,${U}`, 'F1,,Linen', 'F2,,Wool']
    expect(told(await load(rows.slice(0, -1)))).toEqual([
      'failed',
      '4: O3 would be left without one, and its type requires a value for fabric.',
    ])
    expect(told(await load(rows))).toEqual(['completed'])
    expect(await stateOf(org, 'fabric')).toMatchObject({
      O1: { fabric: 'Linen' },
      O2: { fabric: 'Linen' },
      O3: { fabric: 'Wool' },
    })
  })

  it('have an empty column for families count for less than the own column of a family', async () => {
    await types({ item: [{ slug: 'price', propertyType: 'number', level: 'override' }] })
    await load([`${HEAD},price`, 'F1,,10', 'F1,O1,10', 'F1,O2,10'])
    const [first, option, own] = [`${HEAD},price,priceFamily`, `F1,O1,,${U}`, 'F1,,11,']
    for (const rows of [
      [first, own, 'F1,O1,,'],
      [first, option, own.replace('11', '12')],
    ]) {
      expect(told(await load(rows))).toEqual(['completed'])
      const price = rows[1] === own ? 11 : 12
      expect(await stateOf(org, 'price')).toEqual({ F1: { price }, O1: { price }, O2: { price } })
    }
    const none = [`${HEAD},priceFamily`, 'F1,O1,', 'F1,,12', 'F1,O2,12']
    await load(none)
    expect(await stateOf(org, 'price')).toEqual({ F1: {}, O1: {}, O2: {} })
  })

  it('are told of what the first of two rows of the family says otherwise, and of nothing else', async () => {
    await types({ item: [{ slug: 'fabric', propertyType: 'string', level: 'family' }] })
    const rows = [`${HEAD},name,fabric`, `F1,O1,${U},${U}`, 'F1,,Parka,Wool', 'F1,,Parka,Wool']
    expect(told(await load(rows))).toEqual(['completed'])
    expect(told(await load(rows.with(3, 'F1,,Parka,Silk')))).toEqual([
      'completed',
      '4: The family F1 has another fabric on line 3, which holds.',
    ])
    expect(await one(org, '/items', 'O1')).toMatchObject({ fabric: 'Wool' })
  })

  it('are too large with what they say of their family', async () => {
    await types({ item: [{ slug: 'big', propertyType: 'text', level: 'family' }] })
    const long = '\\'.repeat(300_000)
    for (const rows of [
      [`F1,,${long}`, `F1,O1,${U}`],
      [`F1,O1,${U}`, `F1,,${long}`],
    ]) {
      const failed = await load([`${HEAD},big`, ...rows])
      expect(failed).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA' })
      expect(failed.issues[0]?.message).toContain('The row makes an entity of more than 512 KB')
    }
    expect(await all(org, '/items')).toEqual([])
  })

  it('are taken back, also a property whose name every object has', async () => {
    await types({ item: [{ slug: 'toString', propertyType: 'string' }] })
    await load(['itemFamilyFederatedId,toString', 'F1,abc'])
    const { id } = await load(['itemFamilyFederatedId,toString', 'F1,'])
    expect(Object.hasOwn(await one(org, '/items', 'F1'), 'toString')).toBe(false)
    expect(await workedBack(org, id, bounds)).toMatchObject({ status: 'completed', issueCount: 0 })
    expect(Object.entries(await one(org, '/items', 'F1'))).toContainEqual(['toString', 'abc'])
  })
})

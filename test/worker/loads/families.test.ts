// Corners of families, their options and what these have from them that loads once got wrong.
import { describe, expect, it } from 'vitest'
import { newOrg, type TestOrg } from '../api.ts'
import { all, brief, holdLoads, type Load, load, one, SMALL, start, worked } from './loading.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'
const LEVELS = [
  { slug: 'fabric', label: 'Fabric', propertyType: 'string', level: 'family' },
  { slug: 'price', label: 'Price', propertyType: 'number', level: 'override' },
]

async function leveled(): Promise<TestOrg> {
  const org = await newOrg()
  await org.make('/types', { typePath: 'item', label: 'Item', properties: LEVELS })
  return org
}

const prices = async (org: TestOrg, ...keys: string[]) =>
  Promise.all(keys.map(async key => (await one(org, '/items', key)).price))

describe('families and options (N73)', () => {
  it('a stored family is no option, and the other way round', async () => {
    const org = await newOrg()
    await load(org, `${HEAD}\nF1,O1\nF2,O2\n`)
    expect(brief(await load(org, `${HEAD}\nF1,F2\n`))).toEqual(['error 2 itemOptionFederatedId INVALID_DATA'])
    expect(brief(await load(org, `${HEAD}\nO1,O3\nO1,\n`))).toEqual([
      'error 2 itemFamilyFederatedId INVALID_DATA',
      'error 3 itemFamilyFederatedId INVALID_DATA',
    ])
    expect(await all(org, '/items')).toHaveLength(4)
  })

  it('the API keeps the same rule: nothing deeper, no circles', async () => {
    const org = await newOrg()
    const make = (federatedId: string, more = {}) => org.make('/items', { federatedId, ...more })
    const family = await make('F1', { roles: ['family'] })
    const option = await make('O1', { itemFamilyId: family.id })
    const free = await make('X')
    const status = async (body: unknown, id?: string) =>
      (id === undefined ? await org.post('/items', body) : await org.put(`/items/${id}`, body)).status
    expect(await status({ itemFamilyId: option.id })).toBe(400)
    expect(await status({ itemFamilyId: free.id, roles: ['family'] })).toBe(400)
    expect(await status({ itemFamilyId: free.id }, family.id)).toBe(400)
    expect(await status({ itemFamilyId: free.id }, free.id)).toBe(400)
    const chain = [
      { id: free.id, itemFamilyId: family.id },
      { id: (await make('Y')).id, itemFamilyId: free.id },
    ]
    expect((await org.put('/items/batch', chain)).body).toMatchObject({
      status: 400,
      errors: [{ path: '/1/itemFamilyId' }],
    })
    expect(await status({ itemFamilyId: family.id }, free.id)).toBe(200)
    expect(await status({ itemFamilyId: null }, free.id)).toBe(200)
  })

  it('a text in the place of roles is one fault, not a second one for its length', async () => {
    const org = await newOrg()
    const errors = [{ path: '/roles', message: 'Invalid input: expected array, received string' }]
    const { id } = await org.make('/items')
    expect((await org.post('/items', { roles: 'family' })).body.errors).toEqual(errors)
    expect((await org.put(`/items/${id}`, { roles: 'family', itemFamilyId: id })).body.errors).toEqual(errors)
  })

  it('an item that was neither becomes what the file says, with its role', async () => {
    const org = await newOrg()
    await org.make('/items', { federatedId: 'F1' })
    await org.make('/items', { federatedId: 'O1' })
    await load(org, `${HEAD}\nF1,O1\n`)
    expect(await one(org, '/items', 'F1')).toMatchObject({ roles: ['family'] })
    expect(await one(org, '/items', 'O1')).toMatchObject({ roles: ['option'] })
  })

  it('a new option without typePath has the type of its family, in one file as in two', async () => {
    const org = await newOrg()
    await load(org, `${HEAD},typePath\nF1,,item:shirt\nF1,O1,\n`)
    await load(org, `${HEAD}\nF1,O2\n`)
    expect((await all(org, '/items')).map(({ typePath }) => typePath)).toEqual([
      'item:shirt',
      'item:shirt',
      'item:shirt',
    ])
  })

  it('it has the new type of a family whose changes wait until its options are compared with it', async () => {
    const org = await leveled()
    await load(org, `${HEAD},price\nF1,,5\n`)
    holdLoads()
    const rows = ['F1,,9,item:shirt', 'F2,,,', 'F3,,,', 'F4,,,', 'F1,O1,,', 'F5,,,']
    const csv = `${HEAD},price,typePath\n${rows.join('\n')}\n`
    await worked(org, (await start(org, csv, { loadType: ['ITEM'] })).id, SMALL)
    expect(await one(org, '/items', 'F1')).toMatchObject({ typePath: 'item:shirt', price: 9 })
    expect(await one(org, '/items', 'O1')).toMatchObject({ typePath: 'item:shirt', price: 9 })
  })
})

describe('a family’s later row', () => {
  it('is read by the type that the family keeps, although its first row, which names none, stands in an earlier chunk', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item', properties: LEVELS.slice(0, 1) })
    await org.make('/types', { typePath: 'item:shirt', properties: LEVELS.slice(1) })
    await load(org, `${HEAD}\nF1,\n`)
    holdLoads()
    const rows = ['F1,O1,,', 'F2,,1,item:shirt', 'F3,,1,item:shirt', 'F4,,1,item:shirt', 'F1,,1,item:shirt']
    const csv = `${HEAD},price,typePath\n${rows.join('\n')}\n`
    await worked(org, (await start(org, csv, { loadType: ['ITEM'] })).id, SMALL)
    expect(await prices(org, 'F1', 'F4')).toEqual([undefined, 1])
  })
})

describe('an option’s name', () => {
  it('stays what optionName has said, where a file has no such column, and follows name where nothing has', async () => {
    const org = await newOrg()
    await load(org, `${HEAD},name,optionName\nF1,O1,Shirt,Red\nF1,O2,Shirt,\n`)
    const done = await load(org, `${HEAD},name\nF1,O1,Polo\nF1,O2,Polo\nF1,O3,Polo\n`)
    expect(done.results.item).toEqual({ created: 1, updated: 2, unchanged: 1, removed: 0 })
    const names = (await all(org, '/items')).map(({ federatedId, name }) => `${federatedId} ${name}`)
    expect(names.sort()).toEqual(['F1 Polo', 'O1 Red', 'O2 Polo', 'O3 Polo'])
  })
})

describe('levels (N32)', () => {
  it('an empty override is what the family has, the first time and the second', async () => {
    const org = await leveled()
    await load(org, `${HEAD},price\nF1,,5\n`)
    for (const created of [1, 0]) {
      expect((await load(org, `${HEAD},price\nF1,O1,\n`)).results.item).toMatchObject({ created, updated: 0 })
      expect(await prices(org, 'O1')).toEqual([5])
    }
  })

  it('what empties the family empties the options that have its value, and no others', async () => {
    const org = await leveled()
    await load(org, `${HEAD},price\nF1,,5\nF1,O1,\nF1,O2,7\n`)
    await load(org, `${HEAD},priceFamily\nF1,O1,\n`)
    expect(await prices(org, 'F1', 'O1', 'O2')).toEqual([undefined, undefined, 7])
  })

  it('new values of more families than one pass takes reach their options, also where one has more than a page of them', async () => {
    const org = await leveled()
    const families = Array.from({ length: 205 }, (_, n) => `F${String(n).padStart(3, '0')}`)
    const many = Array.from({ length: 1005 }, (_, n) => `F100,M${n},`)
    const few = families.map(key => `${key},O${key},`)
    await load(org, `${HEAD},price\n${[...families.map(key => `${key},,5`), ...many, ...few].join('\n')}\n`)
    const done = await load(org, `${HEAD},price\n${families.map(key => `${key},,9`).join('\n')}\n`)
    expect(done.results.item).toMatchObject({ created: 0, updated: 2 * families.length + many.length, unchanged: 0 })
    const { body } = await org.get('/items/count', { criteria: { price: 9 } })
    expect(body).toMatchObject({ count: 2 * families.length + many.length })
    expect((await all(org, '/items', { price: 5 })).length).toBe(0)
  })

  it('a new value reaches the options that only had the old one, whichever the file names', async () => {
    const org = await leveled()
    holdLoads()
    const run = async (csv: string): Promise<Load> =>
      worked(org, (await start(org, csv, { loadType: ['ITEM'] })).id, SMALL)
    await run(`${HEAD},price\nF1,,5\nF1,O1,\nF1,O2,7\nF1,O3,\nF1,O4,5\n`)
    const done = await run(`${HEAD},priceFamily,priceOption\nF1,O1,9,\nF1,O4,9,5\n`)
    expect(done.results.item).toEqual({ created: 0, updated: 3, unchanged: 1, removed: 0 })
    expect(await prices(org, 'F1', 'O1', 'O2', 'O3', 'O4')).toEqual([9, 9, 7, 9, 5])
  })

  it('what is no such value for its family’s type is none for an option of another one, the first time and the second', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item:shirt', properties: LEVELS })
    const csv = `${HEAD},typePath,price,fabric\nF1,,,5,wool\nF1,O1,item:shirt,,\n`
    for (const again of [false, true, true]) {
      const done = await load(org, csv)
      expect(done.results.item, JSON.stringify(done.issues)).toMatchObject(again ? { unchanged: 2 } : { created: 2 })
      expect(await one(org, '/items', 'F1')).toMatchObject({ price: '5', fabric: 'wool' })
      const option = await one(org, '/items', 'O1')
      expect([option.price, option.fabric]).toEqual([undefined, undefined])
    }
  })

  it('an option that moves has what its new family has', async () => {
    const org = await leveled()
    await load(org, `${HEAD},fabric,price\nF1,,wool,5\nF2,,silk,6\nF1,O1,wool,\nF1,O2,wool,8\n`)
    await load(org, `${HEAD}\nF2,O1\nF2,O2\n`)
    expect(await prices(org, 'O1', 'O2')).toEqual([6, 8])
    expect(await one(org, '/items', 'O1')).toMatchObject({ fabric: 'silk' })
  })

  it('a family that is described in a later chunk counts once, and a dry run counts what is inherited', async () => {
    const org = await leveled()
    await load(org, `${HEAD},fabric\nF1,O1,wool\nF1,O2,wool\n`)
    holdLoads()
    const rows = ['F1,O1,silk,', 'F2,O3,x,', 'F2,O4,x,', 'F2,O5,x,', 'F2,O6,x,', 'F2,,x,9', 'F1,,silk,4']
    const csv = `${HEAD},fabric,price\n${rows.join('\n')}\n`
    const run = async (more: object) => worked(org, (await start(org, csv, { loadType: ['ITEM'], ...more })).id, SMALL)
    const dry = await run({ dryRun: true })
    expect(dry.results.item).toEqual({ created: 5, updated: 3, unchanged: 0, removed: 0 })
    expect((await run({})).results).toEqual(dry.results)
    expect(await prices(org, 'F1', 'F2', 'O6')).toEqual([4, 9, 9])
  })
})

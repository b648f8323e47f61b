// Corners of what rows mean that loads once got wrong, each by itself. differential.long.test.ts looks for more of them.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Work } from '../../../src/features/loads/rows/work.ts'
import { newOrg, type TestOrg } from '../api.ts'
import { all, brief, holdLoads, type Load, load, one, SMALL, start, text, worked } from './loading.ts'

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

describe('the work of conditional columns (N60)', () => {
  it('fails a load that takes more of it than a load may, at once and with a reason; nothing is written', async () => {
    const org = await newOrg()
    const spent = vi.spyOn(Work.prototype, 'isSpent', 'get').mockReturnValue(true)
    onTestFinished(() => spent.mockRestore())
    const conditionalColumns = [{ toProperty: 'made', conditions: [{ conditional: "{name} === 'a'", value: 'b' }] }]
    const rows = Array.from({ length: 20 }, (_, at) => `F${at},a`).join('\n')
    const ended = await load(org, `itemFamilyFederatedId,name\n${rows}\n`, { conditionalColumns })
    expect(ended).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA' })
    expect(ended.issues.filter(({ issueType }) => issueType === 'CONFIG')).toMatchObject([
      { message: expect.stringContaining('more work than a load may do') },
    ])
    expect((await org.get('/items')).body.results).toEqual([])
  })
})

describe('cells of any length (N29)', () => {
  const LONG = 'x'.repeat(600_000)

  it.each([
    ['in a column without a name', `federatedId,name,\nA,x,${LONG}\n`, { loadType: ['COLOR'] }, 'error 2 null'],
    ['that name an entity', `federatedId,maker\nA,${LONG}\n`, { loadType: ['COLOR'] }, 'error 2 maker'],
    ['that name a type', `itemFamilyFederatedId,typePath\nF,item${':a'.repeat(250_000)}\n`, {}, 'error 2 typePath'],
    [
      'that name an assortment',
      `itemFamilyFederatedId,s,assortmentId\nF,v,${LONG}\n`,
      { loadType: ['ITEM', 'ASSORTMENT'], assortmentSplit: { fieldToSplitOn: 's', values: [{ value: 'v' }] } },
      'error 2 assortmentId',
    ],
  ])('%s are an error of their line', async (_, csv, configuration, told) => {
    const org = await newOrg()
    const maker = { slug: 'maker', label: 'Maker', propertyType: 'object_reference' }
    await org.make('/types', { typePath: 'color', properties: [maker] })
    const ended = await load(org, csv, configuration)
    expect(ended.status).toBe('failed')
    expect(brief(ended)).toContain(`${told} INVALID_DATA`)
    expect(brief(ended).filter(issue => issue.endsWith('SYSTEM_ERROR'))).toEqual([])
  })
})

describe('references (N30)', () => {
  it.each([
    [['COLOR'], 'color', '/colors', ''],
    [['CUSTOM_ENTITY'], 'custom-entity', '/custom-entities', ',custom-entity:x'],
    [['SIZE_RANGE_TEMPLATE'], 'size-range-template', '/size-range-templates', ''],
  ])('of %j are read by federatedId, and what nobody knows is refused', async (loadType, typePath, path, more) => {
    const org = await newOrg()
    const properties = [
      { slug: 'maker', label: 'Maker', propertyType: 'object_reference' },
      { slug: 'makers', label: 'Makers', propertyType: 'object_ref_list' },
    ]
    await org.make('/types', { typePath, properties })
    const maker = await org.make('/custom-entities', { typePath: 'custom-entity:maker', federatedId: 'V1' })
    const head = `federatedId,maker,makers${more && ',typePath'}`
    expect(await load(org, `${head}\nk1,V1,V1|${maker.id}${more}\n`, { loadType })).toMatchObject({
      status: 'completed',
    })
    const made = await one(org, path, 'k1')
    expect(made).toMatchObject({ maker: maker.id, makers: [maker.id] })
    const refused = await load(org, `${head}\nk2,V9,${more}\n`, { loadType })
    expect(brief(refused)).toEqual(['error 2 maker INVALID_DATA'])
  })

  it('are read so, too, where only the configuration says that they are some', async () => {
    const org = await newOrg()
    const maker = await org.make('/custom-entities', { typePath: 'custom-entity:maker', federatedId: 'V1' })
    const configuration = {
      loadType: ['COLOR'],
      columnTypes: { maker: 'object_reference', makers: 'object_ref_list' },
    }
    await load(org, 'federatedId,maker,makers\nk1,V1,V1\n', configuration)
    expect(await one(org, '/colors', 'k1')).toMatchObject({ maker: maker.id, makers: [maker.id] })
    const refused = await load(org, 'federatedId,maker\nk2,V9\n', configuration)
    expect(brief(refused)).toEqual(['error 2 maker INVALID_DATA'])
  })
})

describe('what is not said is left as it is (N73)', () => {
  it('a conditional column without match and default, and a misspelt fromProperty', async () => {
    const org = await newOrg()
    await load(org, `${HEAD},name,optionName,optionGroup,a,b\nF1,O1,Shirt,Red,size,1,2\n`)
    const conditionalColumns = [
      ...['a', 'name', 'optionName', 'optionGroup'].map(toProperty => ({
        toProperty,
        conditions: [{ conditional: "{itemOptionFederatedId} === 'nobody'", value: 'x' }],
      })),
      { toProperty: 'b', fromProperty: 'misspelt' },
    ]
    const again = await load(org, `${HEAD}\nF1,O1\n`, { conditionalColumns })
    expect(again).toMatchObject({ status: 'completed', results: { item: { updated: 0, unchanged: 2 } } })
    expect(await one(org, '/items', 'O1')).toMatchObject({
      name: 'Red',
      optionName: 'Red',
      optionGroup: 'size',
      a: '1',
    })
  })
})

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

describe('what the API refuses is refused (N65)', () => {
  it.each([
    ['a name of 600 characters', `F1,${'n'.repeat(600)},`, 'name'],
    ['a control character in a name', 'F1,a\u0007b,', 'name'],
    ['a key of 600 characters', `${'k'.repeat(600)},n,`, 'itemFamilyFederatedId'],
    ['an identifier of 600 characters', `F1,n,${'i'.repeat(600)}`, 'identifier'],
  ])('%s', async (_, row, column) => {
    const org = await newOrg()
    const refused = await load(org, `itemFamilyFederatedId,name,identifier\n${row}\n`)
    expect(brief(refused)).toEqual([`error 2 ${column} INVALID_DATA`])
  })

  it('what it stores, the API takes back', async () => {
    const org = await newOrg()
    await load(org, `itemFamilyFederatedId,identifier,toString,a b\nF1,one,x,2\n`)
    const { id, ...item } = await one(org, '/items', 'F1')
    expect(item).toMatchObject({ identifier: 'one', toString: 'x' })
    expect((await org.put(`/items/${id}`, item)).status).toBe(200)
    await load(org, 'itemFamilyFederatedId,toString\nF1,\n')
    expect(Object.keys(await one(org, '/items', 'F1'))).not.toContain('toString')
  })

  it('numbers that would be rounded', async () => {
    const org = await newOrg()
    const properties = [{ slug: 'n', propertyType: 'number' }]
    await org.make('/types', { typePath: 'item', properties })
    const kept = ['0.1', '-12345678.125', '100000000000000000000', '0.000000000000000000001', '9007199254740992']
    const lost = ['12345678901234567890', '0.12345678901234567890', '9007199254740993', '1e5', `1${'0'.repeat(400)}`]
    const rows = [...kept, ...lost].map((n, at) => `F${at},${n}`).join('\n')
    const refused = await load(org, `itemFamilyFederatedId,n\n${rows}\n`)
    expect(refused.issues.map(({ rowNumber }) => rowNumber)).toEqual(lost.map((_, at) => at + 2 + kept.length))
  })
})

describe('issues (N28, N74)', () => {
  it('errors come first, and all of them reach the file', async () => {
    const org = await newOrg()
    await org.make('/types', {
      typePath: 'item',
      properties: [
        { slug: 'shade', propertyType: 'choice', options: ['red'] },
        ...Array.from({ length: 6 }, (_, at) => ({ slug: `n${at}`, propertyType: 'number' })),
      ],
    })
    const rows = Array.from({ length: 2500 }, (_, at) => `F${at},green,x,x,x,x,x,${at < 2000 ? 1 : 'x'}`)
    const failed = await load(org, `itemFamilyFederatedId,shade,n0,n1,n2,n3,n4,n5\n${rows.join('\n')}\n`)
    expect(failed).toMatchObject({ status: 'failed', errorCount: 13_000, warningCount: 2500 })
    expect(failed.issues).toHaveLength(100)
    expect(failed.issues.every(({ severity }) => severity === 'error')).toBe(true)
    const lines = (await text(org, failed.issuesFileId)).trim().split('\r\n')
    expect(lines).toHaveLength(15_501)
  })

  it('what is wrong with the header stands in the annotated file', async () => {
    const org = await newOrg()
    const failed = await load(org, 'itemFamilyFederatedId,a,a\nF1,1,2\n')
    expect(failed).toMatchObject({ status: 'failed', failureArea: 'PARSING_CSV' })
    const annotated = await text(org, failed.annotatedFileId)
    expect(annotated).toContain('2,"line 1: error: a: Column 3 repeats the name ""a"" of column 2.')
  })
})

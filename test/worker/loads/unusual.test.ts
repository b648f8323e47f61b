// What few files have: values in JSON, references in two columns, identifiers said twice, type paths that change, headers full of commas.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { env, newOrg, type TestOrg } from '../api.ts'
import { all, brief, ended, holdLoads, load, one, SMALL, start, text, upload, worked } from './loading.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'

async function withProperties(properties: object[], typePath = 'item'): Promise<TestOrg> {
  const org = await newOrg()
  await org.make('/types', { typePath, properties })
  return org
}

const property = (slug: string, propertyType: string, more: object = {}) => ({
  slug,
  label: slug,
  propertyType,
  ...more,
})

describe('values in JSON', () => {
  it('are copied down in one order, whatever the order of their keys in the file (N66)', async () => {
    const org = await withProperties([property('spec', 'json', { level: 'override' })])
    await load(org, `${HEAD}\nF1,O1\n`)
    const file = `${HEAD},spec\nF1,,"{""b"":1,""a"":2}"\n`
    expect((await load(org, file)).results.item).toMatchObject({ updated: 2 })
    expect((await load(org, file)).results.item).toMatchObject({ updated: 0 })
    await load(org, `${HEAD},spec\nF1,,"{""c"":3}"\n`)
    expect(await one(org, '/items', 'O1')).toMatchObject({ spec: { c: 3 } })
  })

  it('null is no value of a property that must have one', async () => {
    const org = await withProperties([property('spec', 'json', { required: true })])
    expect(brief(await load(org, `${HEAD},spec\nF1,,null\n`))).toEqual(['error 2 spec MISSING_DATA'])
  })

  it('what an expression makes of a cell may hold no name that the API refuses (N65)', async () => {
    const org = await newOrg()
    const conditionalColumns = [{ toProperty: 'spec', default: 'JSON.parse({raw})' }]
    const done = await load(org, `${HEAD},raw\nF1,,"{""constructor"":1}"\n`, { conditionalColumns })
    expect(done.issues).toEqual([
      expect.objectContaining({
        rowNumber: 2,
        message: expect.stringContaining('/constructor: This name is not allowed'),
      }),
    ])
    expect(await all(org, '/items')).toEqual([])
  })
})

describe('references', () => {
  it('of two columns for one property, the special one holds', async () => {
    const org = await withProperties([property('maker', 'object_reference', { level: 'override' })])
    const [, second] = await Promise.all(
      ['V1', 'V2'].map(federatedId => org.make('/custom-entities', { typePath: 'custom-entity:maker', federatedId })),
    )
    const done = await load(org, `${HEAD},maker,makerOption\nF1,O1,V1,V2\n`)
    expect(done).toMatchObject({ status: 'completed', issues: [{ columnName: 'maker', severity: 'warning' }] })
    expect(await one(org, '/items', 'O1')).toMatchObject({ maker: second?.id })
  })
})

describe('identifiers', () => {
  it('of a row that another one of its family holds against are nobody’s', async () => {
    const org = await newOrg()
    const done = await load(org, 'itemFamilyFederatedId,identifier\nF1,one\nF1,two\nF2,two\n')
    expect(brief(done)).toEqual(['warning 3 null VALIDATION_ERROR'])
    const found = await all(org, '/items')
    expect(found.map(({ federatedId, identifier }) => `${federatedId} ${identifier}`).sort()).toEqual([
      'F1 one',
      'F2 two',
    ])
  })

  it('of two families are still one’s only', async () => {
    const org = await newOrg()
    const done = await load(org, 'itemFamilyFederatedId,identifier\nF1,one\nF2,one\n')
    expect(brief(done)).toEqual(['error 3 identifier VALIDATION_ERROR'])
  })
})

describe('a family that gets another type path', () => {
  const options = ['F1,O1,item:shoe,1', 'F1,O2,item:shoe,1', 'F1,O3,item:shoe,1', 'F1,O4,item:shoe,1']
  const own = 'F1,,item:shoe,3'

  it.each([
    ['nowhere', options, ['error 2 typePath INVALID_DATA']],
    ['before its options', [own, ...options], []],
    ['in a later chunk', [...options, own], []],
  ])('is asked for what is stored of it, unless its own row says another value: %s', async (_, rows, issues) => {
    const org = await withProperties([property('sole', 'number', { level: 'all' })], 'item:shoe')
    await load(org, `${HEAD},sole\nF1,,flat\n`)
    holdLoads()
    const { id } = await start(org, `${HEAD},typePath,sole\n${rows.join('\n')}\n`, { loadType: ['ITEM'] })
    expect(brief(await worked(org, id, SMALL))).toEqual(issues)
    expect(await one(org, '/items', 'F1')).toMatchObject({ sole: issues.length > 0 ? 'flat' : 3 })
  })

  it('has its options follow what a later row of it says', async () => {
    const org = await withProperties([property('sole', 'number', { level: 'override', required: true })], 'item:shoe')
    await load(org, `${HEAD}\n${options.map(row => row.slice(0, 5)).join('\n')}\n`)
    holdLoads()
    const rows = options.map(row => row.slice(0, -1))
    const run = async (more: string[]) => {
      const csv = `${HEAD},typePath,sole\n${[...rows, ...more].join('\n')}\n`
      return worked(org, (await start(org, csv, { loadType: ['ITEM'] })).id, SMALL)
    }
    expect((await run([])).errorCount).toBe(5)
    expect(brief(await run([own]))).toEqual([])
    expect(await one(org, '/items', 'O1')).toMatchObject({ typePath: 'item:shoe', sole: 3 })
  })
})

describe('an option that gets another type path', () => {
  it('may have from its family, in the same file, what the type requires', async () => {
    const org = await withProperties([property('fabric', 'string', { level: 'family', required: true })], 'item:shoe')
    await load(org, `${HEAD}\nF1,O1\n`)
    const refused = await load(org, `${HEAD},typePath\nF1,O1,item:shoe\n`)
    expect(refused.status).toBe('failed')
    expect(await load(org, `${HEAD},typePath,fabric\nF1,O1,item:shoe,wool\n`)).toMatchObject({ status: 'completed' })
    expect(await one(org, '/items', 'O1')).toMatchObject({ typePath: 'item:shoe', fabric: 'wool' })
  })
})

describe('the mode (N27)', () => {
  /** Between the reading of the file and the writing of its first chunk. */
  function beforeWriting(work: () => Promise<unknown>): void {
    const original = env.FILES.get.bind(env.FILES) as (key: string, options?: R2GetOptions) => Promise<R2ObjectBody>
    const get = vi.spyOn(env.FILES, 'get').mockImplementation((async (key: string, options?: R2GetOptions) => {
      if (key.includes('/chunk-')) await work()
      return original(key, options)
    }) as never)
    onTestFinished(() => get.mockRestore())
  }

  it('update makes nothing anew that is deleted while the load runs', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { federatedId: 'F1', roles: ['family'] })
    beforeWriting(() => org.delete(`/items/${id}`))
    const done = await load(org, 'itemFamilyFederatedId,x\nF1,1\n', { mode: 'update' })
    expect(done.issues.map(({ message }) => message)).toEqual([
      'F1 was deleted while the load ran, and the mode is update. What is written so far stays.',
    ])
    expect(await all(org, '/items')).toEqual([])
  })

  it('create writes over nothing that is made while the load runs', async () => {
    const org = await newOrg()
    beforeWriting(() => org.post('/colors', { federatedId: 'C1', name: 'theirs' }))
    const done = await load(org, 'federatedId,name\nC1,ours\n', { loadType: ['COLOR'], mode: 'create' })
    expect(done.issues.map(({ message }) => message)).toEqual([
      'C1 was created while the load ran, and the mode is create. What is written so far stays.',
    ])
    expect(await one(org, '/colors', 'C1')).toMatchObject({ name: 'theirs' })
  })
})

describe('headers', () => {
  it('full of other delimiters are read back from the annotated file', async () => {
    const org = await newOrg()
    const failed = await load(org, '"Size (S, M, L, XL)";"itemFamilyFederatedId"\nx;\n')
    const annotated = await text(org, failed.annotatedFileId)
    const again = await load(org, annotated.replace(';x;', ';x;F1'))
    expect(brief(again).filter(issue => issue.startsWith('error'))).toEqual([])
    expect(await one(org, '/items', 'F1')).toMatchObject({ 'Size (S, M, L, XL)': 'x' })
  })

  it('with a colon are named in conditionals', async () => {
    const org = await newOrg()
    const conditionalColumns = [
      {
        toProperty: 'warm',
        conditions: [{ conditional: "{Material: outer} === 'Wool'", value: 'yes' }],
        default: 'no',
      },
    ]
    const mapped = { federatedMappings: { outer: 'Material: outer' }, conditionalColumns }
    await load(org, 'itemFamilyFederatedId,Material: outer\nF1,Wool\nF2,Silk\n', mapped)
    expect((await all(org, '/items')).map(({ warm }) => warm).sort()).toEqual(['no', 'yes'])
    const fileLocation = await upload(org, 'itemFamilyFederatedId\nF1\n')
    const broken = [{ toProperty: 'warm', conditions: [{ conditional: '{Material: outer} ===', value: 'yes' }] }]
    const body = { loadType: ['ITEM'], fileLocation, conditionalColumns: broken }
    expect((await org.post('/loader-processes', body)).status).toBe(400)
    const elsewhere = await start(org, 'itemFamilyFederatedId\nF1\n', { loadType: ['ITEM'], conditionalColumns })
    expect(brief(await ended(org, elsewhere.id))).toEqual(['error 1 warm CONFIG'])
  })
})

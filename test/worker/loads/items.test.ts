import { describe, expect, it } from 'vitest'
import { LOAD_CHUNK_MAX_ROWS } from '../../../src/platform/limits.ts'
import { newOrg, recordsOf } from '../api.ts'
import { all, brief, load, one, text } from './loading.ts'

describe('loading items', () => {
  it('creates families and options, with change records by the loader', async () => {
    const org = await newOrg()
    const csv =
      'itemFamilyFederatedId,itemOptionFederatedId,name,optionName,fabric\nF1,O1,Shirt,Red,wool\nF1,O2,Shirt,Blue,wool\n'
    const done = await load(org, csv)
    expect(done).toMatchObject({
      status: 'completed',
      failureArea: 'NONE',
      issues: [],
      results: { item: { created: 3, updated: 0, unchanged: 0, removed: 0 } },
      progress: { phase: 'done', rowsTotal: 2, rowsDone: 2, percent: 100 },
    })
    const family = await one(org, '/items', 'F1')
    expect(family).toMatchObject({ name: 'Shirt', roles: ['family'], typePath: 'item' })
    const option = await one(org, '/items', 'O1')
    expect(option).toMatchObject({
      name: 'Red',
      optionName: 'Red',
      optionGroup: 'color',
      itemFamilyId: family.id,
      fabric: 'wool',
    })
    expect(await recordsOf(String(option.id))).toMatchObject([{ change_type: 'create', version: 1 }])
    const history = await org.get('/change-history', { criteria: { entityReference: `item:${option.id}` } })
    expect(history.body.results?.[0]).toMatchObject({ createdByType: 'loader', createdById: done.id })
  })

  it('writes nothing and no change records the second time', async () => {
    const org = await newOrg()
    const csv = 'itemFamilyFederatedId,itemOptionFederatedId,name,x,y\nF1,O1,A,1,\nF2,,B,true,é\n'
    await load(org, csv)
    const before = await org.get('/change-history', { after: '' })
    const again = await load(org, csv)
    expect(again.results).toEqual({ item: { created: 0, updated: 0, unchanged: 3, removed: 0 } })
    const after = await org.get('/change-history', { after: '' })
    expect(after.body.results).toEqual(before.body.results)
  })

  it('updates by differences, clears with empty cells, and leaves absent columns alone', async () => {
    const org = await newOrg()
    await load(org, 'itemFamilyFederatedId,name,a,b,c\nF1,N,1,2,3\n')
    const done = await load(org, 'itemFamilyFederatedId,a,b\nF1,9,\n')
    expect(done.results).toEqual({ item: { created: 0, updated: 1, unchanged: 0, removed: 0 } })
    const item = await one(org, '/items', 'F1')
    expect(item).toMatchObject({ name: 'N', a: '9', c: '3', version: 2 })
    expect(item).not.toHaveProperty('b')
    const records = await recordsOf(String(item.id))
    expect(records[1]).toMatchObject({ change_type: 'update', version: 2 })
    expect(records[1]?.detail).toEqual({ a: { oldValue: '1', newValue: '9' }, b: { oldValue: '2', newValue: null } })
  })

  it('writes nothing when the last row has an error, and gives the file back annotated (N28, N29)', async () => {
    const org = await newOrg()
    await org.make('/types', {
      typePath: 'item',
      label: 'Item',
      properties: [{ slug: 'price', label: 'Price', propertyType: 'number' }],
    })
    const csv = 'itemFamilyFederatedId,Price,formula\nF1,5,=1+1\n"F2\n",6,x\nF3,cheap,y\n'
    const failed = await load(org, csv, { propertiesToRemove: ['formula'] })
    expect(failed).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA', results: {} })
    expect(brief(failed)).toEqual(['error 5 Price INVALID_DATA'])
    expect(await all(org, '/items')).toEqual([])
    const annotated = await text(org, failed.annotatedFileId)
    expect(annotated.split('\r\n').slice(0, 2)).toEqual([
      '_line,_issues,itemFamilyFederatedId,Price,formula',
      "2,,F1,5,'=1+1",
    ])
    expect(annotated).toContain('5,"error: Price: ""cheap"" is not a number such as 12.5.",F3,cheap,y')
    expect(await text(org, failed.issuesFileId)).toContain('5,Price,INVALID_DATA,error,')
    const mended = await load(org, annotated.replace(',cheap,', ',7,'), { propertiesToRemove: ['formula'] })
    expect(mended).toMatchObject({ status: 'completed', results: { item: { created: 3 } } })
    expect(await one(org, '/items', 'F3')).toMatchObject({ price: 7 })
    expect(await one(org, '/items', 'F3')).not.toHaveProperty('_line')
  })

  it('gives ragged rows back as ragged as they were, with their lines', async () => {
    const org = await newOrg()
    const failed = await load(org, 'itemFamilyFederatedId;a\nF1;1\nF2\nF3;1;2\n')
    expect(failed).toMatchObject({ status: 'failed', failureArea: 'PARSING_CSV' })
    expect(brief(failed)).toEqual(['error 3 null INVALID_DATA', 'error 4 null INVALID_DATA'])
    const lines = (await text(org, failed.annotatedFileId)).split('\r\n')
    expect(lines[2]).toBe('3;error: The row has 1 cells, the header has 2. Fill it up with delimiters.;F2')
    expect(lines[3]).toContain('4;error: The row has 3 cells, the header has 2. A cell that')
    expect(brief(await load(org, lines.join('\n')))).toEqual(brief(failed))
  })

  it.each([
    ['an empty file', '', 'error 1 null INVALID_DATA'],
    ['a file without rows', 'itemFamilyFederatedId\n', 'error 1 null INVALID_DATA'],
    ['a repeated header', 'itemFamilyFederatedId,a,a\nF1,1,2\n', 'error 1 a HEADER_MISMATCH'],
    [
      'bytes that are not UTF-8',
      new Uint8Array([...new TextEncoder().encode('itemFamilyFederatedId\nF1\n'), 0xe9, 0x0a]),
      'error 3 null INVALID_DATA',
    ],
    ['an open quote', 'itemFamilyFederatedId,a\nF1,1\nF2,"2\n', 'error 3 null INVALID_DATA'],
  ])('fails on %s in PARSING_CSV', async (_, content, issue) => {
    const org = await newOrg()
    const failed = await load(org, content)
    expect(failed).toMatchObject({ status: 'failed', failureArea: 'PARSING_CSV' })
    expect(brief(failed)).toEqual([issue])
    expect(await all(org, '/items')).toEqual([])
  })

  it('finds duplicates and first rows across chunks, in a file of thousands of rows', async () => {
    const org = await newOrg()
    const rows = Array.from(
      { length: 2 * LOAD_CHUNK_MAX_ROWS + 100 },
      (_, i) => `F${i % 2500},O${i},Name ${i % 2500},v${i},some more text,${i},true`,
    )
    const head = 'itemFamilyFederatedId,itemOptionFederatedId,name,a,b,c,d'
    const done = await load(org, [head, ...rows].join('\n'))
    expect(done).toMatchObject({ status: 'completed', issues: [], results: { item: { created: rows.length + 2500 } } })
    const failed = await load(org, [head, ...rows, 'F1,O0,Name 1,,,,'].join('\n'))
    expect(brief(failed)).toEqual([`error ${rows.length + 2} itemOptionFederatedId DUPLICATE_FEDERATED_ID`])
  })

  it('modes refuse what exists or what does not, before anything is written (N27)', async () => {
    const org = await newOrg()
    await load(org, 'itemFamilyFederatedId,name\nF1,A\n')
    const created = await load(org, 'itemFamilyFederatedId,name\nF2,B\nF1,X\n', { mode: 'create' })
    expect(brief(created)).toEqual(['error 3 itemFamilyFederatedId VALIDATION_ERROR'])
    const updated = await load(org, 'itemFamilyFederatedId,name\nF1,X\nF2,B\n', { mode: 'update' })
    expect(brief(updated)).toEqual(['error 3 itemFamilyFederatedId VALIDATION_ERROR'])
    expect((await all(org, '/items')).map(({ name }) => name)).toEqual(['A'])
    expect((await load(org, 'itemFamilyFederatedId,name\nF1,X\n', { mode: 'update' })).status).toBe('completed')
  })

  it('a dry run counts what it would write, and writes nothing (N27)', async () => {
    const org = await newOrg()
    await load(org, 'itemFamilyFederatedId,name\nF1,A\nF2,B\n')
    const csv = 'itemFamilyFederatedId,itemOptionFederatedId,name\nF1,,X\nF2,,B\nF3,O3,C\n'
    const dry = await load(org, csv, { dryRun: true })
    expect(dry).toMatchObject({ status: 'completed', results: { item: { created: 2, updated: 1, unchanged: 1 } } })
    expect(await all(org, '/items')).toHaveLength(2)
    expect((await load(org, csv)).results).toEqual(dry.results)
  })

  it('reads references by id and federatedId', async () => {
    const org = await newOrg()
    const color = await org.make('/colors', { name: 'Red', federatedId: 'c-red' })
    const properties = [
      { slug: 'color', label: 'Color', propertyType: 'object_reference' },
      { slug: 'colors', label: 'Colors', propertyType: 'object_ref_list' },
    ]
    await org.make('/types', { typePath: 'item', label: 'Item', properties })
    await load(org, `itemFamilyFederatedId,Color,Colors\nF1,c-red,c-red|${color.id}\n`)
    expect(await one(org, '/items', 'F1')).toMatchObject({ color: color.id })
    expect(brief(await load(org, 'itemFamilyFederatedId,Color,Colors\nF1,nobody,\n'))).toEqual([
      'error 2 Color INVALID_DATA',
    ])
  })
})

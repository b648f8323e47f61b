// Corners of what rows mean that loads once got wrong, each by itself. differential.long.test.ts looks for more of them.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Work } from '../../../src/features/loads/rows/work.ts'
import { newOrg } from '../api.ts'
import { brief, load, one, text } from './loading.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'

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
    expect(brief(refused)).toEqual(['error 2 maker INVALID_DATA', 'warning 1 makers CONFIG'])
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

  it.each([
    ['goes on behind its closing quote', '"x"y', '"xy"', 'The quotes of this row are malformed'],
    ['opens and is never closed', '"x', '"x"', 'A quote opens in this row and is never closed'],
  ])(
    'the annotated file hides no row where a quote %s: it fails as it is and loads all rows once mended',
    async (...given) => {
      const [, wrong, right, message] = given
      const org = await newOrg()
      let failed = await load(org, `itemFamilyFederatedId,name,p\nQ1,n,${wrong}\nQ2,n,z\nQ3,n,w`)
      for (let times = 0; times < 2; times++) {
        expect(failed).toMatchObject({ status: 'failed', failureArea: 'PARSING_CSV', errorCount: 1 })
        expect(failed.issues[0]?.message).toContain(message)
        failed = await load(org, await text(org, failed.annotatedFileId))
      }
      const annotated = await text(org, failed.annotatedFileId)
      expect((await load(org, annotated.replace(`,${wrong}`, `,${right}`))).issues).toEqual([])
      const items = await Promise.all(['Q1', 'Q2', 'Q3'].map(key => one(org, '/items', key)))
      expect(items).toMatchObject([{ p: right.replaceAll('"', '') }, { p: 'z' }, { p: 'w' }])
    },
  )
})

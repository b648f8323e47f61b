import { describe, expect, it } from 'vitest'
import { targetNamed } from '../../../src/features/loads/targets.ts'
import { entity, load, type Types } from './load.ts'

const brief = ({ issues }: ReturnType<typeof load>) =>
  issues.map(({ rowNumber, columnName, issueType, severity }) => `${severity} ${rowNumber} ${columnName} ${issueType}`)

describe('the six steps (N30)', () => {
  it('step 1 makes booleans of true and false in any case, and keeps other texts', () => {
    const loaded = load('itemFamilyFederatedId,a,b,c,d\nF1,TRUE,false,yes,truth\n')
    expect(entity(loaded, 'F1')).toMatchObject({ a: true, b: false, c: 'yes', d: 'truth' })
  })

  it('step 1 leaves names and typed texts as they were written', () => {
    const loaded = load('itemFamilyFederatedId,name,t\nF1,TRUE,FALSE\n', {}, { item: [{ slug: 't' }] })
    expect(entity(loaded, 'F1')).toMatchObject({ name: 'TRUE', t: 'FALSE' })
  })

  it('step 2 copies a column under a new name, keeps the original, and sets literals', () => {
    const federatedMappings = { itemFamilyFederatedId: 'Style', name: 'Style Name', season: 'SS26' }
    const loaded = load('Style,Style Name\nS1,Shirt\n', { federatedMappings })
    expect(entity(loaded, 'S1')).toMatchObject({ name: 'Shirt', Style: 'S1', 'Style Name': 'Shirt', season: 'SS26' })
    // Whether a text was meant or a column is misspelt, nobody can know (N72).
    expect(brief(loaded)).toEqual(['warning 1 season CONFIG'])
  })

  it('step 2 keeps a column that the file has already, with a warning', () => {
    const loaded = load('itemFamilyFederatedId,name\nF1,Mine\n', {
      federatedMappings: { name: 'itemFamilyFederatedId' },
    })
    expect(entity(loaded, 'F1')).toMatchObject({ name: 'Mine' })
    expect(brief(loaded)).toEqual(['warning 1 name CONFIG'])
  })

  it('step 3 removes columns after mappings have read them, and always its own report columns', () => {
    const loaded = load('Style,junk,_line,_issues\nS1,x,2,broken\n', {
      federatedMappings: { itemFamilyFederatedId: 'Style', kept: 'junk' },
      propertiesToRemove: ['junk', 'Style'],
    })
    const { make: _, ...rest } = loaded.drafts[0] ?? { make: {} }
    expect(rest).toEqual({ target: targetNamed('item'), key: 'S1', line: 2, set: { kept: 'x' } })
  })

  it('step 4 takes slugs exactly and labels in any case, and option labels for option values', () => {
    const types: Types = {
      item: [
        { slug: 'fabric', label: 'Main Fabric' },
        { slug: 'fit', label: 'Fit', propertyType: 'choice', options: [{ value: 'slim', label: 'Slim Fit' }] },
      ],
    }
    const loaded = load('itemFamilyFederatedId,MAIN fabric,fit\nF1,Wool,SLIM FIT\nF2,Silk,slim\n', {}, types)
    expect(entity(loaded, 'F1')).toMatchObject({ fabric: 'Wool', fit: 'slim' })
    expect(entity(loaded, 'F2')).toMatchObject({ fabric: 'Silk', fit: 'slim' })
    expect(loaded.issues).toEqual([])
  })

  it('step 5 takes no key from a name that only nearly is a column, and says so once', () => {
    const toProperty = 'itemFamilyFederatedId'
    const made = (value: string, types: Types = {}) =>
      brief(load('Style Number\nS1\nS2\n', { conditionalColumns: [{ toProperty, default: value }] }, types, 1)).filter(
        issue => issue.endsWith('CONFIG'),
      )
    expect(made('{style-number}-x')).toEqual([`error 1 ${toProperty} CONFIG`])
    // What the type calls by that name is that column.
    expect(made('{style-number}-x', { item: [{ slug: 'style-number', label: 'Style number' }] })).toEqual([])
    expect(made('{Style}-x')).toEqual([`warning 1 ${toProperty} CONFIG`])
    expect(made('{ItemFamilyFederatedId}-x')).toEqual([`warning 1 ${toProperty} CONFIG`])
  })

  it('step 5 sees typed values by present name and by header, and columns made before it', () => {
    const types: Types = {
      item: [
        { slug: 'price', label: 'Retail Price', propertyType: 'number' },
        { slug: 'twice', propertyType: 'number' },
        { slug: 'band' },
      ],
    }
    const loaded = load(
      'itemFamilyFederatedId,Retail Price\nF1,10\nF2,200\n',
      {
        conditionalColumns: [
          { toProperty: 'twice', default: '{price} + {Retail Price}' },
          { toProperty: 'band', conditions: [{ conditional: '{twice} > 100', value: 'high-{price}' }], default: 'low' },
        ],
      },
      types,
    )
    expect(entity(loaded, 'F1')).toMatchObject({ price: 10, twice: 20, band: 'low' })
    expect(entity(loaded, 'F2')).toMatchObject({ price: 200, twice: 400, band: 'high-200' })
  })

  it('step 5 sees the value of an option where the file has its label, and the text where it has neither', () => {
    const fit = { slug: 'fit', propertyType: 'choice', options: [{ value: 'slim', label: 'Slim Fit' }] } as const
    const conditions = [{ conditional: "{fit} === 'slim'", value: 'value' }]
    const conditionalColumns = [{ toProperty: 'seen', conditions, default: 'text' }]
    const loaded = load(
      'itemFamilyFederatedId,fit\nF1,Slim Fit\nF2,Wide\n',
      { conditionalColumns },
      { item: [fit, { slug: 'seen' }] },
    )
    expect(entity(loaded, 'F1')).toMatchObject({ fit: 'slim', seen: 'value' })
    expect(brief(loaded)).toEqual(['warning 3 fit INVALID_DATA'])
  })

  it('step 5 takes the first matching condition, and leaves the column as it is without match and default', () => {
    const loaded = load('itemFamilyFederatedId,a\nF1,x\nF2,y\nF3,z\n', {
      conditionalColumns: [
        {
          toProperty: 'a',
          conditions: [
            { conditional: "{a} === 'x'", value: 1 },
            { conditional: "{a} === 'x' || {a} === 'y'", value: 2 },
          ],
        },
        { toProperty: 'copy', fromProperty: 'a' },
        { toProperty: 'typePath', default: 'item:shirt' },
      ],
    })
    expect(entity(loaded, 'F1')).toMatchObject({ a: 1, copy: 1, typePath: 'item:shirt' })
    expect(entity(loaded, 'F2')).toMatchObject({ a: 2 })
    expect(entity(loaded, 'F3')).toMatchObject({ a: 'z', copy: 'z' })
  })

  it('step 5 ignores fromProperty where there are conditions', () => {
    const column = {
      toProperty: 'b',
      fromProperty: 'a',
      conditions: [{ conditional: 'false', value: 1 }],
      default: 'd',
    }
    expect(entity(load('itemFamilyFederatedId,a\nF1,x\n', { conditionalColumns: [column] }), 'F1')).toMatchObject({
      b: 'd',
    })
  })

  it('step 5 says on which line an expression cannot be evaluated', () => {
    const loaded = load('itemFamilyFederatedId,a\nF1,x\n', {
      conditionalColumns: [{ toProperty: 'b', default: '{gone}.toUpperCase()' }],
    })
    expect(brief(loaded)).toEqual(['warning 1 b CONFIG', 'error 2 b INVALID_DATA'])
  })

  it('step 6 uses the type path that step 5 has set, and drops what it does not define', () => {
    const types: Types = {
      'item:shirt': [
        { slug: 'collar', label: 'Collar' },
        { slug: 'old', archived: true },
      ],
    }
    const conditionalColumns = [
      { toProperty: 'typePath', conditions: [{ conditional: '{kind} == "S"', value: 'item:shirt' }] },
      { toProperty: 'Collar', default: 'kent' },
    ]
    const loaded = load('itemFamilyFederatedId,kind,old\nF1,S,1\nF2,T,2\n', { conditionalColumns }, types)
    expect(entity(loaded, 'F1')).toMatchObject({ typePath: 'item:shirt', collar: 'kent' })
    expect(entity(loaded, 'F1')).not.toHaveProperty('kind')
    expect(entity(loaded, 'F1')).not.toHaveProperty('old')
    expect(entity(loaded, 'F2')).toMatchObject({ typePath: 'item', kind: 'T', old: '2', Collar: 'kent' })
    expect(brief(loaded).sort()).toEqual(['warning 1 kind HEADER_MISMATCH', 'warning 1 old HEADER_MISMATCH'])
  })

  it('says once for a column what concerns the whole column, over all chunks', () => {
    const csv = `itemFamilyFederatedId,a,b\n${Array.from({ length: 50 }, (_, i) => `F${i},1,2`).join('\n')}`
    expect(brief(load(csv, {}, { item: [{ slug: 'a' }] }, 7))).toEqual(['warning 1 b HEADER_MISMATCH'])
  })

  it('leaves a cell out when its option is unknown, and warns', () => {
    const options = [{ value: 's', label: 'Small' }]
    const types: Types = {
      item: [
        { slug: 'size', propertyType: 'choice', options },
        { slug: 'sizes', propertyType: 'multi_select', options },
      ],
    }
    const loaded = load('itemFamilyFederatedId,size,sizes\nF1,Large,small|s\nF2,small,s|XL\n', {}, types)
    expect(entity(loaded, 'F1')).toMatchObject({ sizes: ['s'] })
    expect(entity(loaded, 'F1')).not.toHaveProperty('size')
    expect(entity(loaded, 'F2')).not.toHaveProperty('sizes')
    expect(brief(loaded)).toEqual(['warning 2 size INVALID_DATA', 'warning 3 sizes INVALID_DATA'])
  })

  it.each([
    ['number', '12.50', 12.5],
    ['number', '-3', -3],
    ['number', '1e3', undefined],
    ['number', '1,5', undefined],
    ['currency', '0.10', 0.1],
    ['percent', '5%', undefined],
    ['boolean', 'True', true],
    ['boolean', 'yes', undefined],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '2023-02-29', undefined],
    ['date', '01/02/2024', undefined],
    ['json', '{"a":[1]}', { a: [1] }],
    ['json', '{a', undefined],
    ['text', 'true', 'true'],
    ['url', 'https://a.example', 'https://a.example'],
    ['object_ref_list', 'A | B', ['A', 'B']],
  ] as const)('reads %s %j', (propertyType, text, expected) => {
    const cell = `"${text.replaceAll('"', '""')}"`
    const loaded = load(`itemFamilyFederatedId,v\nF1,${cell}\n`, {}, { item: [{ slug: 'v', propertyType }] })
    if (expected === undefined) expect(brief(loaded)).toEqual(['error 2 v INVALID_DATA'])
    else expect(entity(loaded, 'F1')?.v).toEqual(expected)
  })

  it('clears with an empty cell, and asks for what is required', () => {
    const types: Types = { item: [{ slug: 'a' }, { slug: 'b', required: true }] }
    const loaded = load('itemFamilyFederatedId,a,b\nF1,,x\nF2,x,\n', {}, types)
    expect(entity(loaded, 'F1')).toMatchObject({ a: null })
    expect(brief(loaded)).toEqual(['error 3 b MISSING_DATA'])
  })
})

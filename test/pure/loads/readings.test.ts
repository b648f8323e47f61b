// What conditional columns see of other columns, and which of several columns fills a property (N30, N31).
import { describe, expect, it } from 'vitest'
import { entity, HEAD, load, type Types } from './load.ts'

const GENDER: Types = {
  item: [
    { slug: 'gender', label: 'Gender', propertyType: 'choice', options: [{ value: 'women', label: 'W' }] },
    { slug: 'price', label: 'Price', propertyType: 'number' },
    { slug: 'who' },
  ],
}
const made = (toProperty: string, expression: string) => ({ toProperty, default: expression })

describe('what a conditional column sees (N31)', () => {
  it('is the typed value of a column, also where a mapping takes the same cells for something else', () => {
    const loaded = load(
      `${HEAD},Gender,Cost\nF1,O1,W,7\n`,
      {
        federatedMappings: { optionName: 'Gender', price: 'Cost' },
        conditionalColumns: [made('who', "{Gender} === 'women' ? typeof {Cost} : 'nobody'")],
      },
      GENDER,
    )
    expect(entity(loaded, 'O1')).toMatchObject({ who: 'string', gender: 'women', optionName: 'W', price: 7 })
  })

  it('is the typed value of a column that an earlier one has left as it was', () => {
    const types: Types = { item: [{ slug: 'active', propertyType: 'boolean' }, { slug: 'who' }] }
    const left = { toProperty: 'active', conditions: [{ conditional: "{who} === 'x'", value: true }] }
    const conditionalColumns = [left, made('who', "{active} ? 'yes' : 'no'")]
    const loaded = load('itemFamilyFederatedId,active,who\nF1,FALSE,a\nF2,FALSE,x\n', { conditionalColumns }, types)
    expect(entity(loaded, 'F1')).toMatchObject({ active: false, who: 'no' })
    expect(entity(loaded, 'F2')).toMatchObject({ active: true, who: 'yes' })
  })

  it('is what an earlier one has made, as it was made', () => {
    const types: Types = { item: [{ slug: 'active', propertyType: 'string' }, { slug: 'who' }] }
    const conditionalColumns = [made('active', 'FALSE'), made('who', "{active} ? 'yes' : 'no'")]
    const loaded = load('itemFamilyFederatedId,active\nF1,TRUE\n', { conditionalColumns }, types)
    expect(entity(loaded, 'F1')).toMatchObject({ active: 'FALSE', who: 'yes' })
  })
})

describe('two columns for one property (N30)', () => {
  it('are filled by the one that has its slug, wherever it stands', () => {
    const mapped = load('itemFamilyFederatedId,PRICE,Cost\nF1,1,2\n', { federatedMappings: { price: 'Cost' } }, GENDER)
    expect(entity(mapped, 'F1')).toMatchObject({ price: 2 })
    const both = load('itemFamilyFederatedId,PRICE,price\nF1,1,2\n', {}, GENDER)
    expect(entity(both, 'F1')).toMatchObject({ price: 2 })
    expect(both.issues).toMatchObject([{ columnName: 'PRICE', severity: 'warning' }])
    const made = load(
      'itemFamilyFederatedId,PRICE\nF1,1\n',
      { conditionalColumns: [{ toProperty: 'price', default: 3 }] },
      GENDER,
    )
    expect(entity(made, 'F1')).toMatchObject({ price: 3 })
  })
})

describe('a choice without options (N65)', () => {
  it('takes any text where none are defined, and nothing where the list is empty', () => {
    const types = (options: [] | null): Types => ({ item: [{ slug: 'fit', propertyType: 'choice', options }] })
    const csv = 'itemFamilyFederatedId,fit\nF1,slim\n'
    expect(entity(load(csv, {}, types(null)), 'F1')).toMatchObject({ fit: 'slim' })
    const empty = load(csv, {}, types([]))
    expect(entity(empty, 'F1')).not.toHaveProperty('fit')
    expect(empty.issues).toMatchObject([{ message: expect.stringContaining('which has none') }])
  })
})

describe('warnings of the steps (N28)', () => {
  it('are counted with the step that gives them', () => {
    const loaded = load(
      'itemFamilyFederatedId,gender,other\nF1,X,1\nF2,Y,1\n',
      { federatedMappings: { who: 'Whoo' }, propertiesToRemove: ['gone', 'gone too'] },
      GENDER,
    )
    // Two cells that are no option, and a column that no property has.
    expect(loaded.stepWarnings).toEqual([0, 1, 2, 0, 0, 3])
    expect(loaded.issues).toHaveLength(6)
  })
})

describe('later rows of a family that differ (N32)', () => {
  const types: Types = {
    item: [{ slug: 'fit', level: 'override' }],
    'assortment-item': [{ slug: 'rank', propertyType: 'number' }],
  }

  it('are told of a value that options may override', () => {
    const loaded = load('itemFamilyFederatedId,fit\nF1,slim\nF1,wide\nF1,slim\n', {}, types)
    expect(loaded.issues).toMatchObject([{ rowNumber: 3, severity: 'warning' }])
    expect(entity(loaded, 'F1')).toMatchObject({ fit: 'slim' })
  })

  it('are told of a value in the same assortment, and of none in another one', () => {
    const values = [
      { value: 'M', assortmentId: 'A1' },
      { value: 'W', assortmentId: 'A2' },
    ]
    const loaded = load(
      'itemFamilyFederatedId,Season,rank\nF1,M,1\nF1,W,2\nF1,M,3\n',
      { loadType: ['ITEM', 'ASSORTMENT'], assortmentSplit: { fieldToSplitOn: 'Season', values } },
      types,
    )
    expect(loaded.issues).toMatchObject([{ rowNumber: 4, severity: 'warning' }])
  })
})

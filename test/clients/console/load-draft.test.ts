// A load as it is put together in the console: the configuration that it comes to, and what is suggested for columns.
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { rowsWithTexts } from '../../../src/clients/console/state/checked-options.ts'
import { isMatched, suggestionFor } from '../../../src/clients/console/state/column-suggestions.ts'
import { shapeFault } from '../../../src/clients/console/state/configuration-shape.ts'
import { criterionOf, criterionWords, OPERATORS } from '../../../src/clients/console/state/criteria-words.ts'
import {
  configurationIn,
  configurationOf,
  draftOf,
  kindOfLoad,
  LOAD_KINDS,
  type LoadDraft,
  NO_DRAFT,
  optionKeyRule,
  splitKeyOf,
  splitTextOf,
  targetsWith,
} from '../../../src/clients/console/state/load-draft.ts'
import { unitedMatches } from '../../../src/clients/console/state/option-matches.ts'
import { yamlText } from '../../../src/clients/console/state/yaml-text.ts'
import { LoaderConfiguration } from '../../../src/features/loads/contract.ts'

const DRAFT = {
  ...NO_DRAFT,
  targets: { Style: ['itemFamilyFederatedId', 'name'], Color: ['optionName'], season: [] },
  removed: ['Notes'],
  made: [{ toProperty: 'itemOptionFederatedId', default: '{Style}-{optionName}' }],
}

describe('the configuration of a draft', () => {
  it('N46 maps columns, takes out what went elsewhere, and keeps what something refers to', () => {
    expect(configurationOf(DRAFT)).toEqual({
      loadType: ['ITEM'],
      federatedMappings: { itemFamilyFederatedId: 'Style', name: 'Style', optionName: 'Color' },
      propertiesToRemove: ['Notes', 'Color'],
      conditionalColumns: DRAFT.made,
    })
  })

  it('N46 one target more stands beside the property of the same name or label', () => {
    const mapped = (column: string) =>
      configurationOf({ ...NO_DRAFT, targets: { [column]: targetsWith([], 'fabric', 'name') } }, [column])
    expect(mapped('fabric')).toEqual({ loadType: ['ITEM'], federatedMappings: { name: 'fabric' } })
    expect(mapped('Fabric').federatedMappings).toEqual({ fabric: 'Fabric', name: 'Fabric' })
    expect(targetsWith(['name'], 'fabric', 'season')).toEqual(['name', 'season'])
    expect(targetsWith([], undefined, 'season')).toEqual(['season'])
  })

  it('N46 is one that the service takes, for every kind of load', () => {
    for (const { loadType } of LOAD_KINDS) {
      const split = { field: 'Region', values: { Europe: 'europe', Asia: '' }, isPartial: true }
      const configuration = configurationOf({
        ...DRAFT,
        loadType,
        split,
        workspaceIdentifier: 'spring',
        mode: 'create',
      })
      const parsed = LoaderConfiguration.safeParse({ ...configuration, fileLocation: 'x' })
      expect(parsed.error?.issues, loadType.join()).toBeUndefined()
    }
  })

  it('N46 has a kind whatever the order of its types, and keeps that order', () => {
    for (const kind of LOAD_KINDS) expect(kindOfLoad([...kind.loadType].reverse())).toBe(kind)
    expect(kindOfLoad(['ASSORTMENT'])).toBeUndefined()
    expect(kindOfLoad(['ITEM', 'COLOR'])).toBeUndefined()
    const stored = { loadType: ['ASSORTMENT', 'ITEM'] as const }
    expect(configurationOf(draftOf(stored))).toMatchObject(stored)
  })

  it('N46 becomes the same draft again', () => {
    const again = draftOf(configurationOf(DRAFT))
    expect(configurationOf(again)).toEqual(configurationOf(DRAFT))
  })

  it('N46 loses nothing of a stored configuration that no form shows', () => {
    const stored = {
      loadType: ['ITEM', 'ASSORTMENT'],
      name: 'Stored',
      federatedMappings: { itemFamilyFederatedId: 'Style', typePath: 'item:apparel' },
      propertiesToRemove: ['Style'],
      conditionalColumns: [
        { toProperty: 'a', fromProperty: 'b' },
        {
          toProperty: 'season',
          conditions: [
            { conditional: '{season} === "Sprng"', value: 'SS27' },
            { conditional: '{season} === "a " + "{" + "b}"', value: 'FW27' },
          ],
        },
      ],
      assortmentSplit: {
        fieldToSplitOn: 'Region',
        partialAssortmentUpdate: true,
        dropField: 'Gone',
        values: [
          { value: 'Europe', assortmentId: 'Vn3KqJ8sW2xT0aLb' },
          { value: 'Asia', assortmentIdentifier: 'asia' },
        ],
      },
      shouldSkipAssortmentPublish: true,
      columnTypes: { a: 'number' },
      unchangedMark: '(unchanged)',
      mode: 'update',
    } as const
    const draft = draftOf(configurationIn({ ...stored, status: 'completed', id: 'x', fileLocation: 'y', dryRun: true }))
    expect(draft.options).toEqual({ season: { Sprng: 'SS27', 'a {b}': 'FW27' } })
    // A text for every row is no column that could be taken out.
    expect(configurationOf(draft, ['Style', 'Region', 'Season'])).toEqual(stored)
  })

  it('N46 a split says what becomes of the others; where it does not, the top level, and the service else', () => {
    const stored = {
      loadType: ['ITEM', 'ASSORTMENT'] as const,
      assortmentSplit: { fieldToSplitOn: 'Region', values: [] },
    }
    const again = (more: object) => configurationOf(draftOf({ ...stored, ...more }))
    expect(again({}).assortmentSplit?.partialAssortmentUpdate).toBe(false)
    const partial = again({ partialAssortmentUpdate: true })
    expect(partial.assortmentSplit?.partialAssortmentUpdate).toBe(true)
    expect(partial.partialAssortmentUpdate).toBeUndefined()
    // Where nothing was split yet, nobody leaves unasked.
    expect(draftOf({ loadType: ['ITEM'] }).split.isPartial).toBe(true)
  })

  it('N46 what only assortments need is left out with them: nobody could take it out', () => {
    const assortments = { assortmentItemDropField: 'Gone', shouldSkipAssortmentPublish: true }
    const more = { ...assortments, partialAssortmentUpdate: true, unchangedMark: '(unchanged)' }
    const again = (loadType: LoadDraft['loadType']) => configurationOf(draftOf({ loadType, ...more }))
    expect(again(['ITEM'])).toEqual({ loadType: ['ITEM'], unchangedMark: '(unchanged)' })
    expect(again(['ITEM', 'ASSORTMENT'])).toMatchObject(assortments)
  })

  it('N46 what only a partial update takes is left out where it is none any more', () => {
    const assortmentSplit = {
      fieldToSplitOn: 'season',
      addField: 'New',
      partialAssortmentUpdate: true,
      values: [{ value: 'SS', assortmentId: 'a' }],
    }
    const draft = draftOf({ loadType: ['ITEM', 'ASSORTMENT'], assortmentItemDropField: 'Gone', assortmentSplit })
    const { addField: _, ...whole } = assortmentSplit
    expect(configurationOf({ ...draft, split: { ...draft.split, isPartial: false } })).toEqual({
      loadType: ['ITEM', 'ASSORTMENT'],
      assortmentSplit: { ...whole, partialAssortmentUpdate: false },
    })
  })

  it('N46 a split that leads to the project stays, as long as no workspace does', () => {
    const assortmentSplit = {
      fieldToSplitOn: 'season',
      partialAssortmentUpdate: false,
      values: [{ value: 'SS', assortmentId: 'a' }],
    }
    const draft = draftOf({ loadType: ['ITEM', 'PROJECT_ITEM'], assortmentSplit })
    expect(configurationOf(draft)).toEqual({ loadType: ['ITEM', 'PROJECT_ITEM'], assortmentSplit })
    expect(configurationOf({ ...draft, workspaceIdentifier: 'spring' })).not.toHaveProperty('assortmentSplit')
  })

  it('N46 what is no configuration is refused by name', () => {
    const good = { loadType: ['ITEM'], propertiesToRemove: ['a'], conditionalColumns: [{ toProperty: 'b' }] }
    expect(shapeFault(good)).toBeUndefined()
    for (const wrong of [
      { loadType: 'ITEM' },
      { federatedMappings: ['a'] },
      { propertiesToRemove: 'a' },
      { conditionalColumns: [{ conditions: 'x' }] },
      { conditionalColumns: [{ toProperty: 'x', conditions: [{ value: 1 }] }] },
      { assortmentSplit: { fieldToSplitOn: 'a', values: { b: 'c' } } },
      { name: 7 },
    ]) {
      expect(shapeFault({ ...good, ...wrong })).toContain(Object.keys(wrong)[0])
    }
    expect(shapeFault(['x'])).toContain('no loader configuration')
  })

  it('N46 options that were matched before are remembered beside those of today', () => {
    const before = { season: { Sprng: 'SS27' }, fit: { slm: 'slim' } }
    expect(unitedMatches(before, { season: { Autmn: 'FW27', Sprng: 'SS28' } })).toEqual({
      season: { Sprng: 'SS28', Autmn: 'FW27' },
      fit: { slm: 'slim' },
    })
  })

  it('N46 columns and properties may be named like anything, `toString` too', () => {
    const made = [{ toProperty: 'toString', conditions: [{ conditional: '{toString} === "a"', value: 'b' }] }]
    const stored = { loadType: ['ITEM'] as const, federatedMappings: { valueOf: 'toString' }, conditionalColumns: made }
    const draft = draftOf(stored)
    expect(draft).toMatchObject({ made: [], options: { toString: { a: 'b' } } })
    expect(draft.targets.toString).toEqual(['valueOf'])
    expect(configurationOf(draft)).toMatchObject({ ...stored, conditionalColumns: made })
    expect(suggestionFor('toString', [{ slug: 'hasOwnProperty', label: 'x' }], {})).toBeUndefined()
    expect(optionKeyRule(NO_DRAFT, ['toString', 'constructor'])).toBeUndefined()
  })

  it('N46 the column to split on stays, whatever else it goes to', () => {
    const split = { field: 'Region', values: { Europe: 'europe' }, isPartial: false }
    const targets = { ...DRAFT.targets, Region: ['market'] }
    const { propertiesToRemove } = configurationOf({ ...DRAFT, targets, loadType: ['ITEM', 'ASSORTMENT'], split })
    expect(propertiesToRemove).toEqual(['Notes', 'Color'])
  })

  it('N46 an assortment is named by id or by identifier, however it was written', () => {
    const values = { A: splitKeyOf('k3Jd81mLq0ZxVb_-'), B: splitKeyOf('spring-2027'), C: splitKeyOf('') }
    const draft: LoadDraft = { ...NO_DRAFT, loadType: ['ITEM', 'ASSORTMENT'], split: { ...NO_DRAFT.split, values } }
    expect(configurationOf(draft).assortmentSplit?.values).toEqual([
      { value: 'A', assortmentId: 'k3Jd81mLq0ZxVb_-' },
      { value: 'B', assortmentIdentifier: 'spring-2027' },
    ])
    expect(Object.values(values).map(splitTextOf)).toEqual(['k3Jd81mLq0ZxVb_-', 'spring-2027', ''])
  })

  it('N46 as YAML reads back as what it was', () => {
    const tricky = {
      ...configurationOf(DRAFT),
      name: 'yes',
      workspaceIdentifier: '12',
      federatedMappings: { 'a: b': '# c', d: 'true', e: '', f: 'two\nlines', g: ' spaced ' },
      conditionalColumns: [
        { toProperty: 'x', conditions: [{ conditional: "{a} === 'b'", value: true }], default: null },
        { toProperty: 'y', default: ['a', { b: [] }] },
      ],
      empty: [],
    }
    expect(load(yamlText(tricky))).toEqual(tricky)
  })
})

describe('texts that a check found', () => {
  it('N46 become rows of the preview, in the column that they came from', () => {
    const file = {
      delimiter: ',',
      lineBreak: '\n',
      hasByteOrderMark: false,
      line: 1,
      names: ['Style', 'Saison'],
      rows: [['A-1', 'SS27']],
      lines: [2],
      isWhole: false,
      faults: [],
    }
    const issue = (columnName: string | null, message: string) =>
      ({ rowNumber: 900, columnName, message, issueType: 'INVALID_DATA', severity: 'warning' }) as const
    const issues = [
      issue('season', '"Sprng "27"" is no option of Season, which has "SS27"; the cell is left out.'),
      issue('season', '"cut…" is no option of Season, which has "SS27"; the cell is left out.'),
      issue('season', 'Something else.'),
      issue(null, '"x" is no option of Season'),
    ]
    const found = rowsWithTexts(file, issues, { targets: { Saison: ['season'] } })
    expect(found?.rows).toEqual([['A-1', 'Sprng "27"']])
    expect(rowsWithTexts(file, [], { targets: {} })).toBeUndefined()
  })
})

describe('suggestions', () => {
  const candidates = [
    { slug: 'itemFamilyFederatedId', label: 'itemFamilyFederatedId' },
    { slug: 'name', label: 'name' },
    { slug: 'wholesalePrice', label: 'Wholesale price' },
  ]

  it('N46 come from what was chosen before, from names that come near, and from usual words', () => {
    expect(suggestionFor('Style', candidates, {})).toBe('itemFamilyFederatedId')
    expect(suggestionFor('WHOLESALE_PRICE', candidates, {})).toBe('wholesalePrice')
    expect(suggestionFor('Bezeichnung', candidates, { Bezeichnung: 'name' })).toBe('name')
    expect(suggestionFor('Bezeichnung', candidates, { Bezeichnung: 'gone' })).toBeUndefined()
    expect(suggestionFor('Weather', candidates, {})).toBeUndefined()
  })

  it('N46 none is needed where the service matches by itself', () => {
    expect(isMatched('Wholesale Price', candidates)).toBe(true)
    expect(isMatched('wholesale_price', candidates)).toBe(false)
  })
})

describe('filters in words', () => {
  it.each([
    ['eq', ['SS27'], 'SS27', 'is SS27'],
    ['in', ['a', 'b'], ['a', 'b'], 'is one of a, b'],
    ['absent', [], null, 'has no value'],
    ['exists', [], { exists: true }, 'has a value'],
    ['gt', [40], { gt: 40 }, '> 40'],
    ['between', [1, 2], { between: [1, 2] }, 'is between 1 and 2'],
    ['contains', ['li'], { contains: 'li' }, 'contains li'],
    ['notIn', ['a'], { notIn: ['a'] }, 'is none of a'],
  ])('N48 %s', (operator, values, criterion, words) => {
    expect(criterionOf(operator, values)).toEqual(criterion)
    expect(criterionWords(criterion)).toBe(words)
  })

  it('N48 all operators are offered', () => {
    const names = OPERATORS.map(({ name }) => name)
    const all = ['eq', 'not', 'in', 'notIn', 'gt', 'gte', 'lt', 'lte', 'between', 'contains', 'startsWith', 'exists']
    expect(all.filter(name => !names.includes(name))).toEqual([])
  })

  it('the old form of a range is read, too', () => {
    expect(criterionWords('BETWEEN 2026-01-01 and 2026-02-01')).toBe('is between 2026-01-01 and 2026-02-01')
  })
})

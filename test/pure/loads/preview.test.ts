// The preview of a load against the pipeline itself: it shows what the service will make of the same rows.
import { describe, expect, it } from 'vitest'
import { matchColumns } from '../../../src/clients/console/state/option-matches.ts'
import { previewFile, previewSteps } from '../../../src/features/loads/preview.ts'
import type { FilePreview } from '../../../src/features/loads/preview-shape.ts'
import { load, property } from './load.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function fileOf(text: string, isWhole = true): FilePreview {
  const preview = previewFile(bytes(text), isWhole)
  if ('fault' in preview) throw new Error(preview.fault)
  return preview
}

const CSV = 'Style,Color,Premium,Season\nA-1,navy,TRUE,Spring\nA-1,olive,false,Fall\n'
const CONFIGURATION = {
  loadType: ['ITEM'] as const,
  federatedMappings: { itemFamilyFederatedId: 'Style', name: 'Style', optionName: 'Color' },
  propertiesToRemove: ['Color'],
  conditionalColumns: [
    { toProperty: 'itemOptionFederatedId', default: '{Style}-{optionName}' },
    { toProperty: 'note', conditions: [{ conditional: '{Premium}', value: 'dear' }], default: 'cheap' },
  ],
}
const season = property({
  slug: 'season',
  label: 'Season',
  propertyType: 'choice',
  options: [
    { value: 'SS', label: 'Spring' },
    { value: 'FW', label: 'Fall' },
  ],
})
const TYPES = {
  item: [season, property({ slug: 'note' }), property({ slug: 'premium', label: 'Premium', propertyType: 'boolean' })],
}

describe('the preview of a file', () => {
  it('N46 tells delimiter, header, rows and lines', () => {
    expect(fileOf('\ufeffa;b\n1;"x\ny"\n2;z\n')).toMatchObject({
      delimiter: ';',
      hasByteOrderMark: true,
      names: ['a', 'b'],
      rows: [
        ['1', 'x\ny'],
        ['2', 'z'],
      ],
      lines: [2, 4],
      isWhole: true,
    })
  })

  it('N46 leaves out a row that the first bytes cut off', () => {
    const preview = fileOf('a,b\n1,2\n3,4\n5,', false)
    expect(preview.rows).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
    expect(preview.isWhole).toBe(false)
  })

  it('N46 says what makes a file unreadable, and where', () => {
    expect(previewFile(new Uint8Array([0x50, 0x4b, 3, 4]), true)).toMatchObject({
      fault: expect.stringContaining('Excel'),
    })
    expect(previewFile(bytes(''), true)).toEqual({ fault: 'The file is empty.', line: 1 })
  })

  it('N46 of a long file it reads the first rows only', () => {
    const text = `a,b\n${'1,2\n'.repeat(5000)}`
    const preview = fileOf(text, false)
    expect(preview.rows).toHaveLength(50)
    expect(preview.isWhole).toBe(false)
  })
})

describe('the preview of the six steps', () => {
  const steps = () =>
    previewSteps(
      fileOf(CSV),
      { ...CONFIGURATION, loadType: ['ITEM'] },
      path => (TYPES as Record<string, typeof TYPES.item>)[path] ?? [],
    )

  it('N46 shows the rows after each step', () => {
    const [booleans, mapped, removed, labels, made, read] = steps().steps
    expect(booleans?.rows[0]).toEqual({ Style: 'A-1', Color: 'navy', Premium: true, Season: 'Spring' })
    expect(mapped?.rows[0]).toMatchObject({ itemFamilyFederatedId: 'A-1', optionName: 'navy', Color: 'navy' })
    expect(removed?.columns).not.toContain('Color')
    expect(labels?.columns).toContain('season')
    expect(made?.rows.map(row => row.itemOptionFederatedId)).toEqual(['A-1-navy', 'A-1-olive'])
    expect(made?.rows.map(row => row.note)).toEqual(['dear', 'cheap'])
    expect(read?.rows.map(row => row.season)).toEqual(['SS', 'FW'])
  })

  it('N46 ends with what the service makes of the same rows', () => {
    const { drafts } = load(CSV, CONFIGURATION as never, TYPES)
    const options = drafts.filter(draft => draft.key.startsWith('A-1-'))
    const made = options.map(draft => ({ ...draft.make, ...draft.set }) as Record<string, unknown>)
    const shown = steps().steps.at(-1)?.rows ?? []
    expect(made.map(({ season: value }) => value)).toEqual(shown.map(row => row.season))
    expect(made.map(({ note }) => note)).toEqual(shown.map(row => row.note))
    expect(made.map(({ premium }) => premium)).toEqual(shown.map(row => row.premium))
  })

  it('N46 gives the warnings that the load will give', () => {
    const text = 'itemFamilyFederatedId,unknown\nA-1,x\n'
    const preview = previewSteps(fileOf(text), { loadType: ['ITEM'] }, () => TYPES.item)
    const { issues } = load(text, {}, { item: TYPES.item })
    expect(preview.issues.map(({ message }) => message)).toEqual(issues.map(({ message }) => message))
    expect(preview.issues[0]?.columnName).toBe('unknown')
  })

  it('N72 tells of headers that nearly name what the item has, unless a type of its rows has such a property', () => {
    const text = 'itemFamilyFederatedId,Identifier,typePath\nA-1,x,item:a\n'
    const told = (types: (path: string) => (typeof TYPES)['item']) =>
      previewSteps(fileOf(text), { loadType: ['ITEM'] }, types).issues.map(({ message }) => message)
    expect(told(() => [])).toContainEqual(expect.stringContaining('not taken for identifier'))
    expect(told(path => (path === 'item:a' ? [property({ slug: 'Identifier' })] : []))).toEqual([])
  })

  it('N46 tells of an expression that cannot be read, and shows the steps before it', () => {
    const conditionalColumns = [{ toProperty: 'x', conditions: [{ conditional: '{Style', value: 1 }] }]
    const preview = previewSteps(fileOf(CSV), { ...CONFIGURATION, loadType: ['ITEM'], conditionalColumns }, () => [])
    expect(preview.fault).toBeDefined()
    expect(preview.steps).toHaveLength(4)
  })

  it('N46 texts that are no option are matched by hand, and read by that match in the load itself', () => {
    const text = 'itemFamilyFederatedId,Season\nA-1,Sprng\nA-2,"x {y} \'z\'"\nA-3,Fall\n'
    const before = previewSteps(fileOf(text), { loadType: ['ITEM'] }, () => TYPES.item)
    expect(before.unknownOptions).toEqual([
      { column: 'season', slug: 'season', text: 'Sprng', nearest: 'SS' },
      { column: 'season', slug: 'season', text: "x {y} 'z'", nearest: undefined },
    ])
    const conditionalColumns = matchColumns({ season: { Sprng: 'SS', "x {y} 'z'": 'FW' } })
    const plain = JSON.parse(JSON.stringify({ loadType: ['ITEM'], conditionalColumns }))
    const after = previewSteps(fileOf(text), plain, () => TYPES.item)
    expect(after.unknownOptions).toEqual([])
    expect(after.steps.at(-1)?.rows.map(row => row.season)).toEqual(['SS', 'FW', 'FW'])
    const { drafts, issues } = load(text, { conditionalColumns } as never, { item: TYPES.item })
    expect(issues).toEqual([])
    expect(drafts.map(draft => ({ ...draft.make, ...draft.set }) as Record<string, unknown>)).toMatchObject([
      { season: 'SS' },
      { season: 'FW' },
      { season: 'FW' },
    ])
  })

  it('N46 a column whose type is made by a rule is matched by the name that it has then', () => {
    const text = 'itemFamilyFederatedId,Season\nA-1,Sprng\n'
    const typed = [{ toProperty: 'typePath', default: 'item:a' }]
    const types = (path: string) => (path === 'item:a' ? TYPES.item : [])
    const before = previewSteps(fileOf(text), { loadType: ['ITEM'], conditionalColumns: typed }, types)
    expect(before.unknownOptions).toMatchObject([{ column: 'Season', slug: 'season' }])
    const conditionalColumns = JSON.parse(JSON.stringify([...typed, ...matchColumns({ Season: { Sprng: 'SS' } })]))
    const after = previewSteps(fileOf(text), { loadType: ['ITEM'], conditionalColumns }, types)
    expect(after.steps.at(-1)?.rows).toMatchObject([{ season: 'SS' }])
  })

  it('N46 a cell that leaves its property as it is (N73) is shown as none, and asks for no match', () => {
    const text = 'itemFamilyFederatedId,season,note\nA-1,(unchanged),x\n'
    const of = (more: object) => previewSteps(fileOf(text), { loadType: ['ITEM'], ...more }, () => TYPES.item)
    expect(of({}).unknownOptions).toMatchObject([{ text: '(unchanged)' }])
    const { steps, unknownOptions } = of({ unchangedMark: ' (unchanged) ' })
    expect(unknownOptions).toEqual([])
    expect(steps.map(({ rows }) => rows[0]?.season)).toEqual(Array(6).fill(undefined))
    expect(steps.at(-1)?.rows).toMatchObject([{ itemFamilyFederatedId: 'A-1', note: 'x' }])
  })

  it('N46 a column that the configuration has a type for is kept, and one that drops rows is no property', () => {
    const text = 'itemFamilyFederatedId,weight,drop\nA-1,12,true\n'
    const types = () => TYPES.item
    const leftOut = (more: object) =>
      previewSteps(fileOf(text), { loadType: ['ITEM'], ...more }, types).issues.map(({ columnName }) => columnName)
    expect(leftOut({})).toEqual(['weight', 'drop'])
    const columnTypes = { weight: 'string' }
    const split = { assortmentItemDropField: 'drop', assortmentSplit: { fieldToSplitOn: 'season' } }
    expect(leftOut({ columnTypes, ...split })).toEqual(['drop'])
    expect(leftOut({ columnTypes, ...split, loadType: ['ITEM', 'ASSORTMENT'] })).toEqual([])
    const onWeight = { loadType: ['ITEM', 'ASSORTMENT'], assortmentSplit: { fieldToSplitOn: 'weight' } }
    const weights = (more: object) =>
      previewSteps(fileOf(text), { ...onWeight, ...more }, types).steps.at(-1)?.rows[0]?.weight
    expect([weights({}), weights({ columnTypes })]).toEqual([undefined, '12'])
  })
})

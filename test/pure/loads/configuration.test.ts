import { describe, expect, it } from 'vitest'
import { readConfigurationFile, unite } from '../../../src/features/loads/configuration/file.ts'
import { checkConfiguration } from '../../../src/features/loads/configuration/rules.ts'
import { FAULTS_MAX } from '../../../src/platform/limits.ts'

const split = { fieldToSplitOn: 'Season', values: [{ value: 'SS26', assortmentId: 'a1' }] }

function faults(configuration: Record<string, unknown>): string[] {
  const checked = checkConfiguration({ fileLocation: 'f1', ...configuration })
  return 'faults' in checked ? checked.faults.map(({ path }) => path).sort() : []
}

describe('the loader configuration', () => {
  it.each([
    [['ITEM'], {}],
    [['ITEM', 'PROJECT_ITEM'], { workspaceIdentifier: 'ss26' }],
    [['ITEM', 'PROJECT_ITEM'], { assortmentSplit: split }],
    [['PROJECT_ITEM', 'ITEM', 'ASSORTMENT'], { assortmentSplit: split }],
    [['ITEM', 'ASSORTMENT'], { assortmentSplit: split }],
    [['COLOR'], {}],
    [['CUSTOM_ENTITY'], {}],
    [['SIZE_RANGE_TEMPLATE'], {}],
  ])('accepts the combination %j', (loadType, more) => {
    expect(faults({ loadType, ...more })).toEqual([])
  })

  it.each([[[]], [['COLOR', 'ITEM']], [['COLOR', 'CUSTOM_ENTITY']], [['ITEM', 'ITEM']], [['ITEMS']]])(
    'refuses the combination %j',
    loadType => {
      expect(faults({ loadType })[0]).toMatch(/^\/loadType/)
    },
  )

  it('asks for ITEM beside PROJECT_ITEM and ASSORTMENT', () => {
    expect(faults({ loadType: ['PROJECT_ITEM'], workspaceIdentifier: 'w' })).toEqual(['/loadType'])
    expect(faults({ loadType: ['ASSORTMENT'], assortmentSplit: split })).toEqual(['/loadType'])
  })

  it('asks for what a type needs', () => {
    expect(faults({ loadType: ['ITEM', 'PROJECT_ITEM'] })).toEqual(['/workspaceIdentifier'])
    expect(faults({ loadType: ['ITEM', 'ASSORTMENT'] })).toEqual(['/assortmentSplit'])
    expect(faults({ loadType: ['ITEM'], fileLocation: undefined })).toEqual(['/fileLocation'])
    expect(checkConfiguration({})).toHaveProperty('faults')
  })

  it('N60 is bounded in its mappings, each of which is compared with every column', () => {
    const entries = (count: number, value: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, value]))
    const mapped = (count: number) => faults({ loadType: ['ITEM'], federatedMappings: entries(count, 'x') })
    expect(mapped(2000)).toEqual([])
    expect(mapped(2001)).toEqual(['/federatedMappings'])
    expect(faults({ loadType: ['ITEM'], columnTypes: entries(2001, 'string') })).toEqual(['/columnTypes'])
  })

  it('names every fault at once, also beside faults of shape', () => {
    expect(
      faults({
        loadType: ['ITEM', 'ASSORTMENT'],
        fileLocation: 7,
        conditionalColumn: [],
        mode: 'replace',
        conditionalColumns: [
          { toProperty: 'a', conditions: [{ conditional: '{x} ===', value: 1 }], defualt: 1 },
          { toProperty: 'b' },
        ],
        federatedMappings: { name: 3 },
      }),
    ).toEqual([
      '/assortmentSplit',
      '/conditionalColumn',
      '/conditionalColumns/0/defualt',
      '/federatedMappings/name',
      '/fileLocation',
      '/mode',
    ])
  })

  it('refuses conditionals that do not parse, and columns that say nothing (N31)', () => {
    expect(
      faults({
        loadType: ['ITEM'],
        conditionalColumns: [
          {
            toProperty: 'a',
            conditions: [
              { conditional: '{x} === 1', value: 1 },
              { conditional: '{x} ===', value: 1 },
            ],
          },
          { toProperty: 'b' },
          { toProperty: 'c', conditions: [{ conditional: 'process.exit()', value: 1 }] },
          { toProperty: 'd', default: '{not an expression' },
        ],
      }),
    ).toEqual([
      '/conditionalColumns/0/conditions/1/conditional',
      '/conditionalColumns/1',
      '/conditionalColumns/2/conditions/0/conditional',
    ])
  })

  it('refuses contradictions between the split and its top-level alternatives (N32)', () => {
    const load = { loadType: ['ITEM', 'ASSORTMENT'] }
    const partial = { ...split, partialAssortmentUpdate: true }
    expect(faults({ ...load, assortmentSplit: partial, partialAssortmentUpdate: true })).toEqual([])
    expect(faults({ ...load, assortmentSplit: partial, partialAssortmentUpdate: false })).toContain(
      '/partialAssortmentUpdate',
    )
    expect(faults({ ...load, assortmentSplit: { ...partial, dropField: 'a' }, assortmentItemDropField: 'b' })).toEqual([
      '/assortmentItemDropField',
    ])
    expect(faults({ ...load, assortmentSplit: split, assortmentItemDropField: 'b' })).toEqual([
      '/assortmentItemDropField',
    ])
    expect(faults({ ...load, assortmentSplit: { ...split, addField: 'x' } })).toEqual(['/assortmentSplit/addField'])
    expect(faults({ ...load, assortmentSplit: { ...partial, addField: 'x', dropField: 'x' } })).toEqual([
      '/assortmentSplit/addField',
    ])
  })

  it('refuses a split value that comes twice', () => {
    const values = [{ value: 'A', assortmentId: '1' }, { value: 'B' }, { value: 'A', assortmentIdentifier: 'x' }]
    expect(faults({ loadType: ['ITEM', 'ASSORTMENT'], assortmentSplit: { fieldToSplitOn: 's', values } })).toEqual([
      '/assortmentSplit/values/2/value',
    ])
  })
})

const readFile = (text: string) => readConfigurationFile(new TextEncoder().encode(text))

describe('the configuration file', () => {
  it('is YAML or JSON of the same shape, and inline properties win', () => {
    const yaml = 'loadType: [ITEM]\nfederatedMappings:\n  name: Style Name\npropertiesToRemove: [x]\n'
    const json = '{"loadType": ["ITEM"],\n\t"federatedMappings": {"name": "Style Name"}, "propertiesToRemove": ["x"]}'
    const expected = { loadType: ['ITEM'], federatedMappings: { name: 'Style Name' }, propertiesToRemove: ['x'] }
    expect(readFile(yaml)).toEqual({ content: expected })
    expect(readFile(json)).toEqual({ content: expected })
    expect(readFile('a: &a [x]\nb: [*a, *a]\nc: 012\nd: yes\ne: 2027-01-01')).toEqual({
      content: { a: ['x'], b: [['x'], ['x']], c: 12, d: 'yes', e: '2027-01-01' },
    })
    expect(unite(expected, { fileLocation: 'f', propertiesToRemove: ['y'] })).toEqual({
      ...expected,
      fileLocation: 'f',
      propertiesToRemove: ['y'],
    })
  })

  it.each([
    ['{"loadType": [}', 'not valid JSON (line 1, column 15)'],
    ['{"a": {"b": 1,\n"b": 2}}', 'not valid JSON (line 2, column 2): duplicated mapping key'],
    ['a: b: c', 'not valid YAML (line 1, column 5)'],
    ['a: 1\na: 2', 'not valid YAML (line 2, column 1)'],
    ['a: 1\n---\nb: 2', 'several documents'],
    ['a: !!js/function x', 'not valid YAML (line 1, column 4)'],
    ['a: &a [*a]', 'too many aliases'],
    [`a: &a [1]\nb: [${'*a,'.repeat(101)}]`, 'too many aliases'],
    [`a: &a ${'x'.repeat(60_000)}\nb: [${'*a,'.repeat(20)}]`, 'too many aliases'],
    ['- a', 'does not hold an object'],
    ['# nothing', 'does not hold an object'],
    ['{"a": [9007199254740993]}', '/a/0: The number has more digits'],
    ['a: [9007199254740993]', '/a/0: The integer may have more digits'],
    ['{"a": {"constructor": 1}}', '/a/constructor: This name is not allowed'],
    ['a: {constructor: 1}', '/a/constructor: This name is not allowed'],
    ['just text', 'does not hold an object'],
    ['', 'does not hold an object'],
    ['loaderConfigurationId: x', 'cannot refer'],
    [`x: ${'a'.repeat(300_000)}`, 'larger than'],
    [
      `a: &a [1]\n${Array.from({ length: 9 }, (_, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${`*${'abcdefghi'[i]},`.repeat(9)}]`).join('\n')}`,
      'too many aliases',
    ],
    [`a: [${'9007199254740993,'.repeat(3000)}]`, '/a/0: The integer may have more digits'],
  ])('refuses %.20j', (text, message) => {
    const read = readFile(text)
    expect('faults' in read && read.faults[0]?.message).toContain(message)
    expect('faults' in read && read.faults.length).toBeLessThanOrEqual(FAULTS_MAX)
  })
})

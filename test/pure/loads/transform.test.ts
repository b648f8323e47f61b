import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pack, unpack } from '../../../src/features/loads/drafts/draft-packing.ts'
import { inheritedValues, wordsIn } from '../../../src/features/loads/drafts/inherited-values.ts'
import { LOAD_TARGETS, targetNamed } from '../../../src/features/loads/targets.ts'
import { brief, entity, HEAD, type Loaded, load, type Types } from './load.ts'

describe('ITEM rows (N32)', () => {
  it('make a family, or an option with its family', () => {
    const loaded = load(`${HEAD},name,optionName,optionGroup,x\nF1,,Shirt,,,1\nF2,O1,Hose,Red,,2\nF2,O2,Hose,,size,3\n`)
    expect(loaded.drafts.map(({ key, family }) => [key, family])).toEqual([
      ['F1', undefined],
      ['F2', undefined],
      ['O1', 'F2'],
      ['O2', 'F2'],
    ])
    expect(entity(loaded, 'F1')).toMatchObject({
      name: 'Shirt',
      roles: ['family'],
      federatedId: 'F1',
      typePath: 'item',
      x: '1',
    })
    expect(entity(loaded, 'F2')).toMatchObject({ name: 'Hose', roles: ['family'] })
    expect(entity(loaded, 'F2')).not.toHaveProperty('x')
    expect(entity(loaded, 'O1')).toMatchObject({
      name: 'Red',
      optionName: 'Red',
      optionGroup: 'color',
      roles: ['option'],
      x: '2',
    })
    expect(entity(loaded, 'O2')).toMatchObject({ name: 'Hose', optionName: null, optionGroup: 'size', x: '3' })
    expect(loaded.issues).toEqual([])
  })

  it('name a family by its federatedId where there is no name, but only when it is new', () => {
    const loaded = load(`${HEAD}\nF1,O1\n`)
    expect(loaded.drafts[0]).toMatchObject({ key: 'F1', set: {}, make: { name: 'F1' } })
    expect(loaded.drafts[1]).toMatchObject({ key: 'O1', set: {}, make: { name: 'O1', optionGroup: 'color' } })
  })

  it('need itemFamilyFederatedId, a type path of items, and families that are not their own options', () => {
    expect(brief(load(`${HEAD},typePath\n,O1,\nF1,,color\nF1,F1,\nF2,F1,item:a b\n`))).toEqual([
      'error 2 itemFamilyFederatedId MISSING_DATA',
      'error 3 typePath INVALID_DATA',
      'error 4 itemOptionFederatedId INVALID_DATA',
      'error 5 typePath INVALID_DATA',
      'error 4 itemOptionFederatedId INVALID_DATA',
      'error 5 itemOptionFederatedId INVALID_DATA',
    ])
    expect(brief(load('name\nx\n'))[0]).toBe('error 1 itemFamilyFederatedId HEADER_MISMATCH')
  })

  it('let the first row of a family speak, and warn where a later one differs', () => {
    const loaded = load(`${HEAD},name\nF1,O1,First\nF1,O2,First\nF1,O3,Second\n`)
    expect(entity(loaded, 'F1')).toMatchObject({ name: 'First' })
    expect(brief(loaded)).toEqual(['warning 4 name VALIDATION_ERROR'])
  })

  it("take what only a family's own row can say from its first own row", () => {
    const loaded = load(`${HEAD},name,x\nF1,O1,N,opt\nF1,,N,fam\nF1,,N,fam\nF1,,N,other\n`)
    expect(entity(loaded, 'F1')).toMatchObject({ name: 'N', x: 'fam' })
    expect(entity(loaded, 'O1')).toMatchObject({ x: 'opt' })
    expect(brief(loaded)).toEqual(['warning 5 null VALIDATION_ERROR'])
  })

  it('refuse the same option twice, whatever the distance', () => {
    const rows = Array.from({ length: 30 }, (_, i) => `F${i},O${i}`).join('\n')
    expect(brief(load(`${HEAD}\n${rows}\nF0,O3\n`, {}, {}, 4))).toEqual([
      'error 32 itemOptionFederatedId DUPLICATE_FEDERATED_ID',
    ])
  })

  it('come to the same for every size of chunk', () => {
    const keys = fc.constantFrom('A', 'B', 'C', '')
    const row = fc.tuple(
      fc.constantFrom('F1', 'F2', 'F3'),
      keys,
      fc.constantFrom('n1', 'n2'),
      fc.constantFrom('x', 'y'),
    )
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 25 }), fc.integer({ min: 1, max: 9 }), (rows, chunk) => {
        const csv = `${HEAD},name,x\n${rows.map(cells => cells.join(',')).join('\n')}\n`
        const whole = load(csv)
        const parts = load(csv, {}, {}, chunk)
        const sorted = ({ issues }: Loaded) => issues.map(issue => JSON.stringify(issue)).sort()
        expect(parts.drafts).toEqual(whole.drafts)
        expect(sorted(parts)).toEqual(sorted(whole))
      }),
    )
  })
})

describe('levels (N32)', () => {
  const types: Types = {
    item: [
      { slug: 'fabric', level: 'family' },
      { slug: 'shade', level: 'option' },
      { slug: 'price', level: 'override', propertyType: 'number' },
      { slug: 'note', level: 'all' },
    ],
  }

  const inherited = [
    { slug: 'fabric', isFixed: true, fits: () => true },
    { slug: 'price', isFixed: false, fits: () => true },
  ]

  /** What a new option of a new family gets. */
  function option(loaded: Loaded, key: string) {
    const draft = loaded.drafts.find(one => one.key === key)
    const claim = loaded.claims.held('item', draft?.family ?? '')
    if (!draft || !claim) return undefined
    const lineage = {
      words: wordsIn(claim, targetNamed('item')),
      family: undefined,
      option: undefined,
      isExport: false,
    }
    return { ...draft.set, ...inheritedValues(inherited, draft.set, lineage) }
  }

  it('keep family properties on the family and copy them to its options', () => {
    const loaded = load(`${HEAD},fabric,shade,note\nF1,O1,wool,red,a\nF1,O2,silk,blue,b\n`, {}, types)
    expect(entity(loaded, 'F1')).toMatchObject({ fabric: 'wool' })
    expect(entity(loaded, 'F1')).not.toHaveProperty('shade')
    expect(entity(loaded, 'F1')).not.toHaveProperty('note')
    expect(option(loaded, 'O2')).toMatchObject({ fabric: 'wool', shade: 'blue', note: 'b' })
    expect(brief(loaded)).toEqual(['warning 3 fabric VALIDATION_ERROR'])
  })

  it('copy an override down where the option says nothing, whichever row comes first', () => {
    const loaded = load(`${HEAD},price\nF1,O1,\nF1,O2,7\nF1,,5\n`, {}, types, 1)
    expect(entity(loaded, 'F1')).toMatchObject({ price: 5 })
    expect(option(loaded, 'O1')).toMatchObject({ price: 5 })
    expect(option(loaded, 'O2')).toMatchObject({ price: 7 })
  })

  it('read the columns <slug>Family and <slug>Option, unless a property has that whole name', () => {
    const loaded = load(`${HEAD},priceFamily,priceOption\nF1,O1,5,\nF1,O2,5,7\n`, {}, types)
    expect(entity(loaded, 'F1')).toMatchObject({ price: 5 })
    expect(option(loaded, 'O1')).toMatchObject({ price: 5 })
    expect(option(loaded, 'O2')).toMatchObject({ price: 7 })
    const own = { item: [...(types.item ?? []), { slug: 'priceFamily' }] }
    expect(entity(load(`${HEAD},priceFamily\nF1,,x\n`, {}, own), 'F1')).toMatchObject({ priceFamily: 'x' })
  })

  it("warn of option properties on a family's row", () => {
    expect(brief(load(`${HEAD},shade\nF1,,red\nF2,,\n`, {}, types))).toEqual(['warning 2 shade INVALID_DATA'])
  })
})

describe('packing', () => {
  it('gives every draft back as it was', () => {
    // Among them is what texts are parted by.
    const text = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('', '\x7f', 'a\x7fb', 'ä'))
    const properties = fc.dictionary(
      text.filter(key => key !== '__proto__' && !key.includes('\n')),
      fc.oneof(text, fc.constant(null), fc.boolean(), fc.array(text), fc.integer({ min: 1 })),
    )
    const draft = fc.record(
      {
        target: fc.constantFrom(...LOAD_TARGETS),
        key: text,
        line: fc.nat({ max: 3 }),
        set: fc.oneof(properties, fc.record({ name: text })),
        make: properties,
        family: text,
        assortmentId: text,
        membership: fc.constant('keep' as const),
        movedFrom: text,
      },
      { requiredKeys: ['target', 'key', 'line', 'set', 'make'] },
    )
    fc.assert(
      fc.property(fc.array(draft), drafts => {
        const plain = drafts.map(({ target, ...rest }) => ({ target, ...JSON.parse(JSON.stringify(rest)) }))
        expect(unpack(JSON.parse(JSON.stringify(pack(plain))))).toEqual(plain)
      }),
    )
  })

  it('writes down what new entities get once for all that get the same, their own key apart', () => {
    const [target] = LOAD_TARGETS
    if (!target) throw new Error('nothing can be loaded')
    const drafts = [
      ['a', 'S', 'a'],
      ['b', 'S', 'b'],
      ['c', 'M', 'c'],
      ['d', 'M', 'a'],
      ['e', 'L', 'b'],
    ].map(([key = '', size, name]) => ({ target, key, line: 2, set: {}, make: { size, name } }))
    const packed = pack(drafts)
    expect(packed.groups.map(({ keys, made }) => [keys, made])).toEqual([
      [
        'a\x7fb',
        [
          ['size', 'S'],
          ['name', 0],
        ],
      ],
      [
        'c',
        [
          ['size', 'M'],
          ['name', 0],
        ],
      ],
      [
        'd',
        [
          ['size', 'M'],
          ['name', 'a'],
        ],
      ],
      [
        'e',
        [
          ['size', 'L'],
          ['name', 'b'],
        ],
      ],
    ])
    expect(unpack(packed)).toEqual(drafts)
  })

  it('puts together what is alike, and nothing else', () => {
    const [target] = LOAD_TARGETS
    if (!target) throw new Error('nothing can be loaded')
    const both = { a: '1', b: '2' }
    const one = { a: '1' }
    const parts = [
      [both, both],
      [both, both],
      [one, both],
      [both, both],
      [both, one],
    ]
    const drafts = parts.map(([set = {}, make = {}], at) => ({ target, key: `k${at}`, line: at + 2, set, make }))
    expect(unpack(pack(drafts))).toEqual(drafts)
    expect(pack(drafts)).toMatchObject({
      groups: [{ lines: [2, 3, 5] }, { lines: [4] }, { lines: [6] }],
      order: [0, 0, 1, 0, 2],
    })
    const alike = drafts.slice(0, 2)
    expect(pack(alike)).toEqual({ groups: [expect.objectContaining({ lines: [2, 3], values: ['1\x7f1', '2\x7f2'] })] })
    expect(unpack(pack(alike))).toEqual(alike)
  })
})

describe('packing of rows that are all unlike', () => {
  const [target] = LOAD_TARGETS
  const unlike = (rows: number) =>
    Array.from({ length: rows }, (_, at) => {
      if (!target) throw new Error('nothing can be loaded')
      const set = { [`a${at % 20}`]: 'x', b: at, toString: null }
      return { target, key: `k${at}`, line: at + 2, set, make: { name: `k${at}` }, family: `f${at}` }
    })

  it('keeps as they are those that have no room in columns, each in its place', () => {
    const drafts = unlike(50)
    const packed = JSON.parse(JSON.stringify(pack(drafts)))
    expect([packed.groups.length, packed.odd.length]).toEqual([16, 8])
    expect(unpack(packed)).toEqual(drafts)
  })
})

describe('rows of the other load types (N32)', () => {
  it('COLOR: complete red, green and blue win and make hex, else hex makes them', () => {
    const csv =
      'federatedId,name,hex,red,green,blue\nc1,Red,#00ff00,255,0,0\nc2,Green,0f0,1,,\nc3,Blue,,0,0,255\nc4,,,,,\n'
    const loaded = load(csv, { loadType: ['COLOR'] })
    expect(entity(loaded, 'c1', 'color')).toMatchObject({ hex: '#ff0000', red: 255, green: 0, blue: 0 })
    expect(entity(loaded, 'c2', 'color')).toMatchObject({ hex: '#00ff00', red: 0, green: 255, blue: 0 })
    expect(entity(loaded, 'c3', 'color')).toMatchObject({ hex: '#0000ff', blue: 255 })
    expect(entity(loaded, 'c4', 'color')).toMatchObject({ hex: null, name: 'c4' })
    expect(loaded.issues).toEqual([])
    const cleared = (csv: string) =>
      Object.hasOwn(entity(load(csv, { loadType: ['COLOR'] }), 'c1', 'color') ?? {}, 'hex')
    expect(cleared('federatedId,red\nc1,\n')).toBe(false)
    expect(cleared('federatedId,red,green\nc1,,\n')).toBe(false)
    expect(cleared('federatedId,hex\nc1,\n')).toBe(true)
    expect(cleared('federatedId,red,green,blue\nc1,,,\n')).toBe(true)
    expect(brief(load('federatedId,red\nc1,\n', { loadType: ['COLOR'] }))).toEqual(['warning 2 red MISSING_DATA'])
    const bad = 'federatedId,hex,red\nc1,#12,\nc2,,256\nc3,,12\n,,\nc1,,\n,#123,\n'
    expect(brief(load(bad, { loadType: ['COLOR'] }))).toEqual([
      'error 2 hex INVALID_DATA',
      'error 3 red INVALID_DATA',
      'warning 4 red MISSING_DATA',
      'error 7 federatedId MISSING_DATA',
      'error 6 federatedId DUPLICATE_FEDERATED_ID',
    ])
  })

  it('CUSTOM_ENTITY: one type path for all rows, and the name where there is no federatedId', () => {
    const loadType = ['CUSTOM_ENTITY'] as const
    const good = load('name,typePath,x\nA,custom-entity:vendor,1\nB,custom-entity:vendor,2\n', {
      loadType: [...loadType],
    })
    expect(good.drafts.map(({ key, make }) => [key, make.federatedId])).toEqual([
      ['A', 'A'],
      ['B', 'B'],
    ])
    expect(good.issues).toEqual([])
    const bad = 'name,typePath\nA,custom-entity:a\nB,custom-entity:b\nC,custom-entity\nD,\nA,custom-entity:a\n'
    expect(brief(load(bad, { loadType: [...loadType] }, {}, 1))).toEqual([
      'error 3 typePath VALIDATION_ERROR',
      'error 4 typePath INVALID_DATA',
      'error 5 typePath MISSING_DATA',
      'error 6 federatedId DUPLICATE_FEDERATED_ID',
    ])
    expect(brief(load('name\nA\n', { loadType: [...loadType] }))[0]).toBe('error 1 typePath HEADER_MISMATCH')
  })

  it('SIZE_RANGE_TEMPLATE: sizes are separated by |', () => {
    const loaded = load('federatedId,name,sizes\ns1,Alpha, S | M ||L \ns2,None,\n', {
      loadType: ['SIZE_RANGE_TEMPLATE'],
    })
    expect(entity(loaded, 's1', 'size-range-template')).toMatchObject({ name: 'Alpha', sizes: ['S', 'M', 'L'] })
    expect(entity(loaded, 's2', 'size-range-template')).toMatchObject({ sizes: null })
  })
})

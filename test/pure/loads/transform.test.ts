import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LoaderConfiguration } from '../../../src/features/loads/contract.ts'
import { memberKey } from '../../../src/features/loads/drafts/claims.ts'
import { pack, unpack } from '../../../src/features/loads/drafts/draft-packing.ts'
import { inheritedValues, wordsIn } from '../../../src/features/loads/drafts/inherited-values.ts'
import { LOAD_TARGETS, targetNamed } from '../../../src/features/loads/targets.ts'
import { entity, type Loaded, load, type Types } from './load.ts'

const brief = ({ issues }: Loaded) =>
  issues.map(({ rowNumber, columnName, issueType, severity }) => `${severity} ${rowNumber} ${columnName} ${issueType}`)
const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'

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
      'error 4 itemOptionFederatedId VALIDATION_ERROR',
      'error 5 typePath INVALID_DATA',
      'error 4 itemOptionFederatedId VALIDATION_ERROR',
      'error 5 itemOptionFederatedId VALIDATION_ERROR',
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
    { slug: 'fabric', isFixed: true },
    { slug: 'price', isFixed: false },
  ]

  /** What a new option of a new family gets. */
  function option(loaded: Loaded, key: string) {
    const draft = loaded.drafts.find(one => one.key === key)
    const claim = loaded.claims.held('item', draft?.family ?? '')
    if (!draft || !claim) return undefined
    const lineage = { words: wordsIn(claim, targetNamed('item')), family: undefined, option: undefined }
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

describe('PROJECT_ITEM and ASSORTMENT rows (N32)', () => {
  const split = {
    fieldToSplitOn: 'Season',
    values: [
      { value: 'SS', assortmentId: 'A1' },
      { value: 'FW', assortmentId: 'A2' },
    ],
  }
  const assortment = (more = {}): Partial<LoaderConfiguration> => ({
    loadType: ['ITEM', 'PROJECT_ITEM', 'ASSORTMENT'],
    assortmentSplit: { ...split, ...more },
  })
  const members = (loaded: Loaded) =>
    loaded.drafts
      .filter(({ target }) => target.name === 'assortment-item')
      .map(({ assortmentId, key, membership = 'add' }) => `${assortmentId} ${key} ${membership}`)

  it('make one for the option and one for its family, each column where its type defines it', () => {
    const types: Types = {
      item: [{ slug: 'a' }],
      'project-item': [{ slug: 'b' }],
      'assortment-item': [{ slug: 'c', propertyType: 'number' }],
    }
    const loaded = load(`${HEAD},Season,a,b,c,d\nF1,O1,SS,1,2,3,4\n`, assortment(), types)
    expect(loaded.drafts.map(({ target, key }) => `${target.name} ${key}`)).toEqual([
      'item F1',
      'item O1',
      'project-item F1',
      'project-item O1',
      'assortment-item F1',
      'assortment-item O1',
    ])
    expect(loaded.drafts[1]?.set).toEqual({ a: '1' })
    expect(loaded.drafts[3]?.set).toEqual({ b: '2' })
    expect(loaded.drafts[5]?.set).toEqual({ c: 3 })
    expect(brief(loaded)).toEqual(['warning 1 d HEADER_MISMATCH'])
  })

  it('allow an option in different assortments but not twice in one, and write it once', () => {
    const loaded = load(`${HEAD},Season,x\nF1,O1,SS,1\nF1,O1,FW,1\nF1,O1,FW,2\n`, assortment(), {}, 1)
    expect(members(loaded)).toEqual(['A1 F1 add', 'A1 O1 add', 'A2 F1 add', 'A2 O1 add'])
    expect(loaded.drafts.filter(({ target }) => target.name === 'item').map(({ key }) => key)).toEqual(['F1', 'O1'])
    expect(brief(loaded)).toEqual(['error 4 itemOptionFederatedId DUPLICATE_FEDERATED_ID'])
  })

  it('may say something else of an option in each assortment, but not of the option itself', () => {
    const types: Types = { item: [{ slug: 'a' }], 'assortment-item': [{ slug: 'c' }] }
    const twice = load(`${HEAD},Season,a,c\nF1,O1,SS,1,x\nF1,O1,FW,1,y\n`, assortment(), types)
    expect(brief(twice)).toEqual([])
    const said = twice.drafts.filter(({ target, key }) => target.name === 'assortment-item' && key === 'O1')
    expect(said.map(({ set }) => set.c)).toEqual(['x', 'y'])
    const other = load(`${HEAD},Season,a,c\nF1,O1,SS,1,x\nF1,O1,FW,2,x\n`, assortment(), types)
    expect(brief(other)).toEqual(['warning 3 itemOptionFederatedId VALIDATION_ERROR'])
  })

  it('send rows whose value matches nothing to no assortment, with a warning', () => {
    const loaded = load(`${HEAD},Season\nF1,O1,SS\nF2,O2,XX\n`, assortment())
    expect(members(loaded)).toEqual(['A1 F1 add', 'A1 O1 add'])
    expect(entity(loaded, 'O2')).toBeDefined()
    expect(brief(loaded)).toEqual(['warning 3 Season INVALID_DATA'])
    expect(loaded.claims.held('member', memberKey('A1', 'F2'))).toBeUndefined()
  })

  it('need the steering columns', () => {
    expect(brief(load(`${HEAD}\nF1,O1\n`, assortment()))[0]).toBe('error 1 Season HEADER_MISMATCH')
  })

  it('take the assortment from the row where a split value names none', () => {
    const values = [{ value: 'SS' }]
    const loaded = load(`${HEAD},Season,assortmentId\nF1,O1,SS,A9\nF1,O2,SS,\n`, assortment({ values }))
    expect(members(loaded)).toEqual(['A9 F1 add', 'A9 O1 add'])
    expect(brief(loaded)).toEqual(['error 3 assortmentId MISSING_DATA'])
    expect(brief(load(`${HEAD},Season\nF1,O1,SS\n`, assortment({ values })))[0]).toBe('error 1 assortmentId CONFIG')
  })

  it('add every row not dropped in a partial update without addField', () => {
    const partial = { partialAssortmentUpdate: true, dropField: 'drop' }
    const loaded = load(`${HEAD},Season,drop\nF1,O1,SS,true\nF2,O2,SS,\nF2,O3,SS,FALSE\n`, assortment(partial))
    expect(loaded.claims.held('drop', memberKey('A1', 'O1'))?.shared).toBe('F1')
    expect(members(loaded)).toEqual(['A1 F2 keep', 'A1 O2 add', 'A1 O3 add'])
    expect(loaded.claims.held('added', memberKey('A1', 'F2'))).toBeDefined()
    expect(loaded.claims.held('added', memberKey('A1', 'F1'))).toBeUndefined()
  })

  it('add only the true rows of addField, refuse both, and leave membership alone on neither', () => {
    const partial = { partialAssortmentUpdate: true, dropField: 'drop', addField: 'add' }
    const rows = 'F1,O1,SS,true,\nF2,O2,SS,,true\nF3,O3,SS,,\nF4,O4,SS,true,true\nF5,,SS,,\n'
    const loaded = load(`${HEAD},Season,add,drop\n${rows}`, assortment(partial))
    const options = ['A1 O1 add', 'A1 O3 keep', 'A1 O4 keep']
    expect(members(loaded).filter(member => member.includes(' O'))).toEqual(options)
    const families = ['F1', 'F2', 'F3', 'F4', 'F5']
    expect(families.filter(key => loaded.claims.held('added', memberKey('A1', key)))).toEqual(['F1'])
    expect(brief(loaded)).toEqual(['error 5 drop VALIDATION_ERROR'])
  })

  it('mark a family once: two rows of it that differ are an error', () => {
    const partial = { partialAssortmentUpdate: true, dropField: 'drop' }
    const loaded = load(`${HEAD},Season,drop\nF1,,SS,true\nF1,,FW,\nF1,,SS,\n`, assortment(partial), {}, 1)
    expect(brief(loaded)).toEqual(['error 4 itemFamilyFederatedId VALIDATION_ERROR'])
  })

  it('store the column that is split on like any other, and the marks only where a type defines them', () => {
    const partial = { partialAssortmentUpdate: true, dropField: 'drop' }
    const loaded = load(`${HEAD},Season,drop\nF1,O1,SS,\nF1,O1,FW,\n`, assortment(partial))
    expect(entity(loaded, 'O1')).toMatchObject({ Season: 'SS' })
    expect(entity(loaded, 'O1')).not.toHaveProperty('drop')
    // One item goes to two assortments: that is no contradiction.
    expect(loaded.issues).toEqual([])
    const types = { item: [{ slug: 'season', label: 'Season' }] }
    expect(entity(load(`${HEAD},Season\nF1,O1,SS\n`, assortment(), types), 'O1')).toMatchObject({ season: 'SS' })
  })
})

describe('packing', () => {
  it('gives every draft back as it was', () => {
    const text = fc.string({ maxLength: 3 })
    const properties = fc.dictionary(
      text.filter(key => key !== '__proto__' && !key.includes('\n')),
      fc.oneof(text, fc.constant(null), fc.boolean(), fc.array(text), fc.integer({ min: 1 })),
    )
    const draft = fc.record(
      {
        target: fc.constantFrom(...LOAD_TARGETS),
        key: text,
        line: fc.nat(),
        set: properties,
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

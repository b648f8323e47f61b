import { describe, expect, it } from 'vitest'
import type { LoaderConfiguration } from '../../../src/features/loads/contract.ts'
import { memberKey } from '../../../src/features/loads/drafts/claims.ts'
import { brief, entity, HEAD, type Loaded, load, type Types } from './load.ts'

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

  it('are told that the column to split on is missing, and go to no assortment (N72)', () => {
    expect(brief(load(`${HEAD}\nF1,O1\n`, assortment()))[0]).toBe('warning 1 Season HEADER_MISMATCH')
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

import { describe, expect, it } from 'vitest'
import { Criteria, mayUseIndexes, Order, planOf } from '../../../src/features/entities/criteria.ts'
import { kindNamed } from '../../../src/kinds.ts'
import { needleOf } from '../../../src/platform/letter-case.ts'

const item = kindNamed('item')
const assortmentItem = kindNamed('assortment-item')

const filterFor = (property: string, value: Criteria[string]) => {
  const [filter] = planOf(item, { [property]: value }).filters
  return filter && 'property' in filter ? filter : undefined
}
const between = (from: string | number, to: string | number) => ({
  range: [
    { sign: '>=', value: from },
    { sign: '<=', value: to },
  ],
})

describe('the plan of a list', () => {
  it('N16 walks the order of creation where nothing is asked for', () => {
    const plan = planOf(item, {})
    expect(plan.walk).toMatchObject({ column: { index: 'entities_created_on' }, value: undefined })
    expect(plan).toMatchObject({ gather: undefined, filters: [], order: { field: 'createdOn', descending: false } })
  })

  it('N49 asks for the indexes of properties where one is asked for, or orders', () => {
    expect(mayUseIndexes(item, { fabric: 'wool' })).toBe(true)
    expect(mayUseIndexes(item, {}, { orderField: 'fabric', order: 'asc' })).toBe(true)
    expect(mayUseIndexes(item, { name: 'a', typePath: 'item' })).toBe(false)
    expect(mayUseIndexes(item, { or: [{ fabric: 'wool' }, { fabric: 'silk' }] })).toBe(false)
    expect(mayUseIndexes(item, { or: 'a property of that name' })).toBe(true)
  })

  it('N16 walks the index of a value, and gathers what no two entities share', () => {
    expect(planOf(item, { typePath: 'item:x' }).walk).toMatchObject({
      column: { index: 'entities_type_path' },
      value: 'item:x',
    })
    expect(planOf(item, { federatedId: ['a', 'b'] }).gather).toMatchObject({
      column: { index: 'entities_federated_id' },
    })
    expect(planOf(assortmentItem, { assortmentId: 'x', itemId: 'y' })).toMatchObject({
      walk: { column: { index: 'entities_item_id' }, value: 'y' },
      gather: undefined,
      narrow: undefined,
      filters: [{ property: 'assortmentId' }],
    })
  })

  it('N60 gathers what mostly few entities share only where they are few, and else goes the way that it would', () => {
    const byName = { order: { orderField: 'name', order: 'asc' } } as const
    const filters = [{ property: 'assortmentId' }, { property: 'itemId' }]
    const held = planOf(assortmentItem, { assortmentId: 'x', itemId: ['y', 'z'] })
    expect(held).toMatchObject({ walk: { column: { index: 'entities_assortment_id' }, value: 'x' }, filters })
    const named = planOf(assortmentItem, { assortmentId: 'x', itemId: 'y' }, byName)
    expect(named).toMatchObject({ walk: { column: { index: 'entities_name' }, value: undefined }, filters })
    for (const plan of [held, named]) expect([plan.gather, plan.narrow?.filter.property]).toEqual([undefined, 'itemId'])
    expect(planOf(kindNamed('custom-entity'), { federatedId: ['a', 'b'] })).toMatchObject({
      gather: undefined,
      narrow: { filter: { property: 'federatedId' } },
    })
  })

  it('N16 walks the index of the order field where another order is asked for', () => {
    const plan = planOf(item, { typePath: 'item:x' }, { order: { orderField: 'name', order: 'desc' } })
    expect(plan.walk).toMatchObject({ column: { index: 'entities_name' }, value: undefined })
    expect(plan).toMatchObject({ filters: [{ property: 'typePath' }], order: { descending: true } })
  })

  it('N49 walks the index of a property for one value and for its order, and narrows by it else', () => {
    const indexes = [{ id: 7, kind: 'item', property: 'price', lists: 0 }]
    const byPrice = { orderField: 'price', order: 'asc' } as const
    expect(planOf(item, { price: 5 }, { indexes }).walk).toEqual({ index: indexes[0], value: 5 })
    expect(planOf(item, {}, { indexes, order: byPrice }).walk).toEqual({ index: indexes[0], value: undefined })
    expect(planOf(item, { price: { gt: 5 } }, { indexes }).narrow).toMatchObject({ index: { id: 7 } })
    expect(planOf(item, { price: { gt: 5 } }, { indexes, order: byPrice }).narrow).toBeUndefined()
    for (const criterion of [{ not: 5 }, { contains: 'a' }, null, { startsWith: 'é' }, 'x'.repeat(201)]) {
      const plan = planOf(item, { price: criterion }, { indexes })
      expect([plan.narrow, plan.walk.index]).toEqual([undefined, undefined])
    }
    const mixed = [{ id: 7, kind: 'item', property: 'price', lists: 1 }]
    expect(planOf(item, { price: 5 }, { indexes: mixed }).walk.index).toBeUndefined()
    for (const orderField of ['price', '__proto__', 'toString']) {
      expect(() => planOf(item, {}, { order: { ...byPrice, orderField } })).toThrow(
        expect.objectContaining({ errors: [expect.objectContaining({ path: '/order/orderField' })] }),
      )
    }
  })

  it('N16 takes a column only for a property that the entity type declares', () => {
    for (const property of ['status', 'projectId', 'triggerKey', 'toString', '__proto__']) {
      expect(filterFor(property, 'x')?.column).toBeUndefined()
    }
    expect(planOf(kindNamed('event-workflow-task'), { status: 'awaiting' }).walk.column?.index).toBe('entities_status')
  })

  it('N16 reads value, list, null and BETWEEN', () => {
    expect(filterFor('a', 1)?.test).toEqual({ any: [1] })
    expect(filterFor('a', ['x', false])?.test).toEqual({ any: ['x', false] })
    expect(filterFor('a', null)?.test).toEqual({ absent: true })
    expect(filterFor('a', 'BETWEEN 1 and 2')?.test).toEqual(between(1, 2))
    expect(filterFor('a', ['BETWEEN 1 and 2'])?.test).toEqual({ any: ['BETWEEN 1 and 2'] })
    expect(filterFor('name', 'BETWEEN 1 and 2')?.test).toEqual(between('1', '2'))
  })

  it('N16 keeps types apart: a number is no name', () => {
    expect(filterFor('name', 5)?.test).toEqual({ any: [] })
    expect(filterFor('typePath', [true, 'item', 'x'])?.test).toEqual({ any: ['item', 'x'] })
    expect(filterFor('version', [1, '1'])?.test).toEqual({ any: [1] })
  })

  it('N16 gathers along an index also where nothing passes several criteria', () => {
    const plan = planOf(item, { createdById: { gt: 5 }, itemFamilyId: { gt: 5 }, version: { contains: 'a' } })
    expect(plan.narrow?.filter).toMatchObject({
      property: 'itemFamilyId',
      column: { index: 'entities_item_family_id' },
    })
  })

  it('N16 takes a date as its whole day, alone and in a list', () => {
    const day = (text: string) => [Date.parse(text), Date.parse(text) + 86_399_999] as const
    expect(filterFor('createdOn', '2026-01-01')?.test).toEqual(between(...day('2026-01-01')))
    expect(filterFor('updatedOn', ['2026-01-01', '2026-01-03'])?.test).toEqual({
      anyRange: [day('2026-01-01'), day('2026-01-03')],
    })
  })

  it('names every fault at once, with the property escaped in its path', () => {
    expect(() =>
      planOf(item, {
        createdOn: 'soon',
        'a/b': 'BETWEEN 2 and 1',
        'c"d': 1,
        updatedOn: 'BETWEEN 2026-02-30 and 2026-03-01',
      }),
    ).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        errors: [
          expect.objectContaining({ path: '/criteria/createdOn' }),
          expect.objectContaining({ path: '/criteria/a~1b' }),
          expect.objectContaining({ path: '/criteria/c"d' }),
          expect.objectContaining({ path: '/criteria/updatedOn' }),
        ],
      }),
    )
  })

  it('refuses more criteria than its bound', () => {
    const criteria = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`p${at}`, at]))
    expect(() => planOf(item, criteria)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })
})

describe('letters without case', () => {
  it('N48 have all the forms that Unicode knows, wherever they lie', () => {
    const hasCase = /\p{Changes_When_Casemapped}/u
    for (let at = 0x80; at < 0x1_ffff; at++) {
      const letter = String.fromCodePoint(at)
      if (!hasCase.test(letter)) continue
      const { text, forms } = needleOf(letter)
      const folded = [letter.toLowerCase(), letter.toUpperCase()].filter(form =>
        new RegExp(`^${letter}$`, 'iu').test(form),
      )
      for (const form of folded) expect(needleOf(form).text, letter).toBe(text)
      expect(forms.every(([other, form]) => other !== form && form === text)).toBe(true)
    }
  })

  it('N48 leave alone what has none, and stand for each other one by one', () => {
    expect(needleOf('a-1 衬衫 %_')).toEqual({ text: 'a-1 衬衫 %_', forms: [] })
    expect(needleOf('Straße')).toEqual({
      text: 'straße',
      forms: expect.arrayContaining([
        ['ẞ', 'ß'],
        ['ſ', 's'],
      ]),
    })
    expect(needleOf('ΣΑΣ').text).toBe(needleOf('σας').text)
  })
})

describe('the shapes of criteria and order', () => {
  it.each([
    { a: {} },
    { a: [] },
    { a: [[1]] },
    { a: [null] },
    { '': 1 },
    { ['x'.repeat(129)]: 1 },
    { a: Array(1001).fill(1) },
  ])('refuse the criteria %j', criteria => expect(Criteria.safeParse(criteria).success).toBe(false))

  it.each([
    {},
    { orderField: '' },
    { orderField: 5 },
    { orderField: 'name', order: 'up' },
    { orderField: 'name', more: 1 },
    { orderField: 'x'.repeat(1000) },
  ])('refuse the order %j', order => expect(Order.safeParse(order).success).toBe(false))

  it('take an order without a direction as ascending', () => {
    expect(Order.parse({ orderField: 'name' })).toEqual({ orderField: 'name', order: 'asc' })
  })
})

// What several hands change at once: cells that are typed while others are saved, and a type that two people edit.
import { describe, expect, it } from 'vitest'
import {
  cellFaults,
  type Edits,
  patchesOf,
  withChanges,
  withEdits,
  withFaults,
  withoutRefusals,
  withoutRows,
  withoutSent,
} from '../../../src/clients/console/state/grid-edits.ts'
import { mergedProperties } from '../../../src/clients/console/state/type-merge.ts'
import { ApiError, type PropertyType, type TypeProperty } from '../../../src/clients/typescript/index.ts'

const NONE: Edits = new Map()
const typed = (id: string, slug: string, value: unknown) => ({ id, slug, edit: { value } })
const valuesOf = (edits: Edits) =>
  [...edits].flatMap(([id, row]) => [...row].map(([slug, { value }]) => [id, slug, value]))

describe('cells that are not saved', () => {
  const sent = withChanges(NONE, [typed('a', 'name', 'A'), typed('a', 'price', 1), typed('b', 'name', 'B')])

  it('leave when they were sent; what was typed meanwhile stays, in the same cell too', () => {
    const now = withChanges(sent, [typed('a', 'price', 2), typed('c', 'name', 'C')])
    expect(valuesOf(withoutSent(now, sent))).toEqual([
      ['a', 'price', 2],
      ['c', 'name', 'C'],
    ])
    expect(withoutSent(sent, sent).size).toBe(0)
  })

  it('go where what is stored was typed again, and the row with its last cell', () => {
    const same = (id: string, slug: string) => ({ id, slug, edit: undefined })
    const now = withChanges(sent, [same('a', 'name'), same('b', 'name'), same('c', 'name')])
    expect(valuesOf(now)).toEqual([['a', 'price', 1]])
    expect(now.size).toBe(1)
  })

  it('come back under what was typed since', () => {
    const since = withChanges(NONE, [typed('a', 'price', 2), typed('c', 'name', 'C')])
    expect(valuesOf(withEdits(sent, since))).toEqual([
      ['a', 'name', 'A'],
      ['a', 'price', 2],
      ['b', 'name', 'B'],
      ['c', 'name', 'C'],
    ])
  })

  it('of what was deleted go alone', () => {
    expect(valuesOf(withoutRows(sent, new Set(['a'])))).toEqual([['b', 'name', 'B']])
  })

  it('keep a fault of their own, and lose one that the service told when anything was changed', () => {
    const own = withChanges(sent, [{ id: 'b', slug: 'price', edit: { value: 'x', text: 'x', fault: 'No number.' } }])
    const told = withFaults(own, own, [{ id: 'a', slug: 'price', fault: 'Too dear.' }])
    expect(told.get('a')?.get('price')).toMatchObject({ fault: 'Too dear.', isRefused: true })
    const again = withoutRefusals(told)
    expect(again.get('a')?.get('price')).toEqual({ value: 1 })
    expect(again.get('b')?.get('price')?.fault).toBe('No number.')
    // What nothing was said of is the same still: it may be on its way.
    expect(again.get('a')?.get('name')).toBe(sent.get('a')?.get('name'))
  })

  const refused = (path: string) =>
    new ApiError({
      status: 400,
      code: 'invalid',
      message: 'Refused.',
      detail: 'Refused.',
      errors: [{ path, message: 'No.' }],
    })

  it('are told what is wrong with them, unless they were typed anew', () => {
    const faults = [
      { id: 'a', slug: 'price', fault: 'Too dear.' },
      { id: 'b', slug: 'name', fault: 'Taken.' },
    ]
    const now = withFaults(withChanges(sent, [typed('a', 'price', 2)]), sent, faults)
    expect(now.get('a')?.get('price')?.fault).toBeUndefined()
    expect(now.get('b')?.get('name')).toEqual({ value: 'B', fault: 'Taken.', isRefused: true })
  })

  it('a fault of a property that was not sent, `toString` too, stands in the first cell of its row', () => {
    const patches = patchesOf(sent)
    expect(cellFaults(refused('/1/toString'), patches)).toEqual([{ id: 'b', slug: 'name', fault: 'No.' }])
    expect(cellFaults(refused('/0/price'), patches)).toEqual([{ id: 'a', slug: 'price', fault: 'No.' }])
    expect(cellFaults(refused('/7/price'), patches)).toEqual([])
  })
})

describe('a type that two people have changed', () => {
  const property = (slug: string, label: string, propertyType: PropertyType = 'string'): TypeProperty => ({
    slug,
    label,
    propertyType,
  })
  const before = [property('a', 'A'), property('b', 'B'), property('c', 'C'), property('d', 'D')]

  it('keeps what each has changed', () => {
    const mine = [property('a', 'mine'), property('b', 'B'), property('d', 'D'), property('mine', 'M')]
    const theirs = [property('a', 'A'), property('b', 'theirs'), property('c', 'C'), property('theirs', 'T')]
    expect(mergedProperties(before, mine, theirs)).toEqual({
      // They have taken out d, I have taken out c.
      properties: [property('a', 'mine'), property('b', 'theirs'), property('mine', 'M'), property('theirs', 'T')],
      both: [],
    })
  })

  it('says what both have changed, and shows mine', () => {
    const mine = [property('a', 'mine'), property('b', 'same'), property('new', 'N')]
    const theirs = [property('a', 'theirs'), property('b', 'same'), property('c', 'theirs'), property('new', 'O')]
    expect(mergedProperties(before, mine, theirs)).toEqual({ properties: mine, both: ['a', 'new', 'c'] })
  })

  it('two new rows without a name yet are both kept', () => {
    const rows = [...before, property('', 'x'), property('', 'y')]
    expect(mergedProperties(before, rows, before).properties).toEqual(rows)
  })
})

// What people type and paste into cells, and how a block travels between spreadsheets and the grid.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockText, cellText, parseBlock, parseCell, parseLike } from '../../../src/clients/console/state/cell-text.ts'
import { arranged } from '../../../src/clients/console/state/families.ts'
import { numbersOf } from '../../../src/clients/console/state/number-text.ts'
import type { Entity, PropertyType, TypeProperty } from '../../../src/clients/typescript/index.ts'

const property = (propertyType: PropertyType, more: Partial<TypeProperty> = {}): TypeProperty => ({
  slug: 'x',
  propertyType,
  ...more,
})
const season = property('choice', { options: [{ value: 'SS27', label: 'Spring 2027' }, 'FW27'] })

describe('a cell', () => {
  it.each([
    ['12.5', property('currency'), 12.5],
    ['1 250,5', property('number'), 1250.5],
    ['-3', property('percent'), -3],
    ['12.5 %', property('percent'), 12.5],
    ['Yes', property('boolean'), true],
    ['0', property('boolean'), false],
    ['2027-02-01', property('date'), '2027-02-01'],
    ['SS27', season, 'SS27'],
    ['spring 2027', season, 'SS27'],
    ['FW27', season, 'FW27'],
    ['wash | dry clean', property('multi_select', { options: ['wash', 'dry clean'] }), ['wash', 'dry clean']],
    ['{"a": 1}', property('json'), { a: 1 }],
    [' as it is ', property('string'), ' as it is '],
    ['', property('number'), null],
    ['   ', property('string'), null],
  ])('%j is read by its type', (text, type, value) => {
    expect(parseCell(text, type, undefined)).toEqual({ value })
  })

  it.each([
    ['dear', property('currency')],
    ['1.2.3', property('number')],
    ['maybe', property('boolean')],
    ['1.2.2027', property('date')],
    ['SS28', season],
    ['wash | boil', property('multi_select', { options: ['wash'] })],
    ['{', property('json')],
  ])('%j is refused with words', (text, type) => {
    expect(parseCell(text, type, undefined)).toEqual({ fault: expect.stringMatching(/\w/) })
  })

  it('without a type keeps the kind that it had', () => {
    expect(parseCell('4', undefined, 3)).toEqual({ value: 4 })
    expect(parseCell('4', undefined, 'three')).toEqual({ value: '4' })
    expect(parseCell('no', undefined, true)).toEqual({ value: false })
    expect(parseCell('a | b', undefined, ['a'])).toEqual({ value: ['a', 'b'] })
  })

  it('that is empty and without a type takes the kind that others have, or text', () => {
    expect(parseLike('255', undefined, 12)).toEqual({ value: 255 })
    expect(parseLike('no', undefined, true)).toEqual({ value: false })
    expect(parseLike('dark', undefined, 12)).toEqual({ value: 'dark' })
    expect(parseLike('dark', property('number'), undefined)).toEqual({ fault: 'This is no number.' })
  })

  it('comes back as it was copied', () => {
    for (const [value, type] of [
      [12.5, property('number')],
      [true, property('boolean')],
      [['wash', 'dry clean'], property('multi_select', { options: ['wash', 'dry clean'] })],
      ['text', property('string')],
      [['1'], property('json')],
      ['text', property('json')],
      [{ a: ['b'] }, property('json')],
    ] as const) {
      expect(parseCell(cellText(value, type), type, undefined)).toEqual({ value })
    }
  })
})

describe('a number', () => {
  const LANGUAGES = ['en', 'de', 'fr', 'de-CH', 'hi', 'ar-EG', 'sv', 'pt-PT']
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.integer({ min: -5_000_000, max: 5_000_000 }).map(number => number / 1000),
  )

  it.each(LANGUAGES)('reads back as it is shown and as it is edited, in %s', language => {
    const { text, bareText, read } = numbersOf(language)
    fc.assert(
      fc.property(value, number => {
        // Twenty digits behind the point are all that can be shown.
        fc.pre(Math.abs(number) > 1e-4)
        expect(read(bareText(number))).toEqual({ value: number })
        expect(read(text(number))).toEqual({ value: number })
      }),
    )
  })

  it.each([
    ['en', '1,234', 1234],
    ['en', '1,234.50', 1234.5],
    ['en', '1.234,50', 1234.5],
    ['en', '1,234,567', 1234567],
    ['en', '0,125', 0.125],
    ['en', '1,5', 1.5],
    ['en', '.5', 0.5],
    ['de', '1.234', 1234],
    ['de', '1,234', 1.234],
    ['de', '1.5', 1.5],
    ['fr', '1\u202f234,5', 1234.5],
    ['de-CH', "12'345.5", 12345.5],
  ])('for a reader of %s %j is %d', (language, text, number) => {
    expect(numbersOf(language).read(text)).toEqual({ value: number })
  })

  it.each([
    ['fr', '1.234', 'Write 1234 or 1,234: this may be either.'],
    ['de-CH', '1,234', 'Write 1234 or 1.234: this may be either.'],
    ['en', '1,23,4', 'This is no number.'],
    ['en', '12 5', 'This is no number.'],
    ['en', '1.2.3', 'This is no number.'],
    ['en', '0x10', 'This is no number.'],
    ['en', '.', 'This is no number.'],
  ])('for a reader of %s %j is refused', (language, text, fault) => {
    expect(numbersOf(language).read(text)).toEqual({ fault })
  })

  it('is shown with all its digits', () => {
    expect(numbersOf('en').text(0.1234567)).toBe('0.1234567')
  })
})

describe('a block of cells', () => {
  it('is read as spreadsheets write it', () => {
    expect(parseBlock('a\tb\r\nc\t"two\nlines ""x"""\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'two\nlines "x"'],
    ])
    expect(parseBlock('5" pipe')).toEqual([['5" pipe']])
  })

  it('survives being copied and pasted, whatever is in it', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', 'é') })
    const block = fc
      .integer({ min: 1, max: 3 })
      .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 3 }))
    fc.assert(
      fc.property(block, rows => {
        expect(parseBlock(`${blockText(rows)}\n`)).toEqual(rows)
      }),
    )
  })
})

it('options stand under their family where both are there', () => {
  const row = (id: string, itemFamilyId?: string) => ({ id, itemFamilyId }) as unknown as Entity
  const rows = [row('o1', 'f1'), row('f2'), row('f1'), row('o2', 'f2'), row('o3', 'elsewhere')]
  expect(arranged(rows).map(({ id }) => id)).toEqual(['f2', 'o2', 'f1', 'o1', 'o3'])
})

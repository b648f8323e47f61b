// What is typed into the rules of a made column.
import { describe, expect, it } from 'vitest'
import { configurationOf, draftOf } from '../../../src/clients/console/state/load-draft.ts'
import {
  defaultHint,
  NEW_COLUMN,
  typedText,
  typedValue,
  withDefault,
} from '../../../src/clients/console/state/made-column.ts'

describe('a value of a made column', () => {
  it.each([
    ['12', 12],
    ['-3', -3],
    ['0.05', 0.05],
    ['1.05', 1.05],
    ['true', true],
    ['null', null],
    ['1.0', '1.0'],
    ['1.', '1.'],
    ['-', '-'],
    ['-0', '-0'],
    ['05', '05'],
    ['007', '007'],
    ['1.50', '1.50'],
    ['12345678901234567890', '12345678901234567890'],
    ['0.0000001', '0.0000001'],
    ['{Price} * 2', '{Price} * 2'],
    ['', ''],
  ])('N46 typed as %s', (text, value) => expect(typedValue(text)).toBe(value))

  it('N46 shows after each key what was typed', () => {
    for (const whole of ['1.05', '0.05', '-0.005', '007', '100.10', 'nullable', 'true']) {
      for (let end = 1; end <= whole.length; end++) {
        const typed = whole.slice(0, end)
        expect(typedText(typedValue(typed))).toBe(typed)
      }
    }
    expect(typedText(undefined)).toBe('')
  })
})

describe('the default of a made column', () => {
  const conditions = [{ conditional: '{Price} > 75', value: 'dear' }]

  it('N46 is none until something is typed, and none again when it is taken out', () => {
    const column = { ...NEW_COLUMN, toProperty: 'tier', conditions }
    expect(column).not.toHaveProperty('default')
    expect(withDefault(column, '')).toStrictEqual(column)
    expect(withDefault(column, '7')).toStrictEqual({ ...column, default: 7 })
    expect(withDefault(withDefault(column, 'x'), '')).toStrictEqual(column)
  })

  it('N46 that is stored as an empty text stays, and is told from none', () => {
    const stored = { toProperty: 'tier', conditions, default: '' }
    const again = configurationOf(draftOf({ loadType: ['ITEM'], conditionalColumns: [stored] }))
    expect(again.conditionalColumns).toStrictEqual([stored])
    expect(defaultHint(stored)).not.toBe(defaultHint({ toProperty: 'tier', conditions }))
    expect(withDefault(stored, '')).not.toHaveProperty('default')
  })
})

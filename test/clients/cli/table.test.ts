import { describe, expect, it } from 'vitest'
import {
  cut,
  headerLine,
  rowLine,
  safeText,
  tabLines,
  textOf,
  widthOf,
  widthsFor,
} from '../../../src/clients/cli/table.ts'

const columns = [{ key: 'id' }, { key: 'name' }, { key: 'count', align: 'right' }] as const

describe('tables', () => {
  it('align columns under a header', () => {
    const rows = [
      { id: 'a', name: 'Linen', count: 7 },
      { id: 'bcd', name: '麻', count: 1234 },
    ]
    const widths = widthsFor(columns, rows, 80)
    expect([headerLine(columns, widths), ...rows.map(row => rowLine(columns, widths, row))]).toEqual([
      'ID   NAME   COUNT',
      'a    Linen      7',
      'bcd  麻      1234',
    ])
  })

  it('cut the widest column where the screen is narrow', () => {
    const rows = [{ id: 'a', name: 'A very long name indeed', count: 1 }]
    const widths = widthsFor(columns, rows, 24)
    const line = rowLine(columns, widths, rows[0] ?? {})
    expect(widthOf(line)).toBeLessThanOrEqual(24)
    expect(line).toContain('…')
    expect(cut('麻麻麻', 4)).toBe('麻…')
  })

  it('make control characters harmless, whatever the data says', () => {
    expect(safeText('a\u001b[31mb\u0007\u009b\u202e')).toBe('a\ufffd[31mb\ufffd\ufffd\ufffd')
    expect(safeText('a\nb\tc')).toBe('a⏎b c')
    expect(tabLines([{ key: 'a' }, { key: 'b' }], [{ a: 'x\ty', b: '\u001b]0;owned\u0007' }])).toEqual([
      'x y\t\ufffd]0;owned\ufffd',
    ])
  })

  it('show nothing for null, JSON for objects', () => {
    expect([null, undefined, 0, false, ['a'], { b: 1 }].map(textOf)).toEqual(['', '', '0', 'false', '["a"]', '{"b":1}'])
  })
})

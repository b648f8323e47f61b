import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { hasColor, paintFor } from '../../../src/clients/cli/style.ts'
import { type Column, cut, type Row, safeText, Table, tabLines, textOf } from '../../../src/clients/cli/table.ts'
import { wrapped } from '../../../src/clients/cli/terminal.ts'

const columns: Column[] = [{ key: 'id' }, { key: 'name' }, { key: 'count', align: 'right' }]

function linesOf(chosen: readonly Column[], rows: readonly Row[], screen: number): string[] {
  const table = new Table(chosen, rows, screen)
  return [...table.header(), ...rows.flatMap(row => table.lines(row))]
}

describe('tables', () => {
  it('align columns under a header, whatever the script', () => {
    const rows = [
      { id: 'a', name: 'Linen', count: 7 },
      { id: 'bcd', name: '麻', count: 1234 },
      { id: 'e', name: '👩‍👩‍👧 é', count: 1 },
    ]
    expect(linesOf(columns, rows, 80)).toEqual([
      'ID   NAME   COUNT',
      'a    Linen      7',
      'bcd  麻      1234',
      'e    👩‍👩‍👧 é       1',
    ])
  })

  it('cut the widest column where the screen is narrow, but never an id or a time', () => {
    const row = { id: 'AbCdEfGhIjKlMnOp', name: 'A very long name indeed', updatedOn: '2026-05-01T10:11:12.345Z' }
    const chosen = [{ key: 'id' }, { key: 'name' }, { key: 'updatedOn' }]
    const [, line = ''] = linesOf(chosen, [row], 50)
    expect(line).toBe('AbCdEfGhIjKlMnOp  A very lo…  2026-05-01T10:11:12Z')
    expect(cut('麻麻麻', 4)).toBe('麻…')
  })

  it('become blocks where even that does not fit', () => {
    const row = { id: 'AbCdEfGhIjKlMnOp', name: 'Linen', itemId: 'QrStUvWxYz012345', note: '' }
    const chosen = ['id', 'name', 'itemId', 'note'].map(key => ({ key }))
    expect(linesOf(chosen, [row], 40)).toEqual([
      'ID      AbCdEfGhIjKlMnOp',
      'NAME    Linen',
      'ITEMID  QrStUvWxYz012345',
      '',
    ])
  })

  it('break a last column that must be read whole between words', () => {
    const chosen: Column[] = [{ key: 'line' }, { key: 'problem', isWrapped: true }]
    const rows = [{ line: 3, problem: 'The value "abc" is not a number; write it as 12.5' }]
    expect(linesOf(chosen, rows, 32)).toEqual([
      'LINE  PROBLEM',
      '3     The value "abc" is not a',
      '      number; write it as 12.5',
    ])
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

describe('text', () => {
  it('is broken between words, below its title, and left alone in a pipe', () => {
    const text = 'Sign in again with `selvedge login`, or check the variables of the environment.'
    const lines = wrapped(text, 40, 7).split('\n')
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(40)
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).toBe(text)
    expect(lines[1]).toMatch(/^ {7}\S/)
    expect(wrapped(text, Number.POSITIVE_INFINITY, 7)).toBe(text)
    expect(wrapped('  https://example.com/a-long-address-that-has-no-spaces-in-it', 30)).not.toContain('\n')
  })
})

describe('color', () => {
  const screen = { isTTY: true }

  it('is there where a terminal has it, and NO_COLOR is respected', () => {
    expect(hasColor(screen, {})).toBe(true)
    expect(hasColor(screen, { NO_COLOR: '1' })).toBe(false)
    expect(hasColor(screen, { NO_COLOR: '' })).toBe(true)
    expect(hasColor(screen, { TERM: 'dumb' })).toBe(false)
    expect(hasColor({}, {})).toBe(false)
    expect(hasColor({}, { FORCE_COLOR: '1' })).toBe(true)
  })

  it('marks states and headers, and takes no room', () => {
    const rows = [{ status: 'failed', name: 'x' }]
    const painted = new Table([{ key: 'status' }, { key: 'name' }], rows, 80, paintFor(screen, {}))
    expect(painted.header()[0]).toBe('\u001b[1mSTATUS  NAME\u001b[22m')
    expect(painted.lines(rows[0] ?? {})[0]).toBe('\u001b[31mfailed\u001b[39m  x')
  })

  it.each(['constructor', 'toString', '__proto__'])('leaves a cell alone that says %s', name => {
    const rows = [{ status: 'failed', name }]
    const painted = new Table([{ key: 'status' }, { key: 'name' }], rows, 80, paintFor(screen, {}))
    expect(painted.lines(rows[0] ?? {})[0]).toBe(`\u001b[31mfailed\u001b[39m  ${name}`)
  })
})

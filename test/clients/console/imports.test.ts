// What the import page decides without a browser: which row names the columns, of which type rows are, how issues are told.
import { describe, expect, it } from 'vitest'
import { aboveHeader, firstLines } from '../../../src/clients/console/state/header-row.ts'
import { groupedIssues, linesText } from '../../../src/clients/console/state/issue-groups.ts'
import { NO_DRAFT } from '../../../src/clients/console/state/load-draft.ts'
import { typeForAll, withTypeForAll } from '../../../src/clients/console/state/load-type-paths.ts'
import { typePathFault } from '../../../src/clients/console/state/type-path-fault.ts'

describe('the type of all rows of an import', () => {
  it('can be chosen where a trailing delimiter makes a column without a name', () => {
    const columns = ['Style', 'Season', '']
    expect(typeForAll(NO_DRAFT, columns)).toBe('')
    const chosen = { ...NO_DRAFT, ...withTypeForAll(NO_DRAFT, columns, 'item:apparel') }
    expect(typeForAll(chosen, columns)).toBe('item:apparel')
  })

  it('is not asked for where a column says it', () => {
    expect(typeForAll(NO_DRAFT, ['Style', 'typePath'])).toBeUndefined()
    expect(typeForAll({ ...NO_DRAFT, targets: { Kind: ['typePath'] } }, ['Style', 'Kind'])).toBeUndefined()
  })
})

describe('the row that names the columns', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text)

  it('is chosen among the first rows that hold anything, with the numbers that they have in the file', () => {
    const text = '\uFEFFSpring line 2027,,\r\n,,\r\nStyle,Season,Price\r\nTJ-100,SS27,129\r\n'
    expect(firstLines(text)).toEqual([
      { row: 1, text: 'Spring line 2027,,' },
      { row: 3, text: 'Style,Season,Price' },
      { row: 4, text: 'TJ-100,SS27,129' },
    ])
  })

  it.each(['\n', '\r\n', '\r'])('leaves the rows above it out and keeps the numbers of lines with %j', lineBreak => {
    const text = ['A title', '', 'Style', 'TJ-100'].join(lineBreak)
    const { length, breaks } = aboveHeader(bytesOf(text), 3)
    expect(breaks + text.slice(length)).toBe(['', '', 'Style', 'TJ-100'].join(lineBreak))
    expect(aboveHeader(bytesOf(text), 1)).toEqual({ length: 0, breaks: '' })
    expect(aboveHeader(bytesOf('only'), 5).length).toBe(4)
  })
})

describe('issues that say the same', () => {
  it('are one line with its count, errors first', () => {
    const warning = { columnName: 'Premium', message: '"Y" is no yes/no value.', severity: 'warning' as const }
    const issues = [
      ...Array.from({ length: 306 }, (_, at) => ({ ...warning, rowNumber: at + 2 })),
      { rowNumber: 9, columnName: 'Season', message: '"XX" is no option.', severity: 'error' as const },
    ]
    const groups = groupedIssues(issues)
    expect(groups.map(({ severity, lines }) => [severity, lines.length])).toEqual([
      ['error', 1],
      ['warning', 306],
    ])
    expect(groups.map(({ lines }) => linesText(lines))).toEqual(['9', '2, 3, 4 and 303 more'])
  })
})

describe('the path of a new type', () => {
  const roots = [{ rootTypePath: 'item' }, { rootTypePath: 'color' }]
  const fault = (path: string) => typePathFault(path, roots, known => known === 'item:shirt')

  it('begins with an entity type of the service', () => {
    expect(fault('thing:shirt')).toBe('"thing" is no entity type. Begin with one of: item, color.')
    expect(fault('item:apparel:shirt')).toBeUndefined()
  })

  it('has a name below the entity type that is not taken and can be stored', () => {
    expect(fault('item')).toContain('item:shirt')
    expect(fault('item:')).toContain('"" is no name')
    expect(fault('item:rain shell')).toContain('"rain shell" is no name')
    expect(fault('item:shirt')).toContain('exists already')
  })
})

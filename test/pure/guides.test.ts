// The reference tables of the guides against the code that they describe.
import { describe, expect, it } from 'vitest'
import { ORDER_FIELDS } from '../../src/features/entities/criteria.ts'
import {
  AssortmentSplit,
  ColumnDefinition,
  ISSUE_TYPES,
  LOAD_TYPES,
  LoaderConfiguration,
} from '../../src/features/loads/contract.ts'
import { PROPERTY_TYPES, PropertyDefinition } from '../../src/features/types/contract.ts'
import { Callback } from '../../src/features/workflows/contract.ts'
import { TaskDefinition } from '../../src/features/workflows/definition.ts'
import { KINDS } from '../../src/kinds.ts'
import { CODES, statusOf } from '../../src/platform/http/problem.ts'
import { relationNames } from '../../src/platform/kind.ts'
import { read, tablesOf } from '../markdown.ts'

const codes = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

/** What the first cells of a table name; the `at`-th of those whose header begins so. */
function named(guide: string, header: string, at = 0): string[] {
  const tables = tablesOf(read(`src/guides/${guide}.md`)).filter(table => table.header[0] === header)
  return (tables[at]?.rows ?? []).flatMap(([first]) => codes(first)).sort()
}

const sorted = (names: Iterable<string>) => [...names].sort()

describe('the guide on loads', () => {
  it('names every property of the configuration', () => {
    expect(named('loads', 'Property')).toEqual(sorted(Object.keys(LoaderConfiguration.shape)))
    expect(named('loads', 'Property', 1)).toEqual(sorted(Object.keys(ColumnDefinition.shape)))
    expect(named('loads', 'Property', 2)).toEqual(sorted(Object.keys(AssortmentSplit.shape)))
  })

  it('names every type of load and of issue', () => {
    expect(named('loads', '`loadType`')).toEqual(sorted(LOAD_TYPES))
    expect(named('loads', '`issueType`')).toEqual(sorted(ISSUE_TYPES))
  })
})

describe('the guide on types', () => {
  it('names every member of a property, and every property type', () => {
    const members = Object.keys(PropertyDefinition.shape).filter(name => name !== 'inheritedFrom')
    expect(named('types', 'Member')).toEqual(sorted(members))
    expect(named('types', '`propertyType`')).toEqual(sorted(PROPERTY_TYPES))
  })
})

describe('the guide on lists', () => {
  it('names every relation', () => {
    const rows = tablesOf(read('src/guides/criteria.md')).find(({ header }) => header[1] === 'Relations')?.rows ?? []
    const listed = rows.map(([type, relations]) => [codes(type)[0] ?? '', sorted(codes(relations))])
    const there = KINDS.map(kind => [kind.name, sorted(relationNames(kind))]).filter(([, names]) => names?.length)
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(there))
  })

  it('names every field to order by', () => {
    const order = /## Order\n(.*?)\n## /s.exec(read('src/guides/criteria.md'))?.[1] ?? ''
    expect(codes(order)).toEqual(expect.arrayContaining([...ORDER_FIELDS]))
  })
})

describe('the guide on workflows', () => {
  it('names every action, and every property of a callback', () => {
    const actions = TaskDefinition.options.map(option => [...option.shape.action.values][0] ?? '')
    expect(named('workflows', '`action`')).toEqual(sorted(actions))
    expect(named('workflows', 'Property')).toEqual(sorted(Object.keys(Callback.shape)))
  })
})

describe('the first guide', () => {
  it('names every entity type', () => {
    const entities = /## Entities\n(.*?)All are read/s.exec(read('src/guides/README.md'))?.[1] ?? ''
    expect(sorted(codes(entities))).toEqual(sorted(KINDS.map(kind => kind.name)))
  })

  it('names every status of an error', () => {
    const rows = tablesOf(read('src/guides/README.md')).find(({ header }) => header[0] === 'Status')?.rows ?? []
    const listed = rows.flatMap(([status = '']) => status.split(', ').map(Number))
    expect(listed).toEqual([...new Set(CODES.map(statusOf))].sort((a, b) => a - b))
  })
})

// The page on expressions: its examples give what it says, and its lists are what the language has. // N31
import { describe, expect, it } from 'vitest'
import { compileConditional, compileTemplate } from '../../../src/platform/expression/compile/compile.ts'
import { ARRAY_METHODS } from '../../../src/platform/expression/library/array-methods.ts'
import { GLOBAL_FUNCTIONS, NAMESPACES } from '../../../src/platform/expression/library/globals.ts'
import {
  BOOLEAN_METHODS,
  DATE_METHODS,
  NUMBER_METHODS,
  REGEX_METHODS,
} from '../../../src/platform/expression/library/scalar-methods.ts'
import { STRING_METHODS } from '../../../src/platform/expression/library/string-methods.ts'
import { fencesOf, read, tablesOf } from '../../markdown.ts'

const page = read('src/platform/expression/README.md')
const row = JSON.parse(fencesOf(page).find(({ title }) => title === 'row.json')?.text ?? '{}') as Record<
  string,
  unknown
>
const scope = (name: string) => row[name]
const known = new Set(Object.keys(row))
const tableOf = (first: string) => tablesOf(page).find(({ header }) => header[0] === first)?.rows ?? []
const code = (cell = '') => cell.replace(/^`|`$/g, '')

describe('N31 the page on expressions', () => {
  const values = tableOf('As a value or default').map(([source, result]) => [code(source), code(result)] as const)
  const conditionals = tableOf('As a conditional').map(([source, result]) => [code(source), code(result)] as const)

  it('has examples at all', () => {
    expect(values.length).toBeGreaterThan(8)
    expect(conditionals.length).toBeGreaterThan(2)
  })

  it.each(values)('%s gives %s', (source, result) => {
    const { compiled, warning } = compileTemplate(source, known)
    expect(warning).toBeUndefined()
    expect(compiled.evaluate(scope)).toEqual(JSON.parse(result))
  })

  it.each(conditionals)('%s is %s', (source, result) => {
    expect(Boolean(compileConditional(source, known).evaluate(scope))).toBe(JSON.parse(result))
  })

  it('lists the methods that there are', () => {
    const listed = tableOf('Of').map(([of, methods]) => [of, namesIn(methods)])
    const there = { strings: STRING_METHODS, lists: ARRAY_METHODS, numbers: NUMBER_METHODS, booleans: BOOLEAN_METHODS }
    const more = { dates: DATE_METHODS, 'regular expressions': REGEX_METHODS }
    expect(Object.fromEntries(listed)).toEqual(sortedNames({ ...there, ...more }))
  })

  it('lists the functions that there are', () => {
    const listed = tableOf('Functions').map(([of, functions]) => [code(of), namesIn(functions)])
    const spaces = [...NAMESPACES].filter(([, { functions }]) => functions.size > 0)
    const there = Object.fromEntries(spaces.map(([name, { functions }]) => [name, functions]))
    expect(Object.fromEntries(listed)).toEqual(sortedNames({ 'by themselves': GLOBAL_FUNCTIONS, ...there }))
  })
})

function namesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).sort()
}

function sortedNames(maps: Record<string, ReadonlyMap<string, unknown>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, [...map.keys()].sort()]))
}

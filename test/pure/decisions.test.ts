// The table of decisions in test/README.md: complete, in order, and every test that it names is there and holds its number.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root, tablesOf } from '../markdown.ts'

const NOT_BUILT = 'not built yet'
const SOURCE = /\.(ts|tsx|java|css|sql|toml)$/
const LEFT_OUT = /(^|\/)(node_modules|target)(\/|$)/

interface Row {
  number: string
  decision: string
  test: string
}

const rows: Row[] = (tablesOf(read('test/README.md')).find(({ header }) => header[0] === 'N')?.rows ?? []).map(
  ([number = '', decision = '', test = '']) => ({ number, decision, test }),
)
const testsOf = ({ test }: Row) => [...test.matchAll(/`([^`]+)`/g)].map(([, file = '']) => `test/${file}`)

const sources = ['src', 'test'].flatMap(folder =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(entry => `${folder}/${entry.replaceAll(path.sep, '/')}`)
    .filter(file => SOURCE.test(file) && !LEFT_OUT.test(file)),
)

/** Where each number is used. */
function usedNumbers(): Map<string, string[]> {
  const used = new Map<string, string[]>()
  for (const file of sources) {
    for (const [number] of read(file).matchAll(/\bN[1-9]\d{0,2}\b/g)) {
      used.set(number, [...(used.get(number) ?? []), file])
    }
  }
  return used
}

describe('the table of decisions', () => {
  it('has every number once, in order, with a decision and a test', () => {
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => `N${at + 1}`))
    expect(rows.length).toBeGreaterThanOrEqual(74)
    expect(rows.filter(({ decision, test }) => decision === '' || test === '')).toEqual([])
  })

  it('has every number that is used in the tree, with a test where it is used', () => {
    const used = usedNumbers()
    const known = new Set(rows.map(({ number }) => number))
    expect([...used.keys()].filter(number => !known.has(number))).toEqual([])
    const unbuilt = rows.filter(({ test }) => test === NOT_BUILT).map(({ number }) => number)
    expect(unbuilt.flatMap(number => used.get(number) ?? [])).toEqual([])
  })

  it('names tests that are there and have the number in them', () => {
    const built = rows.filter(({ test }) => test !== NOT_BUILT)
    const wrong = built.flatMap(row => {
      const tests = testsOf(row)
      if (tests.length === 0) return [`${row.number} names no test`]
      return tests.filter(file => !holds(file, row.number)).map(file => `${row.number} is not in ${file}`)
    })
    expect(wrong).toEqual([])
  })

  it('is what the code refers to: no other document', () => {
    expect(sources.filter(file => /spec(ification)? \u00a7/.test(read(file)))).toEqual([])
  })
})

function holds(file: string, number: string): boolean {
  return existsSync(path.join(root, file)) && new RegExp(`\\b${number}\\b`).test(read(file))
}

// Advice on spelling is looked for once, and within a budget, however many rows, chunks and type paths there are (N60).
import { describe, expect, it } from 'vitest'
import { load } from './load.ts'

/** Names that are read to be compared: each is put into lower case first. */
function namesRead(act: () => void): number {
  const { toLowerCase } = String.prototype
  let count = 0
  String.prototype.toLowerCase = function (this: string) {
    count++
    return toLowerCase.call(this)
  }
  try {
    act()
  } finally {
    String.prototype.toLowerCase = toLowerCase
  }
  return count
}

const KEY = 'itemFamilyFederatedId'
const rows = (count: number, cells: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `F${at},${cells(at)}`).join('\n')
const names = (count: number, start: string) => Array.from({ length: count }, (_, at) => `${start}${at}`)

describe('N60 advice on spelling', () => {
  it('for a split value is looked for once, and given to each of its rows', () => {
    const values = names(100, 'season').map(value => ({ value, assortmentId: 'A' }))
    const csv = `${KEY},s\n${rows(300, () => 'seasson7')}\n`
    const given = {
      loadType: ['ITEM' as const, 'ASSORTMENT' as const],
      assortmentSplit: { fieldToSplitOn: 's', values },
    }
    let messages: string[] = []
    const count = namesRead(() => {
      messages = load(csv, given).issues.map(({ message }) => message)
    })
    expect(messages).toHaveLength(300)
    expect(new Set(messages)).toEqual(
      new Set(['No split value is "seasson7"; the row goes to no assortment. Did you mean "season7"?']),
    )
    expect(count).toBeLessThan(1000)
  })

  it('for mappings and removals is looked for in the first chunk only', () => {
    const columns = names(50, 'column')
    const federatedMappings = Object.fromEntries(names(50, 'key').map(key => [key, `${key} colunm`]))
    const csv = `${KEY},${columns.join(',')}\n${rows(20, () => columns.join(','))}\n`
    const read = (rowsPerChunk: number) =>
      namesRead(() => load(csv, { federatedMappings, propertiesToRemove: names(50, 'colunm') }, {}, rowsPerChunk))
    const [once, often] = [read(20), read(1)]
    expect(once).toBeGreaterThan(5000)
    expect(often - once).toBeLessThan(19 * 600)
  })

  it('for a column is looked for once for each type path, in whatever chunks its rows are', () => {
    const properties = names(100, 'property').map(slug => ({ slug }))
    const columns = names(20, 'proprety')
    const csv = `${KEY},${columns.join(',')}\n${rows(20, () => columns.join(','))}\n`
    const read = (rowsPerChunk: number) => namesRead(() => load(csv, {}, { item: properties }, rowsPerChunk))
    const [once, often] = [read(20), read(1)]
    expect(once).toBeGreaterThan(2000)
    expect(often - once).toBeLessThan(19 * 500)
  })

  it('ends where its budget does; the warnings are given all the same', () => {
    const letters = 'abcdefgh'.repeat(8)
    const columns = names(300, letters.slice(4))
    const federatedMappings = Object.fromEntries(
      names(300, 'key').map((key, at) => [key, `${letters.slice(0, 58)}${at}`]),
    )
    const { issues } = load(`${KEY},${columns.join(',')}\n${rows(1, () => columns.join(','))}\n`, { federatedMappings })
    const told = issues.filter(({ message }) => message.startsWith('No column'))
    expect(told).toHaveLength(300)
    const advised = told.filter(({ message }) => message.includes('Did you mean')).length
    expect(advised).toBeGreaterThan(0)
    expect(advised).toBeLessThan(300)
  })
})

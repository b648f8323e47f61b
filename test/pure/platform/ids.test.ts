import { describe, expect, it } from 'vitest'
import { ID_PATTERN, idSeries, newId } from '../../../src/platform/ids.ts'

describe('N3 ids', () => {
  it.each([
    ['one by one', newId],
    ['in a series', idSeries()],
  ])('are 16 characters, each drawn once, and none looks like an option, %s', (_, next) => {
    const ids = Array.from({ length: 20_000 }, next)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter(id => !ID_PATTERN.test(id) || id.startsWith('-'))).toEqual([])
  })

  it('of one series lie side by side, those of two do not', () => {
    const [one, other] = [idSeries(), idSeries()]
    const start = one().slice(0, 6)
    expect(one().slice(0, 6)).toBe(start)
    expect(other().slice(0, 6)).not.toBe(start)
  })

  it('use the whole alphabet at every place behind the first', () => {
    const ids = Array.from({ length: 20_000 }, newId)
    for (let place = 1; place < 16; place++) expect(new Set(ids.map(id => id[place])).size).toBe(64)
  })
})

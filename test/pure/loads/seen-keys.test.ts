import { describe, expect, it } from 'vitest'
import { SeenKeys } from '../../../src/features/loads/drafts/seen-keys.ts'
import { LOAD_SEEN_MAX_KEYS } from '../../../src/platform/limits.ts'

describe('the keys that a file has named', () => {
  it('are new once, each in its space, however many there are', () => {
    const seen = new SeenKeys()
    const keys = Array.from({ length: 50_000 }, (_, n) => `F${n}`)
    expect(keys.filter(key => !seen.add('item', key))).toEqual([])
    expect(keys.filter(key => seen.add('item', key))).toEqual([])
    expect(keys.filter(key => !seen.add('identifier', key))).toEqual([])
  })

  it.each([
    ['', 'the empty key'],
    ['F1 ', 'a space at its end'],
    ['f1', 'a small letter'],
    ['F\u0131', 'a letter beyond a byte'],
    ['F1'.repeat(10_000), 'its length'],
  ])('tells %#, by %s, from F1', key => {
    const seen = new SeenKeys()
    expect([seen.add('item', 'F1'), seen.add('item', key), seen.add('item', key)]).toEqual([true, true, false])
  })

  it('keeps where a space ends and a key begins', () => {
    const seen = new SeenKeys()
    expect([seen.add('ab', 'c'), seen.add('a', 'bc')]).toEqual([true, true])
  })

  it('go to another one as numbers', () => {
    const seen = new SeenKeys()
    const keys = Array.from({ length: 10_000 }, (_, n) => `F${n}`)
    for (const key of keys) seen.add('item', key)
    expect(seen.numbers).toHaveLength(keys.length)
    const other = new SeenKeys(seen.numbers)
    expect(keys.filter(key => other.add('item', key))).toEqual([])
    expect([other.add('item', 'new'), other.numbers.length]).toEqual([true, keys.length + 1])
  })

  it('are not told apart any more where some have no room in a larger table', () => {
    const slots = 8192
    const near = (place: number, many: number) => Array.from({ length: many }, (_, n) => place + (n + 1) * 2 ** 32)
    // Those that go on at the beginning of the table come first when it grows, and push the others on.
    const crowd = [...near(slots - 128, 128), ...near(slots - 1, 255)]
    const seen = new SeenKeys(crowd)
    expect(seen.add('item', 'F1')).toBe(true)
    for (let n = 0; n < slots; n++) seen.add('item', `K${n}`)
    const numbers = new Set(seen.numbers)
    expect(crowd.filter(number => !numbers.has(number))).not.toEqual([])
    expect(seen.add('item', 'F2')).toBe(false)
  })

  it('takes no more than it may', () => {
    const seen = new SeenKeys()
    for (let n = 0; n < LOAD_SEEN_MAX_KEYS; n++)
      if (!seen.add('item', String(n))) expect.fail(`${n} is taken for another`)
    expect(seen.add('item', 'one more')).toBe(false)
    expect(seen.add('item', '0')).toBe(false)
  })
})

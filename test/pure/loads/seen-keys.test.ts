import { describe, expect, it } from 'vitest'
import { SeenKeys } from '../../../src/features/loads/drafts/seen-keys.ts'
import { LOAD_SEEN_MAX_KEYS, MB } from '../../../src/platform/limits.ts'

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

  it('takes no more than it may', () => {
    const seen = new SeenKeys()
    for (let n = 0; n < LOAD_SEEN_MAX_KEYS; n++)
      if (!seen.add('item', String(n))) expect.fail(`${n} is taken for another`)
    expect(seen.add('item', 'one more')).toBe(false)
    expect(seen.bytes).toBe(16 * MB)
  })
})

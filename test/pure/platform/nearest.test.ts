// The name that somebody may have meant (N72), and what looking for it may take (N60).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ADVICE_MAX_STEPS } from '../../../src/platform/limits.ts'
import { AdviceBudget, nearest, visible } from '../../../src/platform/nearest.ts'

/** Every cell of the table, as the books have it. */
function slips(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => table[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : changed
      table[i]?.splice(j, 1, Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped))
    }
  }
  return at(a.length, b.length)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 24 })

describe('N72 the nearest name', () => {
  it('is the first of those with the fewest slips, where these are few', () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 8 }), (name, candidates) => {
        const enough = name.length === 1 ? 1 : Math.max(1, Math.floor(name.length / 4)) + 1
        const others = candidates.filter(candidate => candidate !== name)
        const fewest = Math.min(enough, ...others.map(candidate => slips(name, candidate)))
        const expected = others.find(candidate => slips(name, candidate) === fewest && fewest < enough)
        expect(nearest(name, candidates)).toBe(expected)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['Coment', 'Comment'],
    ['Style name', 'Style Name'],
    ['prcie', 'price'],
    ['!!!', undefined],
  ])('%s: %s', (name, meant) => {
    expect(nearest(name, ['Comment', 'price', 'Style Name'])).toBe(meant)
  })
})

describe('N72 names in messages', () => {
  it.each([
    ['Style\u00a0Number', 'Style<U+00A0>Number'],
    ['\ufeffkey\u200b', '<U+FEFF>key<U+200B>'],
    ['a\u{e0041}', 'a<U+E0041>'],
    ['two words', 'two words'],
    ['👩\u200d🔬', '👩\u200d🔬'],
  ])('show what nobody would see: %j', (name, shown) => {
    expect(visible(name)).toBe(shown)
  })
})

describe('N60 what looking for a name takes', () => {
  const spent = (name: string, candidates: string[]) => {
    const budget = new AdviceBudget()
    nearest(name, candidates, undefined, budget)
    return ADVICE_MAX_STEPS - budget.left
  }

  it('is little for names of other lengths, and for those that differ from their beginning', () => {
    expect(spent('a'.repeat(64), ['a'.repeat(40)])).toBeLessThan(50)
    expect(spent('a'.repeat(64), ['b'.repeat(64)])).toBeLessThan(64 * 17)
    expect(spent('a'.repeat(8), ['b'.repeat(8)])).toBeLessThan(8 * 4)
  })

  it('ends where the budget does: then there is no advice', () => {
    const budget = new AdviceBudget()
    expect(nearest('Coment', ['Comment'], undefined, budget)).toBe('Comment')
    budget.spend(ADVICE_MAX_STEPS)
    expect(nearest('Coment', ['Comment'], undefined, budget)).toBeUndefined()
  })

  it('does not grow with what nobody would type', () => {
    expect(nearest(`Coment${' '.repeat(1_000_000)}`, ['Comment'])).toBe('Comment')
    expect(spent('x'.repeat(1_000_000), ['y'.repeat(1_000_000)])).toBeLessThan(64 * 20)
  })
})

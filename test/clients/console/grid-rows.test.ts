// What the grid decides without a browser: which rows it draws, what the fill handle writes, and which cells others have changed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extendedBlock, filledBlock } from '../../../src/clients/console/state/filled-block.ts'
import {
  conflictsIn,
  type Edits,
  withChanges,
  withConflicts,
  withoutConflicts,
} from '../../../src/clients/console/state/grid-edits.ts'
import { rowPieces, rowsSeen, scrollFor } from '../../../src/clients/console/state/row-window.ts'
import { saveReason } from '../../../src/clients/console/state/save-reason.ts'
import type { Entity } from '../../../src/clients/typescript/index.ts'

describe('the rows of the grid that are drawn', () => {
  const box = { height: 700, rowHeight: 32 }

  it('N116 are fewer than 60 of 100,000 and hold all that can be seen, wherever the list is scrolled to', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 * 32 }), scrollTop => {
        const { from, to } = rowsSeen({ ...box, scrollTop, count: 100_000 })
        expect(to - from).toBeLessThan(60)
        const last = Math.min(100_000, Math.ceil((scrollTop + box.height) / 32))
        expect(from).toBeLessThanOrEqual(Math.floor(scrollTop / 32))
        expect(to).toBeGreaterThanOrEqual(last)
      }),
    )
  })

  it('keep the row with the focus, and every row has its place', () => {
    const seen = { from: 100, to: 140 }
    expect(rowPieces(seen, 120, 1000)).toEqual([{ from: 100, to: 140, gap: 100 }])
    expect(rowPieces(seen, 3, 1000)).toEqual([
      { from: 3, to: 4, gap: 3 },
      { from: 100, to: 140, gap: 96 },
    ])
    expect(rowPieces(seen, 900, 1000)).toEqual([
      { from: 100, to: 140, gap: 100 },
      { from: 900, to: 901, gap: 760 },
    ])
    expect(rowPieces({ from: 0, to: 0 }, 0, 0)).toEqual([{ from: 0, to: 0, gap: 0 }])
  })

  it('are scrolled no farther than it takes to see a row below the head', () => {
    expect(scrollFor(5, { ...box, scrollTop: 0 })).toBeUndefined()
    expect(scrollFor(5, { ...box, scrollTop: 400 })).toBe(160)
    expect(scrollFor(40, { ...box, scrollTop: 0 })).toBe(40 * 32 - 700 + 64)
  })
})

describe('the fill handle', () => {
  const block = { top: 2, left: 1, bottom: 3, right: 1 }

  it('goes down or up, or to a side, whichever is farther', () => {
    expect(extendedBlock(block, 6, 2)).toEqual({ ...block, bottom: 6 })
    expect(extendedBlock(block, 0, 1)).toEqual({ ...block, top: 0 })
    expect(extendedBlock(block, 3, 4)).toEqual({ ...block, right: 4 })
    expect(extendedBlock(block, 2, 1)).toEqual(block)
  })

  it('repeats the pattern of the marked cells in both directions', () => {
    expect(filledBlock([['a'], ['b']], block, { ...block, bottom: 6 })).toEqual([['a'], ['b'], ['a'], ['b'], ['a']])
    expect(filledBlock([['a'], ['b']], block, { ...block, top: 1 })).toEqual([['b'], ['a'], ['b']])
    expect(filledBlock([['a'], ['b']], block, { ...block, right: 2 })).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ])
  })
})

describe('a cell that another person has changed since it was typed', () => {
  const entity = (version: number, name: string): Entity => ({ id: 'a', version, name }) as Entity
  const mine: Edits = withChanges(new Map(), [
    { id: 'a', slug: 'name', edit: { value: 'Mine', before: { value: 'Old' } } },
  ])
  const now = (name: string) => new Map([['a', entity(3, name)]])

  it('N106 is a conflict that keeps the save back with its reason, unless both wrote the same or nothing changed', () => {
    const compared = withConflicts(mine, now('Theirs'))
    expect(compared.get('a')?.get('name')?.conflict).toEqual({ value: 'Theirs', version: 3 })
    expect(conflictsIn(compared)).toBe(1)
    expect(saveReason({ edits: compared })).toBe('Choose which value to keep in 1 cell changed meanwhile.')
    expect(withConflicts(mine, now('Old'))).toEqual(mine)
    expect(withConflicts(mine, now('Mine')).size).toBe(0)
  })

  it('N106 is saved over theirs or given up, as the person chooses', () => {
    const compared = withConflicts(mine, now('Theirs'))
    const kept = withoutConflicts(compared, 'mine')
    expect(kept.get('a')?.get('name')).toEqual({ value: 'Mine', before: { value: 'Theirs' } })
    expect(conflictsIn(withConflicts(kept, now('Theirs')))).toBe(0)
    expect(conflictsIn(withConflicts(kept, now('Theirs again')))).toBe(1)
    expect(withoutConflicts(compared, 'theirs', { id: 'a', slug: 'name' }).size).toBe(0)
    expect(withoutConflicts(compared, 'theirs', { id: 'a', slug: 'price' })).toEqual(compared)
  })

  it('a cell that cannot be read keeps the save back with its reason', () => {
    const wrong = withChanges(mine, [{ id: 'a', slug: 'price', edit: { value: 'x', text: 'x', fault: 'No number.' } }])
    expect(saveReason({ edits: wrong })).toBe('Correct 1 cell marked in red.')
    expect(saveReason({ edits: mine })).toBeUndefined()
  })
})

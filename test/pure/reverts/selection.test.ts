// Which change records a revert takes back (N52).
import { describe, expect, it } from 'vitest'
import { matches, type Selection } from '../../../src/features/reverts/selection.ts'

const selection: Selection = {
  createdById: null,
  createdByType: null,
  entityTypes: null,
  entityId: null,
  since: 100,
  until: 200,
  firstSeq: 5,
  lastSeq: 9,
}

const record = {
  seq: 7,
  entityType: 'item',
  entityId: 'i',
  createdOn: 150,
  createdById: 'ann',
  createdByType: 'app',
  source: 'changes' as const,
}

describe('N52 a record is taken back', () => {
  it.each([
    [4, 150, false],
    [5, 100, true],
    [9, 250, true],
    [10, 150, false],
    [7, 99, false],
  ])('of the history by its place and never before the first time: %i at %i', (seq, createdOn, isMatched) => {
    expect(matches(selection, { ...record, seq, createdOn })).toBe(isMatched)
  })

  it.each([
    [99, false],
    [100, true],
    [200, true],
    [201, false],
  ])('aside of the history by its time alone: at %i', (createdOn, isMatched) => {
    expect(matches(selection, { ...record, source: 'aside', seq: 1, createdOn })).toBe(isMatched)
  })

  it('where it is by whom, of what and about what was asked for', () => {
    const asked = { createdById: 'ann', createdByType: 'app', entityTypes: ['color', 'item'], entityId: 'i' }
    expect(matches({ ...selection, ...asked }, record)).toBe(true)
    for (const other of [
      { createdById: 'bob' },
      { createdByType: 'user' },
      { entityTypes: ['color'] },
      { entityId: 'j' },
    ]) {
      expect(matches({ ...selection, ...asked, ...other }, record)).toBe(false)
    }
  })
})

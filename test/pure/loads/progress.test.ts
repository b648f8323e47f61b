// How far a load has come, by the clock (N74).
import { describe, expect, it } from 'vitest'
import { movedTo, progressOf } from '../../../src/features/loads/progress.ts'
import { type LoadState, newState } from '../../../src/features/loads/state.ts'

const START = Date.parse('2026-03-02T09:30:00.000Z')
const SECOND = 1000

function step(before: LoadState, more: Partial<LoadState>, seconds: number): LoadState {
  return movedTo(before, { ...before, ...more }, START + seconds * SECOND)
}

function opened(): LoadState {
  const found = { fileSize: 1000, projectId: null, projectRank: null, startWarnings: [], targets: [] }
  const state = newState({ loadType: ['ITEM'], fileLocation: 'x' }, found)
  return step(state, { phase: 'validating', startedOn: '2026-03-02T09:30:00.000Z' }, 0)
}

describe('progress (N74)', () => {
  it('reckons rows a second in the phase that is named, and the time left over the whole load', () => {
    const reading = step(opened(), { start: 500, rows: 50 }, 10)
    // Half of the file is read, which is half of the 40 % that reading takes.
    expect(progressOf(reading)).toMatchObject({ rowsTotal: null, rowsDone: 50, percent: 20, rowsPerSecond: 5 })
    expect(progressOf(reading).secondsLeft).toBe(40)
    const writing = step(step(reading, { phase: 'writing', rows: 100 }, 20), { rowsWritten: 80 }, 30)
    expect(progressOf(writing)).toMatchObject({ rowsTotal: 100, rowsDone: 80, percent: 87, rowsPerSecond: 8 })
    expect(progressOf(writing).secondsLeft).toBe(4)
  })

  it('says nothing of what it cannot know: at the start of a phase, and below two percent', () => {
    expect(progressOf(opened())).toMatchObject({ percent: 0, rowsPerSecond: null, secondsLeft: null })
    const first = step(opened(), { start: 30, rows: 3 }, 1)
    expect(progressOf(first)).toMatchObject({ percent: 1, secondsLeft: null })
    expect(progressOf(step(first, { phase: 'publishing' }, 9)).rowsPerSecond).toBeNull()
  })

  it('goes on after the writing, where there is as much to do, and tells the rest by what is done of it', () => {
    const more = { rows: 100, rowsWritten: 100, inherits: true, families: 50, assortments: ['a', 'b'] }
    const writing = step(opened(), { phase: 'writing', ...more }, 60)
    const spreading = step(writing, { phase: 'spreading' }, 60)
    expect(progressOf(spreading)).toMatchObject({ percent: 74, rowsDone: 100, secondsLeft: null })
    const half = step(spreading, { familiesDone: 25 }, 70)
    expect(progressOf(half)).toMatchObject({ percent: 81, secondsLeft: 10, rowsPerSecond: null })
    const removing = step(half, { phase: 'removing' }, 80)
    expect(progressOf(removing)).toMatchObject({ percent: 88, secondsLeft: null })
    const publishing = step(step(removing, { phase: 'publishing' }, 90), { pass: 1 }, 95)
    expect(progressOf(publishing)).toMatchObject({ percent: 96, secondsLeft: 5 })
  })

  it('tells of all rows that were checked where none was written', () => {
    const failed = step(step(opened(), { start: 1000, rows: 30 }, 2), { phase: 'reporting', outcome: 'failed' }, 3)
    expect(progressOf(failed)).toMatchObject({ phase: 'reporting', rowsTotal: 30, rowsDone: 30 })
  })

  it('never runs back, not even where a load fails or a phase has nothing to do', () => {
    const writing = step(step(opened(), { phase: 'writing', rows: 100 }, 2), { rowsWritten: 90 }, 9)
    expect(writing.percent).toBe(93)
    expect(step(writing, { rowsWritten: 10 }, 10).percent).toBe(93)
    const failed = step(writing, { phase: 'reporting', outcome: 'failed' }, 10)
    expect(failed.percent).toBe(93)
    const done = { phase: 'cleaning', outcome: 'completed', endedOn: '2026-03-02T09:31:00.000Z' } as const
    expect(progressOf(step(writing, done, 60))).toMatchObject({ phase: 'done', percent: 100, secondsLeft: null })
  })
})

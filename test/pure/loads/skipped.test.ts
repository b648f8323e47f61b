import { expect, it } from 'vitest'
import { pastSkipped, type Settled, skip } from '../../../src/features/loads/phases/settle.ts'
import { type LoadState, newState } from '../../../src/features/loads/state.ts'

const begun = { fileSize: 1, projectId: null, projectRank: null, startWarnings: [], targets: [] }
const settled = (unchanged: number, drafts: object[] = []) => ({ unchanged, drafts, areNew: false }) as Settled

/** Chunks of three rows, of which those that are named have nothing to write. */
function read(chunks: number, hasNothing: (chunk: number) => boolean): { state: LoadState; staged: number[] } {
  let state = newState({ loadType: ['ITEM'], fileLocation: 'x' }, begun)
  const staged: number[] = []
  for (let chunk = 0; chunk < chunks; chunk++) {
    const skipped = skip(state, 3, settled(2, hasNothing(chunk) ? [] : [{}]))
    if (!skipped) staged.push(chunk)
    state = { ...state, chunks: chunk + 1, ...(skipped && { skipped }) }
  }
  return { state, staged }
}

function written({ state }: { state: LoadState }): number[] {
  const chunks: number[] = []
  for (let at = pastSkipped(state, 0); at < state.chunks; at = pastSkipped(state, at + 1)) chunks.push(at)
  return chunks
}

it.each([
  ['none', () => false, 0],
  ['all', () => true, 1],
  ['the first and the last', (chunk: number) => chunk < 2 || chunk > 7, 2],
  ['every other one', (chunk: number) => chunk % 2 === 0, 5],
])('of chunks that are skipped, %s, the others are written', (_, hasNothing, ranges) => {
  const done = read(10, hasNothing)
  expect(done.staged).toEqual(Array.from({ length: 10 }, (_, chunk) => chunk).filter(chunk => !hasNothing(chunk)))
  expect(written(done)).toEqual(done.staged)
  expect(done.state.skipped?.ranges.length ?? 0).toBe(ranges)
  expect(done.state.skipped?.rows ?? 0).toBe(3 * (10 - done.staged.length))
  expect(done.state.skipped?.unchanged ?? 0).toBe(2 * (10 - done.staged.length))
})

it('what a load remembers of them is bounded: the rest is staged', () => {
  const done = read(1000, chunk => chunk % 2 === 0)
  expect(done.state.skipped?.ranges).toHaveLength(100)
  expect(done.staged).toHaveLength(900)
  expect(written(done)).toEqual(done.staged)
})

it('a chunk that counts nothing is staged', () => {
  const state = newState({ loadType: ['ITEM'], fileLocation: 'x' }, begun)
  expect(skip(state, 3, settled(0))).toBeUndefined()
})

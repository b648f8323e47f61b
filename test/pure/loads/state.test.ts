import { expect, it } from 'vitest'
import { addCount, type LoadState, newState, readAgain, STATE_FORM, summed } from '../../../src/features/loads/state.ts'
import { isOutdated, readState } from '../../../src/features/loads/stored-state.ts'

it('the counts of a load add up, each kind of entity and of change by itself', () => {
  const results: LoadState['results'] = { item: { created: 10, updated: 20, unchanged: 30, removed: 40 } }
  const sum = summed(results, { item: { created: 1, updated: 2, unchanged: 3, removed: 4 } })
  addCount(sum, 'item', 'removed', 100)
  addCount(sum, 'assortment-item', 'updated')
  addCount(sum, 'assortment-item', 'updated', 4)
  expect(results.item?.removed).toBe(40)
  expect(sum).toEqual({
    item: { created: 11, updated: 22, unchanged: 33, removed: 144 },
    'assortment-item': { created: 0, updated: 5, unchanged: 0, removed: 0 },
  })
})

const FOUND = { fileSize: 100, projectId: null, projectRank: null, startWarnings: [], targets: [] }
const begun = { ...newState({} as LoadState['configuration'], FOUND), phase: 'validating' as const, chunks: 3 }
const storedAs = (form: number, state: object) => readState({ ...state, form })

it('a load goes on under the release that it was begun by, and not under one that stores otherwise', () => {
  expect(storedAs(STATE_FORM, begun)).toEqual(begun)
  for (const form of [STATE_FORM - 1, STATE_FORM + 1]) {
    expect(isOutdated(storedAs(form, begun))).toBe(true)
    expect(isOutdated(storedAs(form, { ...begun, outcome: 'cancelled' }))).toBe(false)
    expect(isOutdated(storedAs(form, { ...begun, phase: 'opening' }))).toBe(false)
  }
})

it('a second reading stays one, whatever release goes on with it', () => {
  const again = readAgain(begun)
  for (const phase of ['opening', 'validating'] as const) {
    expect(storedAs(STATE_FORM + 1, { ...again, phase }).isAgain).toBe(true)
  }
})

it('N74 it is as far as it has been, and has begun when it began', () => {
  const startedOn = '2026-01-01T00:00:00.000Z'
  const again = readAgain({ ...begun, startedOn, percent: 30 })
  expect(storedAs(STATE_FORM - 1, { ...again })).toMatchObject({ isAgain: true, startedOn, percent: 30 })
})

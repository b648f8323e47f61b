import { expect, it } from 'vitest'
import { addCount, type LoadState } from '../../../src/features/loads/state.ts'

it('the counts of a load add up, each kind of entity and of change by itself', () => {
  const results: LoadState['results'] = {}
  addCount(results, 'item', { created: 1, updated: 2, unchanged: 3, removed: 4 })
  addCount(results, 'item', { created: 10, updated: 20, unchanged: 30, removed: 40 })
  addCount(results, 'item', { removed: 100 })
  addCount(results, 'assortment-item', { updated: 5 })
  expect(results).toEqual({
    item: { created: 11, updated: 22, unchanged: 33, removed: 144 },
    'assortment-item': { created: 0, updated: 5, unchanged: 0, removed: 0 },
  })
})

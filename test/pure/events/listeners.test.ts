import { describe, expect, it } from 'vitest'
import { type Listeners, listenersTo } from '../../../src/features/events/listeners.ts'

const BORN = 1_700_000_000_000

const listeners: Listeners = {
  workflows: [
    { id: 'w', triggerKey: 'item|create', includeLoads: false, createdOn: BORN, afterSeq: 5, loadsAfterSeq: 5 },
  ],
  endpoints: [{ name: 'e', events: ['item|*'], includeLoads: true, createdOn: BORN + 10, loadsAfterSeq: 7 }],
}

function heardBy(key: string, createdOn: number, isLoad = false, seq = 8): string[] {
  const { workflows, endpoints } = listenersTo({ key, seq, isLoad, createdOn, depth: 0, event: {} }, listeners)
  return [...workflows.map(({ id }) => id), ...endpoints.map(({ name }) => name)]
}

describe('who hears of an event', () => {
  it('N36 nobody who came after it; those who were there at its time do', () => {
    expect(heardBy('item|create', BORN - 1)).toEqual([])
    expect(heardBy('item|create', BORN)).toEqual(['w'])
    expect(heardBy('item|create', BORN + 9)).toEqual(['w'])
    expect(heardBy('item|create', BORN + 10)).toEqual(['w', 'e'])
  })

  it('N36 no workflow that was a draft then, whatever the clock says; what is no change goes by the clock alone', () => {
    expect(heardBy('item|create', BORN, false, 5)).toEqual([])
    expect(heardBy('item|create', BORN, false, 6)).toEqual(['w'])
    const published = { key: 'item|create', seq: 5, published: 1, isLoad: false, createdOn: BORN, depth: 0, event: {} }
    expect(listenersTo(published, listeners).workflows).toHaveLength(1)
  })

  it('N36 of loads those who asked for them, of others those whose events they are', () => {
    expect(heardBy('item|create', BORN + 10, true)).toEqual(['e'])
    expect(heardBy('item|create', BORN + 10, true, 7)).toEqual([])
    expect(heardBy('item|delete', BORN + 10)).toEqual(['e'])
    expect(heardBy('items|create', BORN + 10)).toEqual([])
  })
})

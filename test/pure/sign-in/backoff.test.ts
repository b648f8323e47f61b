import { describe, expect, it } from 'vitest'
import { waitAfter as waitAfterFree, waitsAfter } from '../../../src/features/sign-in/backoff.ts'

const FREE = 5
const waitAfter = (failures: number) => waitAfterFree(failures, FREE)

describe('waits after wrong passwords', () => {
  it('N10 five failures cost nothing, then each doubles the wait up to a quarter of an hour', () => {
    expect([0, 1, 2, 3, 4, 5].map(waitAfter)).toEqual([0, 0, 0, 0, 0, 0])
    expect([6, 7, 8, 9, 10].map(waitAfter)).toEqual([1000, 2000, 4000, 8000, 16_000])
    expect(waitAfter(15)).toBe(512_000)
    expect(waitAfter(16)).toBe(900_000)
    expect(waitAfter(1_000_000)).toBe(900_000)
  })

  it('N10 the table that the store uses ends with the longest wait', () => {
    const waits = waitsAfter(FREE)
    expect(waits.at(-1)).toBe(900_000)
    waits.forEach((wait, failures) => {
      expect(wait).toBe(waitAfter(failures))
    })
  })

  it('N10 leaves a guesser less than 120 tries a day', () => {
    let tries = 0
    for (let spent = 0; spent < 86_400_000; tries++) spent += waitAfter(tries + 1)
    expect(tries).toBeLessThan(120)
  })
})

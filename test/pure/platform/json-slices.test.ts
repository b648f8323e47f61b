import { describe, expect, it } from 'vitest'
import { objectSlices, slices } from '../../../src/platform/db/json-slices.ts'

/** A text whose JSON has this length. */
const textOf = (length: number) => 'x'.repeat(length - 2)
const FULL = 600_000
const THIRD = FULL / 3

const sizes = (texts: readonly string[]) => texts.map(text => (JSON.parse(text) as unknown[]).length)

describe('a list in slices', () => {
  it('is whole where it fits, and nothing where it is empty', () => {
    expect(slices([])).toEqual([])
    expect(slices([1, 'a', null])).toEqual(['[1,"a",null]'])
    expect(slices([textOf(FULL - 2)])).toEqual([JSON.stringify([textOf(FULL - 2)])])
  })

  it('holds in each slice as much as fits, and each value once, in order', () => {
    const list = Array.from({ length: 8 }, (_, at) => `${at}${textOf(THIRD - 1)}`)
    expect(sizes(slices(list))).toEqual([3, 3, 2])
    expect(slices(list).flatMap(text => JSON.parse(text) as string[])).toEqual(list)
    expect(sizes(slices([textOf(THIRD + 1), textOf(THIRD), textOf(THIRD), 1]))).toEqual([2, 2])
  })

  it('gives a value that is too large a slice of its own', () => {
    expect(sizes(slices([1, textOf(FULL + 1), 2, 3]))).toEqual([1, 1, 2])
    expect(sizes(slices([textOf(FULL + 1), 2]))).toEqual([1, 1])
  })
})

describe('an object in slices', () => {
  it('holds each entry once, in order, as much in each slice as fits', () => {
    expect(objectSlices([])).toEqual([])
    expect(objectSlices([['a"', 1]])).toEqual(['{"a\\"":1}'])
    const entries = Array.from({ length: 7 }, (_, at) => [String(at), textOf(THIRD - 4)] as const)
    const texts = objectSlices(entries)
    expect(texts.map(text => Object.keys(JSON.parse(text)).length)).toEqual([3, 3, 1])
    expect(texts.flatMap(text => Object.entries(JSON.parse(text)))).toEqual(entries.map(entry => [...entry]))
  })
})

import { describe, expect, it } from 'vitest'
import { parseBetween, parseTime } from '../../../src/platform/time-range.ts'
import { relativeCost } from '../relative-cost.ts'

const at = (text: string) => Date.parse(text)

describe('BETWEEN a and b over times', () => {
  it('N24 takes dates as whole UTC days, both inclusive', () => {
    expect(parseBetween('BETWEEN 2026-01-01 and 2026-01-31', 'time')).toEqual({
      range: [at('2026-01-01T00:00:00.000Z'), at('2026-01-31T23:59:59.999Z')],
    })
  })

  it('N24 takes full ISO times as they are, both inclusive, and mixes them with dates', () => {
    expect(parseBetween('BETWEEN 2026-01-01T10:00:00.500Z and 2026-01-01', 'time')).toEqual({
      range: [at('2026-01-01T10:00:00.500Z'), at('2026-01-01T23:59:59.999Z')],
    })
    expect(parseBetween('BETWEEN 2026-01-01T10:00:00+02:00 and 2026-01-01T10:00:00+01:00', 'time')).toEqual({
      range: [at('2026-01-01T08:00:00Z'), at('2026-01-01T09:00:00Z')],
    })
    expect(parseBetween('BETWEEN 2026-01-01T10:00 and 2026-01-01T10:00:30', 'time')).toEqual({
      range: [at('2026-01-01T10:00:00Z'), at('2026-01-01T10:00:30Z')],
    })
  })

  it.each(['between 2026-01-01 AND 2026-01-02', '  Between\t2026-01-01  And\n2026-01-02 '])(
    'N24 takes its words in any case: %s',
    text => expect(parseBetween(text, 'time')).toHaveProperty('range'),
  )

  it.each([
    'BETWEEN 2026-01-02 and 2026-01-01',
    'BETWEEN 2026-01-01T00:00:00.001Z and 2026-01-01T00:00:00.000Z',
    'BETWEEN 2026-02-30 and 2026-03-01',
    'BETWEEN 2025-02-29 and 2026-03-01',
    'BETWEEN 2026-13-01 and 2026-14-01',
    'BETWEEN 2026-02-30T10:00:00Z and 2026-03-01',
    'BETWEEN 2026-01-01T10:60:00Z and 2026-03-01',
    'BETWEEN yesterday and today',
    'BETWEEN 01/02/2026 and 02/02/2026',
    "BETWEEN 2026-01-01 and 2026-01-02'; DROP TABLE entities",
    'BETWEEN 1 and 5',
  ])('N24 refuses %s', text => expect(parseBetween(text, 'time')).toHaveProperty('fault'))

  it.each(['', '2026-01-01', 'BETWEEN', 'BETWEEN and', 'BETWEEN 2026-01-01', 'BETWEEN a b', 'INBETWEEN a and b'])(
    'knows that %s is no range',
    text => expect(parseBetween(text, 'time')).toBeUndefined(),
  )

  it('takes a time that grows no faster than the text', () => {
    const spaces = ' '.repeat(100_000)
    const work = () => {
      parseBetween(`BETWEEN a${spaces}x`, 'value')
      parseBetween(`BETWEEN a and a${spaces}x`, 'value')
      parseBetween(`BETWEEN${' and a'.repeat(20_000)}${spaces}x`, 'value')
    }
    expect(relativeCost(work, 10)).toBeLessThan(10)
  })
})

describe('BETWEEN a and b over values', () => {
  it('compares numbers where both ends are numbers, text otherwise', () => {
    expect(parseBetween('BETWEEN 9 and 10', 'value')).toEqual({ range: [9, 10] })
    expect(parseBetween('BETWEEN -1.5e3 and 10', 'value')).toEqual({ range: [-1500, 10] })
    expect(parseBetween('BETWEEN 2026-01-01 and 2026-02-01', 'value')).toEqual({ range: ['2026-01-01', '2026-02-01'] })
    expect(parseBetween('BETWEEN a b and c d', 'value')).toEqual({ range: ['a b', 'c d'] })
    expect(parseBetween('BETWEEN 100 and 200', 'text')).toEqual({ range: ['100', '200'] })
  })

  it('never gives a number that cannot be bound', () => {
    for (const text of [
      'BETWEEN 1 and Infinity',
      'BETWEEN 1 and 1e999',
      'BETWEEN 0x1 and 0x2',
      'BETWEEN NaN and NaN',
    ]) {
      const between = parseBetween(text, 'value')
      expect(between && 'range' in between && between.range.every(end => typeof end === 'string')).toBe(true)
    }
  })

  it('refuses a start after the end', () => {
    expect(parseBetween('BETWEEN 10 and 9', 'value')).toHaveProperty('fault')
    expect(parseBetween('BETWEEN b and a', 'value')).toHaveProperty('fault')
  })
})

describe('a single time', () => {
  it('is a whole day as a date, a millisecond as a time', () => {
    expect(parseTime('2026-01-01')).toEqual({ first: at('2026-01-01'), last: at('2026-01-01') + 86_399_999 })
    expect(parseTime('2024-02-29T12:00:00.123456Z')).toEqual({
      first: at('2024-02-29T12:00:00.123Z'),
      last: at('2024-02-29T12:00:00.123Z'),
    })
    expect(parseTime('now')).toBeUndefined()
  })
})

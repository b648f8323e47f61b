// What the index of a property holds (N49), as the view in the migration has it: numbers, then texts up to a length, then false and
// true, then one mark for no value. Pure.
import { INDEXED_BEGINNING_MAX_LENGTH, INDEXED_TEXT_MAX_LENGTH } from '../../platform/limits.ts'
import type { Test } from './conditions.ts'
import type { Scalar } from './operators.ts'

export const BEHIND_TEXTS = '\u{10fffe}'
export const BEHIND_ALL = '\u{10ffff}'

const isWhole = (value: unknown) => typeof value !== 'string' || [...value].length <= INDEXED_TEXT_MAX_LENGTH

/** Whether the index can tell which entities may pass. */
export function isInIndex(test: Test): boolean {
  if ('any' in test) return test.any.length > 0 && test.any.every(isWhole)
  if ('range' in test) return test.range.every(({ value }) => isWhole(value))
  return 'startsWith' in test && beginningOf(test.startsWith.text) !== ''
}

export function indexedValue(value: Scalar): string | number {
  return typeof value === 'boolean' ? `${BEHIND_TEXTS}${Number(value)}` : value
}

/** As far as the database knows the letters; the rest is tested on the entities. */
export function beginningOf(text: string): string {
  return (/^[ -~]*/.exec(text)?.[0] ?? '').slice(0, INDEXED_BEGINNING_MAX_LENGTH)
}

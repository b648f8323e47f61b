// What the console says of a load and of its file, and of which types the rows are.
import { describe, expect, it } from 'vitest'
import { durationText, secondsText } from '../../../src/clients/console/state/format.ts'
import { NO_DRAFT } from '../../../src/clients/console/state/load-draft.ts'
import { typePathsOf } from '../../../src/clients/console/state/load-type-paths.ts'
import { failureWords, phaseWords, shownWords } from '../../../src/clients/console/state/load-words.ts'

describe('a load that failed', () => {
  it.each(['PARSING_CSV', 'VALIDATING_DATA'] as const)('N46 has left nothing to complete while %s', failureArea => {
    const told = failureWords({ failureArea, annotatedFileId: 'f1' })
    expect(told).toContain('Nothing was written. Mend the rows, best in the file with its issues')
    expect(failureWords({ failureArea })).toMatch(/Nothing was written\. Mend what the issues/)
    for (const words of [told, failureWords({ failureArea })]) expect(words).not.toMatch(/committed|complete it/)
  })

  it('N46 is completed by loading the file again where it was writing, and only there', () => {
    const failureArea = 'TRANSFORMING_DATA'
    expect(failureWords({ failureArea })).toMatch(/committed before stays; load the file again to complete it/)
    expect(failureWords({ failureArea, dryRun: true })).toContain('Nothing was written')
  })
})

it('N46 a dry run does not say that it writes', () => {
  const progress = { phase: 'writing', rowsTotal: 9, rowsDone: 1, percent: 50 }
  expect(phaseWords({ status: 'running', progress })).toBe('writing')
  expect(phaseWords({ status: 'running', progress, dryRun: true })).toBe('counting what would change')
  expect(phaseWords({ status: 'running', progress: { ...progress, phase: 'validating' }, dryRun: true })).toBe(
    'validating',
  )
  expect(phaseWords({ status: 'pending', progress })).toBe('waiting for its turn')
})

it.each([
  [1, 1, true, '1 row'],
  [5, 5, true, '5 rows, all of them shown here'],
  [38, 5, true, '38 rows, the first 5 of them shown here'],
  [50, 5, false, 'the first 50 rows looked at, the first 5 of them shown here'],
  [2, 2, false, 'the first 2 rows looked at, all of them shown here'],
])('N46 of %d rows %d are shown', (rows, shown, isWhole, words) => {
  expect(shownWords(rows, shown, isWhole)).toBe(words)
})

it('N46 seconds that are known as whole ones are told as whole ones', () => {
  expect([secondsText(9), secondsText(0), secondsText(59.7)]).toEqual(['9 s', '0 s', '1 min 0 s'])
  expect(durationText(9_000)).toBe('9.0 s')
})

describe('the types of the rows', () => {
  const file = {
    names: ['Style', 'typePath'],
    rows: [
      ['A', 'item:a'],
      ['B', 'item:b'],
      ['C', 'item:a'],
    ],
    isWhole: true,
  }
  const plain = { names: ['Style'], rows: [['A']], isWhole: true }
  const made = (more: object) => ({ ...NO_DRAFT, made: [{ toProperty: 'typePath', ...more }] })

  it('N46 are the one that is chosen for all, or those of the column where all rows were looked at', () => {
    expect(typePathsOf({ ...NO_DRAFT, targets: { 'item:a': ['typePath'] } }, plain)).toEqual(['item:a'])
    expect(typePathsOf(NO_DRAFT, file)).toEqual(['item:a', 'item:b'])
    expect(typePathsOf({ ...NO_DRAFT, targets: { Style: ['typePath'] } }, plain)).toEqual(['A'])
    expect(typePathsOf(made({ default: 'item:a' }), file)).toEqual(['item:a'])
  })

  it('N46 may be any where rows are of the type that is stored, or a rule says it', () => {
    expect(typePathsOf(NO_DRAFT, plain)).toBeUndefined()
    expect(typePathsOf(NO_DRAFT, { ...file, isWhole: false })).toBeUndefined()
    expect(typePathsOf(NO_DRAFT, { ...file, rows: [['A', 'item:a'], ['B']] })).toBeUndefined()
    expect(typePathsOf({ ...NO_DRAFT, removed: ['typePath'] }, file)).toBeUndefined()
    expect(typePathsOf(made({ default: 'item:{Style}' }), plain)).toBeUndefined()
    expect(
      typePathsOf(made({ default: 'item:a', conditions: [{ conditional: '{x} > 1', value: 'item:b' }] }), plain),
    ).toBe(undefined)
  })
})

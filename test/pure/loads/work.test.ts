// What conditional columns may take (N60).
import { describe, expect, it } from 'vitest'
import { Work } from '../../../src/features/loads/rows/work.ts'
import { compileConditional } from '../../../src/platform/expression/compile/compile.ts'
import { LOAD_CHUNK_MAX_WORK, LOAD_ROW_MAX_WORK, LOAD_TURN_WORK } from '../../../src/platform/limits.ts'
import { load } from './load.ts'

const workOf = (source: string, values: Record<string, unknown>) => {
  let work = 0
  const evaluate = () =>
    compileConditional(source).evaluate(
      name => values[name],
      spent => (work += spent),
    )
  try {
    evaluate()
  } catch {
    // It counts all the same.
  }
  return work
}

describe('N60 the work of an expression', () => {
  it('grows with its source, its callbacks, its texts and its matching', () => {
    const plain = workOf('{a} === 1', { a: 1 })
    expect(plain).toBeGreaterThan(0)
    expect(workOf(`${'{a} === 1 && '.repeat(50)}true`, { a: 1 })).toBeGreaterThan(20 * plain)
    expect(workOf("{a}.split(',').map(x => x + 1).length", { a: 'x,'.repeat(500) })).toBeGreaterThan(1000)
    expect(workOf('/a+b/.test({a})', { a: 'a'.repeat(2000) })).toBeGreaterThan(50_000)
    expect(workOf('/^a/.test({a})', { a: 'short' })).toBeLessThan(20)
  })

  it('counts also where the expression fails', () => {
    expect(workOf('JSON.parse({a})', { a: '{' })).toBeGreaterThan(0)
  })
})

describe('N60 the work of rows', () => {
  it('is bounded for each row, and begins anew with the next', () => {
    const work = new Work()
    work.beginRow()
    work.spend(LOAD_ROW_MAX_WORK)
    expect(() => work.check()).not.toThrow()
    work.spend(1)
    expect(() => work.check()).toThrow('takes too long')
    work.beginRow()
    expect(() => work.check()).not.toThrow()
  })

  it('is bounded for a chunk, whatever its rows', () => {
    const work = new Work()
    for (let spent = 0; spent <= LOAD_CHUNK_MAX_WORK; spent += LOAD_ROW_MAX_WORK) {
      expect(work.isSpent).toBe(false)
      work.beginRow()
      work.spend(LOAD_ROW_MAX_WORK)
    }
    expect(work.isSpent).toBe(true)
    work.beginRow()
    expect(() => work.check()).toThrow('used up')
  })

  it('lets others have a turn now and then', () => {
    const work = new Work()
    work.spend(LOAD_TURN_WORK - 1)
    expect(work.takeTurn()).toBe(false)
    work.spend(1)
    expect([work.takeTurn(), work.takeTurn()]).toEqual([true, false])
  })

  it('of one that takes too long is an error of that row, and the others are read', () => {
    const conditions = Array.from({ length: 40 }, (_, at) => ({ conditional: '/a+b/.test({text})', value: `${at}` }))
    const loaded = load(`itemFamilyFederatedId,text\nF1,${'a'.repeat(3000)}\nF2,short\n`, {
      conditionalColumns: [{ toProperty: 'made', conditions }],
    })
    const errors = loaded.issues.filter(({ severity }) => severity === 'error')
    expect(errors).toMatchObject([{ rowNumber: 2, columnName: 'made', issueType: 'INVALID_DATA' }])
    expect(errors[0]?.message).toContain('takes too long')
  })
})

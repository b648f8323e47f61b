import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileConditional } from '../../../src/platform/expression/compile/compile.ts'
import { ExpressionBudgetError, ExpressionError } from '../../../src/platform/expression/errors.ts'
import { expressions, rows } from './generate.ts'

type Outcome = { value: unknown } | { thrown: true } | { tooLarge: true }

function byJavaScript(source: string, row: unknown[]): Outcome {
  const code = source.replace(/\{r(\d)\}/g, 'row[$1]')
  try {
    return { value: new Function('row', `"use strict"; return (${code})`)(structuredClone(row)) }
  } catch (error) {
    if (error instanceof SyntaxError && !/JSON|Unexpected/.test(error.message)) throw error
    return { thrown: true }
  }
}

function byUs(source: string, row: unknown[]): Outcome {
  const { evaluate } = compileConditional(source)
  try {
    return { value: evaluate(name => row[Number(name.slice(1))]) }
  } catch (error) {
    if (error instanceof ExpressionBudgetError) return { tooLarge: true }
    if (!(error instanceof ExpressionError)) throw error
    return { thrown: true }
  }
}

/** Set, it makes a longer search from a new seed each time. */
const runs = process.env.EXPRESSION_RUNS

describe('an expression means what it means in JavaScript', () => {
  it('N31: gives the value, or fails, as JavaScript does, for generated expressions', () => {
    let values = 0
    fc.assert(
      fc.property(expressions, rows, (source, row) => {
        const before = structuredClone(row)
        const theirs = byJavaScript(source, row)
        const ours = byUs(source, row)
        fc.pre(!('tooLarge' in ours))
        if ('value' in theirs) values += 1
        if (!isDeepStrictEqual(ours, theirs)) expect(ours, source).toStrictEqual(theirs)
        if (!isDeepStrictEqual(row, before)) throw new Error(`${source} changes its row`)
      }),
      runs ? { numRuns: Number(runs) } : { numRuns: 5_000, seed: 31 },
    )
    // The comparison means little where everything throws.
    expect(values).toBeGreaterThan(2_000)
  })

  it('N31: keeps the sign of zero, holes and NaN', () => {
    for (const source of [
      '-0',
      '0 * -1',
      'Math.round(-0.2)',
      '[,1,,]',
      '[...[,1]]',
      '[,1].map(x => 2)',
      '[NaN].includes(NaN)',
    ]) {
      expect(isDeepStrictEqual(byUs(source, []), byJavaScript(source, [])), source).toBe(true)
    }
  })

  it('N31: writes out the placeholders of a replacement as JavaScript does', () => {
    const template = fc.string({
      unit: fc.constantFrom('$', '&', '`', "'", '<', '>', 'x', '0', '1', '2', '3', 'a'),
      maxLength: 8,
    })
    const pattern = fc.constantFrom(
      '/a/',
      '/(a)(b)?/g',
      '/(?<x>a)|b/g',
      '/()/g',
      '/(a)(b)(c)(d)?(e)?(f)?(g)?(h)?(i)?(j)?(k)?/',
      "'a'",
      "''",
    )
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
    fc.assert(
      fc.property(text, pattern, template, (subject, regex, replacement) => {
        const source = `${JSON.stringify(subject)}.replace(${regex}, ${JSON.stringify(replacement)})`
        expect(byUs(source, []), source).toStrictEqual(byJavaScript(source, []))
      }),
      { numRuns: 2_000 },
    )
  })
})

// Our parser against acorn: both take the same texts, and see the same in them, at the same places.
import { isDeepStrictEqual } from 'node:util'
import type { Expression } from 'acorn'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileConditional } from '../../../src/platform/expression/compile/compile.ts'
import { ExpressionSyntaxError } from '../../../src/platform/expression/errors.ts'
import { parseExpression } from '../../../src/platform/expression/parse/parse.ts'
import { asJavaScript, hasPlainBraces, parsedByAcorn, type Tree, treeOf } from './by-acorn.ts'
import { expressions } from './generate.ts'
import { mutated, soups } from './generate-sources.ts'

/** Set, it makes a longer search from a new seed each time. */
const runs = process.env.EXPRESSION_RUNS

/** What only one of the two takes, each by an example and by how it looks. All of it is refused in the end. */
const INTENDED: readonly [what: string, example: string, pattern: RegExp][] = [
  ['strict mode deletes no names', 'delete a', /\bdelete\b/],
  ['only async functions and modules await', 'x => await x', /\bawait\b/],
  ['a file may start with #!', '#!\n1', /^#!/],
  ['__proto__ stands once in an object', '({\n__proto__: 1, __proto__: 2})', /__proto__.*__proto__/s],
  ['a pattern may have defaults for short names', '({\na = 1\n}) => a', /[{,]\s*[\w$]+\s*=[^=>]/],
  ['nothing follows ... in a pattern', '[...a,] = b', /\.\.\.[^,]*,\s*\]/],
  ['an object pattern collects the rest in a name', '({\n...[a]\n} = b)', /[{,]\s*\.\.\.\s*[[{(]/],
  ['what stands behind && is told as an assignment', 'a && b = 1', /(?:&&|\|\||\?\?).*[^=!<>]=[^=>]/s],
  ['import() is not made by new', 'new import(a)', /\bnew\s*import\b/],
]

function parsedByUs(source: string): Tree | ExpressionSyntaxError {
  try {
    return parseExpression(source) as unknown as Tree
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return error
    throw error
  }
}

function parsedByThem(source: string): Expression | SyntaxError {
  try {
    return parsedByAcorn(source)
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}

/** Our tree without what acorn does not tell: places of faults, references within texts, the brackets of a computed key. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return asJavaScript(value)
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const { kind, start, end, at: _, ...parts } = value as Tree
  const place = kind === 'computed' ? {} : { start, end }
  const filled = Object.entries(parts).filter(([, part]) => part !== undefined)
  return { kind, ...place, ...Object.fromEntries(filled.map(([name, part]) => [name, comparable(part)])) }
}

const seen = { taken: 0, refused: 0 }

function compare(source: string): void {
  fc.pre(hasPlainBraces(source))
  const ours = parsedByUs(source)
  const theirs = parsedByThem(source)
  if (ours instanceof ExpressionSyntaxError) {
    expect(ours.position).toBeLessThanOrEqual(source.length)
    seen.refused += 1
    // What has a body is refused before its end is seen, and so is the call of a reference.
    if (theirs instanceof SyntaxError || ours.fault === 'unsupported' || ours.fault === 'words') return
  } else if (!(theirs instanceof SyntaxError)) {
    seen.taken += 1
    const [a, b] = [comparable(ours), comparable(treeOf(theirs, source))]
    if (!isDeepStrictEqual(a, b)) expect(a, source).toStrictEqual(b)
    return
  }
  if (INTENDED.some(([, , pattern]) => pattern.test(source))) return
  // Engines take regular expressions of later years, too; what is new in them is refused by the compiler.
  if (theirs instanceof SyntaxError && theirs.message.startsWith('Invalid regular expression')) return
  const verdict = (one: unknown) => (one instanceof Error ? one.message : 'taken')
  throw new Error(`${JSON.stringify(source)}: ours ${verdict(ours)}; theirs ${verdict(theirs)}`)
}

function search(name: string, sources: fc.Arbitrary<string>, numRuns: number, least: typeof seen): void {
  it(name, () => {
    Object.assign(seen, { taken: 0, refused: 0 })
    fc.assert(fc.property(sources, compare), runs ? { numRuns: Number(runs) } : { numRuns, seed: 31 })
    // The comparison means little where all of it is refused, or nothing.
    expect(seen.taken).toBeGreaterThanOrEqual(least.taken)
    expect(seen.refused).toBeGreaterThanOrEqual(least.refused)
  })
}

describe('N31 the parser reads what JavaScript is', () => {
  for (const [what, example, pattern] of INTENDED) {
    it(`but for this: ${what}`, () => {
      expect(example).toMatch(pattern)
      const [ours, theirs] = [parsedByUs(example), parsedByThem(example)]
      expect(ours instanceof Error).toBe(!(theirs instanceof Error))
      expect(() => compileConditional(example)).toThrow(ExpressionSyntaxError)
    })
  }

  search('expressions of the language', expressions, 2_000, { taken: 1_500, refused: 0 })
  search('the same, cut off, cut up and put together', mutated(expressions), 6_000, { taken: 500, refused: 2_000 })
  search('any order of tokens', soups, 12_000, { taken: 600, refused: 3_000 })
})

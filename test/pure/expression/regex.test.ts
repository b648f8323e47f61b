import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileConditional } from '../../../src/platform/expression/compile/compile.ts'
import { ExpressionBudgetError, ExpressionSyntaxError } from '../../../src/platform/expression/errors.ts'
import { Evaluation } from '../../../src/platform/expression/evaluation.ts'
import { SafeRegex } from '../../../src/platform/expression/regex/regex.ts'
import { relativeCost } from '../relative-cost.ts'

function accepts(literal: string): string {
  try {
    compileConditional(`${literal}.test('x')`)
    return 'accepted'
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return error.message
    throw error
  }
}

describe('N31: regular expressions', () => {
  it('N31: takes those that people write', () => {
    const honest = [
      String.raw`/^[A-Z]{2}-\d{4,6}$/`,
      String.raw`/^\s*(\w+)\s*-\s*(\w+)\s*$/`,
      String.raw`/^\d{1,3}(,\d{3})*(\.\d+)?$/`,
      '/^(red|green|blue|grey)$/i',
      '/organic.*cotton/i',
      '/foo.*bar.*baz/',
      String.raw`/^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i`,
      String.raw`/\b(XS|S|M|L|XL|XXL)\b/`,
      '/[^a-z0-9]+/g',
      String.raw`/^(\d+)x(\d+)(?:x(\d+))?$/`,
      String.raw`/(?<year>\d{4})-(?<month>\d\d)/u`,
      '/ä|ö|ü|ß/g',
      '/^#?[0-9a-f]{6}$/i',
      String.raw`/\p{Lu}/u`,
      '/a{,5}/',
      '/[]]/',
    ]
    for (const literal of honest) expect(accepts(literal), literal).toBe('accepted')
  })

  const refused: [string, string][] = [
    ['/(a+)+b/', 'a repeat or a choice within a repeat'],
    ['/(a*)*b/', 'a repeat or a choice within a repeat'],
    ['/(a|aa)+b/', 'a repeat or a choice within a repeat'],
    ['/(a|b)*c/', 'a repeat or a choice within a repeat'],
    ['/(?:a?){30}a{30}/', 'a repeat or a choice within a repeat'],
    ['/((ab)*)+/', 'a repeat or a choice within a repeat'],
    ['/(?:)*/', 'a repeat or a choice within a repeat'],
    [String.raw`/(a)\1/`, 'a back reference'],
    [String.raw`/(?<x>a)\k<x>/`, 'a back reference'],
    ['/(?=a)b/', 'looking ahead or behind'],
    ['/(?!a)b/', 'looking ahead or behind'],
    ['/(?<=a)b/', 'looking ahead or behind'],
    ['/(?<!a)b/', 'looking ahead or behind'],
    ['/.*.*.*.*x/', 'so many repeats'],
    ['/a*a*a*a*a*b/', 'so many repeats'],
    [`/${'a?'.repeat(30)}${'a'.repeat(30)}/`, 'so many repeats'],
    [`/${'(a|a)'.repeat(30)}b/`, 'so many repeats'],
    [`/${'(a|ab|)'.repeat(20)}c/`, 'so many repeats'],
    ['/a{5000}/', 'a count this large'],
    ['/(?:a{100}){100}/', 'a count this large'],
    [`/${'a'.repeat(501)}/`, 'more than 500 characters'],
    ['/a/y', 'the flags "y"'],
    ['/a/d', 'the flags "d"'],
    ['/(/', 'cannot be parsed'],
  ]
  for (const [literal, message] of refused) {
    it(`N31: refuses ${literal.slice(0, 60)}`, () => {
      expect(accepts(literal)).toContain(message)
    })
  }

  it('N31: what only some engines take is refused by all', () => {
    expect(() => new SafeRegex('(?i:a)b', '', 0)).toThrow('a group with flags is not supported')
    expect(() => new SafeRegex('(?<x>a)|(?<x>b)', '', 0)).toThrow('a name that two groups have is not supported')
  })

  it('N31: comes only as a literal, where a method takes it', () => {
    for (const source of ["'a'.match('a')", "'a'.search('(a+)+')"]) {
      expect(() => compileConditional(source).evaluate(() => undefined), source).toThrow('needs a regular expression')
    }
    for (const source of [
      '/a/',
      '[/a/]',
      "/a/ + ''",
      "'a'.includes(/a/)",
      "new RegExp('a')",
      "RegExp('a')",
      '/a/.lastIndex',
    ]) {
      expect(() => compileConditional(source), source).toThrow(ExpressionSyntaxError)
    }
  })

  it('N31: a global one starts anew each time', () => {
    const { evaluate } = compileConditional("/a/g.test('a')")
    expect([evaluate(() => 0), evaluate(() => 0), evaluate(() => 0)]).toEqual([true, true, true])
  })

  it('N31: says how long a text may be', () => {
    const { evaluate } = compileConditional('/x.*y.*z/.test({a})')
    expect(evaluate(() => 'xyz')).toBe(true)
    expect(() => evaluate(() => 'x'.repeat(5_000))).toThrow(
      new ExpressionBudgetError('5000 characters are too long for /x.*y.*z/, which takes up to 188'),
    )
  })

  it('N31: whatever is taken ends soon on the longest text it takes', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^b]',
      String.raw`\w`,
      String.raw`\s`,
      '(a)',
      '(?:ab)',
      '(a|ab)',
      '(?:a.*)?',
      '^',
      '$',
      String.raw`\b`,
    )
    const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2,5}', '*?', '{3,}')
    const pattern = fc.array(
      fc.tuple(atom, quantifier).map(([a, q]) => (/^[\^$]$|b$/.test(a) && a !== 'b' ? a : a + q)),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    const flags = fc.constantFrom('', 'i', 'm', 'g', 'iu')
    const text = fc.constantFrom('a', 'ab', 'b', 'aab', 'a ', '\n')
    let taken = 0
    fc.assert(
      fc.property(pattern, flags, text, fc.constantFrom('', 'c', '\n'), (terms, flag, unit, end) => {
        let regex: SafeRegex
        try {
          new RegExp(terms.join(''), flag)
          regex = new SafeRegex(terms.join(''), flag, 0)
        } catch {
          return
        }
        const subject = longest(regex, unit, end)
        const native = regex.forText(new Evaluation(() => undefined, 0), subject)
        taken += 1
        const cost = relativeCost(() => native.test(subject), 40)
        expect(cost, `${native} on ${subject.length} × ${unit}`).toBeLessThan(40)
      }),
      { numRuns: 1_000, seed: 31 },
    )
    expect(taken).toBeGreaterThan(300)
  })
})

/** The longest text of this kind that the expression takes. */
function longest(regex: SafeRegex, unit: string, end: string): string {
  let low = 0
  let high = 10_000
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    try {
      regex.forText(new Evaluation(() => undefined, 0), 'x'.repeat(middle))
      low = middle
    } catch {
      high = middle - 1
    }
  }
  return unit.repeat(low).slice(0, low - end.length) + end
}

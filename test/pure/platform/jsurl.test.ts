import fc from 'fast-check'
import JSURL from 'jsurl'
import { describe, expect, it } from 'vitest'
import { readJsurl } from '../../../src/platform/http/jsurl.ts'

const DEPTH = 8

/** What the library can write: whatever JSON can hold, but names that it loses: an empty one makes a list of an object. */
const json = fc.jsonValue({ maxDepth: 4 }).filter(value => !/__proto__|hasOwnProperty|"":/.test(JSON.stringify(value)))

describe('jsurl', () => {
  it('N19 reads whatever the jsurl library writes', () => {
    fc.assert(
      fc.property(json, value => {
        // The library writes -0 as 0, as JSON does.
        const plain: unknown = JSON.parse(JSON.stringify(value))
        expect(readJsurl(JSURL.stringify(plain), DEPTH)).toEqual(plain)
      }),
      { numRuns: 2000 },
    )
  })

  it('N19 reads text with spaces, umlauts and characters that were left unencoded', () => {
    expect(readJsurl("~(name~'Gr*f6*dfe*20*2a*2042~a.b~~)", DEPTH)).toBeUndefined()
    expect(readJsurl("~(name~'Gr*f6*dfe*2042~a.b~(~1~'x~true~null))", DEPTH)).toEqual({
      name: 'Größe 42',
      'a.b': [1, 'x', true, null],
    })
    expect(readJsurl("~(createdOn~'BETWEEN 2026-01-01 and 2026-01-31)", DEPTH)).toEqual({
      createdOn: 'BETWEEN 2026-01-01 and 2026-01-31',
    })
    expect(readJsurl('~(price~%27!5)', DEPTH)).toEqual({ price: '$5' })
    expect(readJsurl('~(price~%25252727)', DEPTH)).toEqual({ price: '27' })
    expect(readJsurl('~(a~()~b~(~))', DEPTH)).toEqual({ a: {}, b: [] })
  })

  it.each([
    '',
    '~',
    '~(',
    '~(a',
    '~(a~',
    '~(a~1',
    '~(a~1))',
    '~(a~1)x',
    '~(a~1)~(b~2)',
    "~(a~'x)b~1)",
    '~(a~1abc)',
    '~(a~-)',
    '~(a~0x10)',
    '~(a~1e999)',
    '~(a~NaN)',
    '~(a~Infinity)',
    '~(a~undefined)',
    "~(a~'*)",
    "~(a~'*g0)",
    "~(a~'**12)",
    'name',
  ])('N19 refuses %s instead of reading half of it', text => {
    expect(readJsurl(text, DEPTH)).toBeUndefined()
  })

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf'])(
    'N19 gives no function for the keyword %s, which the library does',
    name => {
      expect(readJsurl(`~${name}`, DEPTH)).toBeUndefined()
      expect(readJsurl(`~(name~${name})`, DEPTH)).toBeUndefined()
    },
  )

  it('N19 reaches no prototype through a name, plain or escaped', () => {
    for (const name of ['__proto__', '*5f*5fproto__', 'hasOwnProperty']) {
      expect(readJsurl(`~(${name}~(polluted~1))`, DEPTH)).toBeUndefined()
    }
    expect({}).not.toHaveProperty('polluted')
  })

  it('N19 ends at its depth, however deep the text goes', () => {
    const nested = (levels: number) => `${'~(a'.repeat(levels)}~1${')'.repeat(levels)}`
    expect(readJsurl(nested(DEPTH), DEPTH)).toBeDefined()
    expect(readJsurl(nested(DEPTH + 1), DEPTH)).toBeUndefined()
    expect(readJsurl('~('.repeat(100_000), DEPTH)).toBeUndefined()
    expect(readJsurl(`~${'('.repeat(100_000)}`, DEPTH)).toBeUndefined()
  })
})

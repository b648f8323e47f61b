import { describe, expect, it } from 'vitest'
import { compileConditional, compileTemplate } from '../../../src/platform/expression/compile/compile.ts'

const DOLLAR = '$'

const row: Record<string, unknown> = {
  style: 'S1',
  color: 'red',
  price: 12.5,
  none: null,
  a: 1,
  'Size: EU': 38,
  'a, b': 'pair',
  'Price (EUR)': 9,
  '5" pipe': 'yes',
  "it's": 'so',
  when: new Date(0),
  list: ['x', 'y'],
  object: { k: 1 },
}
const scope = (name: string) => (Object.hasOwn(row, name) ? row[name] : undefined)
const known = new Set(Object.keys(row))

describe('N31: a reference or an object literal', () => {
  const cases: [string, unknown, unknown?][] = [
    ['{a}', 1],
    ['{ a }', 1],
    ['({a})', 1],
    ['{}', {}],
    ['({a: 2})', { a: 2 }],
    ['{a: 2}.a', 2],
    ["({'a': 2})", { a: 2 }],
    ['({"a b": 2})', { 'a b': 2 }],
    ['({1: 2})', { 1: 2 }],
    ['({[{style}]: 2})', { S1: 2 }],
    ['({["x"]: 2})', { x: 2 }],
    ['({...{object}})', { k: 1 }],
    ['({a: {a}, b: {c: {price}}})', { a: 1, b: { c: 12.5 } }],
    ["({a: '}'})", { a: '}' }],
    ['{5" pipe}', 'yes'],
    ["{it's}", 'so'],
    ['{Price (EUR)} + 1', 10],
    ['{a}in{object}', false],
    ['typeof{a}', 'number'],
    ['{price}/{a}/2', 6.25],
    [`\`${DOLLAR}{{price}}\``, '12.5'],
    [`\`${DOLLAR}{ {price} * 2 } {style} ${DOLLAR}{\`{color}\`}\``, '25 S1 red'],
    ["'{style}/{color}'", 'S1/red'],
    ["'{none}|{absent}|{}'", '||{}'],
    ["'{it\\'s}'", 'so'],
    [String.raw`'\x7bstyle}'`, 'S1'],
    [String.raw`/^\w{2}$/.test({style})`, true],
    [String.raw`{style} + /\d{1,3}/.exec('{style}')[0]`, 'S11'],
    ['[{style}, {color}].map(s => s.length)', [2, 3]],
    ['JSON.parse(\'{"a": "{style}"}\')', { a: 'S1' }],
    ['{a} /* {style} */ + 1', 2],
    // By its shape this is an object, so it takes the known names to read the column.
    ['({Size: {a}})', { Size: 1 }],
  ]
  for (const [source, expected] of cases) {
    it(`N31: ${source}`, () => {
      expect(compileConditional(source).evaluate(scope)).toStrictEqual(expected)
    })
  }

  it('N31: a known name wins over the shape of an object literal', () => {
    expect(() => compileConditional('{Size: EU} + 1')).toThrow('"EU" is not known')
    expect(compileConditional('{Size: EU} + 1', known).evaluate(scope)).toBe(39)
    expect(compileConditional("'{Size: EU}'", known).evaluate(scope)).toBe('38')
    expect(compileConditional('{a, b}', known).evaluate(scope)).toBe('pair')
  })
})

describe('N31: values and defaults', () => {
  const cases: [source: string, kind: string, value: unknown][] = [
    ['plain', 'literal', 'plain'],
    ["it's (plain)", 'literal', "it's (plain)"],
    ['', 'literal', ''],
    ['{style}-{color}', 'text', 'S1-red'],
    ['{style}/{color}: {price}.', 'text', 'S1/red: 12.5.'],
    ['{price} - {a}', 'text', '12.5 - 1'],
    ['{style}, {color}', 'text', 'S1, red'],
    [`${DOLLAR}{price}`, 'text', '$12.5'],
    ['<{none}{absent}>'.slice(1, -1), 'text', ''],
    ['{when} {list} {object}', 'text', '1970-01-01T00:00:00.000Z x,y {"k":1}'],
    ['{price}', 'expression', 12.5],
    ['{list}', 'expression', ['x', 'y']],
    ['{absent}', 'expression', undefined],
    ['{Price (EUR)}', 'expression', 9],
    ["{style}.split('S')[1]", 'expression', '1'],
    ['{price} * 2', 'expression', 25],
    [`\`{style} ${DOLLAR}{ {price} + 1 }\``, 'expression', 'S1 13.5'],
    ["{price} > 10 ? 'dear' : 'cheap'", 'expression', 'dear'],
    ['{"a": {price}}', 'expression', { a: 12.5 }],
    ['a { b', 'literal', 'a { b'],
    ['{}', 'literal', '{}'],
    ['{x: 1}', 'literal', '{x: 1}'],
  ]
  for (const [source, kind, value] of cases) {
    it(`N31: ${JSON.stringify(source)} is ${kind}`, () => {
      const made = compileTemplate(source)
      expect({ kind: made.kind, value: made.compiled.evaluate(scope), warning: made.warning }).toStrictEqual({
        kind,
        value,
        warning: undefined,
      })
    })
  }

  it('N31: what looks like an expression and is none is text with a warning', () => {
    for (const [source, value] of [
      ['{price}%', '12.5%'],
      ['{style} (new)', 'S1 (new)'],
      ['{color} & white', 'red & white'],
      ['high ({price})', 'high (12.5)'],
      ['Left ({price})', 'Left (12.5)'],
      ['Text ({style}, {color})', 'Text (S1, red)'],
      ['{price} + VAT', '12.5 + VAT'],
      ["{style}'s", "S1's"],
      ['{style}" wide', 'S1" wide'],
      ['{style} (new', 'S1 (new'],
      ['{price} % ', '12.5 % '],
      ["{style} - '{color}", "S1 - 'red"],
      ['[{style}] - ', '[S1] - '],
    ] as const) {
      const made = compileTemplate(source)
      expect([made.kind, made.compiled.evaluate(scope)]).toEqual(['text', value])
      expect(made.warning).toContain('taken as text')
    }
  })

  it('N31: what is text by rule and was hardly meant as one is told of', () => {
    for (const [source, value, warning] of [
      ['{style', '{style', 'a brace is not closed (at character 1)'],
      ['{style}-{color', 'S1-{color', 'a brace is not closed (at character 9)'],
      ['{style}.length', 'S1.length', 'as an expression it is ({…}.length)'],
      ['{style}.toLowerCase-{color}', 'S1.toLowerCase-red', 'as an expression it is {…}.toLowerCase()'],
      ['https://{style}.at/x', 'https://S1.at/x', undefined],
    ] as const) {
      const made = compileTemplate(source)
      expect([source, made.compiled.evaluate(scope)]).toEqual([source, value])
      if (warning === undefined) expect(made.warning).toBeUndefined()
      else expect(made.warning).toContain(warning)
    }
  })

  it('N73: what parses and is not supported is refused, and so is what breaks off', () => {
    for (const [source, message] of [
      ['{style}.toTitleCase()', 'the nearest that is supported is toLowerCase() (at character 9)'],
      ["{style}.padLeft(3, '0')", 'the method padLeft() is not supported; the nearest that is supported is padEnd()'],
      ['{style}.trimLeft()', 'the nearest that is supported is trimStart()'],
      ['{style}.trimRight()', 'the nearest that is supported is trimEnd()'],
      ["{style}.contains('x')", 'the nearest that is supported is includes()'],
      ['{style}.upper()', 'the nearest that is supported is toUpperCase() (at character 9)'],
      [
        '{style}.length()',
        'the nearest that is supported is .length without parentheses, with the whole in parentheses: ({…}.length) (at character 9)',
      ],
      [
        '{price} * Math.random()',
        'Math.random() (the same row gives the same answer) is not supported (at character 11)',
      ],
      ['UPPER({style})', 'there is no function UPPER; write {style}.toUpperCase() (at character 1)'],
      ['trim({style})', 'there is no function trim; write {style}.trim() (at character 1)'],
      ["{style} = 'x'", 'an assignment (to compare, use ===) is not supported (at character 9)'],
      ["{price} === 5 && {style} = 'x'", 'an assignment (to compare, use ===) is not supported (at character 26)'],
      ['{price} & {a}', 'the operator "&" is not supported (at character 9)'],
      ['{price}++', '++ or -- is not supported (at character 8)'],
      ['{price} * 1,19', 'the comma operator is not supported (at character 12)'],
      ['({price} * 1,19)', 'the comma operator is not supported (at character 13)'],
      ['{style} + ', 'breaks off: it ends too soon (at character 11)'],
      ["{style} == 'Linen Shirt' ? 'y' : ", 'breaks off: it ends too soon (at character 34)'],
      ["{style} ? 'y'", 'breaks off: ":" is missing at its end (at character 14)'],
      ["{style} + 'y", 'breaks off: a text in quotes is not closed (at character 11)'],
      ['capitalize({style})', '"capitalize" is not known'],
      ['Maths.max({a}, 1)', '"Maths" is not known; did you mean Math?'],
      ['Math.maximum({a}, 1)', 'the nearest that is supported is Math.max()'],
      ['{style}.toUpperCase(', 'breaks off: "(" is not closed (at character 20)'],
      ["{style}.split('-')[", 'breaks off: "[" is not closed'],
      ['{style}.toUpperCase().', 'breaks off: it ends too soon (at character 23)'],
      ["{style}.replace(/a, 'b')", 'breaks off: "(" is not closed (at character 16)'],
      ["{style}.split('-", 'breaks off: "(" is not closed'],
      ['[{a}, {price}].map({a} => 1)', 'a reference as a parameter is not supported (at character 20)'],
    ] as const) {
      expect(() => compileTemplate(source), source).toThrow(message)
      expect(() => compileConditional(source), source).toThrow(message)
    }
  })

  it('N31: what ends with a sign that texts end with is one', () => {
    for (const source of ['{style}+', 'Size {style}+', '{style}-{color}*', '{style}?', '{style} %']) {
      const { compiled, kind } = compileTemplate(source)
      expect([source, kind]).toEqual([source, 'text'])
      expect(compiled.references).toContain('style')
    }
  })

  it('N31: names the references of a text', () => {
    expect(compileTemplate('{style}-{color}-{style}').compiled.references).toEqual(['style', 'color'])
    expect(compileTemplate('{price}').compiled.references).toEqual(['price'])
  })
})

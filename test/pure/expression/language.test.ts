import { describe, expect, it } from 'vitest'
import { compileConditional } from '../../../src/platform/expression/compile/compile.ts'
import { ExpressionError, ExpressionSyntaxError } from '../../../src/platform/expression/errors.ts'
import { pathScope } from '../../../src/platform/expression/scope.ts'

const DOLLAR = '$'

const row: Record<string, unknown> = {
  familyNumber: 'AB-12',
  color: 'red',
  price: 12.5,
  active: true,
  'Größe (EU)': 38,
  'Art. Nr.': '007',
  tags: ['b', 'a'],
  dropped: null,
}

function evaluate(source: string): unknown {
  return compileConditional(source).evaluate(name => (Object.hasOwn(row, name) ? row[name] : undefined))
}

function refusal(source: string): string {
  try {
    compileConditional(source)
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return error.message
    throw error
  }
  return 'accepted'
}

describe('N31: conditionals', () => {
  const examples: [string, unknown][] = [
    ["{price} > 10 && {color} === 'red'", true],
    ["{familyNumber}.split('-')[0]", 'AB'],
    ["{active} ? 'yes' : 'no'", 'yes'],
    ['{Größe (EU)} + 1', 39],
    ["{Art. Nr.} === '007'", true],
    ["{nothing} === undefined && {nothing} ?.length === undefined && typeof {nothing} === 'undefined'", true],
    ["{dropped} ?? 'kept'", 'kept'],
    ["['red', 'blue'].includes({color})", true],
    ['{tags}.sort()', ['a', 'b']],
    ['{tags}.map((tag, index) => tag + index).join("|")', 'b0|a1'],
    ['Object.entries({ a: 1, b: 2 }).map(([key, value]) => key + value)', ['a1', 'b2']],
    ['[1, 2, 3].reduce((sum, each) => sum + each, 0)', 6],
    ["['1', '', '2'].filter(Boolean).map(Number)", [1, 2]],
    ['Math.max(...[1, 5, 3])', 5],
    ["new Date('2024-02-29').getUTCFullYear()", 2024],
    ["new Date('2024-02-29').toISOString()", '2024-02-29T00:00:00.000Z'],
    ["new Date('2024-03-01') - new Date('2024-02-29')", 86_400_000],
    [String.raw`/^[A-Z]{2}-\d+$/.test({familyNumber})`, true],
    [String.raw`{familyNumber}.match(/(?<letters>\w+)-(\d+)/).groups.letters`, 'AB'],
    [String.raw`{familyNumber}.replace(/(\w+)-(\d+)/, '$2/$1')`, '12/AB'],
    ["{familyNumber}.replace(/[A-Z]/g, letter => letter.toLowerCase() + '.')", 'a.b.-12'],
    ['JSON.parse(JSON.stringify({ price: {price} })).price', 12.5],
    ["'price' in { price: {price} }", true],
    ['({ ...{ a: 1 }, b: {price} })', { a: 1, b: 12.5 }],
    ['[...{tags}, ...{color}]', ['b', 'a', 'r', 'e', 'd']],
    ['isNaN({color}) && !isNaN({price})', true],
    ['/* why */ {price} // because', 12.5],
    [
      '[[1, 2], [3, 4]].map(x => x.map(y => y * x[0]))',
      [
        [1, 2],
        [9, 12],
      ],
    ],
  ]
  for (const [source, expected] of examples) {
    it(`N31: ${source}`, () => {
      expect(evaluate(source)).toStrictEqual(expected)
    })
  }

  it('N31: names its references once each, in order', () => {
    const { references } = compileConditional(`{b} > {a} || \`{c} ${DOLLAR}{ {b} }\` === '{d e}'`)
    expect(references).toEqual(['b', 'a', 'c', 'd e'])
  })

  it('N31: leaves the row as it is', () => {
    evaluate('[{tags}.sort(), {tags}.reverse()]')
    expect(row.tags).toEqual(['b', 'a'])
  })

  it('N31: gives nothing but data, whatever the scope holds', () => {
    const values: Record<string, unknown> = { f: () => 1, s: Symbol('s'), n: 1n, o: { f: () => 1, toJSON: 1 } }
    const scope = (name: string) => values[name]
    for (const source of ['{f}', '{s}', '{n}', '{o}.f', 'Object.values({o})[0]', '({ ...{o} }).f', "{o}['f']"]) {
      expect(compileConditional(source).evaluate(scope), source).toBeUndefined()
    }
  })

  it('N31: says what cannot be done with a value', () => {
    expect(() => evaluate("{nothing}.split('-')")).toThrow(new ExpressionError('cannot call split() on undefined'))
    expect(() => evaluate("{price}.split('-')")).toThrow(new ExpressionError('cannot call split() on a number'))
    expect(() => evaluate('{dropped}.length')).toThrow(new ExpressionError('cannot read "length" of null'))
    expect(() => evaluate("({})['constr' + 'uctor']")).toThrow('uses the name "constructor", which is not supported')
    expect(() => evaluate('{price}.toFixed(101)')).toThrow(ExpressionError)
    expect(() => evaluate("JSON.parse('nonsense')")).toThrow(ExpressionError)
  })
})

describe('N69: numbers that would be rounded', () => {
  const long = '9007199254740993'
  it.each(['Number({a})', '{a} * 1', '+{a}', '-{a}', 'parseInt({a}, 10)', 'parseFloat({a})', "Number(' {a} ')"])(
    'are refused where a text is computed with: %s',
    source => {
      const { evaluate } = compileConditional(source)
      expect(() => evaluate(() => long)).toThrow(`would round ${long}`)
      expect(Math.abs(Number(evaluate(() => '9007199254740991')))).toBe(9007199254740991)
    },
  )

  it('may be asked about, and stay texts', () => {
    const { evaluate } = compileConditional('!isNaN({a}) && {a} > 5 ? {a} : 0')
    expect(evaluate(() => long)).toBe(long)
  })
})

describe('N31: what is not supported is refused by name and position', () => {
  const refused: [string, string][] = [
    ['', 'is empty'],
    ['{a} = 1', 'an assignment'],
    ['{a} && ({b} += 1)', 'an assignment'],
    ['x => x', 'an arrow function that is not the argument'],
    ['[1].map(x => { return x })', 'block body'],
    ['[1].map(x => {\n return x })', 'block body'],
    ['[1].map(async x => x)', 'async'],
    ['[1].map((x = 1) => x)', 'a parameter other than'],
    ['[1].map((...x) => x)', 'a parameter other than'],
    ['(function () {})', 'a function'],
    ['(class {})', 'a class'],
    ['this', 'this'],
    ['new Map([])', 'new of anything but Date'],
    ['new Date()', 'without an argument'],
    ['new Date', 'without an argument'],
    ['Math.random()', 'Math.random()'],
    ['Date.now()', 'the method now()'],
    ['price > 1', 'a reference is written {price}'],
    ['{a}, {b}', 'the comma operator'],
    ['{a} {b}', 'more than one expression'],
    ['{a}; {b}', 'more than one expression'],
    ["{a} === 'x';", 'leave the semicolon out'],
    ["{a} === 'x' and {b}", 'write && for "and"'],
    ["{a} === 'x' OR {b}", 'write || for "or"'],
    ["{a} <> 'x'", 'write !== for <>'],
    ['{a} === ‘x’', 'write quotes that are straight'],
    ['{a} == W', "a reference is written {W}, a text 'W'"],
    ['LEFT({a}, 2)', 'there is no function LEFT; write {…}.slice(0, 2)'],
    ['len({a}) > 3', 'write ({…}.length)'],
    ['{a} + 9007199254740993', '9007199254740993 would be rounded; put it into quotes (at character 7)'],
    ['{a} | 1', 'the operator "|"'],
    ['~{a}', 'the operator "~"'],
    ['{a} instanceof Date', 'the operator "instanceof"'],
    ['void 0', 'the operator "void"'],
    ['10n', 'a big integer'],
    ['{a}++', '++ or --'],
    ['await {a}', 'await'],
    ["import('x')", 'import'],
    ['String.raw`x`', 'a tagged template'],
    ['{a}.push(1)', 'the method push()'],
    ['{a}["split"]("-")', 'calling a computed name'],
    ['({ get a() {\n return 1 } })', 'a method, getter or setter'],
    ['{a}.{b}', 'a reference behind a dot'],
    ['/a/.source', 'a regular expression that is not used by a method'],
    ["{a} === 'x", 'breaks off'],
    ['{a} >', 'breaks off'],
  ]
  for (const [source, message] of refused) {
    it(`N31: refuses ${JSON.stringify(source)}`, () => {
      expect(refusal(source)).toContain(message)
    })
  }

  it('N31: gives the position within the source as it was written', () => {
    expect(refusal('{Größe (EU)} > 1 && nonsense')).toBe(
      `"nonsense" is not known; a reference is written {nonsense}, a text 'nonsense' (at character 21)`,
    )
  })
})

describe('N31: paths', () => {
  const root = JSON.parse('{"event": {"newData": {"name": "Coat", "sizes": [{"eu": 38}]}, "__proto__": {"x": 1}}}')

  it('N31: walks own properties by dots', () => {
    const scope = pathScope(root)
    expect(compileConditional('{event.newData.name}.length').evaluate(scope)).toBe(4)
    expect(compileConditional('{event.newData}.sizes[0].eu + {event.newData.sizes.0.eu}').evaluate(scope)).toBe(76)
  })

  it('N31: finds nothing that is inherited or absent', () => {
    const scope = pathScope(root)
    for (const path of [
      'event.constructor',
      'event.__proto__',
      'event.__proto__.x',
      'event.a.b',
      'toString',
      'event.newData.name.length',
    ]) {
      expect(scope(path), path).toBeUndefined()
    }
  })
})

import { describe, expect, it } from 'vitest'
import { compileConditional, compileTemplate } from '../../../src/platform/expression/compile/compile.ts'
import { ExpressionError, ExpressionSyntaxError } from '../../../src/platform/expression/errors.ts'

const DOLLAR = '$'
const row: Record<string, unknown> = {
  text: 'abc',
  list: [1, 2],
  object: JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"x": 1}, "a": 1}'),
  long: 'a'.repeat(50_000),
}
const scope = (name: string) => (Object.hasOwn(row, name) ? row[name] : undefined)

/** Each is refused when compiled, or its evaluation fails; none gives a value. */
const ESCAPES = [
  // Constructors and prototypes by name
  "''.constructor",
  '[].constructor',
  '({}).constructor',
  '(1).constructor',
  'true.constructor',
  '/a/.constructor',
  '(() => {}).constructor',
  '(x => x).constructor("return this")()',
  '[].constructor.constructor("return process")()',
  '{text}.constructor.constructor("return this")()',
  "''.__proto__",
  '[].__proto__.polluted',
  '({}).__proto__',
  'Object.prototype',
  'Object.getPrototypeOf({list})',
  'Object.constructor',
  'Math.constructor',
  'JSON.constructor("return 1")()',
  'Array.prototype.map',
  'String.prototype',
  'Number.constructor',
  'String.fromCharCode(99)',
  String.raw`''.\u0063onstructor`,
  String.raw`''['\x63onstructor']`,
  // The same by computed keys
  "''['constructor']",
  "[]['con' + 'structor']",
  "[]['__pro' + 'to__']",
  "({})['__proto__']",
  "({})[['__proto__']]",
  "({})[['constructor']]",
  `''[\`constr${DOLLAR}{"uctor"}\`]`,
  "''?.['constructor']",
  "[]['map'].constructor",
  "[]['map']['constructor']",
  "['constructor'].map(k => ''[k])",
  "['__proto__'].map(k => ({ [k]: 1 }))",
  "''[['con', 'structor'].join('')]",
  "''['CONSTRUCTOR'.toLowerCase()]",
  "{list}['constructor']",
  "{object}['constructor']",
  '{object}.constructor',
  '({ ...{object} })',
  // Writing prototypes
  '({ __proto__: {list} })',
  "({ '__proto__': null })",
  "({ ['__proto__']: { polluted: true } })",
  'JSON.parse(\'{"__proto__": {"polluted": true}}\')',
  '({ ...JSON.parse(\'{"__proto__": {"polluted": true}}\') })',
  String.raw`JSON.parse('{"\\u005f_proto__": 1}')`,
  'JSON.parse(\'{"a": [{"__proto__": 1}]}\')',
  'Object.assign({}, {list})',
  'Object.defineProperty({}, "a", {})',
  'Object.setPrototypeOf({}, null)',
  'Object.fromEntries([["__proto__", 1]])',
  '{}.a = 1',
  '({}).polluted = 1',
  '{list}.length = 0',
  'delete {object}.a',
  // Functions as values
  "''.split.call('a', 'b')",
  "''.split.constructor",
  '[].map.constructor("return 1")()',
  'parseInt.constructor',
  'Math.max.constructor',
  'Math.max.call(null, 1)',
  '[parseInt][0]("1")',
  '[x => x][0](1)',
  '({ f: x => x }).f(1)',
  '({ toString: () => "x" }) + ""',
  '({ valueOf: () => 1 }) * 2',
  '({ toString: String }) + ""',
  '({ toJSON: () => 1 })',
  `\`${DOLLAR}{x => x}\``,
  '({ get a() { return 1 } }).a',
  '({ a() {\n return this } }).a()',
  '({ [Symbol.toPrimitive]: 1 })',
  'Symbol.iterator',
  "Symbol('x')",
  '[1].map((x => x => x)(1))',
  '[1].map(x => y => x)',
  '[1].map(x => (() => x)())',
  'String(x => x)',
  'JSON.stringify({list}, (key, value) => value)',
  'JSON.parse("1", (key, value) => value)',
  '[1].reduce({text}.concat)',
  // Other globals and syntax
  'globalThis',
  'self',
  'process.exit()',
  'require("fs")',
  'import("fs")',
  'import.meta',
  'new.target',
  'eval("1")',
  'Function("return 1")()',
  'new Function("return 1")()',
  'new Date.constructor("return 1")()',
  'new Date(0).constructor',
  'new (Date)(0).constructor',
  'new Date(...[])',
  'Date(0)',
  'Reflect.ownKeys({list})',
  'new Proxy({}, {})',
  'setTimeout("1")',
  'fetch("/")',
  'arguments',
  '[1].map(x => arguments)',
  'this',
  'super.x',
  'debugger',
  'with ({}) 1',
  'a: 1',
  'if (1) 2',
  '(function () { return this })()',
  '(async () => 1)()',
  '(function* () {})()',
  'class A {}',
  '(class { static x = 1 })',
  'yield 1',
  '#x in {object}',
  'Math.max`1`',
  "''.concat`x`",
  '(a, b)',
  '1; 2',
  'a = b',
  '{text} ??= 1',
  '[a] = [1]',
  '({ constructor: c } = {text})',
  '[{list}].map(({ constructor: c }) => c)',
  '[{list}].map(([...rest]) => rest)',
  '[{text}].map((x = globalThis) => x)',
  '<!-- x',
  "'x'.at(0)()",
  "''.sub()",
  "''.anchor('x')",
  '[].keys()',
  '{list}.__defineGetter__("a", 1)',
  '{list}.__lookupGetter__("a")',
  '{object}.hasOwnProperty("a")',
  '{list}.toLocaleString()',
  '{list}.push(1)',
  '{list}.valueOf()',
]

describe('N31: nothing outside the row can be reached', () => {
  it('N31: knows at least sixty ways out', () => {
    expect(new Set(ESCAPES).size).toBeGreaterThan(100)
  })

  for (const source of new Set(ESCAPES)) {
    it(`N31: ${source}`, () => {
      let value: unknown
      let caught: unknown
      try {
        value = compileConditional(source).evaluate(scope)
      } catch (error) {
        caught = error
      }
      expect(value).toBeUndefined()
      expect(caught instanceof ExpressionSyntaxError || caught instanceof ExpressionError, String(caught)).toBe(true)
    })
  }

  it('N31: what is inherited is absent when it is read as a value', () => {
    const absent = [
      "''.split",
      '[].map',
      '({}).toString',
      '({}).hasOwnProperty',
      "{text}['split']",
      '{list}.__defineGetter__',
    ]
    for (const source of absent) expect(compileConditional(source).evaluate(scope), source).toBeUndefined()
    for (const source of ["'toString' in {}", "'map' in []", "'__proto__' in {}"]) {
      expect(compileConditional(source).evaluate(scope), source).toBe(false)
    }
  })

  it('N73: a template that would be an escape is refused', () => {
    expect(() => compileTemplate("{text}['constructor']('return 1')()")).toThrow('is not supported')
  })

  it('N31: leaves JavaScript itself as it was', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

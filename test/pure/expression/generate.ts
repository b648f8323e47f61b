// Random expressions of the supported language, as source text. References are `{r0}` … `{r7}`.

import fc from 'fast-check'

type Source = fc.Arbitrary<string>

const numbers = fc.constantFrom('0', '-0', '1', '2', '-3', '0.1', '12.5', '1e21', '1e-7', '0x1f', 'NaN', 'Infinity')
const texts = fc
  .constantFrom(
    '',
    ' ',
    '0',
    '12',
    ' 7 ',
    '0x1f',
    'abc',
    'a-b-c',
    '1,2',
    'ÄÖ',
    'ß',
    '😀x',
    '\n',
    '-0',
    '1e3',
    'a',
    'Abc',
  )
  .map(text => JSON.stringify(text))
const others = fc.constantFrom('true', 'false', 'null', 'undefined', '[]', '({})', "new Date('2024-02-29T12:34:56Z')")
const references = fc.nat({ max: 7 }).map(index => `{r${index}}`)
const keys = fc.constantFrom('a', 'b', 'length', '0', '1', 'toString')
const smallInteger = fc.constantFrom('0', '1', '2', '-1', '5', '1.5', 'NaN', "'1'", 'undefined', 'null', '[2]')

const binary = fc.constantFrom('+', '+', '-', '*', '/', '%', '**', '<', '<=', '>', '>=', '===', '!==', '==', '!=')
const regexes = fc.constantFrom(
  '/a/',
  '/[a-c]/g',
  '/(\\w)-(\\w)/',
  '/\\d+/g',
  '/^\\s*$/',
  '/(?<x>b)?c/i',
  '/,|-/',
  '/./gu',
)

function call(receiver: Source, name: string, ...args: Source[]): Source {
  return fc.tuple(receiver, ...args).map(([target, ...given]) => `${target}.${name}(${given.join(', ')})`)
}

function callAny(receiver: Source, names: string[], ...args: Source[]): Source {
  return fc.oneof(...names.flatMap(name => args.map((_, count) => call(receiver, name, ...args.slice(0, count + 1)))))
}

export const expressions: Source = fc.letrec<Record<'any' | 'text' | 'list' | 'number' | 'body', string>>(tie => {
  const any = tie('any')
  const text = tie('text')
  const list = tie('list')
  const body = tie('body')
  const simpleBody = fc.constantFrom(
    'x',
    'i',
    'x + i',
    'x > 1',
    'x?.length',
    'typeof x',
    '[x, i]',
    '!x',
    'String(x)',
    'x == y',
  )
  const arrow = fc.oneof(
    body.map(inner => `x => ${inner}`),
    simpleBody.map(inner => `(x, i, y) => ${inner}`),
    fc.constantFrom('Boolean', 'Number', 'String', 'parseInt', 'Math.abs', 'Array.isArray'),
  )
  const element = fc.oneof({ weight: 5, arbitrary: any }, fc.constant(''), {
    weight: 2,
    arbitrary: list.map(l => `...${l}`),
  })
  const property = fc.oneof(
    fc.tuple(keys, any).map(([key, value]) => `${key}: ${value}`),
    fc.tuple(any, any).map(([key, value]) => `[${key}]: ${value}`),
    any.map(value => `...${value}`),
  )
  return {
    // Holes at the end of a list need a comma of their own.
    list: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        '[3, 1, 2]',
        "['b', 'a', 'B']",
        '[1, , 3]',
        '[[1, 2], [3, [4]]]',
        '[]',
        '[null, undefined, NaN, -0]',
      ),
      fc.array(element, { maxLength: 4 }).map(elements => `[${elements.join(', ')}]`),
      call(list, 'map', arrow),
      call(list, 'filter', arrow),
      call(list, 'flatMap', arrow),
      callAny(list, ['slice'], smallInteger, smallInteger),
      call(list, 'flat'),
      call(list, 'flat', smallInteger),
      call(list, 'concat', any, any),
      call(list, 'toSorted'),
      call(list, 'toReversed'),
      fc
        .tuple(list, fc.constantFrom('(x, y) => x - y', '(x, y) => y > x ? 1 : -1', ''))
        .map(([l, c]) => `[...${l}].sort(${c})`),
      fc.tuple(list, fc.constant('')).map(([l]) => `[...${l}].reverse()`),
      call(text, 'split', fc.oneof(texts, regexes, any)),
      call(text, 'split', texts, smallInteger),
      fc.tuple(fc.constantFrom('keys', 'values', 'entries'), any).map(([name, value]) => `Object.${name}(${value})`),
    ),
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      texts,
      any.map(value => `String(${value})`),
      any.map(value => `\`x\${${value}}y\``),
      callAny(text, ['slice', 'substring', 'substr'], smallInteger, smallInteger),
      callAny(text, ['padStart', 'padEnd'], smallInteger, texts),
      callAny(text, ['charAt', 'at', 'repeat'], fc.constantFrom('0', '1', '2', "'1'", 'null', '-1')),
      fc
        .tuple(
          text,
          fc.constantFrom('toUpperCase', 'toLowerCase', 'trim', 'trimStart', 'trimEnd', 'normalize', 'toString'),
        )
        .map(([t, name]) => `${t}.${name}()`),
      call(text, 'concat', any, any),
      call(
        text,
        'replace',
        fc.oneof(texts, regexes),
        fc.oneof(texts, fc.constantFrom("'$&$&'", "'[$1|$2]'", '(m, p) => m + p')),
      ),
      call(text, 'replaceAll', fc.oneof(texts, regexes), fc.oneof(texts, fc.constantFrom("'$`'", '(m, i) => i'))),
      call(list, 'join'),
      call(list, 'join', any),
      any.map(value => `JSON.stringify(${value})`),
    ),
    number: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      numbers,
      callAny(text, ['indexOf', 'lastIndexOf'], texts, smallInteger),
      callAny(list, ['indexOf', 'lastIndexOf'], any, smallInteger),
      callAny(text, ['charCodeAt', 'codePointAt', 'localeCompare'], fc.constantFrom('0', '1', '9')),
      fc
        .tuple(fc.constantFrom('Number', 'parseInt', 'parseFloat', '+', '-'), any)
        .map(([name, value]) => `(${name}(${value}))`),
      fc
        .tuple(fc.constantFrom('abs', 'round', 'floor', 'max', 'min', 'sign', 'hypot'), any, any)
        .map(([name, a, b]) => `Math.${name}(${a}, ${b})`),
      list.map(l => `Math.max(...${l})`),
      fc
        .tuple(numbers, fc.constantFrom('toFixed', 'toString', 'toPrecision'), smallInteger)
        .map(([n, m, d]) => `(${n}).${m}(${d})`),
      call(text, 'search', regexes),
      fc
        .tuple(any, fc.constantFrom('getTime', 'getUTCFullYear', 'getMonth', 'getDay'))
        .map(([x, m]) => `new Date(${x}).${m}()`),
    ),
    body: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant('x'),
      fc.tuple(fc.constant('x'), binary, any).map(([a, op, b]) => `((${a}) ${op} (${b}))`),
      any.map(value => `[x, ${value}]`),
      any.map(value => `(x ?? ${value})`),
    ),
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      references,
      numbers,
      texts,
      others,
      tie('number'),
      text,
      list,
      fc.array(property, { maxLength: 3 }).map(properties => `({${properties.map(each => `${each},`).join('\n')}\n})`),
      fc.tuple(any, binary, any).map(([a, op, b]) => `((${a}) ${op} (${b}))`),
      fc.tuple(any, fc.constantFrom('&&', '||', '??'), any).map(([a, op, b]) => `((${a}) ${op} (${b}))`),
      fc.tuple(any, any, any).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.tuple(fc.constantFrom('!', '-', '+', 'typeof '), any).map(([op, a]) => `(${op}(${a}))`),
      fc.tuple(fc.constantFrom('"a"', '"length"', '0', '"1"'), any).map(([key, a]) => `(${key} in ${a})`),
      fc
        .tuple(any, fc.constantFrom('.', '?.'), fc.constantFrom('a', 'b', 'length'))
        .map(([a, dot, key]) => `(${a})${dot}${key}`),
      fc
        .tuple(any, fc.constantFrom('', '?.'), keys)
        .map(([a, dot, key]) => `(${a})${dot}["${key === 'toString' ? 'a' : key}"]`),
      any.map(a => `(${a})?.a.b[0]?.length`),
      any.map(a => `((${a})?.a).b`),
      any.map(a => `(${a})?.a?.trim().length`),
      any.map(a => `(${a})?.at?.(0)`),
      fc.tuple(text, regexes).map(([t, r]) => `${r}.test(${t})`),
      fc.tuple(text, fc.constantFrom('/\\d+/g', '/[a-c]/g')).map(([t, r]) => `${t}.match(${r})`),
      callAny(text, ['startsWith', 'endsWith', 'includes'], any, smallInteger),
      callAny(list, ['includes'], any, smallInteger),
      callAny(list, ['some', 'every', 'find', 'findIndex', 'findLast', 'findLastIndex'], arrow),
      call(list, 'reduce', fc.constantFrom('(x, y) => x + y', '(x, y, i) => [x, y, i]')),
      call(list, 'reduce', fc.constantFrom('(x, y) => x + y', '(x, y, i) => [x, i]'), any),
      call(list, 'reduceRight', fc.constantFrom('(x, y) => x + y', '(x, y, i) => [x, y, i]')),
      fc.tuple(list, any).map(([l, a]) => `${l}.map(([x, , y]) => [y, x, ${a}])`),
    ),
  }
}).any

const cell = fc.oneof(
  fc.constantFrom<unknown>('', '12', 'abc', 'true', 0, -0, 1.5, Number.NaN, true, false, null, undefined),
  fc.constantFrom<unknown>(
    [1, 2],
    ['a', 'b'],
    { a: 1 },
    { a: { b: ['x'] } },
    [[1], { a: ' t ' }],
    new Date(86_400_000),
  ),
)

export const rows = fc.array(cell, { minLength: 8, maxLength: 8 })

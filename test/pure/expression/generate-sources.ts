// Sources for the parser: mostly such as nobody means, made of what people write.

import fc from 'fast-check'

type Source = fc.Arbitrary<string>

const DOLLAR = '$'

const NUMBERS = '1 0 .5 5. 1e3 0x1F 0b101 0o17 1_000 10n 0xFn 010 08 1__0 1_ 0_1 1e 3in 5.e-2'.split(' ')
const TEXTS = [
  ...String.raw`'a' "b" '' '\n\x41\u0042\u{43}' '\0' '\01' '\8' '\u{110000}' '\xZ' "it's" 'open "open`.split(' '),
  ...['`a`', `\`${DOLLAR}{1}\``, `\`${DOLLAR}{`, '}`', '`\\u{1}`', '`\\u`', "'\\\n'", "'\u2028'", '`\r\n`'],
]
const REGEXES = String.raw`/a/ /[/]/g /(/ /a/gg /=/ /\// /[/ /a{1}/u`.split(' ')
const WORDS = (
  String.raw`a b x async get set of let yield eval arguments undefined \u0061b \u{62} i\u0066 ä 𝒜 if typeof class function this ` +
  'super null true false import import.meta new new.target await'
).split(' ')
const OPERANDS = [...NUMBERS, ...TEXTS, ...REGEXES, ...WORDS, '{r0}', '{r1}', '{r2}', '{r3}']
const SIGNS = (
  '+ - * / % ** == != === !== < <= > >= << >> >>> & | ^ && || ?? ! ~ ? : . ?. ?.[ ?.( , ; ( ) [ ] => = += **= ??= ||= ... ++ -- ` # @ \\ ' +
  'in instanceof typeof void delete <!-- --> // /* */ /**/'
).split(' ')
const SPACES = ['', '', '', ' ', ' ', '\n', '\u2028', '\u00a0', '\ufeff', '/* {r3} */', '// x\n']
// On one line a pair of braces is a reference.
const BRACES = ['{\n', '\n}', '({\n', '\n})', '{\na: 1,\n}', '({\nb,\n...{r0}\n})', '({\n[a]: 1\n})']

/** Short ones that parse, so that whole soups sometimes do. */
const PIECES = [
  'x => x',
  '(a, b) => a',
  '([a, , b]) => b',
  '(a = 1) => a',
  '(...a) => a',
  '() => 1',
  'async x => x',
  'async (x) => x',
  '(a, a) => 1',
  '(1) => 1',
  '((a)) => 1',
  'a.b',
  'a?.b.c',
  'a?.[0]',
  'a?.(1)',
  '(a?.b).c',
  'new Date(0)',
  'new a.b',
  'new (a)(1)',
  'f(1, ...a,)',
  'a`b`',
  '[1, , ...a, ]',
  'a ? b : c',
  'a ?? b',
  'a && b',
  '(a ?? b) || c',
  '-a',
  '(-a) ** 2',
  'a ** -b',
  'a++',
  '--b',
  '[a] = b',
  'a.b = c',
  '(a, b)',
]

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...OPERANDS) },
  { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
  { weight: 3, arbitrary: fc.constantFrom(...PIECES) },
  fc.constantFrom(...BRACES),
)
const space = fc.constantFrom(...SPACES)

export const soups: Source = fc
  .array(fc.tuple(piece, space), { minLength: 1, maxLength: 8 })
  .map(parts => parts.flat().join(''))

/** With some of it left out, doubled, or another thing put in. */
export function mutated(sources: Source): Source {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat({ max: 6 }),
    kind: fc.constantFrom('cut', 'cut off', 'double', 'put in', 'replace'),
    piece,
  })
  return fc.tuple(sources, fc.array(change, { minLength: 1, maxLength: 2 })).map(([source, changes]) => {
    let made = source
    for (const { at, length, kind, piece: other } of changes) {
      const from = Math.floor(at * made.length)
      const [before, part, behind] = [made.slice(0, from), made.slice(from, from + length), made.slice(from + length)]
      if (kind === 'cut') made = before + behind
      if (kind === 'cut off') made = before
      if (kind === 'double') made = before + part + part + behind
      if (kind === 'put in') made = before + other + part + behind
      if (kind === 'replace') made = before + other + behind
    }
    return made
  })
}

// Names as JavaScript spells them, and the words that cannot be one.

const START = String.raw`\p{ID_Start}$_`
const REST = String.raw`\p{ID_Continue}$\u200c\u200d`
const ESCAPED = String.raw`\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]{1,8}\})`

/** Escapes may stand in a name; what they mean is looked at afterwards. */
export const WORD = new RegExp(`(?:[${START}]|${ESCAPED})(?:[${REST}]|${ESCAPED})*`, 'uy')
const PLAIN_WORD = new RegExp(`^[${START}][${REST}]*$`, 'u')

export function isPlainWord(text: string): boolean {
  return PLAIN_WORD.test(text)
}

const RESERVED = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static ' +
    'super switch this throw true try typeof var void while with yield'
  ).split(' '),
)

export function isReserved(word: string): boolean {
  return RESERVED.has(word)
}

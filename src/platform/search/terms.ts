// Terms of the search index: a word under its organization and entity type, and a number that parts the many entities of a
// frequent word, so that a page deep in them is found as fast as the first. Terms lie in the order of words, and within a word in the
// order of entities. Pure.

/** Entities that share a number. */
const BLOCK = 4096
const NUMBER_LENGTH = 6
/** Comes before letters and digits, so that `shirt` lies before `shirts`. */
const PART = '.'
/** What stands behind the word. */
export const TAIL_LENGTH = PART.length + NUMBER_LENGTH
const LAST = '\u{10ffff}'

export function termPrefix(orgId: string, kind: string): string {
  // The index folds the case of ASCII letters. Organizations that fall together are kept apart where their entities are read.
  return `${orgId.toLowerCase()}${PART}${kind}${PART}`
}

/** What stands behind each word of an entity. */
export const termTail = (seq: number) =>
  PART +
  Math.floor(seq / BLOCK)
    .toString(36)
    .padStart(NUMBER_LENGTH, '0')

/** Of all words with a beginning. */
export function termsFrom(prefix: string, beginning: string): [low: string, high: string] {
  return [prefix + beginning, prefix + beginning + LAST]
}

/** Of one whole word. */
export function termsOfWord(prefix: string, word: string): [low: string, high: string] {
  return [prefix + word + PART, prefix + word + PART + LAST]
}

/** Words with a beginning, as bounds of which the second is not among them. */
export function wordsFrom(beginning: string): [from: string, to: string] {
  return [beginning, beginning + LAST]
}

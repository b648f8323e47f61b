// What other languages and word processors have, and is written otherwise here.

const STRAIGHT = 'write quotes that are straight'
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['and', 'write && for "and"'],
  ['or', 'write || for "or"'],
  [';', 'leave the semicolon out'],
  ...[...'“”„‘’‚«»'].map(quote => [quote, STRAIGHT] as const),
])

const WORD = /[a-z]+|./iuy

/** What to write for what stands there, where that is known. */
export function insteadOf(source: string, start: number): string {
  if (source.slice(start - 1, start + 1) === '<>') return '; write !== for <>'
  WORD.lastIndex = start
  const known = INSTEAD.get(WORD.exec(source)?.[0].toLowerCase() ?? '')
  return known === undefined ? '' : `; ${known}`
}

// Words that entities are found by (N50): of their texts, and of the query. Case and accents are folded away. What
// stands between spaces is found by each of its parts on: `AB-123/4` by `ab-1`, `ab123`, `123/4` and `4`. Scripts without spaces are
// taken two letters at a time. Pure.
import type { Kind } from '../kind.ts'
import { SEARCH_ENTITY_MAX_WORDS, SEARCH_MAX_WORDS, SEARCH_TEXT_MAX_LENGTH, SEARCH_WORD_MAX_LENGTH } from './limits.ts'

/** Counts up when these rules change: every index is then made anew. */
export const WORD_RULES = 2

/** Begins the word of a whole key; it comes before all letters and digits. */
const KEY = '+'

const ACCENTS = /[\u0300-\u036f]/g
/** Letters that have no accent to take off, but are written without theirs. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
}
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

export function folded(text: string): string {
  const plain = text.toLowerCase().normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFKC')
  // Compatibility forms may unfold to capitals.
  return plain.toLowerCase().replaceAll(SPECIAL, letter => PLAIN[letter] ?? letter)
}

const RUNS = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー`
const SCRIPTS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu')
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')

const cut = (word: string) =>
  word.length <= SEARCH_WORD_MAX_LENGTH ? word : [...word].slice(0, SEARCH_WORD_MAX_LENGTH).join('')

/** Parts of one chunk between spaces, those of unspaced scripts apart from the others. */
function* partsOf(chunk: string): Generator<{ unspaced?: string[]; runs?: string[] }> {
  let runs: string[] = []
  for (const run of chunk.match(RUNS) ?? []) {
    for (const part of run.match(SCRIPTS) ?? []) {
      if (!IS_UNSPACED.test(part)) {
        runs.push(part)
        continue
      }
      if (runs.length) yield { runs }
      runs = []
      yield { unspaced: [...part] }
    }
  }
  if (runs.length) yield { runs }
}

const chunksOf = (text: string) => folded(text).split(/\s+/u)

/** Parts of one chunk that words may begin at; a long address has many. */
const STARTS_MAX = 8

function* wordsOf(text: string): Generator<string> {
  for (const chunk of chunksOf(text.slice(0, SEARCH_TEXT_MAX_LENGTH))) {
    for (const { unspaced, runs = [] } of partsOf(chunk)) {
      if (unspaced) for (let at = 0; at < unspaced.length; at++) yield unspaced.slice(at, at + 2).join('')
      for (let at = 0; at < Math.min(runs.length, STARTS_MAX); at++) yield cut(runs.slice(at).join(''))
    }
  }
}

function keyOf(text: string): string | undefined {
  const whole = (folded(text).match(RUNS) ?? []).join('')
  return whole === '' ? undefined : KEY + [...whole].slice(0, 4 * SEARCH_WORD_MAX_LENGTH).join('')
}

const KEYS = ['federatedId', 'identifier']
const DATE = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/

const byLength = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1)

/** What entities of a type are found by: keys first, then the name, then every other text but ids, paths and dates. */
export function entityWords(kind: Kind, data: Readonly<Record<string, unknown>>): string[] {
  const words = new Set<string>()
  const add = (text: unknown) => {
    if (typeof text !== 'string' || words.size >= SEARCH_ENTITY_MAX_WORDS || DATE.test(text)) return
    for (const word of wordsOf(text)) {
      if (words.size >= SEARCH_ENTITY_MAX_WORDS) return
      words.add(word)
    }
  }
  for (const name of KEYS) {
    const text = data[name]
    const key = typeof text === 'string' ? keyOf(text) : undefined
    if (key) words.add(key)
  }
  const passed = new Set(['typePath', ...kind.references.map(({ field }) => field)])
  for (const name of [...KEYS, 'name']) {
    add(data[name])
    passed.add(name)
  }
  const texts = Object.entries(data).flatMap(([name, value]) => (passed.has(name) ? [] : value))
  // Short ones first, wherever they stand: where there are too many words, only long texts lose their ends.
  for (const text of texts.filter(each => typeof each === 'string').sort(byLength)) add(text)
  return [...words]
}

/** A query: beginnings of words, all of which an entity must have, or one whole key. */
export interface Sought {
  words: string[]
  key: string | undefined
}

export function soughtIn(text: string): Sought {
  const words = new Set<string>()
  for (const chunk of chunksOf(text)) {
    for (const { unspaced, runs = [] } of partsOf(chunk)) {
      if (unspaced?.length === 1) words.add(unspaced.join(''))
      if (unspaced) for (let at = 0; at + 1 < unspaced.length; at++) words.add(unspaced.slice(at, at + 2).join(''))
      if (runs.length) words.add(cut(runs.join('')))
    }
  }
  return { words: [...words].slice(0, SEARCH_MAX_WORDS), key: keyOf(text) }
}

import { describe, expect, it } from 'vitest'
import { kindNamed } from '../../../src/kinds.ts'
import {
  SEARCH_ENTITY_MAX_WORDS,
  SEARCH_MAX_WORDS,
  SEARCH_WORD_MAX_LENGTH,
} from '../../../src/platform/search/limits.ts'
import { termPrefix, termsFrom, termsOfWord, termTail } from '../../../src/platform/search/terms.ts'
import { entityWords, folded, soughtIn } from '../../../src/platform/search/words.ts'

const item = kindNamed('item')
const termOf = (prefix: string, word: string, seq: number) => prefix + word + termTail(seq)

/** Whether an entity with the text is found by the words. */
function finds(text: string, q: string): boolean {
  const words = entityWords(item, { name: text })
  return soughtIn(q).words.every(sought => words.some(word => word.startsWith(sought)))
}

describe('words', () => {
  it.each([
    ['Crème Brûlée', 'creme brulee'],
    ['ŁÓDŹ', 'lodz'],
    ['Straße', 'STRASSE'],
    ['İstanbul', 'istanbul'],
    ['ΣΊΣΥΦΟΣ', 'σισυφος'],
    ['Ｆｕｌｌ Ｗｉｄｔｈ', 'full width'],
    ['ﾃﾞﾆﾑ', 'デニム'],
    ['ﬁne ﬂannel', 'fine flannel'],
  ])('N50 fold case, accents and widths: %s is %s', (text, plain) => {
    expect(folded(text)).toBe(folded(plain))
    expect(finds(text, plain)).toBe(true)
  })

  it.each([
    ['AB-123/4', 'ab123'],
    ['AB-123/4', '123/4'],
    ['AB-123/4', 'ab-123/4'],
    ['AB-123/4', 'AB 4'],
    ['Linen shirt, navy', 'shi lin'],
    ['men/women:unisex', 'unisex'],
    ['棉质衬衫', '衬衫'],
    ['棉质衬衫', '棉质衬'],
    ['棉质衬衫', '衫'],
    ['T恤衫', 't恤'],
    ['デニムジャケット', 'ジャケット'],
    ['เสื้อเชิ้ต', 'เชิ้ต'],
    ['셔츠를', '셔츠'],
    ["l'été", 'ete'],
  ])('N50 %s is found by %s', (text, q) => expect(finds(text, q)).toBe(true))

  it.each([
    ['AB-123/4', '23'],
    ['Linen shirt', 'hirt'],
    ['Linen shirt', 'shirts'],
    ['棉质衬衫', '衬棉'],
    ['Linen', 'linen shirt'],
  ])('N50 %s is not found by %s', (text, q) => expect(finds(text, q)).toBe(false))

  it('N50 come of keys, name and texts, not of ids, paths, dates and numbers', () => {
    const words = entityWords(item, {
      typePath: 'item:shirt',
      itemFamilyId: 'Vn3KqJ8sW2xT0aLb',
      federatedId: 'LS-1',
      name: 'Polo',
      tags: ['Summer', 5],
      due: '2026-01-15',
      price: 49,
      nested: { text: 'hidden' },
    })
    expect(words).toEqual(['+ls1', 'ls1', '1', 'polo', 'summer'])
  })

  it('N50 come of short texts first, in whatever order they are stored', () => {
    const long = Array.from({ length: 300 }, (_, at) => `w${at}`).join(' ')
    const [color, tags] = ['zebra', ['yak', 'wool']]
    const words = entityWords(item, { long, tags, color })
    expect(words.slice(0, 3)).toEqual(['yak', 'wool', 'zebra'])
    expect(words).toHaveLength(SEARCH_ENTITY_MAX_WORDS)
    expect(entityWords(item, { color, tags, long })).toEqual(words)
  })

  it('N50 are bounded, whatever an entity holds', () => {
    const text = Array.from({ length: 5000 }, (_, at) => `w${at}`).join(' ')
    expect(entityWords(item, { federatedId: 'K', text })).toHaveLength(SEARCH_ENTITY_MAX_WORDS)
    const [, ...words] = entityWords(item, { identifier: '', federatedId: 'x'.repeat(512) })
    expect(words.map(word => word.length)).toEqual([SEARCH_WORD_MAX_LENGTH])
    expect(entityWords(item, { name: 'a-'.repeat(500) }).length).toBeLessThan(10)
    expect(soughtIn('a b '.repeat(1) + text.slice(0, 190)).words.length).toBeLessThanOrEqual(SEARCH_MAX_WORDS)
    expect(soughtIn(' -/. ')).toEqual({ words: [], key: undefined })
  })
})

describe('terms', () => {
  it('N50 lie in the order of words, and of entities within a word', () => {
    const prefix = termPrefix('Org-1', 'item')
    const terms = [
      termOf(prefix, '+shirt', 900_000),
      termOf(prefix, 'shirt', 1),
      termOf(prefix, 'shirt', 5000),
      termOf(prefix, 'shirt', 90_000_000_000),
      termOf(prefix, 'shirt0', 1),
      termOf(prefix, 'shirts', 1),
      termOf(prefix, 'shirté', 1),
    ]
    expect(terms.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(terms)
    const within = ([low, high]: [string, string]) => terms.filter(term => term >= low && term <= high).length
    expect(within(termsFrom(prefix, 'shirt'))).toBe(6)
    expect(within(termsOfWord(prefix, 'shirt'))).toBe(3)
    expect(within(termsOfWord(prefix, '+shirt'))).toBe(1)
  })
})

// Search (N50) as SQL: places in the index of words, in their order, and what an entity must hold to be found at one of them. The index
// may be behind, and has an entity at each of its words; the words of the entity decide. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { entities } from '../../platform/db/schema/entities.ts'
import { searchEntities, searchTerms } from '../../platform/db/schema/search.ts'
import { from, type Given, named, type Param } from '../../platform/db/sql.ts'
import { SEARCH_SCAN_MAX_ROWS } from '../../platform/search/limits.ts'
import { TAIL_LENGTH, termPrefix, termsFrom, termsOfWord, wordsFrom } from '../../platform/search/terms.ts'
import type { Sought } from '../../platform/search/words.ts'

type Values = Record<string, Param>

/** A stretch of the index: all entities of a type with a whole key, or with words of a beginning. */
interface Stretch {
  /** Its place in the order of stretches. */
  n: number
  /** Which of the words sought; -1: the whole key. */
  word: number
  kind: string
  prefix: string
  low: string
  high: string
  /** In the first term of the stretch, behind this entity. */
  after?: number
  from: string
  to: string
}

export interface SearchWalk {
  sought: Sought
  stretches: Stretch[]
}

const WHOLE_KEY = -1

/** What stands in a page key: the word that leads, the stretch, and the term that the page ended in. */
const PLACE = /^(-?\d+) (\d+) ([^ ]+)$/

/** Whole keys of all types come first, then words, type by type. Undefined: `after` is no place in this search. */
export function searchWalk(
  orgId: string,
  kinds: readonly string[],
  sought: Sought,
  after?: { value: string | number | null; seq: number },
): SearchWalk | undefined {
  const { key, words } = sought
  const stretch = (kind: string, at: number, word: number, text: string): Stretch => {
    const prefix = termPrefix(orgId, kind)
    const isKey = word === WHOLE_KEY
    const [low, high] = isKey ? termsOfWord(prefix, text) : termsFrom(prefix, text)
    const [from, to] = wordsFrom(text)
    return { n: isKey ? at : kinds.length + at, word, kind, prefix, low, high, from, to }
  }
  const keys = key === undefined ? [] : kinds.map((kind, at) => stretch(kind, at, WHOLE_KEY, key))
  const all = [...keys, ...words.flatMap((text, word) => kinds.map((kind, at) => stretch(kind, at, word, text)))]
  if (!after) return { sought, stretches: all }
  const [, word, n, term = ''] = PLACE.exec(String(after.value)) ?? []
  const leads = Number(word)
  const rest = all.filter(
    each => each.n >= Number(n) && (leads === WHOLE_KEY || each.word === leads || each.word === WHOLE_KEY),
  )
  const [first, ...others] = rest
  if (!first || first.n !== Number(n) || term < first.low || term > first.high) return undefined
  const resumed = rest.filter(each => each.n === first.n && each.word === leads)
  return {
    sought,
    stretches: [
      ...resumed.map(each => ({ ...each, low: term, after: after.seq })),
      ...others.filter(each => each.n !== first.n),
    ],
  }
}

export function searchValues({ sought, stretches }: SearchWalk): Values {
  return { ...soughtValues(sought), stretches: JSON.stringify(stretches) }
}

export function soughtValues({ key, words }: Sought): Values {
  return { key: key ?? null, words: JSON.stringify(words.map(wordsFrom)) }
}

export function searchKey({ stretches }: SearchWalk): string {
  return `search ${isOneWord(stretches)}`
}

const isOneWord = (stretches: readonly Stretch[]) =>
  new Set(stretches.map(({ word }) => word).filter(word => word >= 0)).size < 2

/** Places of a word that are counted, to see which word has the fewest. */
const COUNTED = sql.raw('1000')
const SCAN_MAX = sql.raw(String(SEARCH_SCAN_MAX_ROWS))

const v = searchTerms
const s = named(searchEntities, 's')
const x = named(entities, 'x')

const isIn = (stretch: SQL) => sql`${v.term} >= ${stretch}.value ->> 'low' AND ${v.term} <= ${stretch}.value ->> 'high'`

/** Places in the index: `seq`, `k`, `size`, and what `foundSql` needs to know. */
export function placesSql({ stretches }: SearchWalk, given: Given<Values>): SQL {
  const r = sql.raw('r')
  // The word with the fewest places leads; the others are looked for in the entities that it has.
  const places = sql`SELECT count(*) FROM (SELECT 1 FROM json_each(${given.stretches}) o CROSS JOIN ${v}
    WHERE o.value ->> 'word' = w.key AND ${isIn(sql.raw('o'))} LIMIT ${COUNTED})`
  const leads = isOneWord(stretches)
    ? sql``
    : sql`AND (r.value ->> 'word' < 0 OR r.value ->> 'word' = (
        SELECT w.key FROM json_each(${given.words}) w ORDER BY (${places}), w.key LIMIT 1))`
  return sql`SELECT ${v.doc} AS seq, (r.value ->> 'word') || ' ' || (r.value ->> 'n') || ' ' || ${v.term} AS k,
      coalesce((SELECT octet_length(${x.data}) FROM ${from(x)} WHERE ${x.seq} = ${v.doc} AND ${x.orgId} = ${given.orgId}), 0) AS size,
      substr(${v.term}, length(r.value ->> 'prefix') + 1, length(${v.term}) - length(r.value ->> 'prefix') - ${sql.raw(String(TAIL_LENGTH))}) AS word,
      r.value ->> 'kind' AS kind, r.value ->> 'word' < 0 AS "isKey", r.value ->> 'from' AS low, r.value ->> 'to' AS high
    FROM json_each(${given.stretches}) r CROSS JOIN ${v}
    WHERE ${isIn(r)} ${leads} AND NOT (${v.term} = r.value ->> 'low' AND ${v.doc} <= coalesce(r.value ->> 'after', -1))
    LIMIT ${SCAN_MAX}`
}

/** Each entity is found once: at its whole key, else at the first of its words with the beginning that leads. */
export function foundSql(given: Given<Values>): SQL {
  return sql`scanned.word = (SELECT min(w.value) FROM json_each(${s.words}) w
      WHERE w.value = ${given.key} OR (w.value >= scanned.low AND w.value < scanned.high))
    AND (scanned."isKey" OR ${hasAllWords(given)})`
}

const hasAllWords = ({ words }: Given<Values>) => sql`NOT EXISTS (SELECT 1 FROM json_each(${words}) b WHERE NOT EXISTS (
  SELECT 1 FROM json_each(${s.words}) w WHERE w.value >= b.value ->> 0 AND w.value < b.value ->> 1))`

const e = named(entities, 'e')

/** Whether the entity under the name `e` is found, where another order leads. */
export function soughtSql(given: Given<Values>): SQL {
  return sql`EXISTS (SELECT 1 FROM ${from(s)} WHERE ${s.seq} = ${e.seq} AND ${s.orgId} = ${e.orgId}
    AND (EXISTS (SELECT 1 FROM json_each(${s.words}) w WHERE w.value = ${given.key}) OR ${hasAllWords(given)}))`
}

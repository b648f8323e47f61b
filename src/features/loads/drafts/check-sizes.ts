// What an entity may hold altogether (N65): what its row says, with what is stored of it and what it has from its family.
import { jsonBytes } from '../../../platform/json-size.ts'
import { COMMON_NAMES } from '../../../platform/kind.ts'
import { ENTITY_MAX_BYTES, ENTITY_MAX_PROPERTIES, KB } from '../../../platform/limits.ts'
import { ownValue } from '../../../platform/own-value.ts'
import type { Issues } from '../issues.ts'
import { inheritedBy } from '../rows/effective-properties.ts'
import type { TypeSource } from '../rows/property.ts'
import type { Reading } from './chunk-reader.ts'
import type { Draft } from './draft.ts'
import { typePathOf } from './draft-data.ts'
import { type FamilyWords, wordsFrom, wordsIn } from './inherited-values.ts'
import type { Properties } from './row-values.ts'

interface Sized {
  key: string
  bytes: number
}

type Find = (keys: string[]) => Promise<ReadonlyMap<string, { data: Properties }>>

/** Large entities are held a few at a time. */
const AT_ONCE = 8
const OVERHEAD_BYTES = 200
/** Of a character in JSON, in quotes and behind a backslash. */
const CHARACTER_MAX_BYTES = 6

export async function checkSizes(
  drafts: readonly Draft[],
  { claims }: Pick<Reading, 'claims'>,
  stored: readonly Sized[],
  types: TypeSource,
  issues: Issues,
  find: Find,
): Promise<void> {
  const bytesOf = new Map(stored.map(({ key, bytes }) => [key, bytes]))
  const known = new Map<string, number>()
  const suspects = drafts.filter(draft => {
    checkCount(draft, issues)
    const { target, key, family, set } = draft
    const own = charactersIn(set) * CHARACTER_MAX_BYTES
    const before = target.home === undefined ? (bytesOf.get(key) ?? 0) : 0
    return own + before + (family === undefined ? 0 : ofFamily(family)) + OVERHEAD_BYTES > ENTITY_MAX_BYTES
  })
  for (let from = 0; from < suspects.length; from += AT_ONCE) {
    const some = suspects.slice(from, from + AT_ONCE)
    const main = some.filter(({ target }) => target.home === undefined)
    const keys = main.flatMap(({ key, family }) => [key, family ?? key])
    const found = keys.length > 0 ? await find([...new Set(keys)]) : new Map()
    const dataOf = (key: string): Properties => found.get(key)?.data ?? {}
    for (const draft of some) {
      const isPart = draft.target.home !== undefined
      const whole = isPart ? { ...draft.make, ...draft.set } : wholeOf(draft, dataOf, wordsFor(draft), types)
      if (jsonBytes(whole) + OVERHEAD_BYTES > ENTITY_MAX_BYTES) tellOf(draft, whole, issues)
    }
  }

  /** At most as much as an option may have from its family. */
  function ofFamily(key: string): number {
    const told = known.get(key) ?? claimedFor(key)
    known.set(key, told)
    return told + (bytesOf.get(key) ?? 0)
  }

  function claimedFor(key: string): number {
    const held = claims.held('item', key)
    if (!held) return 0
    return wordsFrom(held).reduce((sum, values) => sum + charactersIn(values), 0) * CHARACTER_MAX_BYTES
  }

  function wordsFor({ target, family = '' }: Draft): FamilyWords | undefined {
    const held = claims.held('item', family)
    return held && wordsIn(held, target)
  }
}

function wholeOf(
  draft: Draft,
  dataOf: (key: string) => Properties,
  words: FamilyWords | undefined,
  types: TypeSource,
): Properties {
  const { key, family, make, set } = draft
  const data = dataOf(key)
  if (family === undefined) return { ...make, ...data, ...set }
  const said: Properties = { ...dataOf(family), ...words?.fixed, ...words?.loose }
  const inherited = inheritedBy(types, typePathOf(draft, data.typePath, said.typePath))
  const own: Properties = { ...data, ...set }
  // What it overrides it has of its own, unless that is empty.
  const given = inherited.map(({ slug, isFixed }): [string, unknown] => [
    slug,
    (isFixed ? undefined : ownValue(own, slug)) ?? ownValue(said, slug),
  ])
  return { ...make, ...own, ...Object.fromEntries(given) }
}

function tellOf({ set, line }: Draft, whole: Properties, issues: Issues): void {
  const columns = Object.keys(set).filter(name => set[name] !== null)
  const names = columns.length > 0 ? columns : Object.keys(whole)
  const [largest = ''] = names.sort((a, b) => lengthOf(whole[b]) - lengthOf(whole[a]))
  const message = `The row makes an entity of more than ${ENTITY_MAX_BYTES / KB} KB; its largest value, in ${largest}, has ${lengthOf(whole[largest])} characters.`
  issues.error(line, largest, 'INVALID_DATA', message)
}

function checkCount({ set, make, line }: Draft, issues: Issues): void {
  let count = 0
  for (const _ in set) count++
  if (count <= ENTITY_MAX_PROPERTIES - 10) return
  const all = new Set([...Object.keys(make), ...Object.keys(set)])
  for (const name of COMMON_NAMES) all.delete(name)
  if (all.size <= ENTITY_MAX_PROPERTIES) return
  const message = `The row makes an entity of ${all.size} properties; at most ${ENTITY_MAX_PROPERTIES} are allowed.`
  issues.error(line, null, 'INVALID_DATA', message)
}

function charactersIn(values: Properties): number {
  let sum = 0
  for (const slug in values) sum += slug.length + lengthOf(values[slug])
  return sum
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 16
}

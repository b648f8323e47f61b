// A row that gives a stored entity another type path answers for what is stored as well (N67), as an update of the API does.
import { pointerParts } from '../../../platform/errors.ts'
import { kindNamed } from '../../../platform/kind.ts'
import { LOAD_CHUNK_MAX_OWED } from '../../../platform/limits.ts'
import { ownValue } from '../../../platform/own-value.ts'
import { faultsOf, referencesOf } from '../../types/fit.ts'
import type { LoadScope } from '../checkpoint.ts'
import type { PutAway } from '../drafts/check-drafts.ts'
import type { Reading } from '../drafts/chunk-reader.ts'
import { type Draft, draftKey } from '../drafts/draft.ts'
import { isSame, wordsIn } from '../drafts/inherited-values.ts'
import type { Owed } from '../drafts/owed.ts'
import type { Properties } from '../drafts/row-values.ts'
import type { Issues } from '../issues.ts'
import { definitionsOf } from '../rows/effective-properties.ts'
import type { TypeSource } from '../rows/property.ts'
import { findByKey, findReferenced, typePathsOf } from '../store/existing.ts'

/** As the API says it. */
const NO_ENTITY = 'There is no such entity to refer to.'

/** Entities of some types are other entities under another type path. */
function mayMove({ target, set: { typePath } }: Draft, types: TypeSource): boolean {
  if (typeof typePath !== 'string' || target.home !== undefined) return false
  return types(typePath).length > 0 && kindNamed(target.name).federatedScope === 'kind'
}

export async function checkMoves(
  { db, org }: LoadScope,
  drafts: readonly Draft[],
  { claims, items }: Pick<Reading, 'claims' | 'items'>,
  types: TypeSource,
  issues: Issues,
  isExport: boolean,
  putAway: PutAway,
): Promise<Owed[]> {
  const named = drafts.filter(draft => mayMove(draft, types))
  const [first] = named
  if (!first) return []
  const root = first.target.name
  const keys = [...new Set(named.map(({ key }) => key))]
  const paths = await typePathsOf(db, org.id, root, keys)
  const moved = named.filter(({ key, set }) => paths.has(key) && paths.get(key) !== set.typePath)
  if (moved.length === 0) return []
  const families = moved.flatMap(({ family }) => family ?? [])
  const stored = await findByKey(db, org.id, root, [...new Set([...moved.map(({ key }) => key), ...families])])
  const typed = moved.map(draft => {
    const data = stored.get(draft.key)?.data ?? {}
    const definitions = definitionsOf(types(String(draft.set.typePath)))
    return { draft, data, definitions, references: referencesOf(definitions, { ...data, ...draft.set }) }
  })
  const ids = new Set(typed.flatMap(({ references }) => references.map(({ id }) => id)))
  const there = ids.size > 0 ? await findReferenced(db, org.id, [...ids], []) : new Map()
  const lastLine = items.at(-1)?.line ?? 0
  const owed: Owed[] = []
  for (const { draft, data, definitions, references } of typed) {
    const { key, family, line, set } = draft
    const typePath = String(set.typePath)
    const parent = family === undefined ? {} : (stored.get(family)?.data ?? {})
    const strays = references.flatMap(({ pointer, id }) =>
      there.has(id) ? [] : { path: `/${pointer}`, message: NO_ENTITY },
    )
    for (const { path, message } of [...faultsOf(definitions, { ...data, ...set }, true), ...strays]) {
      const [slug = ''] = pointerParts(path)
      const place = { draft, slug, level: definitions.get(slug)?.level, data, parent, claims, isExport, lastLine }
      // What the row itself says has been looked at, save for an option's empty cell, which stands for what its family has.
      if (Object.hasOwn(set, slug) && !follows(place)) continue
      if (comesFromElsewhere(place)) continue
      const what = `${key} becomes ${typePath}, which what is stored of it under ${slug} does not fit: ${message}`
      const advice = `${what} Load a value for ${slug} too, or keep the type path.`
      const rest = toBeSaid(place)
      const fault = { column: 'typePath', issueType: 'INVALID_DATA' } as const
      if (rest && owed.length < LOAD_CHUNK_MAX_OWED) owed.push({ line, slug, message: advice, fault, ...rest })
      else issues.error(line, fault.column, fault.issueType, advice)
    }
    await putAway()
  }
  return owed
}

interface Place {
  draft: Draft
  slug: string
  level: unknown
  /** What is stored of the entity. */
  data: Properties
  /** What is stored of its family. */
  parent: Properties
  claims: Reading['claims']
  isExport: boolean
  /** Of the chunk. */
  lastLine: number
}

/** Whether an option has what its family has (N32). */
function follows({ draft: { family, set }, slug, level, data, parent }: Place): boolean {
  if (family === undefined || level !== 'override') return false
  if (Object.hasOwn(set, slug)) return set[slug] === null
  return !Object.hasOwn(data, slug) || isSame(data[slug], ownValue(parent, slug))
}

/** What an option gets from its family when it is written, and what a family has no place for (N32). */
function comesFromElsewhere(place: Place): boolean {
  const { draft, slug, level, data, parent, claims } = place
  const { family, target, set, movedFrom } = draft
  if (family === undefined) return level === 'option' && !Object.hasOwn(data, slug)
  const isStored = (Object.hasOwn(set, slug) || movedFrom !== undefined) && ownValue(parent, slug) != null
  const held = claims.held('item', family)
  const words = held && wordsIn(held, target)
  if (level === 'family') return (words && ownValue(words.fixed, slug)) != null || isStored
  return follows(place) && ((words && ownValue(words.loose, slug)) != null || isStored)
}

/** By a family's own row, which stands in a later chunk, if anywhere: of the family itself, or of what its options have from it. */
function toBeSaid(place: Place): Pick<Owed, 'space' | 'family' | 'asks'> | undefined {
  const { draft, claims, lastLine } = place
  const { target, key, family = key } = draft
  const held = target.hasFamilies ? claims.held('item', family) : undefined
  // A chunk that is read again knows of rows after it.
  if (!held || (held.ownLine !== null && held.ownLine <= lastLine)) return undefined
  if (draft.family === undefined) return { space: 'late', family: draftKey(draft) }
  const isLeftOpen = place.isExport && place.level === 'family'
  return follows(place) || isLeftOpen ? { space: 'item', family, asks: target.name } : undefined
}

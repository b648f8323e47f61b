// What can only be said of drafts with a look at what exists: modes (N27), and required properties of new entities.
import { kindNamed } from '../../../platform/kind.ts'
import { LOAD_CHUNK_MAX_OWED } from '../../../platform/limits.ts'
import { ownValue } from '../../../platform/own-value.ts'
import type { LoaderConfiguration } from '../contract.ts'
import type { Issues } from '../issues.ts'
import type { Property, TypeSource } from '../rows/property.ts'
import { isExport } from '../rows/unchanged-cells.ts'
import { isPartial } from './assortment-split.ts'
import type { Reading } from './chunk-reader.ts'
import { type Claim, memberKey } from './claims.ts'
import { type Draft, draftKey } from './draft.ts'
import { typePathOf } from './draft-data.ts'
import { wordsIn } from './inherited-values.ts'
import { typePathTold } from './item-claims.ts'
import type { Owed } from './owed.ts'
import type { Properties } from './row-values.ts'

/** Of drafts of project and assortment items. */
export interface StoredParts {
  /** Those that are stored already. */
  drafts: ReadonlySet<Draft>
  /** What is stored of the families of others, in the same project or assortment. */
  families: ReadonlyMap<Draft, Properties>
}

/** Issues, where they have become many: each draft may have as many as its type has properties. */
export type PutAway = () => Promise<void> | undefined

interface Help {
  find(scope: string, keys: string[]): Promise<ReadonlyMap<string, { data: Properties }>>
  findParts(drafts: readonly Draft[]): Promise<StoredParts>
  putAway: PutAway
}

interface Lacking {
  draft: Draft
  properties: readonly Property[]
}

/** Within which the federatedId of a draft is that of one entity. */
export function scopeOf(draft: Draft): string {
  const { name } = draft.target
  return kindNamed(name).federatedScope === 'kind' ? name : typePathOf(draft)
}

export async function checkDrafts(
  drafts: readonly Draft[],
  reading: Pick<Reading, 'subjects' | 'claims' | 'lateOwn'>,
  configuration: LoaderConfiguration,
  types: TypeSource,
  issues: Issues,
  { find, findParts, putAway }: Help,
): Promise<Owed[]> {
  const { mode = 'upsert' } = configuration
  const inExport = isExport(configuration)
  const required = requiredBy(types)
  const described = [...drafts, ...reading.lateOwn]
  // Most loads have nothing to ask for.
  if (mode === 'upsert' && !described.some(draft => required(typePathOf(draft)).length > 0)) return []
  const { subjects } = reading
  const isSubject = new Set(subjects.map(({ key }) => key))
  const lacking = lackingAmong(described, reading, isSubject, required)
  const families = mode === 'update' ? drafts.filter(draft => isFamily(draft) && !isSubject.has(draft.key)) : []
  const asked = new Set([
    ...(mode === 'upsert' ? [] : isSubject),
    ...families.map(({ key }) => key),
    ...lacking.flatMap(({ draft: { key, family } }) => (family === undefined ? [key] : [key, family])),
  ])
  const first = described.find(({ target }) => target.home === undefined) ?? described[0]
  // A load has one scope: of custom entities it takes one type only.
  if (!first || asked.size === 0) return []
  const existing = await find(scopeOf(first), [...asked])
  const brought = families.map(({ key, line }) => ({ key, line, column: 'itemFamilyFederatedId' }))
  for (const { key, line, column } of mode === 'upsert' ? [] : [...subjects, ...brought]) {
    if (existing.has(key) === (mode === 'update')) continue
    const message =
      mode === 'create'
        ? `${key} exists already, and the mode is create. Take the row out, or load with mode upsert.`
        : `${key} does not exist, and the mode is update. Take the row out, or load with mode upsert.`
    issues.error(line, column, 'VALIDATION_ERROR', message)
  }
  const parts = lacking.map(({ draft }) => draft).filter(({ target }) => target.home !== undefined)
  const stored = parts.length > 0 ? await findParts(parts) : undefined
  const owed: Owed[] = []
  for (const { draft, properties } of lacking) {
    const { key, family, line, target, movedFrom } = draft
    const isStored = target.home === undefined ? existing.has(key) : stored?.drafts.has(draft)
    const isPart = target.home !== undefined
    const parent = isPart ? stored?.families.get(draft) : existing.get(family ?? '')?.data
    for (const { slug, level } of properties) {
      // What is stored already is asked for what its row empties, and for what it has from its family, where that is another one.
      const isLost = Object.hasOwn(draft.set, slug) || (movedFrom !== undefined && level === 'family')
      if (isStored && !isLost) continue
      const whose = isPart ? `The ${target.name} of ${key}` : key
      const why = isStored ? 'would be left without one' : 'is new'
      const message = `${whose} ${why}, and its type requires a value for ${slug}.`
      const isInherited = family !== undefined && (level === 'family' || level === 'override')
      if (isInherited && parent && ownValue(parent, slug) != null && wordOf(reading.claims, draft, slug) !== null)
        continue
      // A family that is new answers for what it has to have, on a row of its own also for what its options override.
      const answers = isInherited && !parent && answersFor(draft, family, slug)
      if (answers && (level === 'family' || hasOwnRow(reading.claims, draft, family))) continue
      if (mayFollow(draft) && owed.length < LOAD_CHUNK_MAX_OWED) {
        owed.push({ line, slug, message, space: 'late', family: draftKey(draft) })
      } else if (!isInherited || (level === 'family' && !inExport) || owed.length >= LOAD_CHUNK_MAX_OWED)
        issues.error(line, slug, 'MISSING_DATA', message)
      else owed.push({ line, slug, message, ...placeOfFamily(draft, family), ...(!answers && { asks: target.name }) })
    }
    await putAway()
  }
  return owed

  /** In an export a family's own row may come after those of its options (N51). */
  function mayFollow({ key, family }: Draft): boolean {
    return inExport && family === undefined && !isSubject.has(key)
  }

  /** Nobody asks a family whose membership depends on other rows, or whose type does not know of it. */
  function answersFor({ target: { home, name } }: Draft, family: string, slug: string): boolean {
    if (home === 'assortmentId') return !isPartial(configuration)
    if (home !== undefined) return true
    const claim = reading.claims.held('item', family)
    return required((claim && typePathTold(claim)) ?? name).some(property => property.slug === slug)
  }
}

function placeOfFamily({ assortmentId }: Draft, family: string): Pick<Owed, 'space' | 'family'> {
  if (assortmentId === undefined) return { space: 'item', family }
  return { space: 'member', family: memberKey(assortmentId, family) }
}

const isFamily = ({ target, family }: Draft) => target.home === undefined && target.hasFamilies && family === undefined

/** Entities that would lack what their types require, if they are new. */
function lackingAmong(
  drafts: readonly Draft[],
  { claims }: Pick<Reading, 'claims'>,
  isSubject: ReadonlySet<string>,
  required: TypeSource,
): Lacking[] {
  return drafts.flatMap(draft => {
    const needed = required(typePathOf(draft))
    if (needed.length === 0 || draft.membership === 'keep') return []
    const properties = missing(draft, !isSubject.has(draft.key), needed, slug => wordOf(claims, draft, slug) != null)
    return properties.length > 0 ? [{ draft, properties }] : []
  })
}

function claimOfFamily(claims: Reading['claims'], draft: Draft, key: string): Claim | undefined {
  const { space, family } = placeOfFamily(draft, key)
  return claims.held(space, family)
}

function hasOwnRow(claims: Reading['claims'], draft: Draft, family: string): boolean {
  const held = claimOfFamily(claims, draft, family)
  return held !== undefined && held.ownLine !== null
}

/** What the file says of the option's family, as far as it is read; null: it has none any more. */
function wordOf(claims: Reading['claims'], draft: Draft, slug: string): unknown {
  const held = claimOfFamily(claims, draft, draft.family ?? '')
  const words = held && wordsIn(held, draft.target)
  const fixed = words && ownValue(words.fixed, slug)
  return fixed === undefined ? words && ownValue(words.loose, slug) : fixed
}

/** The required properties of each type path; most have none. Paths that share their properties share these. */
function requiredBy(types: TypeSource): TypeSource {
  const known = new Map<readonly Property[], readonly Property[]>()
  return typePath => {
    const all = types(typePath)
    const made = known.get(all) ?? all.filter(({ required, archived }) => required && !archived)
    known.set(all, made)
    return made
  }
}

function missing(
  draft: Draft,
  isImplied: boolean,
  required: readonly Property[],
  isToldOf: (slug: string) => boolean,
): Property[] {
  const isOption = draft.family !== undefined
  const isOwed = ({ level, slug }: Property) => {
    if (isImplied) return level === 'family'
    if (!isOption) return level !== 'option'
    return level === 'option' || level === 'all' || !isToldOf(slug)
  }
  // What a cell leaves empty has been told of, save for an option's, which then has what its family has.
  const isSaid = ({ slug, level }: Property) =>
    isOption && level === 'override' ? draft.set[slug] != null : Object.hasOwn(draft.set, slug)
  return required.filter(property => !isSaid(property) && !Object.hasOwn(draft.make, property.slug) && isOwed(property))
}

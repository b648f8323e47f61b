// What options have from their families (N32). Level `family`: whatever the family has. Level `override`: what the family has, as
// long as the option has nothing of its own; an option that has the same value as its family has not overridden it. Pure.
import { canonical } from '../../../platform/canonical.ts'
import { ownValue } from '../../../platform/own-value.ts'
import type { Inherited } from '../rows/property.ts'
import type { LoadTarget } from '../targets.ts'
import type { Claim } from './claims.ts'
import { ownSharedIn, sharedIn, typePathTold } from './item-claims.ts'
import type { Properties } from './row-values.ts'

/** Where a claim lists the values: those of the item first, then those of its project item. */
export function placeOf({ home }: LoadTarget): number {
  return home === 'projectId' ? 1 : 0
}

/** What the file says of a family that its options may get as well. */
export interface FamilyWords {
  typePath?: string | undefined
  fixed: Properties
  loose: Properties
}

export function wordsIn(claim: Pick<Claim, 'shared' | 'ownShared'>, target: LoadTarget): FamilyWords {
  const place = placeOf(target)
  const { fixed = [], loose = [] } = sharedIn(claim)
  const { ownLoose = [], said } = ownSharedIn(claim)
  const words: Properties = { ...ownLoose[place] }
  for (const [slug, value] of Object.entries({ ...said?.loose?.[place], ...loose[place] })) {
    if (value !== null || !Object.hasOwn(words, slug)) words[slug] = value
  }
  return { typePath: typePathTold(claim), fixed: { ...said?.fixed?.[place], ...fixed[place] }, loose: words }
}

/** Whether any row says anything that must be copied down. */
export function isInherited({ shared, ownShared }: Pick<Claim, 'shared' | 'ownShared'>): boolean {
  return shared !== '' && wordsFrom({ shared, ownShared }).some(values => Object.keys(values).length > 0)
}

/** All that its rows say of the family, whichever of them holds. */
export function wordsFrom({ shared, ownShared }: Pick<Claim, 'shared' | 'ownShared'>): Properties[] {
  const { ownLoose = [], said } = ownSharedIn({ ownShared })
  return [sharedIn({ shared }), said ?? {}, { loose: ownLoose }].flatMap(({ fixed = [], loose = [] }) => [
    ...fixed,
    ...loose,
  ])
}

export interface Lineage {
  /** What the file says of the family. */
  words: FamilyWords | undefined
  /** The family as it is stored, before the load changes it; undefined where it is new. */
  family: Properties | undefined
  /** The option as it is stored; undefined where it is new. */
  option: Properties | undefined
  /** The family that it has had so far, where that is another one. */
  previous?: Properties | undefined
  hasMoved?: boolean
  /** What options have from families of its type, where that is not the option's: the rest, and what does not fit, is not for this one. */
  ofFamily?: readonly Inherited[] | undefined
  /** Whether the file is an export: what it says as it is stored already says nothing (N51). */
  isExport: boolean
}

/** What an option gets besides what its own row says (`said`); null clears. */
export function inheritedValues(inherited: readonly Inherited[], said: Properties, lineage: Lineage): Properties {
  const values: Properties = {}
  const { words, family = {}, option, hasMoved = false, ofFamily } = lineage
  const previous = hasMoved ? lineage.previous : family
  const stored = lineage.isExport ? option : undefined
  for (const { slug, isFixed, fits } of inherited) {
    const told = words && ownValue(isFixed ? words.fixed : words.loose, slug)
    const isTold = told !== undefined && !(stored && isSame(told, ownValue(family, slug)))
    const word = ownValue(said, slug)
    const isEmptyStill = word === null && stored !== undefined && isSame(word, ownValue(stored, slug))
    const own = isFixed || isEmptyStill ? undefined : word
    const mayChange = !option || isTold || hasMoved
    const follows = isFixed
      ? mayChange
      : own === null || (own === undefined && mayChange && (!option || hasNoneOfItsOwn(option, previous, slug)))
    if (!follows) continue
    const isHeld = !ofFamily || ofFamily.some(other => other.slug === slug && other.isFixed === isFixed)
    const value = isTold ? told : ((isHeld ? ownValue(family, slug) : null) ?? null)
    if (!ofFamily || fits(value)) values[slug] = value
  }
  return values
}

export const isSame = (a: unknown, b: unknown) =>
  JSON.stringify(canonical(a ?? null)) === JSON.stringify(canonical(b ?? null))

function hasNoneOfItsOwn(option: Properties, family: Properties | undefined, slug: string): boolean {
  const held = ownValue(option, slug)
  return held === undefined || isSame(held, ownValue(family ?? {}, slug))
}

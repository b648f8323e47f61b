// What the rows of one family say of it (N32): its first row holds, and its own first row adds what only a family's row can
// say, in an export also what the first one leaves open (N51). What neither takes is told of. Pure.
import type { Issues } from '../issues.ts'
import type { Claim } from './claims.ts'
import type { FamilyWords } from './inherited-values.ts'
import {
  familyHash,
  memberHash,
  memberShared,
  ownSharedIn,
  type Shared,
  sharedIn,
  sharedOf,
  typeOfFamily,
  type Ways,
} from './item-claims.ts'
import type { ItemRow } from './item-rows.ts'
import type { Properties, TargetValues } from './row-values.ts'

export function familyFields(row: ItemRow, isExport: boolean): Properties {
  const { name, familyKey } = row
  const typePath = typeOfFamily(row, isExport)
  const fields: Properties = {}
  if (typePath !== undefined) fields.typePath = typePath
  if (name !== undefined) fields.name = name || familyKey
  return fields
}

/** What the family's first row says of an override goes first. */
export function addOwnWords(words: Properties, { own, ownLoose }: TargetValues, { loose }: FamilyWords): void {
  Object.assign(words, own)
  for (const slug in ownLoose) {
    if (!Object.hasOwn(loose, slug) || loose[slug] === null) words[slug] = ownLoose[slug]
  }
}

/** In an export the row of an option, which may come first, leaves its family to the family's own row (N51). */
export function addLeftOpen(
  words: Properties,
  row: ItemRow,
  values: TargetValues,
  first: FamilyWords & { name?: string },
): void {
  const { fixed, loose, ownLoose, target } = values
  const fields = target.home === undefined ? familyFields(row, true) : {}
  const whole = Object.entries(loose).filter(([slug, value]) => value !== null || !Object.hasOwn(ownLoose, slug))
  Object.assign(words, leftOpen(fields, first), leftOpen(fixed, first.fixed))
  Object.assign(words, leftOpen(Object.fromEntries(whole), first.loose))
}

const leftOpen = (said: Properties, first: object): Properties =>
  Object.fromEntries(Object.entries(said).filter(([slug]) => !Object.hasOwn(first, slug)))

/** What a row says of a family, and what the family's own rows are measured by. */
interface Words {
  shared(row: ItemRow): Shared
  hash(row: ItemRow): string
}

export const itemWords = ({ isExport }: Ways): Words => ({
  shared: row => sharedOf(row, isExport),
  hash: familyHash,
})

export const memberWords = (values: TargetValues): Words => ({
  shared: () => memberShared(values),
  hash: () => memberHash(values),
})

/** The first row of a family holds, and so does the first of its own rows. */
export function warnOfDifferences(row: ItemRow, family: Claim, words: Words, issues: Issues): void {
  const shared = family.line === row.line ? undefined : words.shared(row)
  if (shared && JSON.stringify(sharedIn(family)) !== JSON.stringify(shared)) {
    const first = flat(sharedIn(family))
    const { said } = ownSharedIn(family)
    const joined = said ? flat(said) : undefined
    const isJoining = joined !== undefined && family.ownLine === row.line
    const warn = (has: string, line: number | null, slugs: string[]) => {
      if (slugs.length === 0) return
      const message = `The family ${row.familyKey} has ${has} ${slugs.join(', ')} on line ${line}, which holds.`
      issues.warn(row.line, slugs[0] ?? null, 'VALIDATION_ERROR', message)
    }
    const told = Object.entries(flat(shared))
    const differing = (by: Properties) =>
      told.flatMap(([slug, value]) =>
        Object.hasOwn(by, slug) && JSON.stringify(by[slug]) !== JSON.stringify(value) ? [slug] : [],
      )
    warn('another', family.line, differing(first))
    const isLeftOpen = (slug: string) => !Object.hasOwn(first, slug)
    if (joined && !isJoining) warn('another', family.ownLine, differing(joined).filter(isLeftOpen))
    // A conditional column may have said nothing there.
    const isNew = ([slug, value]: [string, unknown]) =>
      value !== null && isLeftOpen(slug) && !(joined && Object.hasOwn(joined, slug))
    if (!isJoining)
      warn(
        'no',
        family.line,
        told.filter(isNew).map(([slug]) => slug),
      )
  }
  if (row.optionKey !== undefined || family.ownLine === row.line) return
  if (family.hash() !== words.hash(row)) {
    const message = `The family ${row.familyKey} is described differently on line ${family.ownLine}, which holds.`
    issues.warn(row.line, null, 'VALIDATION_ERROR', message)
  }
}

function flat({ fixed = [], loose = [], ...own }: Shared): Properties {
  return Object.assign({}, own, ...fixed, ...loose)
}

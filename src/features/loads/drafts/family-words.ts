// What the rows of one family say of it (N32): its first row holds, and its own first row adds what only a family's row can
// say, in an export also what the first one leaves open (N51). What neither takes is told of. Pure.
import type { Issues } from '../issues.ts'
import type { Claim } from './claims.ts'
import type { FamilyWords } from './inherited-values.ts'
import { familyHash, memberHash, memberShared, type Shared, sharedIn, sharedOf, type Ways } from './item-claims.ts'
import type { ItemRow } from './item-rows.ts'
import type { Properties, TargetValues } from './row-values.ts'

export function familyFields({ name, typePath, familyKey }: ItemRow): Properties {
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
  const fields = values.target.home === undefined ? familyFields(row) : {}
  if (!isReadAsNamed(row)) delete fields.typePath
  Object.assign(words, leftOpen(fields, first))
  Object.assign(words, leftOpen(values.fixed, first.fixed), leftOpen(values.loose, first.loose))
}

const isReadAsNamed = ({ fallback }: ItemRow) => fallback === undefined

const leftOpen = (said: Properties, first: object): Properties =>
  Object.fromEntries(Object.entries(said).filter(([slug]) => !Object.hasOwn(first, slug)))

/** What a row says of a family, and what the family's own rows are measured by. */
interface Words {
  shared(row: ItemRow): Shared
  hash(row: ItemRow): string
}

export const ITEM_WORDS: Words = { shared: sharedOf, hash: familyHash }

export const memberWords = (values: TargetValues): Words => ({
  shared: () => memberShared(values),
  hash: () => memberHash(values),
})

/** The first row of a family holds, and so does the first of its own rows. */
export function warnOfDifferences(row: ItemRow, family: Claim, words: Words, { isExport }: Ways, issues: Issues): void {
  const shared = family.line === row.line ? undefined : words.shared(row)
  if (shared && JSON.stringify(sharedIn(family)) !== JSON.stringify(shared)) {
    const first = flat(sharedIn(family))
    const said = Object.entries(flat(shared)).filter(
      ([key, value]) => JSON.stringify(first[key]) !== JSON.stringify(value),
    )
    const warn = (has: string, slugs: string[]) => {
      if (slugs.length === 0) return
      const message = `The family ${row.familyKey} has ${has} ${slugs.join(', ')} on line ${family.line}, which holds.`
      issues.warn(row.line, slugs[0] ?? null, 'VALIDATION_ERROR', message)
    }
    warn(
      'another',
      said.flatMap(([slug]) => (Object.hasOwn(first, slug) ? [slug] : [])),
    )
    const joins = (slug: string) =>
      isExport && family.ownLine === row.line && (slug !== 'typePath' || isReadAsNamed(row))
    // A conditional column may have said nothing there.
    warn(
      'no',
      said.flatMap(([slug, value]) => (Object.hasOwn(first, slug) || value === null || joins(slug) ? [] : [slug])),
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

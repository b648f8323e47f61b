// What a row of an ITEM load claims (N32): to speak for its family, to be the one row of its option, to stand in an assortment.

import { Hash } from '../rows/hash.ts'
import { isMember } from '../targets.ts'
import { type Claim, type Claims, keptIn, memberKey, plainClaim } from './claims.ts'
import type { ItemRow } from './item-rows.ts'
import { isNone, type Properties, type TargetValues } from './row-values.ts'

/** What a row says of its family, and what later rows are measured by. Most rows say no more than a name. */
export interface Shared {
  name?: string
  typePath?: string
  fixed?: Properties[]
  loose?: Properties[]
}

/** What the family's own row says for its options. */
export interface OwnShared {
  ownLoose?: Properties[]
  /** In an export (N51): all that it says, where another row is the first one. */
  said?: Shared | null
}

/** How a load reads its rows. */
export interface Ways {
  hasSplit: boolean
  isExport: boolean
}

export function claimItem(row: ItemRow, claims: Claims, ways: Ways): void {
  const { line, values, familyKey, optionKey } = row
  const { hasSplit, isExport } = ways
  const isOwn = optionKey === undefined
  claims.claim({
    space: 'item',
    key: familyKey,
    role: 'family',
    line,
    shared: sharedOf(row, isExport),
    ownLine: isOwn ? line : null,
    ownShared: isOwn ? ownSharedOf(values, isExport) : '',
    hash: () => (isOwn ? familyHash(row) : ''),
  })
  // Where rows go to several assortments, an option may stand on several.
  if (!isOwn)
    claims.claim({ ...plainClaim('item', optionKey, line, hasSplit ? [familyKey] : ''), hash: () => optionHash(row) })
  if (hasSplit) claimMember(row, claims, isExport)
}

/** A family of one row, which says nothing for options. */
export function isPlainFamily(claim: Claim): boolean {
  const { fixed, loose } = sharedIn(claim)
  return claim.ownLine === claim.line && !ownSharedIn(claim).ownLoose && fixed === undefined && loose === undefined
}

/** The family that an option is made with, where its row may not be the only one. */
export function familyHeld({ shared }: Claim): string | undefined {
  return Array.isArray(shared) ? String(shared[0]) : undefined
}

/** Where the item's claims are settled: another row that describes it says nothing of its identifier. */
export function claimIdentifier(row: ItemRow, claims: Claims): void {
  const { line, familyKey, optionKey } = row
  const identifier = identifierOf(row)
  if (identifier === undefined || !describes(row, claims)) return
  claims.claim(plainClaim('identifier', identifier, line, optionKey ?? familyKey))
}

/** Whether the row is the one that its item is made of. */
export function describes({ line, familyKey, optionKey }: ItemRow, claims: Claims): boolean {
  if (optionKey !== undefined) return claims.held('item', optionKey)?.line === line
  return claims.held('item', familyKey)?.ownLine === line
}

export function identifierOf({ values: [item] }: ItemRow): string | undefined {
  const identifier = item?.own.identifier
  return typeof identifier === 'string' ? identifier : undefined
}

function claimMember(row: ItemRow, claims: Claims, isExport: boolean): void {
  const { line, values, familyKey, optionKey, placement } = row
  const isOwn = optionKey === undefined
  if (!isOwn) claims.claim(plainClaim('member', memberKey(placement?.assortmentId ?? '', optionKey), line))
  if (!placement) return
  const { assortmentId, membership, isPartial } = placement
  const family = memberKey(assortmentId, familyKey)
  if (isPartial && isOwn) claims.claim(plainClaim(membership === 'keep' ? 'stays' : 'stands', family, line, membership))
  if (membership === 'drop') {
    const key = isOwn ? family : memberKey(assortmentId, optionKey)
    claims.claim(plainClaim('drop', key, line, isOwn ? '' : familyKey))
    return
  }
  if (isPartial && membership === 'add') claims.claim(plainClaim('added', family, line))
  const member = values.find(({ target }) => isMember(target))
  claims.claim({
    space: 'member',
    key: family,
    role: 'family',
    line,
    shared: memberShared(member),
    ownLine: isOwn ? line : null,
    ownShared: isOwn && member ? ownSharedOf([member], isExport) : '',
    hash: () => (isOwn && member ? memberHash(member) : ''),
  })
}

export const memberShared = (member: TargetValues | undefined): Shared => ({
  fixed: [member?.fixed ?? {}],
  loose: [member?.loose ?? {}],
})

export const saysNoneForOptions = ({ fixed, loose }: TargetValues) => isNone(fixed) && isNone(loose)

/** Nothing at all where no row has such values: most loads have none. */
function ownSharedOf(values: readonly TargetValues[], isExport: boolean): OwnShared | '' {
  if (values.every(({ ownLoose }) => isNone(ownLoose))) return isExport ? { said: null } : ''
  const ownLoose = values.map(({ ownLoose }) => ownLoose)
  return isExport ? { ownLoose, said: null } : { ownLoose }
}

/** What the rows of one item must agree on, whichever assortment they go to. */
function addAgreed(hash: Hash, { values, splitSlug }: ItemRow): void {
  for (const { target, own } of values) {
    if (isMember(target)) continue
    for (const slug in own) if (slug !== splitSlug) hash.add(own[slug])
  }
}

function addValues(hash: Hash, properties: Properties): void {
  for (const slug in properties) hash.add(properties[slug])
}

export function familyHash(row: ItemRow): string {
  const hash = new Hash()
  addAgreed(hash, row)
  for (const { target, ownLoose } of row.values) if (!isMember(target)) addValues(hash, ownLoose)
  return hash.text
}

/** What the own rows of a family must agree on within one assortment. */
export function memberHash({ own, ownLoose }: Pick<TargetValues, 'own' | 'ownLoose'>): string {
  const hash = new Hash()
  addValues(hash, own)
  addValues(hash, ownLoose)
  return hash.text
}

export function optionHash(row: ItemRow): string {
  const { name, optionName, optionGroup, typePath, familyKey } = row
  const hash = new Hash()
  for (const value of [familyKey, name, optionName, optionGroup, typePath]) hash.add(value)
  addAgreed(hash, row)
  return hash.text
}

/** In an export each row names the type path of its own entity. */
export const typeOfFamily = ({ typePath, optionKey }: ItemRow, isExport: boolean): string | undefined =>
  isExport && optionKey !== undefined ? undefined : typePath

export function sharedOf(row: ItemRow, isExport: boolean): Shared {
  const { name, values } = row
  const typePath = typeOfFamily(row, isExport)
  const shared: Shared = {}
  if (name !== undefined) shared.name = name
  if (typePath !== undefined) shared.typePath = typePath
  if (values.every(saysNoneForOptions)) return shared
  const kept = values.filter(({ target }) => !isMember(target))
  shared.fixed = kept.map(({ fixed }) => fixed)
  shared.loose = kept.map(({ loose }) => loose)
  return shared
}

export function sharedIn({ shared }: Pick<Claim, 'shared'>): Shared {
  return keptIn<Shared>(shared) ?? {}
}

export function ownSharedIn({ ownShared }: Pick<Claim, 'ownShared'>): OwnShared {
  return keptIn<OwnShared>(ownShared) ?? {}
}

export function typePathTold(claim: Pick<Claim, 'shared' | 'ownShared'>): string | undefined {
  return sharedIn(claim).typePath ?? ownSharedIn(claim).said?.typePath
}

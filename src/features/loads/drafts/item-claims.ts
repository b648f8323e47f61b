// What a row of an ITEM load claims (N32): to speak for its family, to be the one row of its option, to stand in an assortment.

import { hashOf } from '../rows/hash.ts'
import { isMember } from '../targets.ts'
import { type Claim, type Claims, memberKey, plainClaim } from './claims.ts'
import type { ItemRow } from './item-rows.ts'
import type { Properties, TargetValues } from './row-values.ts'

/** What a row says of its family, and what later rows are measured by. Most rows say no more than a name. */
export interface Shared {
  name?: string
  typePath?: string
  fixed?: Properties[]
  loose?: Properties[]
}

export function claimItem(row: ItemRow, claims: Claims, hasSplit: boolean): void {
  const { line, values, familyKey, optionKey } = row
  const isOwn = optionKey === undefined
  claims.claim({
    space: 'item',
    key: familyKey,
    role: 'family',
    line,
    shared: JSON.stringify(sharedOf(row)),
    ownLine: isOwn ? line : null,
    ownShared: isOwn ? listed(values.map(target => target.ownLoose)) : '',
    hash: isOwn ? familyHash(row) : '',
  })
  if (!isOwn) claims.claim({ ...plainClaim('item', optionKey, line), hash: optionHash(row) })
  const identifier = identifierOf(row)
  if (identifier !== undefined) claims.claim(plainClaim('identifier', identifier, line, optionKey ?? familyKey))
  if (hasSplit) claimMember(row, claims)
}

export function identifierOf({ values: [item] }: ItemRow): string | undefined {
  const identifier = item?.own.identifier
  return typeof identifier === 'string' ? identifier : undefined
}

function claimMember(row: ItemRow, claims: Claims): void {
  const { line, values, familyKey, optionKey, placement } = row
  const isOwn = optionKey === undefined
  if (!isOwn) claims.claim(plainClaim('member', memberKey(placement?.assortmentId ?? '', optionKey), line))
  if (!placement) return
  const { assortmentId, membership, isPartial } = placement
  const family = memberKey(assortmentId, familyKey)
  if (isPartial && isOwn) claims.claim(plainClaim('stands', family, line, membership))
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
    shared: JSON.stringify(memberShared(member)),
    ownLine: isOwn ? line : null,
    ownShared: isOwn ? JSON.stringify([member?.ownLoose ?? {}]) : '',
    hash: isOwn && member ? memberHash(member) : '',
  })
}

export const memberShared = (member: TargetValues | undefined): Shared => ({
  fixed: [member?.fixed ?? {}],
  loose: [member?.loose ?? {}],
})

/** Nothing at all where no row has such values: most loads have none. */
function listed(values: Properties[]): string {
  return values.every(isNone) ? '' : JSON.stringify(values)
}

function isNone(properties: Properties): boolean {
  for (const _ in properties) return false
  return true
}

/** What the rows of one item must agree on, whichever assortment they go to. */
function agreed({ values, splitSlug }: ItemRow): unknown[] {
  const own = values.filter(({ target }) => !isMember(target)).map(target => target.own)
  const [first] = own
  if (splitSlug === undefined && own.length === 1 && first) return Object.values(first)
  return own.flatMap(properties =>
    Object.entries(properties)
      .filter(([slug]) => slug !== splitSlug)
      .map(([, value]) => value),
  )
}

export function familyHash(row: ItemRow): string {
  const loose = row.values.filter(({ target }) => !isMember(target)).flatMap(({ ownLoose }) => Object.values(ownLoose))
  return hashOf([...agreed(row), ...loose])
}

/** What the own rows of a family must agree on within one assortment. */
export function memberHash({ own, ownLoose }: Pick<TargetValues, 'own' | 'ownLoose'>): string {
  return hashOf([...Object.values(own), ...Object.values(ownLoose)])
}

export function optionHash(row: ItemRow): string {
  const { name, optionName, optionGroup, typePath, familyKey } = row
  return hashOf([familyKey, name, optionName, optionGroup, typePath, ...agreed(row)])
}

export function sharedOf({ name, typePath, values }: ItemRow): Shared {
  const shared: Shared = {}
  if (name !== undefined) shared.name = name
  if (typePath !== undefined) shared.typePath = typePath
  if (values.every(({ fixed, loose }) => isNone(fixed) && isNone(loose))) return shared
  const kept = values.filter(({ target }) => !isMember(target))
  shared.fixed = kept.map(({ fixed }) => fixed)
  shared.loose = kept.map(({ loose }) => loose)
  return shared
}

export function sharedIn({ shared }: Pick<Claim, 'shared'>): Shared {
  return shared === '' ? {} : (JSON.parse(shared) as Shared)
}

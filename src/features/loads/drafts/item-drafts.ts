// From rows whose claims are settled to drafts (N32): the first row of a family speaks for it, its own first row adds
// what only a family's row can say, and an option is written once. The result does not depend on chunk borders.
import type { Issues } from '../issues.ts'
import type { Target } from '../rows/property.ts'
import { type Claim, type Claims, memberKey } from './claims.ts'
import type { Draft } from './draft.ts'
import { familyHash, type ItemRow, optionHash, type Shared, sharedOf } from './item-rows.ts'
import type { Properties, TargetValues } from './row-values.ts'

export function decideItem(row: ItemRow, claims: Claims, hasSplit: boolean, issues: Issues): Draft[] {
  const family = claims.held('item', row.familyKey)
  const option = row.optionKey === undefined ? undefined : claims.held('item', row.optionKey)
  if (!family || !rolesAgree(row, family, option, issues)) return []
  warnOfDifferences(row, family, issues)
  if (option && !optionIsNew(row, option, claims, hasSplit, issues)) return []
  const drafts: Draft[] = []
  for (const values of row.values) {
    if (values.target === 'assortment-item') drafts.push(...memberDrafts(row, values, claims))
    else addBaseDrafts(drafts, row, values, family, option)
  }
  return drafts
}

function rolesAgree(row: ItemRow, family: Claim, option: Claim | undefined, issues: Issues): boolean {
  const says = (column: string, claim: Claim) => {
    const role = claim.role === 'family' ? 'a family' : 'an option'
    issues.error(row.line, column, 'VALIDATION_ERROR', `Line ${claim.line} has the same federatedId as ${role}.`)
    return false
  }
  if (family.role !== 'family') return says('itemFamilyFederatedId', family)
  return option === undefined || option.role === 'option' || says('itemOptionFederatedId', option)
}

function warnOfDifferences(row: ItemRow, family: Claim, issues: Issues): void {
  const shared = family.line === row.line ? undefined : sharedOf(row)
  if (shared && family.shared !== JSON.stringify(shared)) {
    const first = flat(JSON.parse(family.shared) as Shared)
    const differing = Object.entries(flat(shared))
      .filter(([key, value]) => key in first && JSON.stringify(first[key]) !== JSON.stringify(value))
      .map(([key]) => key)
    if (differing.length > 0) {
      const message = `The family ${row.familyKey} has another ${differing.join(', ')} on line ${family.line}, which holds.`
      issues.warn(row.line, differing[0] ?? null, 'VALIDATION_ERROR', message)
    }
  }
  if (row.optionKey !== undefined || family.ownLine === row.line) return
  if (family.hash !== familyHash(row)) {
    const message = `The family ${row.familyKey} is described differently on line ${family.ownLine}, which holds.`
    issues.warn(row.line, null, 'VALIDATION_ERROR', message)
  }
}

function flat({ fixed = [], loose = [], ...own }: Shared): Properties {
  return Object.assign({}, own, ...fixed, ...loose)
}

/** The same option twice is an error, unless the rows go to different assortments. */
function optionIsNew(row: ItemRow, option: Claim, claims: Claims, hasSplit: boolean, issues: Issues): boolean {
  const key = row.optionKey ?? ''
  const place = hasSplit ? claims.held('member', memberKey(row.placement?.assortmentId ?? '', key)) : option
  if (place && place.line !== row.line) {
    const where = hasSplit && row.placement ? ' for the same assortment' : ''
    const message = `The option ${key} stands on line ${place.line} already${where}.`
    issues.error(row.line, 'itemOptionFederatedId', 'DUPLICATE_FEDERATED_ID', message)
    return false
  }
  if (option.line !== row.line && option.hash !== optionHash(row)) {
    const message = `The option ${key} is described differently on line ${option.line}, which holds.`
    issues.warn(row.line, 'itemOptionFederatedId', 'VALIDATION_ERROR', message)
  }
  return true
}

function addBaseDrafts(
  drafts: Draft[],
  row: ItemRow,
  values: TargetValues,
  family: Claim,
  option: Claim | undefined,
): void {
  const { line, familyKey, optionKey } = row
  const isItem = values.target === 'item'
  const speaksFirst = family.line === line
  const speaksForItself = family.ownLine === line
  if (speaksFirst || speaksForItself) {
    const set = isItem && speaksFirst ? familyFields(row) : {}
    addFamilyValues(set, values, speaksFirst, speaksForItself)
    const follows = speaksFirst ? {} : ({ follows: true } as const)
    drafts.push({ target: values.target, key: familyKey, line, set, make: isItem ? familyMake(row) : {}, ...follows })
  }
  if (option && optionKey !== undefined && option.line === line) {
    const set = isItem ? { ...optionFields(row, optionKey), ...values.own } : { ...values.own }
    drafts.push({
      target: values.target,
      key: optionKey,
      line,
      set,
      make: isItem ? optionMake(row, optionKey) : {},
      family: familyKey,
    })
  }
}

function addFamilyValues(
  set: Properties,
  values: TargetValues,
  speaksFirst: boolean,
  speaksForItself: boolean,
): Properties {
  if (speaksFirst) Object.assign(set, values.fixed, values.loose)
  if (speaksForItself) Object.assign(set, values.ownLoose, values.own)
  return set
}

function memberDrafts(row: ItemRow, values: TargetValues, claims: Claims): Draft[] {
  const { line, familyKey, optionKey, placement } = row
  if (!placement) return []
  const { assortmentId, membership } = placement
  const target: Target = 'assortment-item'
  const common = { target, line, make: {}, assortmentId }
  if (membership === 'drop') return []
  const keeps = membership === 'keep' ? { membership } : {}
  const drafts: Draft[] = []
  const family = claims.held('member', memberKey(assortmentId, familyKey))
  const isKept = membership === 'keep' && optionKey === undefined
  const speaksFirst = isKept || (membership === 'add' && family?.line === line)
  const speaksForItself = isKept || (membership === 'add' && family?.ownLine === line)
  if (speaksFirst || speaksForItself) {
    const set = addFamilyValues({}, values, speaksFirst, speaksForItself)
    drafts.push({ ...common, key: familyKey, set, ...keeps, ...(!speaksFirst && { follows: true }) })
  }
  if (optionKey !== undefined) {
    drafts.push({ ...common, key: optionKey, family: familyKey, set: { ...values.own }, ...keeps })
  }
  return drafts
}

function familyFields({ name, typePath, familyKey }: ItemRow): Properties {
  const fields: Properties = {}
  if (typePath !== undefined) fields.typePath = typePath
  if (name !== undefined) fields.name = name || familyKey
  return fields
}

const FAMILY_ROLES = ['family']
const OPTION_ROLES = ['option']

function familyMake({ familyKey, fallback }: ItemRow): Properties {
  return { typePath: fallback, name: familyKey, federatedId: familyKey, roles: FAMILY_ROLES }
}

function optionFields({ name, optionName, optionGroup, typePath }: ItemRow, optionKey: string): Properties {
  return {
    ...(typePath !== undefined && { typePath }),
    ...((optionName !== undefined || name !== undefined) && { name: optionName || name || optionKey }),
    ...(optionName !== undefined && { optionName: optionName || null }),
    ...(optionGroup !== undefined && { optionGroup: optionGroup || 'color' }),
  }
}

function optionMake({ fallback }: ItemRow, optionKey: string): Properties {
  return { typePath: fallback, name: optionKey, federatedId: optionKey, roles: OPTION_ROLES, optionGroup: 'color' }
}

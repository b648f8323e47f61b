// From rows whose claims are settled to drafts (N32): the first row of a family speaks for it, its own first row adds
// what only a family's row can say, and an option is written once. The result does not depend on chunk borders.
import { pointerParts } from '../../../platform/errors.ts'
import { faultsOf } from '../../types/fit.ts'
import type { Issues } from '../issues.ts'
import { shown } from '../rows/cell-readers.ts'
import { definitionsOf } from '../rows/effective-properties.ts'
import type { TypeSource } from '../rows/property.ts'
import { isMember, type LoadTarget } from '../targets.ts'
import { type Claim, type Claims, memberKey, plainClaim } from './claims.ts'
import { type Draft, draftKey } from './draft.ts'
import { addLeftOpen, addOwnWords, familyFields, itemWords, memberWords, warnOfDifferences } from './family-words.ts'
import { placeOf } from './inherited-values.ts'
import { optionHash, type Shared, sharedIn, type Ways } from './item-claims.ts'
import type { ItemRow } from './item-rows.ts'
import type { Properties, TargetValues } from './row-values.ts'

export class ItemDrafts {
  readonly list: Draft[] = []
  /** Of families whose first row stands in an earlier chunk: claims for the write phase. */
  readonly late: Claim[] = []
  /** The same families, as both rows describe them. */
  readonly lateOwn: Draft[] = []
  /** Those whose own row is still to come. */
  readonly #families = new Map<string, Draft>()
  readonly #claims: Claims
  readonly #types: TypeSource
  readonly #ways: Ways
  readonly #issues: Issues

  constructor(claims: Claims, types: TypeSource, ways: Ways, issues: Issues) {
    this.#claims = claims
    this.#types = types
    this.#ways = ways
    this.#issues = issues
  }

  add(row: ItemRow): void {
    const family = this.#claims.held('item', row.familyKey)
    const option = row.optionKey === undefined ? undefined : this.#claims.held('item', row.optionKey)
    if (!family || !rolesAgree(row, family, option, this.#issues)) return
    warnOfDifferences(row, family, itemWords(this.#ways), this.#issues)
    if (option && !this.#isNew(row, option)) return
    for (const values of row.values) {
      if (isMember(values.target)) this.#addMembers(row, values)
      else this.#addBase(row, values, family, option)
    }
  }

  #addBase(row: ItemRow, values: TargetValues, family: Claim, option: Claim | undefined): void {
    const { line, familyKey: key, optionKey } = row
    const { target } = values
    const isItem = target.home === undefined
    if (family.line === line) {
      if (isItem) this.#checkFit(row, values)
      const set = { ...(isItem && familyFields(row, this.#ways.isExport)), ...values.fixed, ...values.loose }
      this.#addFamily({ target, key, line, set, make: isItem ? familyMake(row, target) : {} }, row, values, family)
    } else if (family.ownLine === line) this.#addOwn({ target, key }, row, values, family)
    if (!option || optionKey === undefined || option.line !== line) return
    const set = isItem ? { ...optionFields(row, optionKey), ...values.own } : { ...values.own }
    this.#addOption(row, { target, key: optionKey, line, set, make: isItem ? optionMake(row, optionKey) : {} })
  }

  #addMembers(row: ItemRow, values: TargetValues): void {
    const { line, familyKey: key, optionKey, placement } = row
    if (!placement || this.#contradicts(row) || placement.membership === 'drop') return
    const { assortmentId, membership, isPartial } = placement
    const { target } = values
    const family = this.#claims.held('member', memberKey(assortmentId, key))
    if (family) warnOfDifferences(row, family, memberWords(values), this.#issues)
    const common = { target, line, make: {}, assortmentId }
    if (family?.line === line) {
      const set = { ...values.fixed, ...values.loose }
      // Whether any row adds it is known only at the end of the file.
      this.#addFamily({ ...common, key, set, ...(isPartial && { membership: 'keep' }) }, row, values, family)
    } else if (family?.ownLine === line) this.#addOwn({ target, assortmentId, key }, row, values, family)
    if (optionKey === undefined) return
    const keeps = membership === 'keep' ? { membership } : {}
    this.#addOption(row, { ...common, key: optionKey, set: { ...values.own }, ...keeps })
  }

  /** An option's row is read by the option's type, also where it speaks for a family of another one. */
  #checkFit({ line, familyKey, typeOfFamily }: ItemRow, { fixed, loose }: TargetValues): void {
    if (typeOfFamily === undefined) return
    const said = { ...fixed, ...loose }
    for (const { path, message } of faultsOf(definitionsOf(this.#types(typeOfFamily)), said, false)) {
      const [slug = ''] = pointerParts(path)
      const what = `${shown(said[slug])} is for the family ${familyKey} too, whose type is ${typeOfFamily}: ${message}`
      this.#issues.error(line, slug, 'INVALID_DATA', `${what} Give the family a row of its own.`)
    }
  }

  /** Most families have one row, which is their own. */
  #addFamily(draft: Draft, row: ItemRow, values: TargetValues, family: Claim): void {
    if (family.ownLine === row.line) addOwnWords(draft.set, values, values)
    else this.#families.set(draftKey(draft), draft)
    this.list.push(draft)
  }

  #addOption({ familyKey, heldFamily: family = familyKey, movedFrom }: ItemRow, draft: Draft): void {
    this.list.push({ ...draft, family, ...(movedFrom !== undefined && { movedFrom }) })
  }

  /** What the family's own row says joins what its first row says, which may stand in an earlier chunk. */
  #addOwn(place: Pick<Draft, 'target' | 'assortmentId' | 'key'>, row: ItemRow, values: TargetValues, family: Claim) {
    const key = draftKey(place)
    const at = placeOf(values.target)
    const shared = sharedIn(family)
    const first = { fixed: shared.fixed?.[at] ?? {}, loose: shared.loose?.[at] ?? {} }
    const draft = this.#families.get(key)
    const words: Properties = draft?.set ?? {}
    addOwnWords(words, values, first)
    if (this.#ways.isExport) addLeftOpen(words, row, values, { ...shared, ...first })
    if (draft) return
    // Whether a member of a partial update is new is not known yet.
    if (place.assortmentId === undefined || !row.placement?.isPartial) {
      const told = Object.fromEntries(Object.entries(first.loose).filter(([, value]) => value !== null))
      const set = { ...told, ...first.fixed, ...words }
      this.lateOwn.push({ ...place, line: row.line, set, make: typePathIn(shared, values.target) })
    }
    if (Object.keys(words).length > 0) this.late.push(plainClaim('late', key, row.line, words))
  }

  /** In a partial update the rows of one family cannot both add and drop it; one that does neither says nothing. */
  #contradicts({ line, familyKey, optionKey, placement }: ItemRow): boolean {
    if (!placement || optionKey !== undefined || placement.membership === 'keep') return false
    const stands = this.#claims.held('stands', memberKey(placement.assortmentId, familyKey))
    if (!stands || stands.shared === placement.membership) return false
    const message = `The family ${familyKey} stands on line ${stands.line} with another mark for adding or dropping it.`
    this.#issues.error(line, 'itemFamilyFederatedId', 'VALIDATION_ERROR', message)
    return true
  }

  /** The same option twice is an error, unless the rows go to different assortments. */
  #isNew(row: ItemRow, option: Claim): boolean {
    const key = row.optionKey ?? ''
    const assortmentId = row.placement?.assortmentId ?? ''
    const place = this.#ways.hasSplit ? this.#claims.held('member', memberKey(assortmentId, key)) : option
    if (place && place.line !== row.line) {
      const where = this.#ways.hasSplit && row.placement ? ' for the same assortment' : ''
      const message = `The option ${key} stands on line ${place.line} already${where}. Keep one of the rows.`
      this.#issues.error(row.line, 'itemOptionFederatedId', 'DUPLICATE_FEDERATED_ID', message)
      return false
    }
    if (option.line !== row.line && option.hash() !== optionHash(row)) {
      const message = `The option ${key} is described differently on line ${option.line}, which holds.`
      this.#issues.warn(row.line, 'itemOptionFederatedId', 'VALIDATION_ERROR', message)
    }
    return true
  }
}

function rolesAgree(row: ItemRow, family: Claim, option: Claim | undefined, issues: Issues): boolean {
  const says = (column: string, key: string, claim: Claim) => {
    const role = claim.role === 'family' ? 'a family' : 'an option'
    const message = `Line ${claim.line} has ${key} as ${role}. A federatedId is either a family or an option.`
    issues.error(row.line, column, 'INVALID_DATA', message)
    return false
  }
  if (family.role !== 'family') return says('itemFamilyFederatedId', row.familyKey, family)
  return option === undefined || option.role === 'option' || says('itemOptionFederatedId', row.optionKey ?? '', option)
}

/** Project and assortment items have no type path but that of their kind. */
function typePathIn({ typePath }: Shared, { home }: LoadTarget): Properties {
  return typePath !== undefined && home === undefined ? { typePath } : {}
}

export const FAMILY_ROLES = ['family']
const OPTION_ROLES = ['option']

function familyMake({ familyKey, typePath }: ItemRow, { name: root }: LoadTarget): Properties {
  return { typePath: typePath ?? root, name: familyKey, federatedId: familyKey, roles: FAMILY_ROLES }
}

function optionFields({ name, optionName, optionGroup, typePath }: ItemRow, optionKey: string): Properties {
  return {
    ...(typePath !== undefined && { typePath }),
    ...((optionName !== undefined || name !== undefined) && { name: optionName || name || optionKey }),
    ...(optionName !== undefined && { optionName: optionName || null }),
    ...(optionGroup !== undefined && { optionGroup: optionGroup || 'color' }),
  }
}

/** Without a type path of its own a new option has that of its family. */
function optionMake({ fallback }: ItemRow, optionKey: string): Properties {
  return {
    ...(fallback !== undefined && { typePath: fallback }),
    name: optionKey,
    federatedId: optionKey,
    roles: OPTION_ROLES,
    optionGroup: 'color',
  }
}

// A row of an ITEM load, alone or with PROJECT_ITEM and ASSORTMENT (N32): a family, or an option together with its
// family. First its shape, then its claims; when those are settled, the drafts it leads to.
import type { FinalPlan } from '../rows/column-plan.ts'
import type { Target } from '../rows/property.ts'
import { isKey, isTypePath } from '../rows/type-path.ts'
import { type Placement, placementOf, type SplitTable } from './assortment-split.ts'
import { type Claims, hashOf, memberKey } from './claims.ts'
import { groupsOf, type Properties, type RowContext, reservedText, type TargetValues, valuesOf } from './row-values.ts'

export const ITEM_RESERVED = [
  'typePath',
  'name',
  'itemFamilyFederatedId',
  'itemOptionFederatedId',
  'optionName',
  'optionGroup',
]

export interface ItemRow {
  line: number
  familyKey: string
  /** Undefined on the family's own row. */
  optionKey: string | undefined
  /** Undefined where the file has no such column. */
  typePath: string | undefined
  /** What a new entity gets that names none. */
  fallback: string
  name: string | undefined
  optionName: string | undefined
  optionGroup: string | undefined
  values: TargetValues[]
  placement: Placement | undefined
  /** What the row itself names, for the fourth way to a project. */
  assortmentId: string | undefined
}

export function itemRow(
  plan: FinalPlan,
  cells: readonly unknown[],
  targets: readonly Target[],
  split: SplitTable | undefined,
  context: RowContext,
  fallback = 'item',
): ItemRow | undefined {
  const { line, issues } = context
  const familyKey = reservedText(plan, cells, 'itemFamilyFederatedId') ?? ''
  const optionKey = reservedText(plan, cells, 'itemOptionFederatedId') || undefined
  if (familyKey === '') {
    issues.error(line, 'itemFamilyFederatedId', 'MISSING_DATA', 'Every row needs itemFamilyFederatedId.')
  }
  const checkKey = (column: string, key: string) => {
    if (!isKey(key)) issues.error(line, column, 'INVALID_DATA', 'A federatedId cannot look like this.')
  }
  checkKey('itemFamilyFederatedId', familyKey)
  checkKey('itemOptionFederatedId', optionKey ?? '')
  if (optionKey !== undefined && optionKey === familyKey) {
    issues.error(line, 'itemOptionFederatedId', 'VALIDATION_ERROR', 'An option cannot be its own family.')
  }
  const typePath = reservedText(plan, cells, 'typePath')
  if (typePath && !isTypePath(typePath, 'item')) {
    issues.error(line, 'typePath', 'INVALID_DATA', 'The type path must be item or begin with item:.')
  }
  const groups = groupsOf(plan, targets)
  const values = (optionKey ? groups.option : groups.family).map(group => valuesOf(group, cells, context))
  const placement = split && placementOf(split, plan, cells, context)
  if (familyKey === '') return undefined
  return {
    line,
    familyKey,
    optionKey,
    typePath: typePath === '' ? undefined : typePath,
    fallback,
    name: reservedText(plan, cells, 'name'),
    optionName: reservedText(plan, cells, 'optionName'),
    optionGroup: reservedText(plan, cells, 'optionGroup'),
    values,
    placement,
    assortmentId: reservedText(plan, cells, 'assortmentId'),
  }
}

/** What a row says of its family, and what later rows are measured by. Most rows say no more than a name. */
export interface Shared {
  name?: string
  typePath?: string
  fixed?: Properties[]
  loose?: Properties[]
}

export function claimItem(row: ItemRow, claims: Claims, hasSplit: boolean): void {
  const { line, values } = row
  const isOwn = row.optionKey === undefined
  claims.claim({
    space: 'item',
    key: row.familyKey,
    role: 'family',
    line,
    shared: JSON.stringify(sharedOf(row)),
    ownLine: isOwn ? line : null,
    ownShared: isOwn ? listed(values.map(target => target.ownLoose)) : '',
    hash: isOwn ? familyHash(row) : '',
  })
  if (row.optionKey !== undefined) claims.claim(claimOf('item', row.optionKey, line, optionHash(row)))
  if (!hasSplit) return
  const { assortmentId, membership } = row.placement ?? { assortmentId: '', membership: 'keep' }
  if (row.optionKey !== undefined) claims.claim(claimOf('member', memberKey(assortmentId, row.optionKey), line, ''))
  if (membership === 'drop') {
    const key = memberKey(assortmentId, row.optionKey ?? row.familyKey)
    claims.claim({ ...claimOf('drop', key, line, ''), shared: isOwn ? '' : row.familyKey })
    return
  }
  if (assortmentId === '' || membership !== 'add') return
  const member = values.find(({ target }) => target === 'assortment-item')
  claims.claim({
    space: 'member',
    key: memberKey(assortmentId, row.familyKey),
    role: 'family',
    line,
    shared: JSON.stringify({ fixed: [member?.fixed ?? {}], loose: [member?.loose ?? {}] } satisfies Shared),
    ownLine: isOwn ? line : null,
    ownShared: isOwn ? JSON.stringify([member?.ownLoose ?? {}]) : '',
    hash: '',
  })
}

/** Nothing at all where no row has such values: most loads have none. */
function listed(values: Properties[]): string {
  return values.every(isNone) ? '' : JSON.stringify(values)
}

function isNone(properties: Properties): boolean {
  for (const _ in properties) return false
  return true
}

export function familyHash({ values }: ItemRow): string {
  const [first] = values
  return hashOf(
    values.length === 1 && first ? Object.values(first.own) : values.flatMap(({ own }) => Object.values(own)),
  )
}

function claimOf(space: 'item' | 'member' | 'drop', key: string, line: number, hash: string) {
  return { space, key, role: 'option', line, shared: '', ownLine: null, ownShared: '', hash } as const
}

/** What an option's rows in several assortments must agree on. */
export function optionHash(row: ItemRow): string {
  const { name, optionName, optionGroup, typePath, familyKey } = row
  const values = row.values
    .filter(({ target }) => target !== 'assortment-item')
    .flatMap(({ own }) => Object.values(own))
  return hashOf([familyKey, name, optionName, optionGroup, typePath, ...values])
}

export function sharedOf({ name, typePath, values }: ItemRow): Shared {
  const shared: Shared = {}
  if (name !== undefined) shared.name = name
  if (typePath !== undefined) shared.typePath = typePath
  if (values.every(({ fixed, loose }) => isNone(fixed) && isNone(loose))) return shared
  const kept = values.filter(({ target }) => target !== 'assortment-item')
  shared.fixed = kept.map(({ fixed }) => fixed)
  shared.loose = kept.map(({ loose }) => loose)
  return shared
}

// A row of an ITEM load, alone or with PROJECT_ITEM and ASSORTMENT (N32): a family, or an option together with its
// family. First its shape, then its claims; when those are settled, item-drafts.ts makes the drafts it leads to.
import { keyFault, nameFault } from '../../entities/field-text.ts'
import { shown } from '../rows/cell-readers.ts'
import type { FinalPlan } from '../rows/column-plan.ts'
import type { RowType } from '../rows/pipeline.ts'
import { isTypePath } from '../rows/type-path.ts'
import type { Targets } from '../targets.ts'
import { type Placement, placementOf, type SplitTable } from './assortment-split.ts'
import { groupsOf, type RowContext, reservedText, type TargetValues, valuesOf } from './row-values.ts'

export interface ItemRow {
  line: number
  familyKey: string
  /** Undefined on the family's own row. */
  optionKey: string | undefined
  /** As the row names it. */
  typePath: string | undefined
  /** What the row was read by, where it names none; undefined where that makes no difference. */
  fallback: string | undefined
  /** The type of its family, where the row was read by another one. */
  typeOfFamily: string | undefined
  name: string | undefined
  optionName: string | undefined
  optionGroup: string | undefined
  values: TargetValues[]
  splitSlug: string | undefined
  placement: Placement | undefined
  /** What the row itself names, for the fourth way to a project. */
  assortmentId: string | undefined
  /** The family of its option, where the row that the option is made of names another one. */
  heldFamily?: string
  /** Id of the stored family that the option leaves. */
  movedFrom?: string | undefined
}

export function itemRow(
  plan: FinalPlan,
  cells: readonly unknown[],
  targets: Targets,
  split: SplitTable | undefined,
  context: RowContext,
  type?: RowType,
): ItemRow | undefined {
  const { line, issues } = context
  const familyKey = reservedText(plan, cells, 'itemFamilyFederatedId') ?? ''
  const optionKey = reservedText(plan, cells, 'itemOptionFederatedId') || undefined
  if (familyKey === '') {
    issues.error(
      line,
      'itemFamilyFederatedId',
      'MISSING_DATA',
      'Every row needs itemFamilyFederatedId; this cell is empty.',
    )
  }
  checkKeys(familyKey, optionKey, context)
  const typePath = reservedText(plan, cells, 'typePath')
  const root = targets[0].name
  const isNamed = typePath && isTypePath(typePath, root)
  if (typePath && !isNamed) {
    const message = `${shown(typePath)} is no type path of items: it must be ${root}, or begin with ${root}:.`
    issues.error(line, 'typePath', 'INVALID_DATA', message)
  }
  const name = readName(plan, cells, 'name', context)
  const optionName = readName(plan, cells, 'optionName', context)
  const optionGroup = readName(plan, cells, 'optionGroup', context)
  const groups = groupsOf(plan, targets)
  const values = (optionKey ? groups.option : groups.family).map(group => valuesOf(group, cells, context))
  const placement = split && placementOf(split, plan, cells, context)
  if (familyKey === '') return undefined
  return {
    line,
    familyKey,
    optionKey,
    typePath: isNamed ? typePath : undefined,
    fallback: type?.typePath,
    typeOfFamily: type?.ofFamily,
    name,
    optionName,
    optionGroup,
    values,
    splitSlug: plan.splitSlug,
    placement,
    assortmentId: reservedText(plan, cells, 'assortmentId'),
  }
}

function readName(plan: FinalPlan, cells: readonly unknown[], column: string, { line, issues }: RowContext) {
  const text = reservedText(plan, cells, column)
  const fault = text && nameFault(text)
  if (fault) issues.error(line, column, 'INVALID_DATA', `${shown(text)} cannot be a name. ${fault}`)
  return text
}

function checkKey(column: string, key: string, { line, issues }: RowContext): void {
  const fault = key && keyFault(key)
  if (fault) issues.error(line, column, 'INVALID_DATA', `${shown(key)} cannot be a federatedId. ${fault}`)
}

function checkKeys(familyKey: string, optionKey: string | undefined, context: RowContext): void {
  checkKey('itemFamilyFederatedId', familyKey, context)
  if (optionKey !== undefined) checkKey('itemOptionFederatedId', optionKey, context)
  const { line, issues } = context
  if (optionKey !== undefined && optionKey === familyKey) {
    const message = `${shown(optionKey)} is named as its own family. Leave itemOptionFederatedId empty on a family's row.`
    issues.error(line, 'itemOptionFederatedId', 'INVALID_DATA', message)
  }
}

// Which assortment a row goes to, and whether it is added, dropped or only updated there (N32).
import { didYouMean } from '../../../platform/nearest.ts'
import type { LoaderConfiguration } from '../contract.ts'
import { isEmpty, plain, shown } from '../rows/cell-readers.ts'
import type { FinalPlan } from '../rows/column-plan.ts'
import { type RowContext, reservedText } from './row-values.ts'

export type Membership = 'add' | 'keep' | 'drop'

export interface Placement {
  assortmentId: string
  membership: Membership
  isPartial: boolean
}

/** The split values with their assortments found; `null` stands for the id in the row. */
export interface SplitTable {
  field: string
  targets: ReadonlyMap<string, string | null>
  /** What may be meant by values that are none, looked for once. */
  advice: Map<string, string>
  isPartial: boolean
  addField: string | undefined
  dropField: string | undefined
}

export function splitTable(
  configuration: LoaderConfiguration,
  targets: ReadonlyMap<string, string | null>,
): SplitTable {
  const split = configuration.assortmentSplit
  return {
    field: split?.fieldToSplitOn ?? '',
    targets: new Map([...targets].map(([value, id]) => [splitKey(value), id])),
    advice: new Map(),
    isPartial: isPartial(configuration),
    addField: split?.addField,
    dropField: split?.dropField ?? configuration.assortmentItemDropField,
  }
}

/** Step 1 has made booleans of them: `true` is `TRUE`. */
export function splitKey(value: string): string {
  return String(plain(value))
}

export function isPartial({ assortmentSplit, partialAssortmentUpdate }: LoaderConfiguration): boolean {
  return assortmentSplit?.partialAssortmentUpdate ?? partialAssortmentUpdate ?? false
}

export function controlColumns(table: SplitTable | undefined): string[] {
  return table
    ? ([table.field, table.addField, table.dropField].filter(name => name !== undefined && name !== '') as string[])
    : []
}

function cellOf(plan: FinalPlan, cells: readonly unknown[], column: string): unknown {
  const slot = plan.control.get(column)
  return slot === undefined ? undefined : cells[slot]
}

/** Undefined: the row goes to no assortment. */
export function placementOf(
  table: SplitTable,
  plan: FinalPlan,
  cells: readonly unknown[],
  context: RowContext,
): Placement | undefined {
  const { line, issues } = context
  const cell = cellOf(plan, cells, table.field)
  const value = isEmpty(cell) ? '' : String(cell)
  const target = table.targets.get(splitKey(value))
  if (target === undefined) {
    // Without its column the header has said so.
    if (!plan.control.has(table.field)) return undefined
    const advice = table.advice.get(value) ?? didYouMean(value, table.targets.keys(), issues.advice)
    table.advice.set(value, advice)
    issues.warn(
      line,
      table.field,
      'INVALID_DATA',
      `No split value is ${shown(value)}; the row goes to no assortment.${advice}`,
    )
    return undefined
  }
  const assortmentId = target ?? reservedText(plan, cells, 'assortmentId') ?? ''
  if (assortmentId === '') {
    const message = `The split value ${shown(value)} names no assortment, and the row has no assortmentId.`
    issues.error(line, 'assortmentId', 'MISSING_DATA', message)
    return undefined
  }
  return { assortmentId, membership: membershipOf(table, plan, cells, context), isPartial: table.isPartial }
}

function membershipOf(
  table: SplitTable,
  plan: FinalPlan,
  cells: readonly unknown[],
  { line, issues }: RowContext,
): Membership {
  if (!table.isPartial) return 'add'
  const isTrue = (column: string | undefined, done: string) => {
    const cell = column && plain(cellOf(plan, cells, column))
    if (!isEmpty(cell) && typeof cell !== 'boolean') {
      issues.warn(line, column ?? null, 'INVALID_DATA', `${shown(cell)} is not true; the row is not ${done}.`)
    }
    return cell === true
  }
  const drops = isTrue(table.dropField, 'dropped')
  const adds = table.addField === undefined ? !drops : isTrue(table.addField, 'added')
  if (adds && drops) {
    const message = `The row is marked to be added (${table.addField}) and dropped (${table.dropField}) at once. Clear one of them.`
    issues.error(line, table.dropField ?? null, 'VALIDATION_ERROR', message)
    return 'keep'
  }
  return drops ? 'drop' : adds ? 'add' : 'keep'
}

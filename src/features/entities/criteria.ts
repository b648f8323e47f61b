// What a list asks for, parsed to data (N16, N48): which index drives it, what is filtered beside it, in which order. Pure.
import * as z from 'zod'
import { type FieldError, invalid, pointer } from '../../platform/errors.ts'
import type { Kind } from '../../platform/kind.ts'
import { CRITERIA_MAX, CRITERIA_MAX_LETTER_FORMS } from '../../platform/limits.ts'
import type { Sought } from '../../platform/search/words.ts'
import { type Column, columnNamed, columnOf } from './columns.ts'
import { type Filter, filtersOf, letterForms, TOO_MANY_LETTERS } from './conditions.ts'
import { type Criteria, type Criterion, isAlternatives, type PropertyCriteria, type Scalar } from './operators.ts'

export { Criteria } from './operators.ts'

export const ORDER_FIELDS = ['createdOn', 'updatedOn', 'name', 'federatedId', 'identifier'] as const
export const Order = z.strictObject({ orderField: z.enum(ORDER_FIELDS), order: z.enum(['asc', 'desc']).default('asc') })
export type Order = z.output<typeof Order>

/** With its number: what a caller wrote goes beside the statement under names that end with it. */
export type Numbered = Filter & { at: number }

/** One filter, sets of filters of which one must hold as a whole, or words that must be found. */
export type Condition = Numbered | { or: Numbered[][] } | { sought: Sought }

export interface Plan {
  /** The index to walk, with the one value that it is held at, if any. */
  walk: { column: Column; value: Scalar | undefined }
  /** Few enough to be found first and sorted afterwards. */
  gather: Filter | undefined
  filters: Condition[]
  order: { column: Column; field: string; descending: boolean }
}

const BY_CREATION: Order = { orderField: 'createdOn', order: 'asc' }

/** Where a search leads the way, all criteria are tested beside it. */
export function testedPlan(kind: Kind, criteria: Criteria): Plan {
  const { filters, alternatives } = readCriteria(kind, criteria)
  return { ...planOf(kind, {}), filters: numbered(filters, alternatives) }
}

export function planOf(kind: Kind, criteria: Criteria, order: Order = BY_CREATION, sought?: Sought): Plan {
  const { filters, alternatives } = readCriteria(kind, criteria)
  const orderColumn = columnNamed(order.orderField)
  const byCreation = order.orderField === 'createdOn'
  const gather = filters.find(isSelective)
  // Entities of one value of an index lie in commit order, which is the order of creation.
  const driver = gather ? undefined : filters.find(filter => byCreation && singleValue(filter) !== undefined)
  const beside = filters.filter(filter => filter !== driver && filter !== gather)
  return {
    walk: { column: driver?.column ?? orderColumn, value: driver && singleValue(driver) },
    gather,
    filters: [...numbered(beside, alternatives), ...(sought ? [{ sought }] : [])],
    order: { column: orderColumn, field: order.orderField, descending: order.order === 'desc' },
  }
}

function readCriteria(kind: Kind, criteria: Criteria) {
  const faults: FieldError[] = []
  let conditions = 0
  const read = (property: string, criterion: Criterion, path: PropertyKey[]): Filter[] => {
    const isOperators = typeof criterion === 'object' && criterion !== null && !Array.isArray(criterion)
    conditions += isOperators ? Object.keys(criterion).length : 1
    const fault = (message: string, ...below: PropertyKey[]) =>
      faults.push({ path: pointer(['criteria', ...path, property, ...below]), message })
    if (/["\\\p{Cc}]/u.test(property)) fault('No property has such a name.')
    return filtersOf(columnOf(kind, property), property, criterion, (message, operator) =>
      fault(message, ...(operator ? [operator] : [])),
    )
  }
  const readAll = (properties: PropertyCriteria, path: PropertyKey[]) =>
    Object.entries(properties).flatMap(([property, criterion]) => read(property, criterion, path))
  const { filters, alternatives } = partsOf(criteria)
  const found = {
    filters: readAll(filters, []),
    alternatives: alternatives.map((alternative, at) => readAll(alternative, ['or', at])),
  }
  if (conditions > CRITERIA_MAX) {
    faults.push({ path: '/criteria', message: `At most ${CRITERIA_MAX} criteria, each operator counted.` })
  }
  const forms = [found.filters, ...found.alternatives].flat().reduce((sum, filter) => sum + letterForms(filter), 0)
  if (forms > CRITERIA_MAX_LETTER_FORMS) faults.push({ path: '/criteria', message: TOO_MANY_LETTERS })
  if (faults.length) throw invalid(faults)
  return found
}

function partsOf(criteria: Criteria): { filters: PropertyCriteria; alternatives: PropertyCriteria[] } {
  const filters: PropertyCriteria = {}
  let alternatives: PropertyCriteria[] = []
  for (const [name, value] of Object.entries(criteria)) {
    if (isAlternatives(name, value)) alternatives = value as PropertyCriteria[]
    else filters[name] = value as Criterion
  }
  return { filters, alternatives }
}

function numbered(filters: Filter[], alternatives: Filter[][]): Condition[] {
  let at = 0
  const number = (filter: Filter): Numbered => ({ ...filter, at: at++ })
  const conditions: Condition[] = filters.map(number)
  if (alternatives.length) conditions.push({ or: alternatives.map(alternative => alternative.map(number)) })
  return conditions
}

const isSelective = ({ column, test, isNot }: Filter): boolean => Boolean(column?.selective && 'any' in test && !isNot)

/** The one value that an index can be held at. */
function singleValue({ column, test, isNot }: Filter): Scalar | undefined {
  if (!column?.index || column.time || isNot || !('any' in test) || test.any.length !== 1) return undefined
  return test.any[0]
}

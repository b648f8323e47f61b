// What a list asks for, parsed to data (N16, N48): which index drives it, what is filtered beside it, in which order. Pure.
import * as z from 'zod'
import { type FieldError, invalid, pointer } from '../../platform/errors.ts'
import type { Kind } from '../../platform/kind.ts'
import { CRITERIA_MAX, CRITERIA_MAX_LETTER_FORMS, PROPERTY_NAME_MAX_LENGTH } from '../../platform/limits.ts'
import { didYouMean } from '../../platform/nearest.ts'
import type { Sought } from '../../platform/search/words.ts'
import type { KnownIndex } from '../indexes/known.ts'
import { type Column, columnNamed, columnOf, type Shared } from './columns.ts'
import { type Filter, filtersOf, letterForms, TOO_MANY_LETTERS } from './conditions.ts'
import { isInIndex } from './indexed-values.ts'
import { type Criteria, type Criterion, isAlternatives, type PropertyCriteria, type Scalar } from './operators.ts'

export { Criteria } from './operators.ts'

export const ORDER_FIELDS = ['createdOn', 'updatedOn', 'name', 'federatedId', 'identifier'] as const
export const Order = z.strictObject({
  orderField: z.string().min(1).max(PROPERTY_NAME_MAX_LENGTH),
  order: z.enum(['asc', 'desc']).default('asc'),
})
export type Order = z.output<typeof Order>

/** With its number: what a caller wrote goes beside the statement under names that end with it. */
export type Numbered = Filter & { at: number }

/** One filter, sets of filters of which one must hold as a whole, or words that must be found. */
export type Condition = Numbered | { or: Numbered[][] } | { sought: Sought }

/** A column of the table with its index, or the index of a property (N49). */
export type Along = { column: Column; index?: undefined } | { column?: undefined; index: KnownIndex }

export interface Plan {
  /** The index to walk, with the one value that it is held at, if any. */
  walk: Along & { value: Scalar | undefined }
  /** Few enough to be found first and sorted afterwards. */
  gather: Filter | undefined
  /** The same where the index of a column or of a property has few that pass one of the filters; else the walk is gone. */
  narrow: { index?: KnownIndex; filter: Numbered } | undefined
  filters: Condition[]
  order: Along & { field: string; descending: boolean }
}

const BY_CREATION: Order = { orderField: 'createdOn', order: 'asc' }

/** Where a search leads the way, all criteria are tested beside it. */
export function testedPlan(kind: Kind, criteria: Criteria): Plan {
  const { filters, alternatives } = readCriteria(kind, criteria)
  return { ...planOf(kind, {}), filters: numbered(filters, alternatives) }
}

/** Whether the indexes of properties matter. */
export function mayUseIndexes(kind: Kind, criteria: Criteria, order: Order = BY_CREATION): boolean {
  const isOwn = (name: string) => !isAlternatives(name, criteria[name]) && !columnOf(kind, name)
  return orderedByProperty(order) !== undefined || Object.keys(criteria).some(isOwn)
}

/** The property that a list is ordered by, where it is none of the fields that all have. */
export function orderedByProperty({ orderField }: Order = BY_CREATION): string | undefined {
  return isOrderField(orderField) ? undefined : orderField
}

export interface Asked {
  order?: Order | undefined
  sought?: Sought | undefined
  /** The indexes of properties that hold all entities of the type. */
  indexes?: readonly KnownIndex[]
}

export function planOf(
  kind: Kind,
  criteria: Criteria,
  { order = BY_CREATION, sought, indexes = [] }: Asked = {},
): Plan {
  const { filters, alternatives } = readCriteria(kind, criteria)
  const orderedBy = orderOf(order.orderField, indexes)
  const byCreation = order.orderField === 'createdOn'
  const gather = filters.find(filter => isUnique(kind, filter))
  // Entities of one value of an index lie in commit order, which is the order of creation.
  const isHeld = (filter: Filter) => byCreation && heldAt(filter, indexes) !== undefined
  const driver = gather ? undefined : best(filters.filter(isHeld))
  const held = driver && heldAt(driver, indexes)
  const few = gather ? undefined : best(filters.filter(isGatherable), driver && rarityOf(driver))
  // Of the few that are gathered, all are tested: also what the walk would be held at.
  const beside = numbered(
    filters.filter(filter => filter !== gather && (few || filter !== driver)),
    alternatives,
  )
  const gathered = beside.find((filter): filter is Numbered => 'property' in filter && filter.test === few?.test)
  const byColumn = gathered && { filter: gathered }
  const byIndex = gather || held ? undefined : narrowed(beside, indexes, order.orderField)
  return {
    walk: held ?? { ...orderedBy, value: undefined },
    gather,
    narrow: few && rarityOf(few) > 0 ? byColumn : (byIndex ?? byColumn),
    filters: [...beside, ...(sought ? [{ sought }] : [])],
    order: { ...orderedBy, field: order.orderField, descending: order.order === 'desc' },
  }
}

const isOrderField = (field: string): boolean => (ORDER_FIELDS as readonly string[]).includes(field)

function orderOf(field: string, indexes: readonly KnownIndex[]): Along {
  if (isOrderField(field)) return { column: columnNamed(field) }
  const index = indexes.find(({ property }) => property === field)
  if (index) return { index }
  const fields = [...ORDER_FIELDS, ...indexes.map(({ property }) => property)]
  const message = `Expected ${fields.join(', ')}, or a property whose type says \`indexed: true\` and whose index is complete.`
  throw invalid([{ path: '/order/orderField', message: `${message}${didYouMean(field, fields)}` }])
}

/** Where an index has one value for each entity, a test of it says what the test of the property would. */
function indexFor({ column, property, isNot }: Filter, indexes: readonly KnownIndex[]): KnownIndex | undefined {
  return column || isNot ? undefined : indexes.find(index => index.property === property && index.lists === 0)
}

function heldAt(filter: Filter, indexes: readonly KnownIndex[]): Plan['walk'] | undefined {
  const { column, test } = filter
  const single = singleValue(filter)
  if (column) return single === undefined ? undefined : { column, value: single }
  const index = indexFor(filter, indexes)
  const value = 'any' in test && test.any.length === 1 ? test.any[0] : undefined
  return index && value !== undefined && isInIndex(test) ? { index, value } : undefined
}

function narrowed(conditions: readonly Condition[], indexes: readonly KnownIndex[], order: string): Plan['narrow'] {
  for (const filter of conditions) {
    if (!('property' in filter) || !isInIndex(filter.test)) continue
    // A range of what the list is ordered by narrows the walk.
    if (filter.property === order && 'range' in filter.test) return undefined
    const index = indexFor(filter, indexes)
    if (index) return { index, filter }
  }
  return undefined
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

/** A federatedId that is unique within its type path may be that of very many. */
const isUnique = (kind: Kind, { column, test, isNot }: Filter): boolean =>
  Boolean(column?.unique && 'any' in test && !isNot) && !isShared(kind, column)

/** By which entities can be found first, if they are few. */
const isGatherable = ({ column, test, isNot }: Filter): boolean =>
  Boolean(column?.index && !column.time && 'any' in test && !isNot)

const RARITY: Record<Shared, number> = { most: 0, some: 1, few: 2 }

/** How few entities a filter mostly leaves. */
const rarityOf = ({ column }: Filter): number => RARITY[column?.unique ? 'few' : (column?.shared ?? 'some')]

/** The first of those that leave the fewest, where these are fewer than are left anyway. */
function best(filters: readonly Filter[], otherwise = -1): Filter | undefined {
  const most = Math.max(...filters.map(rarityOf))
  return most > otherwise ? filters.find(filter => rarityOf(filter) === most) : undefined
}

const isShared = (kind: Kind, column: Column | undefined): boolean =>
  column?.column === 'federatedId' && kind.federatedScope === 'typePath'

/** The one value that an index can be held at. */
function singleValue({ column, test, isNot }: Filter): Scalar | undefined {
  if (!column?.index || column.time || isNot || !('any' in test) || test.any.length !== 1) return undefined
  return test.any[0]
}

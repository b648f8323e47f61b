// What a list asks for, parsed to data (N16): which index drives it, what is filtered beside it, in which order. Pure.
import * as z from 'zod'
import { ENTITY_INDEX, type StoredColumns } from '../../platform/db/schema/entities.ts'
import { type FieldError, invalid, pointer } from '../../platform/errors.ts'
import type { Kind } from '../../platform/kind.ts'
import { CRITERIA_MAX, CRITERION_MAX_VALUES, PROPERTY_NAME_MAX_LENGTH } from '../../platform/limits.ts'
import { parseBetween, parseTime } from '../../platform/time-range.ts'

const Scalar = z.union([z.string(), z.number(), z.boolean()])
export type Scalar = z.output<typeof Scalar>

export const Criteria = z.record(
  z.string().min(1).max(PROPERTY_NAME_MAX_LENGTH),
  z.union([Scalar, z.null(), z.array(Scalar).min(1).max(CRITERION_MAX_VALUES)]),
  'Expected a value, a list of values, null, or "BETWEEN a and b" for each property.',
)
export type Criteria = z.output<typeof Criteria>

export const ORDER_FIELDS = ['createdOn', 'updatedOn', 'name', 'federatedId', 'identifier'] as const
export const Order = z.strictObject({ orderField: z.enum(ORDER_FIELDS), order: z.enum(['asc', 'desc']).default('asc') })
export type Order = z.output<typeof Order>

type ColumnName = keyof typeof ENTITY_INDEX & keyof StoredColumns

interface Column {
  column: keyof StoredColumns
  /** None: it can be asked for, but not searched by. */
  index?: string
  time?: true
  number?: true
  nullable?: true
  /** Most entities have no value, and the index leaves them out. */
  sparse?: true
  /** So few entities share a value that they may be sorted in any order. */
  selective?: true
}

const indexed = (column: ColumnName, more: Partial<Column> = {}): Column => ({
  column,
  index: ENTITY_INDEX[column],
  ...more,
})

/** Fields of every entity that are stored as what they are, whatever the entity type. */
const COMMON_FIELDS = new Set(['id', 'createdOn', 'updatedOn', 'name', 'typePath', 'federatedId', 'identifier'])

/** The fields with an index of their own. */
export const COLUMNS: Record<string, Column> = {
  id: indexed('id', { selective: true }),
  createdOn: indexed('createdOn', { time: true }),
  updatedOn: indexed('updatedOn', { time: true }),
  name: indexed('name', { nullable: true }),
  typePath: indexed('typePath'),
  federatedId: indexed('federatedId', { nullable: true, selective: true }),
  identifier: indexed('identifier', { nullable: true, sparse: true, selective: true }),
  itemFamilyId: indexed('itemFamilyId', { selective: true }),
  itemId: indexed('itemId', { selective: true }),
  projectItemId: indexed('projectItemId', { selective: true }),
  projectId: indexed('projectId'),
  assortmentId: indexed('assortmentId'),
  workspaceId: indexed('workspaceId'),
  processId: indexed('processId', { selective: true }),
  eventWorkflowId: indexed('eventWorkflowId'),
  triggerKey: indexed('triggerKey'),
  status: indexed('status'),
}

/** Columns that can be asked for, but not searched by. */
const PLAIN_COLUMNS: Record<string, Column> = {
  orgId: { column: 'orgId' },
  createdById: { column: 'createdById' },
  updatedById: { column: 'updatedById' },
  version: { column: 'version', number: true },
}

type Range = [from: string | number, to: string | number]
export type Test = { any: Scalar[] } | { between: Range } | { anyBetween: Range[] } | { absent: true }

export interface Filter {
  /** A column of the table, or else a property of the entity. */
  column?: Column
  property: string
  test: Test
}

export interface Plan {
  /** The index to walk, with the one value that it is held at, if any. */
  walk: { column: Column; value: Scalar | undefined }
  /** Few enough to be found first and sorted afterwards. */
  gather: Filter | undefined
  filters: Filter[]
  order: { column: Column; field: string; descending: boolean }
}

const BY_CREATION: Order = { orderField: 'createdOn', order: 'asc' }

export function planOf(kind: Kind, criteria: Criteria, order: Order = BY_CREATION): Plan {
  const faults: FieldError[] = []
  const entries = Object.entries(criteria)
  if (entries.length > CRITERIA_MAX) faults.push({ path: '/criteria', message: `At most ${CRITERIA_MAX} criteria.` })
  const filters = entries.map(([property, value]) => filterOf(columnOf(kind, property), property, value, faults))
  if (faults.length) throw invalid(faults)
  const orderColumn = columnNamed(order.orderField)
  const byCreation = order.orderField === 'createdOn'
  const gather = filters.find(isSelective)
  // Entities of one value of an index lie in commit order, which is the order of creation.
  const driver = gather ? undefined : filters.find(filter => byCreation && singleValue(filter) !== undefined)
  return {
    walk: { column: driver?.column ?? orderColumn, value: driver && singleValue(driver) },
    gather,
    filters: filters.filter(filter => filter !== driver && filter !== gather),
    order: { column: orderColumn, field: order.orderField, descending: order.order === 'desc' },
  }
}

function columnNamed(field: string): Column {
  const column = COLUMNS[field]
  if (!column) throw new Error(`no column for ${field}`)
  return column
}

const isSelective = ({ column, test }: Filter): boolean => Boolean(column?.selective && 'any' in test)

/** The one value that an index can be held at. */
function singleValue({ column, test }: Filter): Scalar | undefined {
  if (!column?.index || column.time || !('any' in test) || test.any.length !== 1) return undefined
  return test.any[0]
}

/**
 * A column holds text. Where an entity type does not declare the property, callers may keep a number or a list in it, and
 * only the property itself tells them apart.
 */
function columnOf(kind: Kind, property: string): Column | undefined {
  if (Object.hasOwn(PLAIN_COLUMNS, property)) return PLAIN_COLUMNS[property]
  const isDeclared = COMMON_FIELDS.has(property) || Object.hasOwn(kind.fields, property)
  return isDeclared && Object.hasOwn(COLUMNS, property) ? COLUMNS[property] : undefined
}

function filterOf(column: Column | undefined, property: string, value: Criteria[string], faults: FieldError[]): Filter {
  const fault = (message: string) => faults.push({ path: pointer(['criteria', property]), message })
  const named = column ? { column, property } : { property }
  if (/["\\\p{Cc}]/u.test(property)) fault('No property has such a name.')
  if (value === null) return { ...named, test: { absent: true } }
  const between = typeof value === 'string' ? parseBetween(value, endsOf(column)) : undefined
  if (between) {
    if ('range' in between) return { ...named, test: { between: between.range } }
    fault(between.fault)
    return { ...named, test: { absent: true } }
  }
  const values = Array.isArray(value) ? value : [value]
  if (column?.time) return { ...named, test: timeTest(values, fault) }
  return { ...named, test: { any: values.filter(candidate => canHold(column, candidate)) } }
}

function endsOf(column: Column | undefined): 'time' | 'text' | 'value' {
  if (column?.time) return 'time'
  return column && !column.number ? 'text' : 'value'
}

/** Types must agree: the number 1 is not the name "1". */
function canHold(column: Column | undefined, value: Scalar): boolean {
  return !column || typeof value === (column.number ? 'number' : 'string')
}

/** A date stands for its whole day, a time for itself. */
function timeTest(values: Scalar[], fault: (message: string) => void): Test {
  const times = values.map(time => parseTime(String(time)))
  if (times.includes(undefined)) fault('Expected a time, or "BETWEEN a and b".')
  const ranges = times.map((time): Range => [time?.first ?? 0, time?.last ?? 0])
  const [only] = ranges
  return ranges.length === 1 && only ? { between: only } : { anyBetween: ranges }
}

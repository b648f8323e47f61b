// The fields of an entity that are columns of the table: what a list can be searched and ordered by. Pure.
import { ENTITY_INDEX, type StoredColumns } from '../../platform/db/schema/entities.ts'
import type { Kind } from '../../platform/kind.ts'

type ColumnName = keyof typeof ENTITY_INDEX & keyof StoredColumns

export type Shared = 'few' | 'some' | 'most'

export interface Column {
  column: keyof StoredColumns
  /** None: it can be asked for, but not searched by. */
  index?: string
  time?: true
  number?: true
  nullable?: true
  /** Most entities have no value, and the index leaves them out. */
  sparse?: true
  /** No two entities of a type share a value: those of all that are asked for may be sorted in any order. */
  unique?: true
  /** Who mostly shares a value, `some` where it says nothing. Where they are too many to be sorted, they are not gathered. */
  shared?: Shared
}

const indexed = (column: ColumnName, more: Partial<Column> = {}): Column => ({
  column,
  index: ENTITY_INDEX[column],
  ...more,
})

/** Fields that are stored the same way for every entity type. */
const COMMON_FIELDS = new Set(['id', 'createdOn', 'updatedOn', 'name', 'typePath', 'federatedId', 'identifier'])

/** The fields with an index of their own. */
export const COLUMNS: Record<string, Column> = {
  id: indexed('id', { unique: true }),
  createdOn: indexed('createdOn', { time: true }),
  updatedOn: indexed('updatedOn', { time: true }),
  name: indexed('name', { nullable: true, shared: 'few' }),
  typePath: indexed('typePath', { shared: 'most' }),
  federatedId: indexed('federatedId', { nullable: true, unique: true }),
  identifier: indexed('identifier', { nullable: true, sparse: true, unique: true }),
  itemFamilyId: indexed('itemFamilyId', { shared: 'few' }),
  itemId: indexed('itemId', { shared: 'few' }),
  projectItemId: indexed('projectItemId', { shared: 'few' }),
  projectId: indexed('projectId'),
  assortmentId: indexed('assortmentId'),
  workspaceId: indexed('workspaceId'),
  processId: indexed('processId', { shared: 'few' }),
  eventWorkflowId: indexed('eventWorkflowId'),
  triggerKey: indexed('triggerKey'),
  status: indexed('status', { shared: 'most' }),
}

/** Columns that can be asked for, but not searched by. */
const PLAIN_COLUMNS: Record<string, Column> = {
  orgId: { column: 'orgId' },
  createdById: { column: 'createdById' },
  updatedById: { column: 'updatedById' },
  version: { column: 'version', number: true },
}

export function columnNamed(field: string): Column {
  const column = COLUMNS[field]
  if (!column) throw new Error(`no column for ${field}`)
  return column
}

/**
 * A column holds text. Where an entity type does not declare the property, callers may keep a number or a list in it, and
 * only the property itself tells them apart.
 */
export function columnOf(kind: Kind, property: string): Column | undefined {
  if (Object.hasOwn(PLAIN_COLUMNS, property)) return PLAIN_COLUMNS[property]
  const isDeclared = COMMON_FIELDS.has(property) || Object.hasOwn(kind.fields, property)
  return isDeclared && Object.hasOwn(COLUMNS, property) ? COLUMNS[property] : undefined
}

// An entity as it lies in the table, and as callers see it.
import { type SQL, sql } from 'drizzle-orm'
import { entities } from './schema/entities.ts'
import { columns, list, type RowOf } from './sql.ts'

const ROW_NAMES = [
  'seq',
  'id',
  'orgId',
  'kind',
  'version',
  'createdOn',
  'updatedOn',
  'createdById',
  'updatedById',
  'data',
] as const

/** With its place in the order of commits. */
export type StoredRow = Pick<RowOf<typeof entities>, (typeof ROW_NAMES)[number]>
export type EntityRow = Omit<StoredRow, 'seq'>

/** The columns that make an entity, of the table or of a name that it has in a statement. */
export function rowColumns(table: typeof entities = entities): SQL {
  return columns(table, ROW_NAMES)
}

/** A row as one JSON object. */
export function rowAsJson(table: typeof entities): SQL {
  return sql`json_object(${list(ROW_NAMES.map(name => sql`${sql.raw(`'${name}'`)}, ${table[name]}`))})`
}

export type Entity = { id: string; version: number } & Record<string, unknown>

export function entityOf(row: EntityRow): Entity {
  return entityWith(row, JSON.parse(row.data) as Record<string, unknown>)
}

/** The common fields first, in one order; those that stand in the data keep their places. */
export function entityWith(row: Omit<EntityRow, 'kind' | 'data'>, data: Record<string, unknown>): Entity {
  const createdOn = timeText(row.createdOn)
  return {
    id: row.id,
    orgId: row.orgId,
    typePath: null,
    name: null,
    federatedId: null,
    createdOn,
    updatedOn: row.updatedOn === row.createdOn ? createdOn : timeText(row.updatedOn),
    createdById: row.createdById,
    updatedById: row.updatedById,
    version: row.version,
    ...data,
  }
}

/** ISO 8601 in UTC with milliseconds (N3). */
export function timeText(time: number): string {
  return new Date(time).toISOString()
}

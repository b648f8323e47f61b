// Constants as the fields of a SELECT, so that a row can be inserted on a condition: INSERT … SELECT … WHERE.
import { getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

type Columns<T extends SQLiteTable> = ReturnType<typeof getTableColumns<T>>

/** Every column of the table in its order: the value given, or the column itself of the row selected from. */
export function valuesOf<T extends SQLiteTable>(table: T, row: Partial<T['$inferSelect']>): Columns<T> {
  const given: Record<string, unknown> = row
  const fields = Object.entries(getTableColumns(table)).map(([name, column]) => [
    name,
    name in given ? sql`${given[name] ?? null}`.as(column.name) : column,
  ])
  return Object.fromEntries(fields) as Columns<T>
}

// Rows as they were, of an organization that no caller can reach yet: no clock moves, nothing is checked but that no row of another
// organization is in the way (N63).
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { slices } from '../json-slices.ts'
import { changes, entities } from '../schema/entities.ts'
import { historyFileEntities } from '../schema/history-files.ts'
import { bare, from, list, named, type Param, type Statement, statement } from '../sql.ts'
import type { OrganizationTable } from '../tables.ts'

/** Begin the messages of transactions that another organization's rows stand against. */
export const ID_TAKEN = 'restore: id taken'
export const PLACE_TAKEN = 'restore: place taken'

/** Rows that are longer are bound value by value: quoted once more, they could outgrow what one value may hold. */
const LONG_ROW_LENGTH = 300_000

export interface Inserted {
  table: SQLiteTable
  /** Columns by their names in the schema, and rows as lists of their values in that order. */
  names: readonly string[]
  rows: readonly Param[][]
}

export interface RestoredRows extends Inserted {
  orgId: string
  table: OrganizationTable
  /** What is added to the values of these columns. */
  shifts: Readonly<Record<string, number>>
}

const e = named(entities, 'e')
const x = named(historyFileEntities, 'x')
const failing = (message: string) => sql.raw(`json_extract('{}', '${message}')`)

/** Rows with everything that they hold. */
export function insertRows({ table, names, rows }: Inserted): Statement[] {
  const into = sql`INSERT INTO ${table} (${list(chosen(table, names))})`
  const isLong = (row: Param[]) => JSON.stringify(row).length > LONG_ROW_LENGTH
  const many = slices(rows.filter(row => !isLong(row))).map(part => {
    const values = names.map((_, at) => sql`r.value ->> ${sql.raw(String(at))}`)
    return statement(sql`${into} SELECT ${list(values)} FROM json_each(${part}) r`)
  })
  const single = rows.filter(isLong).map(row => {
    const values = names.map((_, at) => sql`${row[at] ?? null}`)
    return statement(sql`${into} VALUES (${list(values)})`)
  })
  return [...many, ...single]
}

const chosen = (table: SQLiteTable, names: readonly string[]) => {
  const byName = getTableColumns(table)
  return names.flatMap(name => byName[name] ?? []).map(bare)
}

function inserted({ orgId, table, names, rows, shifts }: RestoredRows, verb: SQL): Statement[] {
  const into = sql`${verb} INTO ${table} (${list(chosen(table, ['orgId', ...names]))})`
  const isLong = (row: Param[]) => JSON.stringify(row).length > LONG_ROW_LENGTH
  const shift = (name: string, value: SQL) => (shifts[name] ? sql`${value} + ${shifts[name]}` : value)
  const many = slices(rows.filter(row => !isLong(row))).map(part => {
    const values = names.map((name, at) => shift(name, sql`r.value ->> ${sql.raw(String(at))}`))
    return statement(sql`${into} SELECT ${orgId}, ${list(values)} FROM json_each(${part}) r`)
  })
  const single = rows.filter(isLong).map(row => {
    const values = names.map((name, at) => shift(name, sql`${row[at] ?? null}`))
    return statement(sql`${into} VALUES (${orgId}, ${list(values)})`)
  })
  return [...many, ...single]
}

/** Fails where a row is there already. */
export function restoreRows(restored: RestoredRows): Statement[] {
  return [...(restored.table === changes ? areFree(restored) : []), ...inserted(restored, sql`INSERT`)]
}

/** Records of others may be in files (N58): where those of an entity end is a place that cannot be had twice. */
function areFree({ orgId, names, rows, shifts }: RestoredRows): Statement[] {
  const seq = names.indexOf('seq')
  return slices(rows.map(row => Number(row[seq]) + (shifts.seq ?? 0))).map(part =>
    statement(sql`SELECT ${failing(PLACE_TAKEN)} FROM json_each(${part}) r
      CROSS JOIN ${from(x)} ON ${x.seq} = r.value WHERE ${x.orgId} <> ${orgId}`),
  )
}

/** An entity that comes again takes the place of what was there: a later line of an archive knows better. */
export function restoreEntities(restored: Omit<RestoredRows, 'table'>): Statement[] {
  const { orgId, names, rows, shifts } = restored
  const [id, seq] = [names.indexOf('id'), names.indexOf('seq')]
  const own = slices(rows.map(row => [row[id] ?? null, Number(row[seq]) + (shifts.seq ?? 0)]))
  const guard = (part: string, message: string, found: SQL) =>
    statement(
      sql`SELECT ${failing(message)} FROM json_each(${part}) r CROSS JOIN ${from(e)} ON ${found} WHERE ${e.orgId} <> ${orgId}`,
    )
  return [
    ...own.flatMap(part => [
      guard(part, ID_TAKEN, sql`${e.id} = r.value ->> 0`),
      guard(part, PLACE_TAKEN, sql`${e.seq} = r.value ->> 1`),
    ]),
    ...inserted({ ...restored, table: entities }, sql`INSERT OR REPLACE`),
  ]
}

/** Entities that were deleted while the archive was made. */
export function removeRestored(orgId: string, ids: readonly string[]): Statement[] {
  return slices(ids).map(part =>
    statement(sql`DELETE FROM ${entities} WHERE ${entities.orgId} = ${orgId}
      AND ${entities.id} IN (SELECT value FROM json_each(${part}))`),
  )
}

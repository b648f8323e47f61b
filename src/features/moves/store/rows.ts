// Rows of an organization as they are read in one database and written in another. Every write in the target says in which step of the
// move it is made: one that comes late fails whole.
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database, Statement } from '../../../platform/db/client.ts'
import { insertRows } from '../../../platform/db/commit/restored-rows.ts'
import { slices } from '../../../platform/db/json-slices.ts'
import { clocks } from '../../../platform/db/schema/entities.ts'
import { all, bare, columns, from, list, named, type Param, statement, withinBytes } from '../../../platform/db/sql.ts'
import { BACKGROUND_COMMIT_MAX_BYTES, BACKGROUND_COMMIT_MAX_ENTITIES } from '../../../platform/limits.ts'
import type { Moved } from './tables.ts'

/** Of one slice. */
export const SLICE_ROWS = BACKGROUND_COMMIT_MAX_ENTITIES
const SLICE_BYTES = BACKGROUND_COMMIT_MAX_BYTES

/** Values of all columns, in the order of the schema. */
export type Row = Param[]
export type Place = (string | number)[]

export interface Slice {
  rows: Row[]
  /** Where the next one goes on; none: there is nothing behind this one. */
  place: Place | null
}

/** Whose rows, and in which step of its move. */
export interface Turn {
  orgId: string
  step: number
}

/** Begins the message of a transaction that comes late. */
export const OUT_OF_TURN = 'move: out of turn'

const outOfTurn = sql.raw(`json_extract('{}', '${OUT_OF_TURN}')`)

/** Fails unless the organization is on its way here, and nobody is further. */
export function turnStatements({ orgId, step }: Turn): Statement[] {
  return [
    statement(sql`SELECT ${outOfTurn} WHERE NOT EXISTS (SELECT 1 FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}
      AND ${clocks.state} = 'moving' AND ${clocks.moveStep} <= ${step})`),
    statement(sql`UPDATE ${clocks} SET ${bare(clocks.moveStep)} = ${step} WHERE ${clocks.orgId} = ${orgId}`),
  ]
}

export const isOutOfTurn = (error: unknown) => error instanceof Error && error.message.includes(OUT_OF_TURN)

const tuple = (values: readonly unknown[]) => sql`(${list(values.map(value => sql`${value}`))})`

const namesOf = (table: SQLiteTable) => Object.keys(getTableColumns(table))

type Read = Record<string, Param> & { bytes: number }

const rowIn = (table: SQLiteTable) => {
  const names = namesOf(table)
  return (row: Read): Row => names.map(name => row[name] ?? null)
}

const read = (table: SQLiteTable, rows: SQL) =>
  statement(sql<Read>`SELECT ${columns(table)}, b.bytes FROM ${withinBytes(rows, SLICE_BYTES)} b
    CROSS JOIN ${table} ON ${table}.rowid = b.place`)

const placeOf = (row: Read, { table, order }: Moved): Place => {
  const names = Object.entries(getTableColumns(table))
  return order.map(column => row[names.find(([, own]) => own === column)?.[0] ?? ''] as string | number)
}

/** The next rows in order; `where` narrows them. */
export async function readSlice(
  db: Database,
  moved: Moved,
  orgId: string,
  after: Place | null,
  where?: SQL,
): Promise<Slice> {
  const { table, order, index = sql``, size } = moved
  const found = await db.all(
    read(
      table,
      sql`SELECT ${table}.rowid AS place, ${size} AS size FROM ${table} ${index}
        WHERE ${all([
          moved.isOf(orgId),
          ...(where ? [where] : []),
          ...(after ? [sql`${tuple(order)} > ${tuple(after)}`] : []),
        ])}
        ORDER BY ${list(order.map(column => sql`${column}`))} LIMIT ${SLICE_ROWS}`,
    ),
  )
  const last = found.at(-1)
  const isCut = last !== undefined && (found.length === SLICE_ROWS || last.bytes >= SLICE_BYTES)
  return { rows: found.map(rowIn(table)), place: isCut ? placeOf(last, moved) : null }
}

/** As many as there can be where nothing is wrong. */
export const BETWEEN_ROWS = 2 * SLICE_ROWS

/** Rows between two places. */
export async function readBetween(
  db: Database,
  moved: Moved,
  orgId: string,
  after: Place | null,
  upTo: Place | null,
): Promise<Row[]> {
  const { table, order, index = sql`` } = moved
  const place = tuple(order)
  const rows = sql`SELECT ${columns(table)} FROM ${table} ${index} WHERE ${all([
    moved.isOf(orgId),
    ...(after ? [sql`${place} > ${tuple(after)}`] : []),
    ...(upTo ? [sql`${place} <= ${tuple(upTo)}`] : []),
  ])} LIMIT ${BETWEEN_ROWS}`
  return (await db.all(statement(rows as SQL<Read>))).map(rowIn(table))
}

/** Rows at the first of these positions, as many as fit; `looked`: how many of the positions that were. */
export async function readAt(db: Database, moved: Moved, orgId: string, seqs: readonly number[]) {
  const { table, size } = moved
  const asked = seqs.slice(0, SLICE_ROWS)
  const rows = sql`SELECT ${table}.rowid AS place, ${size} AS size FROM json_each(${JSON.stringify(asked)}) s
    CROSS JOIN ${table} ON ${table}.rowid = s.value WHERE ${moved.isOf(orgId)} ORDER BY s.id`
  const found = await db.all(read(table, rows))
  const last = found.at(-1)
  const isCut = last !== undefined && last.bytes >= SLICE_BYTES
  return { rows: found.map(rowIn(table)), looked: isCut ? asked.indexOf(Number(last.seq)) + 1 : asked.length }
}

/** What makes a row the same in both databases. */
export function keyOf({ table, order }: Moved): (row: Row) => string {
  const all = Object.values(getTableColumns(table))
  const places = order.map(column => all.indexOf(column as never))
  return row => JSON.stringify(places.map(at => row[at]))
}

interface Key {
  columns: readonly SQLiteColumn[]
  where: SQL | undefined
}

/** Everything that no two rows of the table may share. */
function uniqueKeys(table: SQLiteTable): Key[] {
  const { columns: own, indexes, primaryKeys } = getTableConfig(table)
  return [
    ...own
      .filter(({ primary, isUnique }) => primary || isUnique)
      .map(column => ({ columns: [column], where: undefined })),
    ...primaryKeys.map(key => ({ columns: key.columns, where: undefined })),
    ...indexes
      .filter(({ config }) => config.unique)
      .map(({ config }) => ({ columns: config.columns as SQLiteColumn[], where: config.where })),
  ]
}

/** Removes rows of the organization that share anything unique with those given: they are older, or the same. */
function makeRoom({ table, isOf }: Moved, orgId: string, rows: readonly Row[]): Statement[] {
  const all = Object.values(getTableColumns(table))
  const t = named(table, 't')
  const byName: Record<string, SQLiteColumn> = getTableColumns(t)
  const isOwn = byName.orgId ? [sql`${byName.orgId} = ${orgId}`] : []
  return uniqueKeys(table).flatMap(({ columns: key, where }) => {
    const at = key.map(column => all.findIndex(({ name }) => name === column.name))
    const values = rows.map(row => at.map(place => row[place] ?? null)).filter(value => !value.includes(null))
    const own = key.map(column => Object.values(byName).find(({ name }) => name === column.name) as SQLiteColumn)
    const isSame = own.map((column, place) => sql`${column} = v.value ->> ${sql.raw(String(place))}`)
    return slices(values).map(part =>
      statement(sql`DELETE FROM ${table} WHERE ${isOf(orgId)} AND rowid IN (SELECT t.rowid FROM json_each(${part}) v
        CROSS JOIN ${from(t)} ON ${list([...isSame, ...isOwn], ' AND ')}${where ? sql` WHERE ${where}` : sql``})`),
    )
  })
}

function insertion({ table }: Moved, rows: readonly Row[]): Statement[] {
  const entries = Object.entries(getTableColumns(table))
  const kept = entries.flatMap(([, { generated }], at) => (generated === undefined ? [at] : []))
  const names = kept.map(at => entries[at]?.[0] ?? '')
  return insertRows({ table, names, rows: rows.map(row => kept.map(at => row[at] ?? null)) })
}

/** By what the order says of them. */
function removal({ table, order, isOf }: Moved, orgId: string, rows: readonly Row[]): Statement[] {
  const own = Object.values(getTableColumns(table))
  const places = order.map(column => own.indexOf(column as never))
  const isSame = order.map((column, at) => sql`${column} = v.value ->> ${sql.raw(String(at))}`)
  return slices(rows.map(row => places.map(at => row[at] ?? null))).map(part =>
    statement(sql`DELETE FROM ${table} WHERE ${isOf(orgId)} AND rowid IN (SELECT ${table}.rowid FROM json_each(${part}) v
      CROSS JOIN ${table} ON ${list(isSame, ' AND ')})`),
  )
}

const isUnique = (error: unknown) => error instanceof Error && error.message.includes('UNIQUE constraint failed')

export interface Difference {
  written: readonly Row[]
  removed: readonly Row[]
  /** Positions whose rows go, too. */
  gone?: readonly number[]
}

const removalAt = ({ table, isOf }: Moved, orgId: string, seqs: readonly number[]) =>
  slices(seqs).map(part =>
    statement(sql`DELETE FROM ${table} WHERE ${isOf(orgId)} AND rowid IN (SELECT value FROM json_each(${part}))`),
  )

/** Writes and removes rows in the target, in one transaction. */
export async function writeRows(db: Database, moved: Moved, turn: Turn, difference: Difference): Promise<void> {
  const { written, removed, gone: seqs = [] } = difference
  if (written.length + removed.length + seqs.length === 0) return
  const { orgId } = turn
  const gone = [...removal(moved, orgId, removed), ...removalAt(moved, orgId, seqs)]
  const come = insertion(moved, written)
  try {
    await db.batch([...turnStatements(turn), ...gone, ...come])
  } catch (error) {
    if (!isUnique(error)) throw error
    await db.batch([...turnStatements(turn), ...gone, ...makeRoom(moved, orgId, written), ...come])
  }
}

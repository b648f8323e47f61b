// Positions (`seq`) are unique in the whole deployment, not only in a table: an organization takes its rows along to another database
// with the positions that they have, so that sync keys, page keys and everything else that names one stays valid (N57). Each
// database gives out positions of a range that it alone has. One that is to hold rows of a higher range gets a higher one first: its
// counters never run into a range of others.
import { and, desc, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Bindings, databaseAt, directory } from './client.ts'
import { DIRECTORY } from './placement.ts'
import { changes, entities, unrecordedChanges } from './schema/entities.ts'
import { deliveries, publishedEvents } from './schema/events.ts'
import { historyFileEntities } from './schema/history-files.ts'
import { loads, publishes } from './schema/loads.ts'
import { positionRanges } from './schema/organizations.ts'
import { propertyIndexes } from './schema/property-index.ts'
import { build, columns, insertInto, type Statement, selection, statement } from './sql.ts'
import type { OrganizationTable } from './tables.ts'

/** Tables that count their rows, each with the size of a range. Terms of the search index have room for 2^43 entities. */
export const COUNTED: readonly (readonly [table: OrganizationTable, size: number])[] = [
  [entities, 2 ** 31],
  [changes, 2 ** 40],
  [unrecordedChanges, 2 ** 40],
  [publishes, 2 ** 40],
  [publishedEvents, 2 ** 40],
  [deliveries, 2 ** 40],
  [loads, 2 ** 40],
  [propertyIndexes, 2 ** 40],
]

export const RANGES_MAX = 4095

/** The range that a position of the table belongs to. */
export function rangeOf(table: SQLiteTable, position: number): number {
  // Records that are in files have the positions that they had.
  const origin = table === historyFileEntities ? changes : table
  const [, size] = COUNTED.find(([counted]) => counted === origin) ?? []
  return size === undefined ? 0 : Math.floor(position / size)
}

/** The range that is to be given out behind a position: in the last quarter of one it is the next. Other tables are counted likewise. */
export function rangeBehind(table: SQLiteTable, position: number): number {
  const [, size = 2 ** 40] = COUNTED.find(([counted]) => counted === table) ?? []
  return Math.floor(position / size + 0.25)
}

const counterOf = (table: SQLiteTable) => ('seq' in getTableColumns(table) ? 'seq' : 'id') as never

/** A row at a place, and none: what is written from now on comes behind it. */
export function reserve(table: OrganizationTable, owner: string, place: number): Statement[] {
  const text = JSON.stringify(`reserved for ${owner}`)
  const counter: string = counterOf(table)
  const needed = Object.entries(getTableColumns(table)).filter(
    ([column, { notNull, generated }]) => notNull && !generated && column !== counter && column !== 'orgId',
  )
  const values = needed.map(([, { dataType }]) => (dataType === 'string' ? text : 0))
  const into = insertInto(table, [counter, 'orgId', ...needed.map(([column]) => column)] as never[])
  return [
    statement(
      sql`${into} VALUES (${sql.join(
        [place, owner, ...values].map(value => sql`${value}`),
        sql`, `,
      )})`,
    ),
    statement(sql`DELETE FROM ${table} WHERE ${table}.rowid = ${place} AND ${table.orgId} = ${owner}`),
  ]
}

/** The highest range that the database gives out, or any of them; the directory's own is the first. */
export async function rangeIn(env: Bindings, database?: string): Promise<number> {
  const highest = build
    .select(selection(positionRanges, ['id']))
    .from(positionRanges)
    .where(and(eq(positionRanges.database, database ?? positionRanges.database), isNotNull(positionRanges.reservedOn)))
    .orderBy(desc(positionRanges.id))
    .limit(1)
  return (await directory(env).first(statement(highest)))?.id ?? 0
}

/** A range above all that were ever given, and above `than`; from here on the database gives out its positions. */
export async function takeRange(env: Bindings, database: string, than = 0): Promise<number> {
  const db = directory(env)
  const next = sql`max(coalesce((SELECT max(${positionRanges.id}) FROM ${positionRanges}), 0), ${than}) + 1`
  const take = sql<{ id: number }>`${insertInto(positionRanges, ['id', 'database', 'createdOn'])}
    SELECT next, ${database}, ${Date.now()} FROM (SELECT ${next} AS next) WHERE next <= ${RANGES_MAX}
    RETURNING ${columns(positionRanges, ['id'])}`
  const { id } = (await db.first(statement(take))) ?? {}
  if (id === undefined) throw new Error('there are no ranges of positions left')
  // A worker that dies in between leaves a range unused.
  await databaseAt(env, database).batch(COUNTED.flatMap(([table, size]) => reserve(table, `range-${id}`, id * size)))
  await db.run(statement(build.update(positionRanges).set({ reservedOn: Date.now() }).where(eq(positionRanges.id, id))))
  return id
}

/** A database beside the directory has a range of its own before the first organization is made there. */
export async function ensureRange(env: Bindings, database: string): Promise<void> {
  if (database !== DIRECTORY && (await rangeIn(env, database)) === 0) await takeRange(env, database)
}

const highest = (table: SQLiteTable) =>
  statement(sql<{ seq: number }>`SELECT coalesce(max(rowid), 0) AS seq FROM ${table}`)

/** Takes the next range where most of the present one is used up. */
export async function renewRange(env: Bindings, database: string): Promise<void> {
  const range = await rangeIn(env, database)
  const found = await databaseAt(env, database).batch(COUNTED.map(([table]) => highest(table)))
  const isUsedUp = COUNTED.some(([, size], at) => (found[at]?.results[0]?.seq ?? 0) > (range + 0.75) * size)
  if (isUsedUp) await takeRange(env, database)
}

// Statements as D1 takes them, made by Drizzle from the tables and columns of the schema. Rows come back under the names
// that the schema's properties have. Pure.
import {
  Param as BoundParam,
  type Column,
  getTableColumns,
  is,
  Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import {
  alias,
  QueryBuilder,
  type SQLiteColumn,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  SQLiteSyncDialect,
  type SQLiteTable,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core'

export type Param = string | number | null

declare const ROW: unique symbol

export interface Statement<Row = unknown> {
  sql: string
  params: Param[]
  /** Never there: it only tells the compiler what the rows look like. */
  readonly [ROW]?: Row
}

export type RowsOf<S> = S extends Statement<infer Row> ? Row[] : never

/** Parameters are numbered, so that a value that is used twice travels once. */
class NumberedDialect extends SQLiteSyncDialect {
  override escapeParam(at: number): string {
    return `?${at + 1}`
  }
}

const dialect = new NumberedDialect()

/** Drizzle's builders want a connection, which they only use when they are awaited. */
const NONE = undefined as never

/** Drizzle's own builder writes no more than SELECT. */
class Builder extends QueryBuilder {
  insert<T extends SQLiteTable>(table: T) {
    return new SQLiteInsertBuilder<T, 'async', D1Result>(table, NONE, dialect)
  }

  update<T extends SQLiteTable>(table: T) {
    return new SQLiteUpdateBuilder<T, 'async', D1Result>(table, NONE, dialect)
  }

  delete<T extends SQLiteTable>(table: T) {
    return new SQLiteDeleteBase<T, 'async', D1Result>(table, NONE, dialect)
  }
}

/** The query builder, without a connection: what it builds goes through `statement`. */
export const build = new Builder(dialect)

function textOf(query: SQL): { text: string; params: unknown[] } {
  const built = dialect.sqlToQuery(query)
  const numbers = new Map<unknown, number>()
  const params: unknown[] = []
  const renumbered = built.params.map(param => {
    const key = is(param, BoundParam) ? param.value : param
    const known = numbers.get(key)
    if (known) return known
    params.push(param)
    numbers.set(key, params.length)
    return params.length
  })
  return { text: built.sql.replaceAll(/\?(\d+)/g, (_, at) => `?${renumbered[Number(at) - 1]}`), params }
}

type Query<Row> = SQL<Row> | (SQLWrapper & { readonly _: { readonly result: readonly Row[] } })

/** A statement for this once. */
export function statement<Row>(query: Query<Row>): Statement<Row>
export function statement(query: SQLWrapper): Statement
export function statement(query: SQLWrapper): Statement {
  const { text, params } = textOf(query.getSQL())
  return { sql: text, params: params as Param[] }
}

/** The places of a statement's values, by name. */
export type Given<Values> = { readonly [Name in keyof Values]: Placeholder<string, Values[Name]> }

/** A statement that is used often: its text is built once, with places for the values that each use gives. */
export function prepared<Values extends Record<string, Param>, Row = unknown>(
  write: (given: Given<Values>) => Query<Row>,
): (values: Values) => Statement<Row> {
  const places: Record<string, Placeholder> = {}
  const given = new Proxy(places, {
    get(_, name: string) {
      places[name] ??= sql.placeholder(name)
      return places[name]
    },
  })
  const { text, params } = textOf(write(given as Given<Values>).getSQL())
  const fill = params.map(param => {
    if (is(param, Placeholder)) return (values: Values) => values[param.name] ?? null
    if (!is(param, BoundParam)) return () => param as Param
    const { encoder, value } = param as BoundParam<unknown, unknown>
    const { name } = value as Placeholder
    return (values: Values) => encoder.mapToDriverValue(values[name] ?? null) as Param
  })
  return values => ({ sql: text, params: fill.map(valueIn => valueIn(values)) })
}

/** More shapes than any service asks for; who makes up more of them only loses the gain. */
const SHAPES_MAX = 500

/** Statements whose text depends on a shape: the text is built once for each, which takes longer than a short query. */
export function preparedBy<Shape, Values extends Record<string, Param>, Row = unknown>(
  keyOf: (shape: Shape) => string,
  write: (shape: Shape, given: Given<Values>) => Query<Row>,
): (shape: Shape, values: Values) => Statement<Row> {
  const built = new Map<string, (values: Values) => Statement<Row>>()
  return (shape, values) => {
    const key = keyOf(shape)
    const known = built.get(key) ?? prepared<Values, Row>(given => write(shape, given))
    if (built.size >= SHAPES_MAX) built.clear()
    built.set(key, known)
    return known(values)
  }
}

const originals = new WeakMap<SQLiteTable, SQLiteTable>()

/** The table under another name, for statements that use it more than once or beside others. */
export function named<T extends SQLiteTable>(table: T, name: string): T {
  const copy = alias(table, name)
  originals.set(copy, table)
  return copy as unknown as T
}

/** A table where rows are taken from it: `"entities" AS "e"`. */
export function from(table: SQLiteTable): SQL {
  const original = originals.get(table)
  return original ? sql`${original} AS ${table}` : sql`${table}`
}

/** A column without its table, as INSERT and SET want it. */
export function bare(column: Column): SQL {
  return sql`${sql.identifier(column.name)}`
}

type Columns<T extends SQLiteTable> = T['_']['columns']
type Names<T extends SQLiteTable> = readonly (keyof Columns<T> & string)[]

const columnOf = (table: SQLiteTable, name: string): SQLiteColumn => {
  const column = getTableColumns(table)[name]
  if (!column) throw new Error(`no column ${name}`)
  return column
}

/** `INSERT INTO "entities" ("id", "org_id")` */
export function insertInto<T extends SQLiteTable>(table: T, names: Names<T>): SQL {
  return sql`INSERT INTO ${table} (${list(names.map(name => bare(columnOf(table, name))))})`
}

/** `"e"."id" AS "id", "e"."org_id" AS "orgId"`; all columns where none is named. */
export function columns<T extends SQLiteTable>(table: T, names?: Names<T>): SQL {
  const chosen = names ?? Object.keys(getTableColumns(table))
  return list(chosen.map(name => sql`${columnOf(table, name)} AS ${sql.identifier(name)}`))
}

/** The same for the query builder's `select` and `returning`. */
export function selection<T extends SQLiteTable, Name extends keyof Columns<T> & string = keyof Columns<T> & string>(
  table: T,
  names?: readonly Name[],
) {
  const chosen = names ?? Object.keys(getTableColumns(table))
  const fields = chosen.map(name => [name, sql`${columnOf(table, name)}`.as(name)])
  return Object.fromEntries(fields) as { [N in Name]: SQL.Aliased<Stored<Columns<T>[N]['_']>> }
}

type Stored<C extends { data: unknown; notNull: boolean }> =
  | (C['data'] extends boolean ? 0 | 1 : C['data'])
  | (C['notNull'] extends true ? never : null)

/** A row of the table as it comes back: a boolean is a number. */
export type RowOf<T extends SQLiteTable> = { [Name in keyof Columns<T>]: Stored<Columns<T>[Name]['_']> }

/** Every column of the table in its order: the value given, or the column itself of the row selected from. */
export function valuesOf<T extends SQLiteTable>(table: T, row: Partial<T['$inferSelect']>) {
  const given: Record<string, unknown> = row
  const fields = Object.entries(getTableColumns(table)).map(([name, column]) => [
    name,
    name in given ? sql`${given[name] ?? null}`.as(column.name) : column,
  ])
  return Object.fromEntries(fields) as ReturnType<typeof getTableColumns<T>>
}

export function list(parts: readonly SQL[], separator = ', '): SQL {
  return sql.join([...parts], sql.raw(separator))
}

/** All of them must hold; none: true. */
export function all(conditions: readonly SQL[]): SQL {
  return conditions.length ? list(conditions, ' AND ') : sql`true`
}

/** Left to itself, SQLite often walks another index, or the whole table. */
export function indexedBy(index: string): SQL {
  return sql`INDEXED BY ${sql.identifier(index)}`
}

/** A JSON path to a property of any name. */
export function jsonPath(property: string): string {
  return `$.${JSON.stringify(property)}`
}

/** D1 takes five terms in one compound SELECT; more of them are put into subqueries. */
const COMPOUND_MAX_TERMS = 5

export function unionOf(terms: readonly SQL[]): SQL {
  if (terms.length <= COMPOUND_MAX_TERMS) return list(terms, '\nUNION ALL ')
  const groups: SQL[] = []
  for (let at = 0; at < terms.length; at += COMPOUND_MAX_TERMS) {
    groups.push(sql`SELECT * FROM (${unionOf(terms.slice(at, at + COMPOUND_MAX_TERMS))})`)
  }
  return unionOf(groups)
}

/**
 * Of rows that tell where they stand and how large they are (`size`), those up to the first that brings their sum to the bound;
 * `bytes` is the sum so far. What is fetched by them fits into a Worker's memory.
 */
export function withinBytes(rows: SQL, maxBytes: number | SQLWrapper): SQL {
  const most = typeof maxBytes === 'number' ? sql.raw(String(maxBytes)) : maxBytes
  return sql`(SELECT * FROM (SELECT *, sum(size) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (${rows}))
    WHERE bytes - size < ${most})`
}

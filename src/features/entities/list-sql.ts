// From a list's plan to its SQL. A page walks one index from where the last page ended and reads no further than it
// must; criteria without an index are tested on a bounded number of rows (N16). Pure.
import { type SQL, sql } from 'drizzle-orm'
import { rowColumns } from '../../platform/db/row.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { all, from, indexedBy, named, statement, unionOf } from '../../platform/db/sql.ts'
import type { Kind } from '../../platform/kind.ts'
import { PAGE_SCAN_MAX_ROWS } from '../../platform/limits.ts'
import type { Filter, Plan } from './criteria.ts'
import { filterSql } from './filter-sql.ts'

/** Where a page begins: behind this value of the order column, and behind this entity. */
export interface Position {
  value: string | number | null
  seq: number
}

export interface ListQuery {
  orgId: string
  kind: Kind
  plan: Plan
  after: Position | undefined
  limit: number
}

const e = named(entities, 'e')

const number = (value: number) => sql.raw(String(value))

/** Rows of the page with `k`, the value of the order column. */
export function pageSql(query: ListQuery): SQL {
  const { plan, limit } = query
  if (plan.gather) return gatherSql(query, plan.gather)
  const rest = filtersBeside(plan)
  if (rest.length === 0) return walkSql(query, sql`${rowColumns()}, ${orderColumn(plan)} AS k`, limit)
  return sql`SELECT ${rowColumns(e)}, scanned.k FROM (${scanSql(query)}) scanned
    CROSS JOIN ${from(e)} ON ${e.seq} = scanned.seq WHERE ${all(rest.map(filterSql))} LIMIT ${number(limit)}`
}

/** Rows up to the first that brings their sum of bytes to the bound; `bytes` is the sum so far. */
export function boundedSql(rows: SQL, maxBytes: number): SQL {
  return sql`SELECT ${rowColumns(e)}, b.k, b.bytes FROM (
      SELECT seq, k, size, sum(size) OVER (ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (SELECT r.seq, r.k, octet_length(r.data) AS size FROM (${rows}) r)) b
    CROSS JOIN ${from(e)} ON ${e.seq} = b.seq WHERE b.bytes - b.size < ${number(maxBytes)}`
}

export type ScanEnd = { seq: number; k: Position['value'] }

/** The last row that a filtered page may have looked at; none where it has seen them all. */
export function scanEndStatement(query: ListQuery) {
  if (query.plan.gather || filtersBeside(query.plan).length === 0) return undefined
  return statement(
    sql<ScanEnd>`SELECT seq, k FROM (${scanSql(query)}) LIMIT 1 OFFSET ${number(PAGE_SCAN_MAX_ROWS - 1)}`,
  )
}

const orderColumn = ({ order }: Plan) => entities[order.column.column]

function scanSql(query: ListQuery): SQL {
  return walkSql(query, sql`${entities.seq}, ${orderColumn(query.plan)} AS k`, PAGE_SCAN_MAX_ROWS)
}

/** A range of the order column narrows the walk itself. */
function orderRange({ walk, order, filters }: Plan): Filter | undefined {
  if (walk.value !== undefined) return undefined
  return filters.find(({ column, test }) => column === order.column && 'between' in test)
}

function filtersBeside(plan: Plan): Filter[] {
  const range = orderRange(plan)
  return plan.filters.filter(filter => filter !== range)
}

/** What "behind" means in the direction of the page. */
const direction = ({ order }: Plan) =>
  order.descending
    ? { greater: sql.raw('<'), less: sql.raw('>'), way: sql.raw('DESC'), last: Number.MAX_SAFE_INTEGER }
    : { greater: sql.raw('>'), less: sql.raw('<'), way: sql.raw('ASC'), last: 0 }

const ofKind = ({ orgId, kind }: ListQuery) => sql`${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind.name}`

/** Those without a value, where the index leaves them out: in the order of creation, which is commit order as well. */
function absentSql(query: ListQuery, fields: SQL, atMost: number, after?: number): SQL {
  const { greater, way, last } = direction(query.plan)
  const other = named(entities, 'other')
  const behind =
    after === undefined
      ? sql``
      : sql` AND ${entities.seq} ${greater} ${after} AND ${entities.createdOn} ${greater}= coalesce(
        (SELECT ${other.createdOn} FROM ${from(other)} WHERE ${other.seq} = ${after}), ${number(last)})`
  return sql`SELECT * FROM (SELECT ${fields} FROM ${entities} ${indexedBy(ENTITY_INDEX.createdOn)}
    WHERE ${ofKind(query)} AND ${entities[query.plan.walk.column.column]} IS NULL${behind}
    ORDER BY ${entities.createdOn} ${way}, ${entities.seq} ${way} LIMIT ${number(atMost)})`
}

function walkSql(query: ListQuery, fields: SQL, atMost: number): SQL {
  const { plan, after, limit } = query
  const column = entities[plan.walk.column.column]
  const { greater, less, way } = direction(plan)
  const base = sql`SELECT ${fields} FROM ${entities} ${indexedBy(plan.walk.column.index ?? '')} WHERE ${ofKind(query)}`
  const bySeq = (condition: SQL) =>
    sql`SELECT * FROM (${base} AND ${condition} ORDER BY ${entities.seq} ${way} LIMIT ${number(atMost)})`
  const behind = after ? sql` AND ${entities.seq} ${greater} ${after.seq}` : sql``
  if (plan.walk.value !== undefined) return bySeq(sql`${column} = ${scalar(plan.walk.value)}${behind}`)

  const byValue = (condition: SQL) =>
    sql`SELECT * FROM (${base} AND ${condition} ORDER BY ${column} ${way}, ${entities.seq} ${way} LIMIT ${number(atMost)})`
  const range = orderRange(plan)
  const bounds = range && 'between' in range.test ? range.test.between : undefined
  const last = bounds && (plan.order.descending ? bounds[0] : bounds[1])
  const until = last === undefined ? sql`` : sql` AND ${column} ${less}= ${last}`
  const isWithAbsent = plan.walk.column.nullable && !bounds
  const absent = (seq?: number) =>
    plan.walk.column.sparse
      ? absentSql(query, fields, atMost, seq)
      : bySeq(sql`${column} IS NULL${seq === undefined ? sql`` : behind}`)
  const segments: SQL[] = []
  if (after && after.value !== null) {
    segments.push(bySeq(sql`${column} = ${after.value}${behind}`))
    segments.push(byValue(sql`${column} ${greater} ${after.value}${until}`))
    if (isWithAbsent) segments.push(absent())
  } else if (after) {
    segments.push(absent(after.seq))
  } else {
    const first = bounds && (plan.order.descending ? bounds[1] : bounds[0])
    const start = first === undefined ? sql`${column} IS NOT NULL` : sql`${column} ${greater}= ${first}`
    segments.push(byValue(sql`${start}${until}`))
    if (isWithAbsent) segments.push(absent())
  }
  return sql`${unionOf(segments)} LIMIT ${number(Math.max(atMost, limit))}`
}

/** All entities of a few values, sorted afterwards. */
function gatherSql({ orgId, kind, plan, after, limit }: ListQuery, gather: Filter): SQL {
  const column = e[plan.order.column.column]
  const gathered = gather.column ?? plan.order.column
  const { greater, way } = direction(plan)
  const values = 'any' in gather.test ? gather.test.any : []
  const conditions = [
    sql`${e.orgId} = ${orgId}`,
    sql`${e.kind} = ${kind.name}`,
    sql`${e[gathered.column]} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
    ...plan.filters.map(filterSql),
  ]
  if (after) {
    const seqBehind = sql`${e.seq} ${greater} ${after.seq}`
    conditions.push(
      after.value === null
        ? sql`(${column} IS NULL AND ${seqBehind})`
        : sql`(${column} IS NULL OR ${column} ${greater} ${after.value} OR (${column} = ${after.value} AND ${seqBehind}))`,
    )
  }
  return sql`SELECT ${rowColumns(e)}, ${column} AS k FROM ${from(e)} ${indexedBy(gathered.index ?? '')}
    WHERE ${all(conditions)} ORDER BY ${column} IS NULL, ${column} ${way}, ${e.seq} ${way} LIMIT ${number(limit)}`
}

const scalar = (value: string | number | boolean): string | number =>
  typeof value === 'boolean' ? String(value) : value

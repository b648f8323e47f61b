// From a list's plan to its SQL. A page walks one index from where the last page ended and reads no further than it
// must; criteria without an index are tested on a bounded number of rows (N16). The text depends on the shape of the
// plan alone; the values go beside it. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { rowColumns } from '../../platform/db/row.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { all, from, type Given, indexedBy, named, type Param, unionOf, withinBytes } from '../../platform/db/sql.ts'
import type { Kind } from '../../platform/kind.ts'
import { PAGE_SCAN_MAX_ROWS } from '../../platform/limits.ts'
import type { Filter, Plan } from './criteria.ts'
import { filterKey, filterSql, filterValues } from './filter-sql.ts'

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

/** Values by name; those of the filters are numbered. */
export type ListValues = Record<string, Param>
type Places = Given<ListValues>

export function listValues({ orgId, kind, plan, after, limit }: ListQuery): ListValues {
  const { value } = plan.walk
  return {
    orgId,
    kind: kind.name,
    limit,
    afterValue: after?.value ?? null,
    afterSeq: after?.seq ?? null,
    held: typeof value === 'boolean' ? String(value) : (value ?? null),
    gathered: plan.gather && 'any' in plan.gather.test ? JSON.stringify(plan.gather.test.any) : null,
    ...Object.assign({}, ...plan.filters.map(filterValues)),
  }
}

/** Queries of one key have the same text. */
export function listKey({ plan: { walk, gather, order, filters }, after }: ListQuery): string {
  const begin = after ? (after.value === null ? 'absent' : 'value') : ''
  const held = walk.value === undefined ? '' : 'held'
  const way = order.descending ? 'desc' : 'asc'
  return [
    begin,
    walk.column.column,
    held,
    gather?.column?.column,
    order.column.column,
    way,
    ...filters.map(filterKey),
  ].join()
}

const e = named(entities, 'e')

const SCAN_MAX = sql.raw(String(PAGE_SCAN_MAX_ROWS))

/** Rows of the page with `k`, the value of the order column. */
export function pageSql(query: ListQuery, given: Places): SQL {
  const { plan } = query
  if (plan.gather) return gatherSql(query, plan.gather, given)
  const rest = filtersBeside(plan)
  if (rest.length === 0)
    return walkSql(query, given, sql`${rowColumns()}, ${orderColumn(plan)} AS k`, sql`${given.limit}`)
  return sql`SELECT ${rowColumns(e)}, scanned.k FROM (${scanSql(query, given)}) scanned
    CROSS JOIN ${from(e)} ON ${e.seq} = scanned.seq WHERE ${all(rest.map(([filter, at]) => filterSql(filter, at, given)))}
    LIMIT ${given.limit}`
}

/** Rows as far as their bytes go. */
export function boundedSql(rows: SQL, maxBytes: number): SQL {
  const sizes = sql`SELECT r.seq, r.k, octet_length(r.data) AS size FROM (${rows}) r`
  return sql`SELECT ${rowColumns(e)}, b.k, b.bytes FROM ${withinBytes(sizes, maxBytes)} b
    CROSS JOIN ${from(e)} ON ${e.seq} = b.seq`
}

export type ScanEnd = { seq: number; k: Position['value'] }

/** Whether a page may end before its rows do, because it has looked at as many as it may. */
export function isScanned({ plan }: ListQuery): boolean {
  return !plan.gather && filtersBeside(plan).length > 0
}

/** The last row that a scanned page may have looked at; none where it has seen them all. */
export function scanEndSql(query: ListQuery, given: Places): SQL<ScanEnd> {
  return sql`SELECT seq, k FROM (${scanSql(query, given)}) LIMIT 1 OFFSET ${SCAN_MAX} - 1`
}

const orderColumn = ({ order }: Plan) => entities[order.column.column]

function scanSql(query: ListQuery, given: Places): SQL {
  return walkSql(query, given, sql`${entities.seq}, ${orderColumn(query.plan)} AS k`, SCAN_MAX)
}

/** A range of the order column narrows the walk itself. */
function orderRange({ walk, order, filters }: Plan): number {
  if (walk.value !== undefined) return -1
  return filters.findIndex(({ column, test }) => column === order.column && 'between' in test)
}

function filtersBeside(plan: Plan): [filter: Filter, at: number][] {
  const range = orderRange(plan)
  return plan.filters.flatMap((filter, at): [Filter, number][] => (at === range ? [] : [[filter, at]]))
}

/** What "behind" means in the direction of the page. */
const direction = ({ order }: Plan) =>
  order.descending
    ? {
        greater: sql.raw('<'),
        less: sql.raw('>'),
        way: sql.raw('DESC'),
        last: sql.raw(String(Number.MAX_SAFE_INTEGER)),
      }
    : { greater: sql.raw('>'), less: sql.raw('<'), way: sql.raw('ASC'), last: sql.raw('0') }

const ofKind = ({ orgId, kind }: Places) => sql`${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind}`

/** Those without a value, where the index leaves them out: in the order of creation, which is commit order as well. */
function absentSql({ plan }: ListQuery, given: Places, fields: SQL, atMost: SQL, isBehind: boolean): SQL {
  const { greater, way, last } = direction(plan)
  const other = named(entities, 'other')
  const behind = isBehind
    ? sql` AND ${entities.seq} ${greater} ${given.afterSeq} AND ${entities.createdOn} ${greater}= coalesce(
        (SELECT ${other.createdOn} FROM ${from(other)} WHERE ${other.seq} = ${given.afterSeq} AND ${other.orgId} = ${given.orgId}), ${last})`
    : sql``
  return sql`SELECT * FROM (SELECT ${fields} FROM ${entities} ${indexedBy(ENTITY_INDEX.createdOn)}
    WHERE ${ofKind(given)} AND ${entities[plan.walk.column.column]} IS NULL${behind}
    ORDER BY ${entities.createdOn} ${way}, ${entities.seq} ${way} LIMIT ${atMost})`
}

function walkSql(query: ListQuery, given: Places, fields: SQL, atMost: SQL): SQL {
  const { plan, after } = query
  const column = entities[plan.walk.column.column]
  const { greater, less, way } = direction(plan)
  const base = sql`SELECT ${fields} FROM ${entities} ${indexedBy(plan.walk.column.index ?? '')} WHERE ${ofKind(given)}`
  const bySeq = (condition: SQL) =>
    sql`SELECT * FROM (${base} AND ${condition} ORDER BY ${entities.seq} ${way} LIMIT ${atMost})`
  const behind = after ? sql` AND ${entities.seq} ${greater} ${given.afterSeq}` : sql``
  if (plan.walk.value !== undefined) return bySeq(sql`${column} = ${given.held}${behind}`)

  const byValue = (condition: SQL) =>
    sql`SELECT * FROM (${base} AND ${condition} ORDER BY ${column} ${way}, ${entities.seq} ${way} LIMIT ${atMost})`
  const range = orderRange(plan)
  const [low, high] = [given[`low${range}`], given[`high${range}`]]
  const until = range < 0 ? sql`` : sql` AND ${column} ${less}= ${plan.order.descending ? low : high}`
  const isWithAbsent = plan.walk.column.nullable && range < 0
  const absent = (isBehind = false) =>
    plan.walk.column.sparse
      ? absentSql(query, given, fields, atMost, isBehind)
      : bySeq(sql`${column} IS NULL${isBehind ? behind : sql``}`)
  const segments: SQL[] = []
  if (after && after.value !== null) {
    segments.push(bySeq(sql`${column} = ${given.afterValue}${behind}`))
    segments.push(byValue(sql`${column} ${greater} ${given.afterValue}${until}`))
    if (isWithAbsent) segments.push(absent())
  } else if (after) {
    segments.push(absent(true))
  } else {
    const first = plan.order.descending ? high : low
    const start = range < 0 ? sql`${column} IS NOT NULL` : sql`${column} ${greater}= ${first}`
    segments.push(byValue(sql`${start}${until}`))
    if (isWithAbsent) segments.push(absent())
  }
  return sql`${unionOf(segments)} LIMIT ${atMost}`
}

/** All entities of a few values, sorted afterwards. */
function gatherSql({ plan, after }: ListQuery, gather: Filter, given: Places): SQL {
  const column = e[plan.order.column.column]
  const gathered = gather.column ?? plan.order.column
  const { greater, way } = direction(plan)
  const conditions = [
    sql`${e.orgId} = ${given.orgId}`,
    sql`${e.kind} = ${given.kind}`,
    sql`${e[gathered.column]} IN (SELECT value FROM json_each(${given.gathered}))`,
    ...plan.filters.map((filter, at) => filterSql(filter, at, given)),
  ]
  if (after) {
    const seqBehind = sql`${e.seq} ${greater} ${given.afterSeq}`
    conditions.push(
      after.value === null
        ? sql`(${column} IS NULL AND ${seqBehind})`
        : sql`(${column} IS NULL OR ${column} ${greater} ${given.afterValue} OR (${column} = ${given.afterValue} AND ${seqBehind}))`,
    )
  }
  return sql`SELECT ${rowColumns(e)}, ${column} AS k FROM ${from(e)} ${indexedBy(gathered.index ?? '')}
    WHERE ${all(conditions)} ORDER BY ${column} IS NULL, ${column} ${way}, ${e.seq} ${way} LIMIT ${given.limit}`
}

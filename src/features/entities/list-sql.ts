// From a list's plan to its SQL. A page walks one index from where the last page ended and reads no further than it
// must; criteria without an index are tested on a bounded number of rows (N16). Pure.

import type { Statement } from '../../platform/db/client.ts'
import { ROW_COLUMNS } from '../../platform/db/row.ts'
import { Binder, jsonPath } from '../../platform/db/sql.ts'
import type { Kind } from '../../platform/kind.ts'
import { PAGE_SCAN_MAX_ROWS } from '../../platform/limits.ts'
import type { Filter, Plan, Test } from './criteria.ts'

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

/** Rows of the page with `k`, the value of the order column. */
export function pageSql(query: ListQuery, binder: Binder): string {
  const { plan, limit } = query
  if (plan.gather) return gatherSql(query, plan.gather, binder)
  const rest = filtersBeside(plan)
  if (rest.length === 0) return walkSql(query, binder, `${ROW_COLUMNS}, ${plan.order.column.column} AS k`, limit)
  return `SELECT ${columnsOf('e')}, win.k FROM (${walkSql(query, binder, windowColumns(plan), PAGE_SCAN_MAX_ROWS)}) win
    CROSS JOIN entities e ON e.seq = win.seq WHERE ${rest.map(filter => filterSql(filter, binder)).join(' AND ')} LIMIT ${limit}`
}

/** Rows up to the first that brings their sum of bytes to the bound; `bytes` is the sum so far. */
export function boundedSql(rows: string, maxBytes: number): string {
  return `SELECT ${columnsOf('e')}, b.k, b.bytes FROM (
      SELECT seq, k, size, sum(size) OVER (ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (SELECT r.seq, r.k, octet_length(r.data) AS size FROM (${rows}) r)) b
    CROSS JOIN entities e ON e.seq = b.seq WHERE b.bytes - b.size < ${maxBytes}`
}

/** The last row that a filtered page may have looked at; none where it has seen them all. */
export function windowEndStatement(query: ListQuery): Statement | undefined {
  if (query.plan.gather || filtersBeside(query.plan).length === 0) return undefined
  const binder = new Binder()
  const window = walkSql(query, binder, windowColumns(query.plan), PAGE_SCAN_MAX_ROWS)
  return { sql: `SELECT seq, k FROM (${window}) LIMIT 1 OFFSET ${PAGE_SCAN_MAX_ROWS - 1}`, params: binder.params }
}

const windowColumns = ({ order }: Plan) => `seq, ${order.column.column} AS k`

const columnsOf = (table: string) =>
  ROW_COLUMNS.split(', ')
    .map(column => `${table}.${column}`)
    .join(', ')

/** A range of the order column narrows the walk itself. */
function orderRange({ walk, order, filters }: Plan): Filter | undefined {
  if (walk.value !== undefined) return undefined
  return filters.find(({ column, test }) => column === order.column && 'between' in test)
}

function filtersBeside(plan: Plan): Filter[] {
  const range = orderRange(plan)
  return plan.filters.filter(filter => filter !== range)
}

/** Those without a value, where the index leaves them out: in the order of creation, which is commit order as well. */
function absentSql(
  { orgId, kind, plan }: ListQuery,
  { bind }: Binder,
  columns: string,
  atMost: number,
  after?: number,
): string {
  const [greater, direction, end] = plan.order.descending ? ['<', 'DESC', Number.MAX_SAFE_INTEGER] : ['>', 'ASC', 0]
  const behind =
    after === undefined
      ? ''
      : ` AND seq ${greater} ${bind(after)}
        AND created_on ${greater}= coalesce((SELECT created_on FROM entities WHERE seq = ${bind(after)}), ${end})`
  return `SELECT * FROM (SELECT ${columns} FROM entities INDEXED BY entities_created_on
    WHERE org_id = ${bind(orgId)} AND kind = ${bind(kind.name)} AND ${plan.walk.column.column} IS NULL${behind}
    ORDER BY created_on ${direction}, seq ${direction} LIMIT ${atMost})`
}

function walkSql(query: ListQuery, binder: Binder, columns: string, atMost: number): string {
  const { orgId, kind, plan, after, limit } = query
  const { bind } = binder
  const { column } = plan.walk.column
  const [greater, direction] = plan.order.descending ? ['<', 'DESC'] : ['>', 'ASC']
  const base = `SELECT ${columns} FROM entities INDEXED BY ${plan.walk.column.index} WHERE org_id = ${bind(orgId)} AND kind = ${bind(kind.name)}`
  const bySeq = (condition: string) =>
    `SELECT * FROM (${base} AND ${condition} ORDER BY seq ${direction} LIMIT ${atMost})`
  const behind = after ? ` AND seq ${greater} ${bind(after.seq)}` : ''
  if (plan.walk.value !== undefined) return bySeq(`${column} = ${bind(scalar(plan.walk.value))}${behind}`)

  const byValue = (condition: string) =>
    `SELECT * FROM (${base} AND ${condition} ORDER BY ${column} ${direction}, seq ${direction} LIMIT ${atMost})`
  const range = orderRange(plan)
  const bounds = range && 'between' in range.test ? range.test.between : undefined
  const last = bounds && (plan.order.descending ? bounds[0] : bounds[1])
  const until = last === undefined ? '' : ` AND ${column} ${greater === '>' ? '<=' : '>='} ${bind(last)}`
  const isWithAbsent = plan.walk.column.nullable && !bounds
  const absent = (seq?: number) =>
    plan.walk.column.sparse
      ? absentSql(query, binder, columns, atMost, seq)
      : bySeq(`${column} IS NULL${seq === undefined ? '' : behind}`)
  const segments: string[] = []
  if (after && after.value !== null) {
    const value = bind(after.value)
    segments.push(bySeq(`${column} = ${value}${behind}`), byValue(`${column} ${greater} ${value}${until}`))
    if (isWithAbsent) segments.push(absent())
  } else if (after) {
    segments.push(absent(after.seq))
  } else {
    const first = bounds && (plan.order.descending ? bounds[1] : bounds[0])
    const from = first === undefined ? `${column} IS NOT NULL` : `${column} ${greater}= ${bind(first)}`
    segments.push(byValue(`${from}${until}`))
    if (isWithAbsent) segments.push(absent())
  }
  return `${segments.join('\nUNION ALL ')} LIMIT ${Math.max(atMost, limit)}`
}

/** All entities of a few values, sorted afterwards. */
function gatherSql({ orgId, kind, plan, after, limit }: ListQuery, gather: Filter, binder: Binder): string {
  const { bind } = binder
  const { column } = plan.order.column
  const [greater, direction] = plan.order.descending ? ['<', 'DESC'] : ['>', 'ASC']
  const values = 'any' in gather.test ? gather.test.any : []
  const conditions = [
    `e.org_id = ${bind(orgId)}`,
    `e.kind = ${bind(kind.name)}`,
    `e.${gather.column?.column} IN (SELECT value FROM json_each(${bind(JSON.stringify(values))}))`,
    ...plan.filters.map(filter => filterSql(filter, binder)),
  ]
  if (after) {
    const seqBehind = `e.seq ${greater} ${bind(after.seq)}`
    const value = after.value === null ? '' : bind(after.value)
    conditions.push(
      after.value === null
        ? `(e.${column} IS NULL AND ${seqBehind})`
        : `(e.${column} IS NULL OR e.${column} ${greater} ${value} OR (e.${column} = ${value} AND ${seqBehind}))`,
    )
  }
  return `SELECT ${columnsOf('e')}, e.${column} AS k FROM entities e INDEXED BY ${gather.column?.index}
    WHERE ${conditions.join(' AND ')} ORDER BY e.${column} IS NULL, e.${column} ${direction}, e.seq ${direction} LIMIT ${limit}`
}

const scalar = (value: string | number | boolean): string | number =>
  typeof value === 'boolean' ? String(value) : value

function filterSql({ column, property, test }: Filter, { bind }: Binder): string {
  return column ? columnTest(`e.${column.column}`, test, bind) : propertyTest(bind(jsonPath(property)), test, bind)
}

type Bind = Binder['bind']

function columnTest(column: string, test: Test, bind: Bind): string {
  if ('absent' in test) return `${column} IS NULL`
  if ('between' in test) return `${column} BETWEEN ${bind(test.between[0])} AND ${bind(test.between[1])}`
  if ('anyBetween' in test) {
    const ranges = bind(JSON.stringify(test.anyBetween))
    return `EXISTS (SELECT 1 FROM json_each(${ranges}) r WHERE ${column} BETWEEN r.value ->> 0 AND r.value ->> 1)`
  }
  return `${column} IN (SELECT value FROM json_each(${bind(JSON.stringify(test.any))}))`
}

/** Types must agree: the text "1" is not the number 1. A list-valued property matches when it contains the value. */
function propertyTest(path: string, test: Test, bind: Bind): string {
  if ('absent' in test) return `(e.data ->> ${path}) IS NULL`
  const values = `FROM json_each(e.data, ${path}) j`
  // An object is neither a value nor a list of values.
  const isNoObject = `json_type(e.data, ${path}) <> 'object'`
  if ('between' in test) {
    const type = typeof test.between[0] === 'number' ? `IN ('integer', 'real')` : `= 'text'`
    const ends = `BETWEEN ${bind(test.between[0])} AND ${bind(test.between[1])}`
    return `(${isNoObject} AND EXISTS (SELECT 1 ${values} WHERE j.type ${type} AND j.atom ${ends}))`
  }
  const any = bind(JSON.stringify('any' in test ? test.any : []))
  return `(${isNoObject} AND EXISTS (SELECT 1 ${values} JOIN json_each(${any}) v
    ON j.atom = v.atom AND replace(j.type, 'real', 'integer') = replace(v.type, 'real', 'integer')))`
}

// The ways through the table of entities that a page can go: along an index, from where the last page ended, or over the few
// entities of some values. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { all, from, type Given, indexedBy, named, type Param, unionOf } from '../../platform/db/sql.ts'
import type { Kind } from '../../platform/kind.ts'
import type { Bound, Filter } from './conditions.ts'
import type { Condition, Numbered, Plan } from './criteria.ts'
import { boundsSql, conditionSql } from './filter-sql.ts'
import type { SearchWalk } from './search-sql.ts'

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
  /** Words lead the way, over entities of one or several types. */
  search?: SearchWalk | undefined
}

/** Values by name; those of the filters are numbered. */
export type ListValues = Record<string, Param>
export type Places = Given<ListValues>

const e = named(entities, 'e')

export const orderColumn = ({ order }: Plan) => entities[order.column.column]

type RangeFilter = Numbered & { test: { range: Bound[] } }

/** A range of the order column narrows the walk itself. */
function orderRange({ walk, order, filters }: Plan): RangeFilter | undefined {
  if (walk.value !== undefined) return undefined
  return filters.find(
    (filter): filter is RangeFilter =>
      'property' in filter && filter.column === order.column && 'range' in filter.test && !filter.isNot,
  )
}

/** What the walk leaves to be tested on each entity. */
export function conditionsBeside(plan: Plan): Condition[] {
  const range = orderRange(plan)
  return plan.filters.filter(filter => filter !== range)
}

/** What "behind" means in the direction of the page. */
const direction = ({ order }: Plan) =>
  order.descending
    ? { greater: sql.raw('<'), near: '<', way: sql.raw('DESC'), last: sql.raw(String(Number.MAX_SAFE_INTEGER)) }
    : { greater: sql.raw('>'), near: '>', way: sql.raw('ASC'), last: sql.raw('0') }

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

export function walkSql(query: ListQuery, given: Places, fields: SQL, atMost: SQL): SQL {
  const { plan, after } = query
  const column = entities[plan.walk.column.column]
  const { greater, near, way } = direction(plan)
  const base = sql`SELECT ${fields} FROM ${entities} ${indexedBy(plan.walk.column.index ?? '')} WHERE ${ofKind(given)}`
  const bySeq = (condition: SQL) =>
    sql`SELECT * FROM (${base} AND ${condition} ORDER BY ${entities.seq} ${way} LIMIT ${atMost})`
  const behind = after ? sql` AND ${entities.seq} ${greater} ${given.afterSeq}` : sql``
  if (plan.walk.value !== undefined) return bySeq(sql`${column} = ${given.held}${behind}`)

  const byValue = (condition: SQL) =>
    sql`SELECT * FROM (${base} AND ${condition} ORDER BY ${column} ${way}, ${entities.seq} ${way} LIMIT ${atMost})`
  const range = orderRange(plan)
  const bounds = range ? boundsSql(sql`${column}`, range.test.range, range.at, given) : []
  const isNear = bounds.map((_, at) => range?.test.range[at]?.sign.startsWith(near) ?? false)
  const until = all([sql`true`, ...bounds.filter((_, at) => !isNear[at])])
  const isWithAbsent = plan.walk.column.nullable && !range
  const absent = (isBehind = false) =>
    plan.walk.column.sparse
      ? absentSql(query, given, fields, atMost, isBehind)
      : bySeq(sql`${column} IS NULL${isBehind ? behind : sql``}`)
  const segments: SQL[] = []
  if (after && after.value !== null) {
    segments.push(bySeq(sql`${column} = ${given.afterValue}${behind}`))
    segments.push(byValue(sql`${column} ${greater} ${given.afterValue} AND ${until}`))
    if (isWithAbsent) segments.push(absent())
  } else if (after) {
    segments.push(absent(true))
  } else {
    segments.push(byValue(all([sql`${column} IS NOT NULL`, ...bounds])))
    if (isWithAbsent) segments.push(absent())
  }
  return sql`${unionOf(segments)} LIMIT ${atMost}`
}

/** All entities of a few values, sorted afterwards. */
export function gatherSql({ plan, after }: ListQuery, gather: Filter, given: Places, fields: SQL): SQL {
  const column = e[plan.order.column.column]
  const gathered = gather.column ?? plan.order.column
  const { greater, way } = direction(plan)
  const conditions = [
    sql`${e.orgId} = ${given.orgId}`,
    sql`${e.kind} = ${given.kind}`,
    sql`${e[gathered.column]} IN (SELECT value FROM json_each(${given.gathered}))`,
    ...plan.filters.map(condition => conditionSql(condition, given)),
  ]
  if (after) {
    const seqBehind = sql`${e.seq} ${greater} ${given.afterSeq}`
    conditions.push(
      after.value === null
        ? sql`(${column} IS NULL AND ${seqBehind})`
        : sql`(${column} IS NULL OR ${column} ${greater} ${given.afterValue} OR (${column} = ${given.afterValue} AND ${seqBehind}))`,
    )
  }
  return sql`SELECT ${fields}, ${column} AS k FROM ${from(e)} ${indexedBy(gathered.index ?? '')}
    WHERE ${all(conditions)} ORDER BY ${column} IS NULL, ${column} ${way}, ${e.seq} ${way} LIMIT ${given.limit}`
}

// The ways through the table of entities that a page can go: along an index, from where the last page ended, or over the few
// entities of some values. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { propertyValues, VALUE_INDEX } from '../../platform/db/schema/property-index.ts'
import { all, from, type Given, indexedBy, named, type Param, unionOf } from '../../platform/db/sql.ts'
import type { Kind } from '../../platform/kind.ts'
import { columnNamed } from './columns.ts'
import type { Bound, Filter } from './conditions.ts'
import type { Condition, Numbered, Plan } from './criteria.ts'
import { boundsSql, conditionSql, numberSql } from './filter-sql.ts'
import { isInIndex } from './indexed-values.ts'
import { fencesSql, narrowSql, sidesOf } from './narrow-sql.ts'
import type { SearchWalk } from './search-sql.ts'

/** Where a page begins: behind this value of the order column, and behind this entity. */
export interface Position {
  value: string | number | null
  seq: number
}

/** JavaScript rounds an integer of SQLite beyond 2^53 to a double; the digits of that double are those of the stored JSON. */
export const isLongInteger = (after: Position | undefined): after is Position & { value: number } =>
  Number.isInteger(after?.value) && !Number.isSafeInteger(after?.value) && Math.abs(Number(after?.value)) < 2 ** 63

const afterSql = ({ after }: ListQuery, given: Places) =>
  isLongInteger(after) ? numberSql(given.afterValue) : sql`${given.afterValue}`

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

const v = propertyValues
const NO_VALUE = sql.raw(`x'ff'`)

/** The value that an entity is ordered by, of the entity under this name. */
export function orderValue({ order }: Plan, of: typeof entities, given: Places): SQL {
  if (order.column) return sql`${of[order.column.column]}`
  const o = named(propertyValues, 'o')
  return sql`(SELECT nullif(${o.value}, ${NO_VALUE}) FROM ${from(o)} WHERE ${o.seq} = ${of.seq} AND ${o.indexId} = ${given.alongId})`
}

/** An index as a walk sees it. */
interface Way {
  rows: SQL
  value: SQL
  seq: SQL
  isPresent: SQL
  isAbsent: SQL
  mayBeAbsent: boolean
  isSparse: boolean
}

function wayOf({ walk }: Plan, given: Places): Way {
  if (walk.column) {
    const value = sql`${entities[walk.column.column]}`
    return {
      rows: sql`${entities} ${indexedBy(walk.column.index ?? '')} WHERE ${ofKind(given)}`,
      value,
      seq: sql`${entities.seq}`,
      isPresent: sql`${value} IS NOT NULL`,
      isAbsent: sql`${value} IS NULL`,
      mayBeAbsent: walk.column.nullable ?? false,
      isSparse: walk.column.sparse ?? false,
    }
  }
  return {
    rows: sql`${v} ${indexedBy(VALUE_INDEX.value)} WHERE ${v.indexId} = ${given.alongId}`,
    value: sql`${v.value}`,
    seq: sql`${v.seq}`,
    isPresent: sql`${v.value} < ${NO_VALUE}`,
    isAbsent: sql`${v.value} = ${NO_VALUE}`,
    mayBeAbsent: true,
    isSparse: false,
  }
}

/** What a walk tells of each entity: where it stands and how large it is, or that it is there. */
type Told = 'places' | 'presence'

function toldSql(plan: Plan, told: Told, given: Places): SQL {
  if (told === 'presence') return sql`1`
  if (plan.walk.column) {
    return sql`${entities.seq}, octet_length(${entities.data}) AS size, ${orderValue(plan, entities, given)} AS k`
  }
  const x = named(entities, 'x')
  const ofEntity = (field: SQL) =>
    sql`(SELECT ${field} FROM ${from(x)} WHERE ${x.seq} = ${v.seq} AND ${x.orgId} = ${given.orgId})`
  const k = plan.order.column ? ofEntity(sql`${x[plan.order.column.column]}`) : sql`nullif(${v.value}, ${NO_VALUE})`
  return sql`${v.seq} AS seq, ${ofEntity(sql`octet_length(${x.data})`)} AS size, ${k} AS k`
}

type RangeFilter = Numbered & { test: { range: Bound[] } }

/** A range of what the list is ordered by narrows the walk itself. */
export function orderRange({ walk, order, filters }: Plan): RangeFilter | undefined {
  if (walk.value !== undefined) return undefined
  return filters.find(
    (filter): filter is RangeFilter =>
      'property' in filter && isOf(filter, order) && 'range' in filter.test && !filter.isNot,
  )
}

function isOf({ column, property, test }: Filter, { column: ordered, index }: Plan['order']): boolean {
  if (ordered) return column === ordered
  return !column && property === index.property && index.lists === 0 && isInIndex(test)
}

/** What is left to be tested on each entity: all of it, where the walk may not be the way. */
export function conditionsBeside(plan: Plan): Condition[] {
  const range = plan.narrow ? undefined : orderRange(plan)
  return plan.filters.filter(filter => filter !== range)
}

/** What "behind" means in the direction of the page. */
const direction = ({ order }: Plan) =>
  order.descending
    ? { greater: sql.raw('<'), near: '<', way: sql.raw('DESC'), last: sql.raw(String(Number.MAX_SAFE_INTEGER)) }
    : { greater: sql.raw('>'), near: '>', way: sql.raw('ASC'), last: sql.raw('0') }

const ofKind = ({ orgId, kind }: Places) => sql`${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind}`

/** Those without a value, where the index leaves them out: in the order of creation, which is commit order as well. */
function absentSql({ plan }: ListQuery, given: Places, told: SQL, atMost: SQL, isBehind: boolean, isAbsent: SQL): SQL {
  const { greater, way, last } = direction(plan)
  const other = named(entities, 'other')
  const behind = isBehind
    ? sql` AND ${entities.seq} ${greater} ${given.afterSeq} AND ${entities.createdOn} ${greater}= coalesce(
        (SELECT ${other.createdOn} FROM ${from(other)} WHERE ${other.seq} = ${given.afterSeq} AND ${other.orgId} = ${given.orgId}), ${last})`
    : sql``
  return sql`SELECT * FROM (SELECT ${told} FROM ${entities} ${indexedBy(ENTITY_INDEX.createdOn)}
    WHERE ${ofKind(given)} AND ${isAbsent}${behind}
    ORDER BY ${entities.createdOn} ${way}, ${entities.seq} ${way} LIMIT ${atMost})`
}

/** Where a walk of values begins and ends; behind the last entity of a page, only where it ends. */
function limitsSql({ plan }: ListQuery, given: Places, isBehind: boolean): SQL[] {
  const { value, isPresent } = wayOf(plan, given)
  const { near } = direction(plan)
  const range = orderRange(plan)
  if (!range) return isBehind && (plan.walk.column || near === '<') ? [] : [isPresent]
  const bounds = boundsSql(value, range.test.range, range.at, given)
  const kept = isBehind ? bounds.filter((_, at) => !range.test.range[at]?.sign.startsWith(near)) : bounds
  if (plan.walk.column) return isBehind ? kept : [isPresent, ...kept]
  const sides = [...sidesOf(range.test.range), ...(isBehind ? [near] : [])]
  return [...fencesSql(value, { range: range.test.range, sides }), ...kept]
}

export function walkSql(query: ListQuery, given: Places, what: Told, atMost: SQL): SQL {
  const { plan, after } = query
  const { rows, value, seq, ...index } = wayOf(plan, given)
  const told = toldSql(plan, what, given)
  const { greater, way } = direction(plan)
  const bySeq = (condition: SQL) =>
    sql`SELECT * FROM (SELECT ${told} FROM ${rows} AND ${condition} ORDER BY ${seq} ${way} LIMIT ${atMost})`
  const behind = after ? sql` AND ${seq} ${greater} ${given.afterSeq}` : sql``
  if (plan.walk.value !== undefined) {
    const isNumber = plan.walk.index && typeof plan.walk.value === 'number'
    return bySeq(sql`${value} = ${isNumber ? numberSql(given.held) : given.held}${behind}`)
  }

  const byValue = (condition: SQL) =>
    sql`SELECT * FROM (SELECT ${told} FROM ${rows} AND ${condition} ORDER BY ${value} ${way}, ${seq} ${way} LIMIT ${atMost})`
  const afterValue = afterSql(query, given)
  const range = orderRange(plan)
  const isWithAbsent = index.mayBeAbsent && !range
  const absent = (isBehind = false) =>
    index.isSparse
      ? absentSql(query, given, told, atMost, isBehind, index.isAbsent)
      : bySeq(sql`${index.isAbsent}${isBehind ? behind : sql``}`)
  const segments: SQL[] = []
  if (after && after.value !== null) {
    segments.push(bySeq(sql`${value} = ${afterValue}${behind}`))
    segments.push(byValue(all([sql`${value} ${greater} ${afterValue}`, ...limitsSql(query, given, true)])))
    if (isWithAbsent) segments.push(absent())
  } else if (after) {
    segments.push(absent(true))
  } else {
    segments.push(byValue(all(limitsSql(query, given, false))))
    if (isWithAbsent) segments.push(absent())
  }
  return sql`${unionOf(segments)} LIMIT ${atMost}`
}

/** Behind the last entity of the page before, where all that fit are sorted. */
function behindSql(query: ListQuery, value: SQL, given: Places): SQL[] {
  const { plan, after } = query
  if (!after) return []
  const { greater } = direction(plan)
  const afterValue = afterSql(query, given)
  const seqBehind = sql`${e.seq} ${greater} ${given.afterSeq}`
  return [
    after.value === null
      ? sql`(${value} IS NULL AND ${seqBehind})`
      : sql`(${value} IS NULL OR ${value} ${greater} ${afterValue} OR (${value} = ${afterValue} AND ${seqBehind}))`,
  ]
}

function sortedSql({ plan }: ListQuery, value: SQL): SQL {
  const { way } = direction(plan)
  return sql`ORDER BY ${value} IS NULL, ${value} ${way}, ${e.seq} ${way}`
}

/** The few entities that an index has for a filter, as the places of a walk. */
export function narrowedSql(query: ListQuery, filter: Numbered, given: Places, atMost: SQL): SQL {
  const value = orderValue(query.plan, e, given)
  const conditions = [sql`${e.orgId} = ${given.orgId} AND ${e.kind} = ${given.kind}`, ...behindSql(query, value, given)]
  return sql`SELECT * FROM (SELECT ${e.seq} AS seq, octet_length(${e.data}) AS size, ${value} AS k
    FROM (${narrowSql(filter, given)}) few CROSS JOIN ${from(e)} ON ${e.seq} = few.seq
    WHERE ${all(conditions)} ${sortedSql(query, value)} LIMIT ${atMost})`
}

/** All entities of a few values, sorted afterwards. */
export function gatherSql(query: ListQuery, gather: Filter, given: Places, fields: SQL): SQL {
  const { plan } = query
  const value = orderValue(plan, e, given)
  const gathered = gather.column ?? columnNamed('id')
  const conditions = [
    sql`${e.orgId} = ${given.orgId}`,
    sql`${e.kind} = ${given.kind}`,
    sql`${e[gathered.column]} IN (SELECT value FROM json_each(${given.gathered}))`,
    ...plan.filters.map(condition => conditionSql(condition, given)),
    ...behindSql(query, value, given),
  ]
  return sql`SELECT ${fields}, ${value} AS k FROM ${from(e)} ${indexedBy(gathered.index ?? '')}
    WHERE ${all(conditions)} ${sortedSql(query, value)} LIMIT ${given.limit}`
}

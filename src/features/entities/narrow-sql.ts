// The index of a property (N49), or of a column, as SQL: the entities whose values may pass a
// test. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { entities } from '../../platform/db/schema/entities.ts'
import { propertyValues, VALUE_INDEX } from '../../platform/db/schema/property-index.ts'
import { all, from, type Given, indexedBy, named, type Param } from '../../platform/db/sql.ts'
import { INDEX_GATHER_MAX_ENTITIES, PAGE_SCAN_MAX_BYTES, PAGE_SCAN_MAX_ROWS } from '../../platform/limits.ts'
import type { Bound, Filter, Test } from './conditions.ts'
import type { Numbered, Plan } from './criteria.ts'
import { boundsSql } from './filter-sql.ts'
import { BEHIND_ALL, BEHIND_TEXTS, beginningOf } from './indexed-values.ts'

type Values = Record<string, Param>
type Places = Given<Values>

/**
 * A range is one of numbers or one of texts, and each of these lie side by side. An index is entered by one bound and left by
 * one: where the range has its own, there must be no other.
 */
export function fencesSql(value: SQL, { range, sides }: { range: readonly Bound[]; sides: readonly string[] }): SQL[] {
  const isText = typeof range[0]?.value === 'string'
  const first = isText && !sides.includes('>') ? [sql`${value} >= ''`] : []
  const last = isText ? sql`${value} < ${sql.raw(`'${BEHIND_TEXTS}'`)}` : sql`${value} < ''`
  return sides.includes('<') ? first : [...first, last]
}

/** On which sides there are bounds. */
export const sidesOf = (bounds: readonly Bound[]): string[] => bounds.map(({ sign }) => sign.charAt(0))

/** What goes beside the statement, apart from what the filter has anyway. */
export function narrowValues({ test }: Filter): Values {
  if (!('startsWith' in test)) return {}
  const beginning = beginningOf(test.startsWith.text)
  return { narrowFrom: beginning, narrowTo: beginning + BEHIND_ALL }
}

const n = named(propertyValues, 'n')

function testSql(test: Test, at: number, given: Places): SQL {
  const value = sql`${n.value}`
  if ('range' in test) {
    const fences = fencesSql(value, { range: test.range, sides: sidesOf(test.range) })
    return all([...fences, ...boundsSql(value, test.range, at, given)])
  }
  if ('startsWith' in test) return sql`${n.folded} >= ${given.narrowFrom} AND ${n.folded} < ${given.narrowTo}`
  const [no, yes] = [sql.raw(`'${BEHIND_TEXTS}0'`), sql.raw(`'${BEHIND_TEXTS}1'`)]
  return sql`${value} IN (SELECT CASE type WHEN 'false' THEN ${no} WHEN 'true' THEN ${yes} ELSE value END
    FROM json_each(${given[`any${at}`]}))`
}

const number = (value: number) => sql.raw(String(value))

const c = named(entities, 'c')

/** `seq` of the entities that may pass, with more of them where a column has an index. */
export function narrowSql({ column, test, at }: Numbered, given: Places, more = sql``): SQL {
  if (column) {
    return sql`SELECT ${c.seq} AS seq${more} FROM ${from(c)} ${indexedBy(column.index ?? '')} WHERE ${c.orgId} = ${given.orgId}
      AND ${c.kind} = ${given.kind} AND ${c[column.column]} IN (SELECT value FROM json_each(${given[`any${at}`]}))`
  }
  const index = 'startsWith' in test ? VALUE_INDEX.folded : VALUE_INDEX.value
  return sql`SELECT ${n.seq} AS seq FROM ${from(n)} ${indexedBy(index)}
    WHERE ${n.indexId} = ${given.narrowId} AND ${testSql(test, at, given)}`
}

/** Whether they are so few that they may be sorted: of most columns, as many as a page may look at. */
export function isFewSql({ order }: Plan, filter: Numbered, given: Places): SQL {
  const { column } = filter
  const few = number(column && column.shared !== 'most' ? PAGE_SCAN_MAX_ROWS : INDEX_GATHER_MAX_ENTITIES)
  const count = sql`SELECT count(*) <= ${few} FROM (${narrowSql(filter, given)} LIMIT ${few} + 1)`
  // Other values than times are read out of what the entities hold.
  if (!column || !order.column || order.column.time) return count
  const sizes = narrowSql(filter, given, sql`, octet_length(${c.data}) AS size`)
  return sql`SELECT iif((${count}), (SELECT total(size) <= ${number(PAGE_SCAN_MAX_BYTES)} FROM (${sizes})), 0)`
}

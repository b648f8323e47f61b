// The index of a property as SQL (N49): the entities whose values may pass a test. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { propertyValues, VALUE_INDEX } from '../../platform/db/schema/property-index.ts'
import { all, from, type Given, indexedBy, named, type Param } from '../../platform/db/sql.ts'
import { INDEX_GATHER_MAX_ENTITIES } from '../../platform/limits.ts'
import type { Bound, Filter, Test } from './conditions.ts'
import type { Numbered } from './criteria.ts'
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

const FEW = sql.raw(String(INDEX_GATHER_MAX_ENTITIES))

/** `seq` of the entities that may pass. */
export function narrowSql({ test, at }: Numbered, given: Places): SQL {
  const index = 'startsWith' in test ? VALUE_INDEX.folded : VALUE_INDEX.value
  return sql`SELECT ${n.seq} AS seq FROM ${from(n)} ${indexedBy(index)}
    WHERE ${n.indexId} = ${given.narrowId} AND ${testSql(test, at, given)}`
}

/** Whether they are so few that they may be sorted. */
export function isFewSql(filter: Numbered, given: Places): SQL {
  return sql`SELECT count(*) <= ${FEW} FROM (${narrowSql(filter, given)} LIMIT ${FEW} + 1)`
}

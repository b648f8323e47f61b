// From conditions to their SQL, over the entity under the name `e`. What the caller wrote goes beside the text, under names
// that end with the filter's number. For every criterion and every stored value, a row costs no more than reading it.
import { type SQL, sql } from 'drizzle-orm'
import { entities } from '../../platform/db/schema/entities.ts'
import { all, type Given, jsonPath, list, named, type Param } from '../../platform/db/sql.ts'
import type { Needle } from '../../platform/letter-case.ts'
import type { Bound, Test } from './conditions.ts'
import type { Condition, Numbered } from './criteria.ts'
import { soughtSql, soughtValues } from './search-sql.ts'

const e = named(entities, 'e')

type Values = Record<string, Param>

/** Conditions of one key have the same text. */
export function conditionKey(condition: Condition): string {
  if ('sought' in condition) return 'sought'
  if ('or' in condition) return `or ${condition.or.map(each => each.map(conditionKey)).join(' | ')}`
  const { column, test, isNot } = condition
  return `${isNot ? 'not ' : ''}${column?.column ?? 'property'} ${testKey(test)}`
}

function testKey(test: Test): string {
  if ('range' in test) return test.range.map(({ sign, value }) => sign + typeof value).join(' ')
  if ('contains' in test) return `contains ${test.contains.forms.length}`
  if ('startsWith' in test) return `startsWith ${test.startsWith.forms.length}`
  return Object.keys(test).join()
}

/** All filters among them, those of alternatives too. */
export const filtersIn = (conditions: readonly Condition[]): Numbered[] =>
  conditions.flatMap(condition =>
    'or' in condition ? condition.or.flat() : 'property' in condition ? [condition] : [],
  )

export function conditionValues(conditions: readonly Condition[]): Values {
  const filters = filtersIn(conditions)
  // In one value, for D1 binds 100 at most, and each filter has some of its own.
  const forms: Needle['forms'][] = []
  for (const { test, at } of filters) forms[at] = needleIn(test)?.forms ?? []
  const sought = conditions.flatMap(condition => ('sought' in condition ? [soughtValues(condition.sought)] : []))
  return Object.assign({ forms: JSON.stringify(forms) }, ...filters.map(filterValues), ...sought)
}

const needleIn = (test: Test): Needle | undefined =>
  'contains' in test ? test.contains : 'startsWith' in test ? test.startsWith : undefined

function filterValues({ property, test, at }: Numbered): Values {
  const path = { [`path${at}`]: jsonPath(property) }
  if ('absent' in test) return path
  if ('range' in test)
    return { ...path, ...Object.fromEntries(test.range.map(({ value }, n) => [boundName(at, n), numberText(value)])) }
  if ('contains' in test) return { ...path, [`text${at}`]: test.contains.text }
  if ('startsWith' in test) {
    const { text } = test.startsWith
    return { ...path, [`text${at}`]: text, [`length${at}`]: [...text].length }
  }
  return { ...path, [`any${at}`]: JSON.stringify('any' in test ? test.any : test.anyRange) }
}

const boundName = (at: number, n: number) => `bound${at}_${n}`

export function conditionSql(condition: Condition, given: Given<Values>): SQL {
  if ('sought' in condition) return soughtSql(given)
  if (!('or' in condition)) return filterSql(condition, given)
  const each = condition.or.map(alternative => sql`(${all(alternative.map(filter => filterSql(filter, given)))})`)
  return sql`(${list(each, ' OR ')})`
}

function filterSql(filter: Numbered, given: Given<Values>): SQL {
  const { column, test, isNot, at } = filter
  const found = column ? columnTest(sql`${e[column.column]}`, test, at, given) : propertyTest(test, at, given)
  // What is not known to hold, an absent value for example, counts as left out.
  return isNot ? sql`(${found}) IS NOT TRUE` : found
}

function columnTest(column: SQL, test: Test, at: number, given: Given<Values>): SQL {
  if ('absent' in test) return sql`${column} IS NULL`
  const any = given[`any${at}`]
  if ('anyRange' in test) {
    return sql`EXISTS (SELECT 1 FROM json_each(${any}) r WHERE ${column} BETWEEN r.value ->> 0 AND r.value ->> 1)`
  }
  if ('any' in test) return sql`${column} IN (SELECT value FROM json_each(${any}))`
  return valueTest(column, test, at, given)
}

/** Types must agree: the text "1" is not the number 1. A list-valued property matches when one of its elements does. */
function propertyTest(test: Test, at: number, given: Given<Values>): SQL {
  const path = given[`path${at}`]
  if ('absent' in test) return sql`(${e.data} ->> ${path}) IS NULL`
  const values = sql`FROM json_each(${e.data}, ${path}) j`
  // An object is neither a value nor a list of values.
  const isNoObject = sql`json_type(${e.data}, ${path}) <> 'object'`
  if ('any' in test) {
    // By membership: a nested loop over a long list in the data and a long list of values held the database up. By the value
    // alone first: nearly all are none of them, and to look at a type as well takes more than twice as long.
    const any = given[`any${at}`]
    return sql`(${isNoObject} AND EXISTS (SELECT 1 ${values} WHERE j.atom IN (SELECT atom FROM json_each(${any}))
      AND (replace(j.type, 'real', 'integer'), j.atom) IN (
        SELECT replace(type, 'real', 'integer'), atom FROM json_each(${any}))))`
  }
  if ('anyRange' in test) throw new Error('only columns hold times')
  const isNumber = 'range' in test && typeof test.range[0]?.value === 'number'
  const type = isNumber ? sql`IN ('integer', 'real')` : sql`= 'text'`
  const tested = valueTest(sql`j.atom`, test, at, given)
  return sql`(${isNoObject} AND EXISTS (SELECT 1 ${values} WHERE j.type ${type} AND ${tested}))`
}

type ValueTest = Extract<Test, { range: Bound[] } | { contains: Needle } | { startsWith: Needle }>

/** Of one value, whose type is the right one. */
function valueTest(value: SQL, test: ValueTest, at: number, given: Given<Values>): SQL {
  if ('range' in test) return all(boundsSql(value, test.range, at, given))
  const text = given[`text${at}`]
  if ('contains' in test) return sql`instr(${folded(value, test.contains, at, given)}, ${text}) > 0`
  const begin = sql`substr(${value}, 1, ${given[`length${at}`]})`
  return sql`${folded(begin, test.startsWith, at, given)} = ${text}`
}

export function boundsSql(value: SQL, bounds: readonly Bound[], at: number, given: Given<Values>): SQL[] {
  return bounds.map(({ sign, value: bound }, n) => {
    const name = given[boundName(at, n)]
    return sql`${value} ${sql.raw(sign)} ${typeof bound === 'number' ? numberSql(name) : name}`
  })
}

/**
 * Numbers travel as JSON and are read by SQLite, as stored ones are: beyond about 1e±60, and for integers beyond 2^53, SQLite reads some
 * digits as another double than JavaScript does.
 */
export const numberText = <T>(value: T): T | string => (typeof value === 'number' ? JSON.stringify(value) : value)
export const numberSql = (name: unknown): SQL => sql`(${name} ->> '$')`

/** The letters that are looked for in the one form that stands for all of theirs. */
function folded(value: SQL, { forms }: Needle, at: number, given: Given<Values>): SQL {
  const place = (n: number, part: 0 | 1) => sql`${given.forms} ->> ${sql.raw(`'$[${at}][${n}][${part}]'`)}`
  return forms.reduce((text, _, n) => sql`replace(${text}, ${place(n, 0)}, ${place(n, 1)})`, sql`lower(${value})`)
}

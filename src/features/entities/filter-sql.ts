// From one criterion to its SQL, over the entity under the name `e`. What the caller wrote goes beside the text, under names
// that end with the criterion's number. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { entities } from '../../platform/db/schema/entities.ts'
import { type Given, jsonPath, named, type Param } from '../../platform/db/sql.ts'
import type { Filter, Test } from './criteria.ts'

const e = named(entities, 'e')

type Values = Record<string, Param>

/** Criteria of one key have the same text. */
export function filterKey({ column, test }: Filter): string {
  const type = 'between' in test ? typeof test.between[0] : ''
  return `${column?.column ?? 'property'} ${Object.keys(test)} ${type}`
}

export function filterValues({ property, test }: Filter, at: number): Values {
  const path = { [`path${at}`]: jsonPath(property) }
  if ('between' in test) return { ...path, [`low${at}`]: test.between[0], [`high${at}`]: test.between[1] }
  if ('anyBetween' in test) return { ...path, [`any${at}`]: JSON.stringify(test.anyBetween) }
  return 'any' in test ? { ...path, [`any${at}`]: JSON.stringify(test.any) } : path
}

export function filterSql({ column, test }: Filter, at: number, given: Given<Values>): SQL {
  const places = { path: given[`path${at}`], low: given[`low${at}`], high: given[`high${at}`], any: given[`any${at}`] }
  return column ? columnTest(sql`${e[column.column]}`, test, places) : propertyTest(test, places)
}

type Places = Record<'path' | 'low' | 'high' | 'any', unknown>

function columnTest(column: SQL, test: Test, { low, high, any }: Places): SQL {
  if ('absent' in test) return sql`${column} IS NULL`
  if ('between' in test) return sql`${column} BETWEEN ${low} AND ${high}`
  if ('anyBetween' in test) {
    return sql`EXISTS (SELECT 1 FROM json_each(${any}) r WHERE ${column} BETWEEN r.value ->> 0 AND r.value ->> 1)`
  }
  return sql`${column} IN (SELECT value FROM json_each(${any}))`
}

/** Types must agree: the text "1" is not the number 1. A list-valued property matches when it contains the value. */
function propertyTest(test: Test, { path, low, high, any }: Places): SQL {
  if ('absent' in test) return sql`(${e.data} ->> ${path}) IS NULL`
  const values = sql`FROM json_each(${e.data}, ${path}) j`
  // An object is neither a value nor a list of values.
  const isNoObject = sql`json_type(${e.data}, ${path}) <> 'object'`
  if ('between' in test) {
    const type = typeof test.between[0] === 'number' ? sql`IN ('integer', 'real')` : sql`= 'text'`
    return sql`(${isNoObject} AND EXISTS (SELECT 1 ${values} WHERE j.type ${type} AND j.atom BETWEEN ${low} AND ${high}))`
  }
  // By membership: a nested loop over a long list in the data and a long list of values held the database up.
  return sql`(${isNoObject} AND EXISTS (SELECT 1 ${values} WHERE (replace(j.type, 'real', 'integer'), j.atom) IN (
    SELECT replace(type, 'real', 'integer'), atom FROM json_each(${any}))))`
}

// From one criterion to its SQL, over the entity under the name `e`. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { entities } from '../../platform/db/schema/entities.ts'
import { jsonPath, named } from '../../platform/db/sql.ts'
import type { Filter, Test } from './criteria.ts'

const e = named(entities, 'e')

export function filterSql({ column, property, test }: Filter): SQL {
  return column ? columnTest(sql`${e[column.column]}`, test) : propertyTest(jsonPath(property), test)
}

function columnTest(column: SQL, test: Test): SQL {
  if ('absent' in test) return sql`${column} IS NULL`
  if ('between' in test) return sql`${column} BETWEEN ${test.between[0]} AND ${test.between[1]}`
  if ('anyBetween' in test) {
    const ranges = JSON.stringify(test.anyBetween)
    return sql`EXISTS (SELECT 1 FROM json_each(${ranges}) r WHERE ${column} BETWEEN r.value ->> 0 AND r.value ->> 1)`
  }
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(test.any)}))`
}

/** Types must agree: the text "1" is not the number 1. A list-valued property matches when it contains the value. */
function propertyTest(path: string, test: Test): SQL {
  if ('absent' in test) return sql`(${e.data} ->> ${path}) IS NULL`
  const values = sql`FROM json_each(${e.data}, ${path}) j`
  // An object is neither a value nor a list of values.
  const isNoObject = sql`json_type(${e.data}, ${path}) <> 'object'`
  if ('between' in test) {
    const type = typeof test.between[0] === 'number' ? sql`IN ('integer', 'real')` : sql`= 'text'`
    const ends = sql`BETWEEN ${test.between[0]} AND ${test.between[1]}`
    return sql`(${isNoObject} AND EXISTS (SELECT 1 ${values} WHERE j.type ${type} AND j.atom ${ends}))`
  }
  const any = JSON.stringify('any' in test ? test.any : [])
  return sql`(${isNoObject} AND EXISTS (SELECT 1 ${values} JOIN json_each(${any}) v
    ON j.atom = v.atom AND replace(j.type, 'real', 'integer') = replace(v.type, 'real', 'integer')))`
}

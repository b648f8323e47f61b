// What the store checks of items. Decides nothing.
import { sql } from 'drizzle-orm'
import { entities } from '../../platform/db/schema/entities.ts'
import { from, named, type Statement, statement } from '../../platform/db/sql.ts'

const i = named(entities, 'i')

/** Begins the message of the failure; the place of the write follows. */
export const BOTH = 'family and option '

/** Fails where one of the items has a family and is one: with its place among the writes. */
export function neverBoth(orgId: string, items: readonly (readonly [index: number, id: string])[]): Statement {
  return statement(sql`SELECT json_extract('{}', ${sql.raw(`'${BOTH}'`)} || (w.value ->> 0)) FROM json_each(${JSON.stringify(items)}) w
    CROSS JOIN ${from(i)} ON ${i.id} = w.value ->> 1 AND ${i.orgId} = ${orgId} AND ${i.itemFamilyId} IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each(${i.data}, '$.roles') r WHERE r.value = 'family') LIMIT 1`)
}

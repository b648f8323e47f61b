// Which properties are indexed follows from what the types say, in the transaction that writes them (N49).
import { sql } from 'drizzle-orm'
import { ENTITY_INDEX } from '../../platform/db/schema/entities.ts'
import { propertyIndexes } from '../../platform/db/schema/property-index.ts'
import { bare, from, indexedBy, insertInto, prepared, type Statement } from '../../platform/db/sql.ts'
import { INDEXED_PROPERTIES_MAX } from '../../platform/limits.ts'
import { ROOT, t } from './store.ts'

const p = propertyIndexes

/** Most types mark nothing: that is seen without parsing them. */
const MAY_MARK = sql`instr(${t.data}, '"indexed":true') > 0`
const IS_MARKED = sql`m.value ->> '$.indexed' = 1`

const ofTypes = (orgId: Parameters<typeof sql>[1]) => sql`${from(t)} ${indexedBy(ENTITY_INDEX.typePath)}
  CROSS JOIN json_each(${t.data}, '$.properties') m
  WHERE ${t.orgId} = ${orgId} AND ${t.kind} = 'type' AND ${MAY_MARK} AND ${IS_MARKED}`

const addMarked = prepared<{ orgId: string }>(
  ({ orgId }) => sql`${insertInto(p, ['orgId', 'kind', 'property', 'path', 'state'])}
    SELECT DISTINCT ${orgId}, ${ROOT}, m.value ->> '$.slug', '$."' || (m.value ->> '$.slug') || '"', 'filling'
    FROM ${ofTypes(orgId)}
    ON CONFLICT DO NOTHING`,
)

const dropUnmarked = prepared<{ orgId: string }>(
  ({ orgId }) => sql`UPDATE ${p} SET ${bare(p.state)} = 'dropping'
    WHERE ${p.orgId} = ${orgId} AND ${p.state} <> 'dropping' AND (${p.kind}, ${p.property}) NOT IN (
      SELECT ${ROOT}, m.value ->> '$.slug' FROM ${ofTypes(orgId)})`,
)

/** Begins the message of types that mark too many. */
export const TOO_MANY_INDEXED = 'too many indexed '

const withinBound = prepared<{ orgId: string }>(
  ({ orgId }) => sql`SELECT json_extract('{}', ${sql.raw(`'${TOO_MANY_INDEXED}'`)} || ${p.kind}) FROM ${p}
    WHERE ${p.orgId} = ${orgId} AND ${p.state} <> 'dropping' GROUP BY ${p.kind} HAVING count(*) > ${sql.raw(String(INDEXED_PROPERTIES_MAX))}`,
)

/** After types were written or deleted. */
export function indexesAsMarked(orgId: string): Statement[] {
  return [dropUnmarked({ orgId }), addMarked({ orgId }), withinBound({ orgId })]
}

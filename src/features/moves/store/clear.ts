// Removes what is left of an organization in a database where it is not: before it moves there, and some time after it left.
import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../../../platform/db/client.ts'
import { clocks } from '../../../platform/db/schema/entities.ts'
import { propertyIndexes } from '../../../platform/db/schema/property-index.ts'
import { searchProgress } from '../../../platform/db/schema/search.ts'
import { statement } from '../../../platform/db/sql.ts'
import { type Turn, turnStatements } from './rows.ts'
import { CLEARED } from './tables.ts'

const ROWS_A_STEP = 2000

/** Whether nothing is left. `where` holds only as long as the organization is not there. */
async function removeSome(db: Database, orgId: string, guard: Statement[], where = sql``): Promise<boolean> {
  const tables = CLEARED.map(({ table, isOf }) =>
    statement(sql`DELETE FROM ${table} WHERE rowid IN (
      SELECT rowid FROM ${table} WHERE ${isOf(orgId)}${where} LIMIT ${ROWS_A_STEP})`),
  )
  const ends = [propertyIndexes, searchProgress].map(table =>
    statement(sql`DELETE FROM ${table} WHERE ${table.orgId} = ${orgId}${where}`),
  )
  const results = await db.batch([...guard, ...tables, ...ends])
  return results.slice(guard.length, guard.length + tables.length).every(({ meta }) => meta.changes === 0)
}

export const clearTarget = (db: Database, turn: Turn) => removeSome(db, turn.orgId, turnStatements(turn))

/** The clock stays: whoever comes late finds that the organization has left. */
export const clearOldCopy = (db: Database, orgId: string) =>
  removeSome(
    db,
    orgId,
    [],
    sql` AND EXISTS (SELECT 1 FROM ${clocks} WHERE ${clocks.orgId} = ${orgId} AND ${clocks.state} = 'moved')`,
  )

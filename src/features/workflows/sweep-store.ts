// What has been kept long enough, by index. It goes along the clocks, organization by organization: copies that a move makes or has left are passed over.
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { clocks, ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { webhookSecrets } from '../../platform/db/schema/events.ts'
import { columns, from, indexedBy, named, prepared, type RowOf } from '../../platform/db/sql.ts'
import { PROCESS, TASK } from './kind.ts'

export type Expired = Pick<RowOf<typeof entities>, 'id' | 'kind' | 'orgId' | 'processId'>

const e = named(entities, 'e')
const t = named(entities, 't')
const NAMES = ['id', 'kind', 'orgId', 'processId'] as const

type Param = Parameters<typeof sql>[1]

const ended = (
  kind: string,
  { before, except }: Record<'before' | 'except', Param>,
  condition: SQL,
) => sql`SELECT ${columns(e, NAMES)}
  FROM ${clocks} CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.updatedOn)}
    ON ${e.orgId} = ${clocks.orgId} AND ${e.kind} = ${kind} AND ${e.updatedOn} < ${before}
  WHERE ${clocks.state} = 'open' AND ${clocks.orgId} NOT IN (SELECT value FROM json_each(${except})) AND ${e.status} IN ('complete', 'failed', 'cancelled') ${condition}`

const readExpired = prepared<{ before: number; except: string; limit: number }, Expired>(
  given => sql`WITH due AS MATERIALIZED (${ended(PROCESS.name, given, sql``)} LIMIT ${given.limit})
    SELECT id, kind, "orgId", "processId" FROM due
    UNION ALL SELECT ${columns(t, NAMES)} FROM due CROSS JOIN ${from(t)} ${indexedBy(ENTITY_INDEX.processId)}
      ON ${t.orgId} = due."orgId" AND ${t.kind} = ${TASK.name} AND ${t.processId} = due.id
    UNION ALL SELECT * FROM (${ended(TASK.name, given, sql`AND ${e.processId} IS NULL`)} LIMIT ${given.limit})`,
)

/** Ended runs with their tasks, and free-standing tasks, unchanged since the given time; except those of some organizations. */
export function expiredRecords(
  db: Database,
  before: number,
  limit: number,
  except: readonly string[],
): Promise<Expired[]> {
  return db.all(readExpired({ before, limit, except: JSON.stringify(except) }))
}

const removeSecrets = prepared<Record<never, never>>(
  () => sql`DELETE FROM ${webhookSecrets} WHERE NOT EXISTS (SELECT 1 FROM ${from(e)}
    WHERE ${e.id} = ${webhookSecrets.webhookId} AND ${e.orgId} = ${webhookSecrets.orgId})`,
)

/** Secrets of webhooks that are gone. */
export async function sweepSecrets(db: Database): Promise<void> {
  await db.batch([removeSecrets({})])
}

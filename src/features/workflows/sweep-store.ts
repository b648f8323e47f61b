// What has been kept long enough, by index.
import type { Database } from '../../platform/db/client.ts'

export interface Expired {
  id: string
  kind: string
  orgId: string
}

const ENDED = "('complete', 'failed', 'cancelled')"

/** Ended runs with their tasks, and free-standing tasks, that nobody has touched since. */
export async function expiredRecords(db: Database, before: number, limit: number): Promise<Expired[]> {
  const found = await db.all({
    sql: `WITH due AS MATERIALIZED (
        SELECT e.id, e.kind, e.org_id AS orgId FROM clocks c CROSS JOIN entities e INDEXED BY entities_updated_on ON e.org_id = c.org_id
          AND e.kind = 'event-workflow-process' AND e.updated_on < ?1
        WHERE e.status IN ${ENDED} LIMIT ?2)
      SELECT id, kind, orgId FROM due
      UNION ALL SELECT t.id, t.kind, t.org_id FROM due CROSS JOIN entities t INDEXED BY entities_process_id
        ON t.org_id = due.orgId AND t.kind = 'event-workflow-task' AND t.process_id = due.id
      UNION ALL SELECT * FROM (
        SELECT e.id, e.kind, e.org_id FROM clocks c CROSS JOIN entities e INDEXED BY entities_updated_on ON e.org_id = c.org_id
          AND e.kind = 'event-workflow-task' AND e.updated_on < ?1
        WHERE e.process_id IS NULL AND e.status IN ${ENDED} LIMIT ?2)`,
    params: [before, limit],
  })
  return found as unknown as Expired[]
}

const ROWS_A_STEP = 2000

export async function sweepDeliveries(db: Database, before: number): Promise<void> {
  for (;;) {
    const [removed] = await db.batch([
      {
        sql: `DELETE FROM deliveries WHERE seq IN (SELECT seq FROM deliveries WHERE created_on < ?1 LIMIT ${ROWS_A_STEP})`,
        params: [before],
      },
    ])
    if ((removed?.meta.changes ?? 0) < ROWS_A_STEP) return
  }
}

/** Secrets of webhooks that are gone. */
export async function sweepSecrets(db: Database): Promise<void> {
  await db.batch([
    {
      sql: 'DELETE FROM webhook_secrets WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.id = webhook_secrets.webhook_id)',
      params: [],
    },
  ])
}

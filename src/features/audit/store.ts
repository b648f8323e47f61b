// The audit trail in the directory. Rows are added and swept, never changed.
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { behind } from '../../platform/db/behind.ts'
import { type Directory, directory } from '../../platform/db/client.ts'
import { audit } from '../../platform/db/schema/people.ts'
import type { AuditRow } from './entry.ts'

export type StoredAudit = typeof audit.$inferSelect

/** Part of the batch of the change that it records, right after it: where nothing changed, there is no row. */
export function auditIfChanged(db: Directory, row: AuditRow) {
  return db.insert(audit).select(
    sql`SELECT NULL, ${row.id}, ${row.orgId}, ${row.createdOn}, ${row.action}, ${row.actorType}, ${row.actorId},
      ${row.address}, ${row.subjectId}, ${row.detail} WHERE changes() > 0`,
  )
}

export async function insertAudit(env: Env, row: AuditRow): Promise<void> {
  await directory(env).insert(audit).values(row)
}

const ORDER = [
  { column: audit.createdOn, descending: true },
  { column: audit.seq, descending: true },
]

/** Newest first. */
export function selectAudit(
  env: Env,
  orgId: string,
  after: [createdOn: number, seq: number] | undefined,
  limit: number,
): Promise<StoredAudit[]> {
  return directory(env)
    .select()
    .from(audit)
    .where(and(eq(audit.orgId, orgId), behind(ORDER, after)))
    .orderBy(desc(audit.createdOn), desc(audit.seq))
    .limit(limit)
}

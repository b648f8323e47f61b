// Verbs of the audit trail: write down an act that has no batch of its own, and read the trail page by page.
import type { Env } from '../../env.ts'
import { timeText } from '../../platform/db/row.ts'
import { readKey, writeKey } from '../../platform/paging/page-key.ts'
import { type AuditEvent, type AuditScope, auditRow } from './entry.ts'
import { insertAudit, type StoredAudit, selectAudit } from './store.ts'

export async function recordAudit(scope: AuditScope, event: AuditEvent): Promise<void> {
  await insertAudit(scope.env, auditRow(scope, event))
}

function shownAudit(row: StoredAudit) {
  return {
    id: row.id,
    createdOn: timeText(row.createdOn),
    action: row.action,
    actorType: row.actorType,
    actorId: row.actorId,
    address: row.address,
    subjectId: row.subjectId,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
  }
}

export async function listAudit({ env }: { env: Env }, orgId: string, limit: number, nextPageKey?: string) {
  const belongsTo = `audit ${orgId}`
  const [createdOn, seq] = nextPageKey === undefined ? [] : await readKey(nextPageKey, belongsTo, 'nextPageKey')
  const after = seq === undefined ? undefined : { createdOn: Number(createdOn), seq: Number(seq) }
  const rows = await selectAudit(env, orgId, after, limit + 1)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    results: rows.slice(0, limit).map(shownAudit),
    nextPageKey: last ? await writeKey([last.createdOn, last.seq], belongsTo) : null,
  }
}

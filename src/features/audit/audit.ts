// Verbs of the audit trail: write down an act that has no batch of its own, and read the trail page by page.
import * as z from 'zod'
import type { Env } from '../../env.ts'
import { timeText } from '../../platform/db/row.ts'
import { keysetPage, type PageRequest } from '../../platform/paging/keyset.ts'
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

export function listAudit({ env }: { env: Env }, orgId: string, page: PageRequest) {
  return keysetPage(
    {
      belongsTo: `audit ${orgId}`,
      place: z.tuple([z.number(), z.number()]),
      placeOf: ({ createdOn, seq }: StoredAudit) => [createdOn, seq],
      read: (after, limit) => selectAudit(env, orgId, after, limit),
      show: shownAudit,
    },
    page,
  )
}

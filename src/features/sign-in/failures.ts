// Failed sign-ins in the audit trail. Attempts write a bounded number of lines: accepted attempts are bounded by the waits
// of the account, a closed account is recorded once, and strangers share a number of lines an hour.
import { digestOf } from '../../platform/digest.ts'
import { type AuditEvent, type AuditScope, auditRow } from '../audit/entry.ts'
import { recordAudit } from '../audit/service.ts'
import { auditWithin } from './attempts-store.ts'
import { SIGN_IN_STRANGERS_NOTED_AN_HOUR } from './limits.ts'

const HOUR_MS = 3_600_000

type Failure = Omit<AuditEvent, 'action' | 'actor'>

const failed = (failure: Failure): AuditEvent => ({ ...failure, action: 'sign_in_failed', actor: null })

/** `closed`: the period that the account is closed for. */
export function recordFailure(scope: AuditScope, failure: Failure, closed?: string): Promise<void> {
  if (closed === undefined) return recordAudit(scope, failed(failure))
  return auditWithin(scope.env, closed, 1, auditRow(scope, failed(failure)))
}

/** Of a person who is no member. */
export async function recordStranger(scope: AuditScope, failure: Failure): Promise<void> {
  const name = await digestOf(`strangers ${failure.orgId} ${scope.now - (scope.now % HOUR_MS)}`)
  await auditWithin(scope.env, name, SIGN_IN_STRANGERS_NOTED_AN_HOUR, auditRow(scope, failed(failure)))
}

// What the audit trail can hold, and how an event becomes a row. Pure but for its ids. Whoever writes an event answers for
// its detail: names, roles and times, never a secret.

import type { Actor, OpenContext } from '../../platform/context.ts'
import type { Env } from '../../platform/env.ts'
import { newId } from '../../platform/ids.ts'

export const ACTIONS = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'password_changed',
  'password_reset_issued',
  'password_reset_used',
  'invitation_created',
  'invitation_revoked',
  'invitation_accepted',
  'member_joined',
  'member_role_changed',
  'member_removed',
  'key_issued',
  'key_rotated',
  'key_revoked',
  'token_issued',
  'token_revoked',
  'identity_provider_set',
  'identity_provider_removed',
  'endpoint_set',
  'endpoint_removed',
  'delivery_resent',
  'organization_created',
  'organization_changed',
  'organization_exported',
  'organization_deleted',
  'organization_restored',
  'backup_downloaded',
  'organization_move_begun',
  'organization_moved',
  'organization_move_cancelled',
  'organization_move_failed',
  'quotas_set',
  'file_uploaded',
  'file_deleted',
] as const

export type Action = (typeof ACTIONS)[number]

export interface AuditEvent {
  orgId: string
  action: Action
  /** None if no user was signed in. */
  actor: Actor | null
  subjectId?: string | null
  detail?: Record<string, string | number | boolean | null | undefined>
}

export interface AuditRow {
  id: string
  orgId: string
  createdOn: number
  action: string
  actorType: string
  actorId: string | null
  address: string | null
  subjectId: string | null
  detail: string
}

export type AuditScope = Pick<OpenContext, 'now' | 'address' | 'operator'> & { env: Env }

export const OPERATOR: Actor = { id: 'operator', type: 'operator' }

/** Acts of the operator that outlive the organization they are about stand under this id instead of its own. */
export const OPERATOR_TRAIL = 'operator'

export function auditRow({ now, address, operator }: Omit<AuditScope, 'env'>, event: AuditEvent): AuditRow {
  return {
    id: newId(),
    orgId: event.orgId,
    createdOn: now,
    action: event.action,
    actorType: event.actor?.type ?? 'nobody',
    actorId: event.actor === OPERATOR ? (operator ?? OPERATOR.id) : (event.actor?.id ?? null),
    address: address ?? null,
    subjectId: event.subjectId ?? null,
    detail: JSON.stringify(event.detail ?? {}),
  }
}

// Verbs over keys and tokens: issue, list, revoke. The operator's API and people's own key management both use them.
import * as z from 'zod'
import type { Actor, CredentialKind, Principal } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { digestOf } from '../../platform/digest.ts'
import { notFound } from '../../platform/errors.ts'
import type { Tier } from '../../platform/http/rate-limit.ts'
import { newId } from '../../platform/ids.ts'
import { keysetPage, type PageRequest } from '../../platform/paging/keyset.ts'
import { type AuditScope, auditRow } from '../audit/entry.ts'
import { forgetCredential, unauthorized } from './authenticate.ts'
import { newCredential } from './key-text.ts'
import {
  type CredentialOwner,
  type CredentialRow,
  endCredential,
  findOwned,
  insertCredential,
  selectCredentials,
} from './store.ts'

export interface IssueRequest {
  orgId: string
  kind: CredentialKind
  name: string
  scope: 'read' | 'write'
  tier?: Tier | null
  userId?: string | null
  by: Actor
  expiresOn: number | null
  entityTypes?: readonly string[] | null | undefined
  addresses?: readonly string[] | null | undefined
}

const textOrNull = (time: number | null) => (time === null ? null : timeText(time))

/** Kept to the hour, which may have begun before the credential was made. */
export const lastUseOf = ({ lastUsedOn, createdOn }: CredentialRow) =>
  lastUsedOn === null ? null : timeText(Math.max(lastUsedOn, createdOn))

/** A credential as it may be shown: everything but the secret. */
export function shownCredential(row: CredentialRow) {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    start: row.start,
    scope: row.scope,
    tier: row.tier,
    userId: row.userId,
    createdOn: timeText(row.createdOn),
    createdById: row.createdById,
    lastUsedOn: lastUseOf(row),
    expiresOn: textOrNull(row.expiresOn),
    revokedOn: textOrNull(row.revokedOn),
    replacedById: row.replacedById,
    entityTypes: row.entityTypes === null ? null : (JSON.parse(row.entityTypes) as string[]),
    addresses: row.addresses === null ? null : (JSON.parse(row.addresses) as string[]),
  }
}

export type ShownCredential = ReturnType<typeof shownCredential>

/** The only moment at which the key itself exists. */
export async function prepareCredential(
  now: number,
  request: IssueRequest,
): Promise<{ row: CredentialRow; key: string }> {
  const { key, secret, start } = newCredential(request.kind)
  const row: CredentialRow = {
    id: newId(),
    orgId: request.orgId,
    kind: request.kind,
    userId: request.userId ?? null,
    name: request.name,
    start,
    digest: await digestOf(secret),
    scope: request.scope,
    tier: request.tier ?? null,
    createdOn: now,
    createdById: request.by.id,
    lastUsedOn: null,
    expiresOn: request.expiresOn,
    revokedOn: null,
    replacedById: null,
    entityTypes: request.entityTypes ? JSON.stringify(request.entityTypes) : null,
    addresses: request.addresses ? JSON.stringify(request.addresses) : null,
  }
  return { row, key }
}

/** How the audit trail calls what happens to a credential. */
const ISSUED = { app: 'key_issued', user: 'key_issued', token: 'token_issued', session: 'sign_in' } as const
const REVOKED = { app: 'key_revoked', user: 'key_revoked', token: 'token_revoked', session: 'sign_out' } as const

export function issueEvent(scope: Omit<AuditScope, 'env'>, row: CredentialRow, by: Actor) {
  const { id, kind, name, scope: may } = row
  return auditRow(scope, {
    orgId: row.orgId,
    action: ISSUED[kind],
    actor: by,
    subjectId: id,
    detail: kind === 'session' ? { method: name } : { kind, name, scope: may },
  })
}

export async function issueCredential(
  scope: AuditScope,
  request: IssueRequest,
  caller?: Principal,
): Promise<ShownCredential & { key: string }> {
  const { row, key } = await prepareCredential(scope.now, request)
  if (!(await insertCredential(scope.env, row, issueEvent(scope, row, request.by), caller))) throw unauthorized()
  return { ...shownCredential(row), key }
}

export function listCredentials({ env }: Pick<AuditScope, 'env'>, owner: CredentialOwner, page: PageRequest) {
  return keysetPage(
    {
      belongsTo: JSON.stringify(['credentials', owner]),
      place: z.tuple([z.number(), z.string()]),
      placeOf: ({ createdOn, id }: CredentialRow) => [createdOn, id],
      read: (after, limit) => selectCredentials(env, { ...owner, after, limit }),
      show: shownCredential,
    },
    page,
  )
}

/** At once here, and within ten seconds everywhere (N9). */
export async function revokeCredential(
  scope: AuditScope,
  owner: CredentialOwner,
  id: string,
  by: Actor,
): Promise<void> {
  const found = await findOwned(scope.env, owner, id)
  if (!found) throw notFound('key')
  const { kind, name } = found
  const event = auditRow(scope, {
    orgId: owner.orgId,
    action: REVOKED[kind],
    actor: by,
    subjectId: id,
    detail: kind === 'session' ? {} : { kind, name },
  })
  if (!(await endCredential(scope.env, owner, id, scope.now, event))) throw notFound('key')
  forgetCredential(id)
}

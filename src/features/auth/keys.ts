// Verbs over keys and tokens: issue, list, revoke. The operator's API and people's own key management both use them.
import type { Env } from '../../env.ts'
import type { CredentialKind } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { digestOf } from '../../platform/digest.ts'
import { notFound } from '../../platform/errors.ts'
import { readKey, writeKey } from '../../platform/http/page-key.ts'
import type { Tier } from '../../platform/http/rate-limit.ts'
import { newId } from '../../platform/ids.ts'
import { forgetCredential } from './authenticate.ts'
import { newCredential } from './credential.ts'
import {
  type CredentialOwner,
  type CredentialRow,
  endCredential,
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
  createdById: string
  expiresOn: number | null
}

type Scope = { env: Env; now: number }

const textOrNull = (time: number | null) => (time === null ? null : timeText(time))

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
    lastUsedOn: textOrNull(row.lastUsedOn),
    expiresOn: textOrNull(row.expiresOn),
    revokedOn: textOrNull(row.revokedOn),
  }
}

export type ShownCredential = ReturnType<typeof shownCredential>

/** The only moment at which the key itself exists. */
export async function issueCredential(
  { env, now }: Scope,
  request: IssueRequest,
): Promise<ShownCredential & { key: string }> {
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
    createdById: request.createdById,
    lastUsedOn: null,
    expiresOn: request.expiresOn,
    revokedOn: null,
  }
  await insertCredential(env, row)
  return { ...shownCredential(row), key }
}

export async function listCredentials({ env }: Scope, owner: CredentialOwner, limit: number, nextPageKey?: string) {
  const belongsTo = JSON.stringify(['credentials', owner])
  const [createdOn, id] = nextPageKey === undefined ? [] : await readKey(nextPageKey, belongsTo, 'nextPageKey')
  const after = id === undefined ? undefined : { createdOn: Number(createdOn), id: String(id) }
  const rows = await selectCredentials(env, { ...owner, after, limit: limit + 1 })
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    results: rows.slice(0, limit).map(shownCredential),
    nextPageKey: last ? await writeKey([last.createdOn, last.id], belongsTo) : null,
  }
}

/** At once here, and within ten seconds everywhere (N9). */
export async function revokeCredential({ env, now }: Scope, owner: CredentialOwner, id: string): Promise<void> {
  const ended = await endCredential(env, owner, id, now, now)
  if (!ended) throw notFound('key')
  forgetCredential(id)
}

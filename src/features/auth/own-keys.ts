// Keys in the hands of people (N10): admins manage all keys of the organization, members their own user keys.
import type { Context, CredentialKind } from '../../platform/context.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { KEYS_MAX_ACTIVE, KEYS_MAX_ACTIVE_PER_PERSON } from '../../platform/limits.ts'
import type { PageRequest } from '../../platform/paging/keyset.ts'
import { auditRow } from '../audit/entry.ts'
import { forgetCredential } from './authenticate.ts'
import type { CreateKey } from './contract.ts'
import { issueCredential, listCredentials, revokeCredential, shownCredential } from './credentials.ts'
import { newCredential } from './key-text.ts'
import { type CredentialOwner, countAlive, findOwned, isStillIn, replaceCredential } from './store.ts'

/** Which keys the caller has in hand. */
function inHand({ org, principal }: Context): CredentialOwner {
  if (principal.role === 'admin') return { orgId: org.id, kinds: ['app', 'user'] }
  return ownOf(org.id, principal.userId)
}

const ownOf = (orgId: string, userId: string | null): CredentialOwner => ({
  orgId,
  kinds: ['user'],
  userId: userId ?? '',
})

export function listKeysInHand(context: Context, page: PageRequest) {
  return listCredentials(context, inHand(context), page)
}

export async function issueKeyInHand(
  context: Context,
  { kind: asked, name, scope, expiresOn, entityTypes, addresses }: CreateKey,
) {
  const { org, actor, principal, now } = context
  const kind = asked ?? (principal.role === 'admin' ? 'app' : 'user')
  if (kind === 'app' && principal.role !== 'admin') {
    throw new Fault('forbidden', 'App keys are made by admins of the organization.')
  }
  if (expiresOn != null && expiresOn <= now) {
    throw invalid([{ path: '/expiresOn', message: 'Expected a time in the future.' }])
  }
  await checkRoom(context, kind)
  const request = {
    orgId: org.id,
    kind,
    name,
    scope,
    userId: kind === 'user' ? principal.userId : null,
    by: actor,
    expiresOn: expiresOn ?? null,
    entityTypes,
    addresses,
  }
  return issueCredential(context, request, principal)
}

async function checkRoom({ env, org, principal, now }: Context, kind: CredentialKind): Promise<void> {
  const check = async (owner: CredentialOwner, most: number) => {
    if ((await countAlive(env, owner, now)) < most) return
    throw new Fault('conflict', `There are ${most} keys already. Revoke one that is no longer needed.`)
  }
  await check({ orgId: org.id, kinds: ['app', 'user'] }, KEYS_MAX_ACTIVE)
  if (kind === 'user') await check(ownOf(org.id, principal.userId), KEYS_MAX_ACTIVE_PER_PERSON)
}

export async function rotateKeyInHand(context: Context, id: string, overlapSeconds: number) {
  const { env, now, actor, principal } = context
  const old = await findOwned(env, inHand(context), id)
  if (!old || (old.expiresOn !== null && old.expiresOn <= now)) throw notFound('key')
  // The holder of a user key acts as that person.
  if (old.kind === 'user' && old.userId !== principal.userId) {
    throw new Fault('forbidden', 'Only its owner can rotate a user key. Revoke it instead.')
  }
  // For the overlap there is one more.
  if (overlapSeconds > 0) await checkRoom(context, old.kind)
  const { key, secret, start } = newCredential(old.kind)
  const next = { id: newId(), start, digest: await digestOf(secret), createdOn: now, createdById: actor.id }
  const event = auditRow(context, {
    orgId: old.orgId,
    action: 'key_rotated',
    actor,
    subjectId: id,
    detail: { kind: old.kind, name: old.name, replacedById: next.id, overlapSeconds },
  })
  const row = await replaceCredential(env, old, next, now + overlapSeconds * 1000, event, isStillIn(principal))
  if (!row) throw new Fault('conflict', 'This key has been revoked or replaced already.')
  forgetCredential(id)
  return { ...shownCredential(row), key }
}

export function revokeKeyInHand(context: Context, id: string): Promise<void> {
  return revokeCredential(context, inHand(context), id, context.actor)
}

// Who is calling (N8): key and organization, a bearer token, or the session of a page of ours (N45). Every failure looks alike. A credential may be
// remembered for ten seconds; a revocation forgets it at once in the isolate where it is made. It is looked up at the nearest
// replica; before a caller is refused, and for everything that this isolate has changed itself, the primary is asked (N59).

import type { Principal } from '../../platform/context.ts'
import { REPLICA_LAG_MAX_MS } from '../../platform/db/limits.ts'
import { learnPlace } from '../../platform/db/placement.ts'
import { digestOf } from '../../platform/digest.ts'
import type { Env } from '../../platform/env.ts'
import { Fault } from '../../platform/errors.ts'
import { addressOf, FROM_ADDRESS, limitRate, networkOf } from '../../platform/http/rate-limit.ts'
import { CREDENTIAL_CACHE_MAX_ENTRIES, CREDENTIAL_CACHE_MS } from '../../platform/limits.ts'
import { secretOf } from './key-text.ts'
import { sessionTokenOf } from './session-cookie.ts'
import { findCredential, findStillIn, type KnownCredential, noteUse } from './store.ts'

const HOUR_MS = 3_600_000

const remembered = new Map<string, { principal: Principal; until: number }>()

/** Credentials, people and organizations that this isolate has changed: a replica may not know that yet. */
const changed = new Map<string, number>()

export function forgetCredential(id: string): void {
  forget([id], principal => principal.credentialId === id)
}

/** Everything of one person, in one organization or in all of them. */
export function forgetPerson(userId: string, orgId?: string): void {
  forget([userId], principal => principal.userId === userId && (orgId === undefined || principal.org.id === orgId))
}

export function forgetOrganization(orgId: string): void {
  forget([orgId], principal => principal.org.id === orgId)
}

function forget(ids: string[], isMeant: (principal: Principal) => boolean): void {
  const now = Date.now()
  for (const [id, until] of changed) if (until <= now) changed.delete(id)
  for (const id of ids) changed.set(id, now + REPLICA_LAG_MAX_MS)
  for (const [digest, { principal }] of remembered) if (isMeant(principal)) remembered.delete(digest)
}

export function unauthorized(): Fault {
  return new Fault('unauthorized', 'The key or token, the organization or the headers are not right.', {
    headers: { 'WWW-Authenticate': 'ApiKey realm="selvedge", Bearer realm="selvedge"' },
  })
}

/** Where a statement that says so has done nothing: whether that is why. */
export async function mustStillBeIn(env: Env, principal: Principal): Promise<void> {
  if (!(await findStillIn(env, principal))) throw unauthorized()
}

interface Clock {
  now: number
  /** What the call issues would outlast its caller: nothing that is remembered or near is believed. */
  isStrict?: boolean | undefined
  defer(work: Promise<unknown>): void
}

export async function authenticate(env: Env, request: Request, clock: Clock): Promise<Principal> {
  const key = request.headers.get('X-Api-Key')
  const slug = request.headers.get('X-Api-Org')
  const authorization = request.headers.get('Authorization')
  const session = key === null && authorization === null ? sessionTokenOf(request) : undefined
  const token = authorization === null ? (session ?? null) : (/^bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? '')
  if ((key === null && token === null) || (key !== null && slug === null)) throw unauthorized()
  const secrets = [key, token].filter(secret => secret !== null)
  const principals = await Promise.all(secrets.map(secret => principalOf(env, request, secret.trim(), clock)))
  const [principal, other] = principals
  if (!principal || (other && other.org.id !== principal.org.id)) throw unauthorized()
  if (slug !== null && slug.trim() !== principal.org.slug) throw unauthorized()
  if (key !== null && principal.credentialKind !== 'app' && principal.credentialKind !== 'user') throw unauthorized()
  if (session !== undefined && principal.credentialKind !== 'session') throw unauthorized()
  if (principal.suspended) throw new Fault('organization_suspended', 'The operator has suspended this organization.')
  return principal
}

async function principalOf(env: Env, request: Request, key: string, clock: Clock): Promise<Principal> {
  const secret = secretOf(key)
  if (!secret) throw await wrongKey(env, request)
  const digest = await digestOf(secret)
  const principal =
    (clock.isStrict ? undefined : recall(digest, clock.now)) ?? (await lookUp(env, request, digest, clock))
  if (principal.expiresOn !== null && principal.expiresOn <= clock.now) throw unauthorized()
  if (/^(app|user):/.test(key) && !key.startsWith(`${principal.credentialKind}:`)) throw unauthorized()
  return principal
}

/** N43: wrong keys are counted by address, mistyped ones too. */
async function wrongKey(env: Env, request: Request): Promise<Fault> {
  await limitRate(env, 'address', `wrong-key:${networkOf(addressOf(request))}`)
  return unauthorized()
}

function recall(digest: string, now: number): Principal | undefined {
  const entry = remembered.get(digest)
  return entry && entry.until > now ? entry.principal : undefined
}

async function lookUp(env: Env, request: Request, digest: string, clock: Clock): Promise<Principal> {
  // Made-up keys would cost a query each (N83).
  await limitRate(env, 'high', `look-up:${networkOf(addressOf(request))}`, FROM_ADDRESS)
  const near = env.STRICT_CREDENTIALS || clock.isStrict ? undefined : await findCredential(env, digest, 'nearest')
  const known =
    near && isGood(near, clock.now) && !isChanged(near, clock.now) ? near : await findCredential(env, digest, 'primary')
  if (!known) throw await wrongKey(env, request)
  if (isRevoked(known, clock.now) || isStranger(known)) throw unauthorized()
  const principal = principalFrom(known)
  learnPlace(known.orgId, known, clock.now)
  if (remembered.size >= CREDENTIAL_CACHE_MAX_ENTRIES) remembered.clear()
  remembered.set(digest, {
    principal,
    until: Math.min(clock.now + CREDENTIAL_CACHE_MS, known.revokedOn ?? Infinity),
  })
  const hour = clock.now - (clock.now % HOUR_MS)
  if ((known.lastUsedOn ?? 0) < hour) clock.defer(noteUse(env, known, hour))
  return principal
}

const isRevoked = ({ revokedOn }: KnownCredential, now: number) => revokedOn !== null && revokedOn <= now

/** A person's key or session is worth nothing without the membership. */
const isStranger = ({ userId, role }: KnownCredential) => userId !== null && role === null

const isGood = (known: KnownCredential, now: number) =>
  !isRevoked(known, now) && !isStranger(known) && known.suspendedOn === null

const isChanged = ({ id, userId, orgId }: KnownCredential, now: number) =>
  [id, userId, orgId].some(one => one !== null && (changed.get(one) ?? 0) > now)

const listIn = (json: string | null) => (json === null ? undefined : (JSON.parse(json) as string[]))

function principalFrom(known: KnownCredential): Principal {
  const { userId } = known
  return {
    credentialId: known.id,
    credentialKind: known.kind,
    org: { id: known.orgId, slug: known.slug },
    actor: userId === null ? { id: known.id, type: 'app' } : { id: userId, type: 'user' },
    userId,
    role: known.role,
    scope: known.scope,
    tier: known.tier ?? known.orgTier,
    suspended: known.suspendedOn !== null,
    expiresOn: known.expiresOn,
    entityTypes: listIn(known.entityTypes),
    addresses: listIn(known.addresses),
  }
}

// Who is calling (N8): key and organization, a bearer token, or the session of a page of ours (N45). Every failure looks alike. A credential may be
// remembered for ten seconds; a revocation forgets it at once in the isolate where it is made.
import type { Env } from '../../env.ts'
import type { Principal } from '../../platform/context.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault } from '../../platform/errors.ts'
import { addressOf, limitRate, networkOf } from '../../platform/http/rate-limit.ts'
import { CREDENTIAL_CACHE_MAX_ENTRIES, CREDENTIAL_CACHE_MS } from '../../platform/limits.ts'
import { secretOf } from './key-text.ts'
import { sessionTokenOf } from './session-cookie.ts'
import { findCredential, type KnownCredential, noteUse } from './store.ts'

const HOUR_MS = 3_600_000

const remembered = new Map<string, { principal: Principal; until: number }>()

export function forgetCredential(id: string): void {
  for (const [digest, { principal }] of remembered) if (principal.credentialId === id) remembered.delete(digest)
}

/** Everything of one person, in one organization or in all of them. */
export function forgetPerson(userId: string, orgId?: string): void {
  for (const [digest, { principal }] of remembered) {
    if (principal.userId === userId && (orgId === undefined || principal.org.id === orgId)) remembered.delete(digest)
  }
}

export function forgetOrganization(orgId: string): void {
  for (const [digest, { principal }] of remembered) if (principal.org.id === orgId) remembered.delete(digest)
}

export function unauthorized(): Fault {
  return new Fault('unauthorized', 'The key or token, the organization or the headers are not right.', {
    headers: { 'WWW-Authenticate': 'ApiKey realm="selvedge", Bearer realm="selvedge"' },
  })
}

interface Clock {
  now: number
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
  const principal = recall(digest, clock.now) ?? (await lookUp(env, request, digest, clock))
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
  const known = await findCredential(env, digest)
  if (!known) throw await wrongKey(env, request)
  const { credential } = known
  if (credential.revokedOn !== null && credential.revokedOn <= clock.now) throw unauthorized()
  // A person's key or session is worth nothing without the membership.
  if (credential.userId !== null && known.role === null) throw unauthorized()
  const principal = principalFrom(known)
  if (remembered.size >= CREDENTIAL_CACHE_MAX_ENTRIES) remembered.clear()
  remembered.set(digest, {
    principal,
    until: Math.min(clock.now + CREDENTIAL_CACHE_MS, credential.revokedOn ?? Infinity),
  })
  const hour = clock.now - (clock.now % HOUR_MS)
  if ((credential.lastUsedOn ?? 0) < hour) clock.defer(noteUse(env, credential, hour))
  return principal
}

const listIn = (json: string | null) => (json === null ? undefined : (JSON.parse(json) as string[]))

function principalFrom({ credential, org, role }: KnownCredential): Principal {
  const isPerson = credential.userId !== null
  return {
    credentialId: credential.id,
    credentialKind: credential.kind,
    org: { id: org.id, slug: org.slug },
    actor: isPerson ? { id: credential.userId ?? '', type: 'user' } : { id: credential.id, type: 'app' },
    userId: credential.userId,
    role,
    scope: credential.scope,
    tier: credential.tier ?? org.tier,
    suspended: org.suspendedOn !== null,
    expiresOn: credential.expiresOn,
    entityTypes: listIn(credential.entityTypes),
    addresses: listIn(credential.addresses),
  }
}

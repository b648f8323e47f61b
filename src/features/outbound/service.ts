// Verbs over outbound endpoints and their deliveries; the operator's alone (N41).
import * as z from 'zod'
import type { OpenContext } from '../../platform/context.ts'
import { type Database, databaseFor } from '../../platform/db/client.ts'
import { timeText } from '../../platform/db/row.ts'
import { equalSecrets } from '../../platform/digest.ts'
import type { Env } from '../../platform/env.ts'
import { Fault, type FieldError, invalid, notFound } from '../../platform/errors.ts'
import { findKind } from '../../platform/kind.ts'
import { ENDPOINTS_MAX, PAGE_MAX_BYTES, ROTATION_DEFAULT_OVERLAP_SECONDS } from '../../platform/limits.ts'
import { isLocal } from '../../platform/pace.ts'
import { keysetPage } from '../../platform/paging/keyset.ts'
import { decryptSecret, encryptSecret } from '../../platform/secrets.ts'
import { wakeDelivery } from '../../platform/wake/message.ts'
import { announce, keepWatch } from '../../platform/wake/watch.ts'
import { OPERATOR } from '../audit/entry.ts'
import { recordAudit } from '../audit/service.ts'
import { CHANGE_TYPES } from '../history/change-event.ts'
import { PUBLISHED } from '../history/outbox-store.ts'
import { organization } from '../organizations/service.ts'
import { addressFault } from './address.ts'
import { deliveryPeriodMs } from './backoff.ts'
import { secretOwner } from './call.ts'
import { type DeliveriesQuery, type EndpointAuth, MASK, type PutEndpoint } from './contract.ts'
import { addressRules } from './own-calls.ts'
import { signingKey } from './sign.ts'
import * as store from './store.ts'

/** How often an endpoint is looked at again that others set at the same time. */
const WRITE_ATTEMPTS = 5

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** Headers that the call sets itself, or that would change where it goes. */
const OWN_HEADERS =
  /^(host|content-.*|transfer-encoding|connection|idempotency-key|webhook-.*|user-agent|selvedge-.*|cf-.*)$/i

async function scopeOf(context: OpenContext, slug: string) {
  const { id: orgId } = await organization(context, slug)
  return { orgId, db: databaseFor(context.env, orgId, null) }
}

export async function configureEndpoint(context: OpenContext, slug: string, name: string, body: PutEndpoint) {
  const { orgId, db } = await scopeOf(context, slug)
  const { row, createdOn, updatedOn, isListenedTo } = await configured(context, db, orgId, name, body)
  if (isListenedTo) context.defer(announce(context.env, orgId, context.now))
  const detail = { url: body.url, auth: body.auth.kind, events: body.events.join(' '), allowedFor: body.allowedFor }
  await recordAudit(context, { orgId, action: 'endpoint_set', actor: OPERATOR, subjectId: name, detail })
  return shownEndpoint({ ...row, createdOn, updatedOn })
}

/** The stored endpoint was read before: if another secret was set meanwhile, everything is checked again. */
async function configured(context: OpenContext, db: Database, orgId: string, name: string, body: PutEndpoint) {
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const present = await store.selectEndpoints(db, orgId)
    const known = present.find(row => row.name === name)
    const faults = faultsOf(context, name, body, known)
    if (faults.length) throw invalid(faults)
    if (!known && present.length >= ENDPOINTS_MAX) throw new Fault('conflict', `At most ${ENDPOINTS_MAX} endpoints.`)
    const row: store.NewEndpoint = {
      orgId,
      name,
      url: body.url,
      events: JSON.stringify(body.events),
      includeLoads: body.includeLoads,
      authKind: body.auth.kind,
      headerName: body.auth.kind === 'header' ? body.auth.name : null,
      allowedFor: body.allowedFor,
      ...(await sealed(context, secretOwner(orgId, name), body.auth, known)),
      baseUrl: context.baseUrl,
      updatedOn: context.now,
    }
    if (body.events.length) await keepWatch(context.env, orgId)
    const written = await store.writeEndpoint(db, row, known)
    if (written) return { row, ...written }
  }
  throw new Fault('conflict', 'The endpoint is being set by others at the same time. Try again.')
}

function isKnownEvent(event: string): boolean {
  const [type = '', change] = event.split('|')
  const isType = findKind(type)?.recorded
  return event === '*' || event === PUBLISHED || Boolean(isType && ['*', ...CHANGE_TYPES].includes(change ?? ''))
}

function secretIn(auth: EndpointAuth): string | undefined {
  return auth.kind === 'header' ? auth.value : auth.kind === 'hmac' ? auth.secret : undefined
}

function faultsOf(
  { env, baseUrl }: OpenContext,
  name: string,
  body: PutEndpoint,
  known?: store.EndpointRow,
): FieldError[] {
  const { url, auth } = body
  const address = addressFault(url, addressRules(env, baseUrl))
  const isKept = secretIn(auth) === MASK
  return [
    ...(NAME.test(name) ? [] : [{ path: '', message: 'An endpoint is named by small letters, digits, - and _.' }]),
    ...(address ? [{ path: '/url', message: address }] : []),
    ...body.events.flatMap((event, at) =>
      isKnownEvent(event) ? [] : [{ path: `/events/${at}`, message: 'There is no such event.' }],
    ),
    ...(body.events.length > 0 && body.allowedFor === 'workflows'
      ? [
          {
            path: '/events',
            message: 'An endpoint with `allowedFor: workflows` receives no events. Send `events: []`.',
          },
        ]
      : []),
    ...(isKept && known?.authKind !== auth.kind ? [{ path: '/auth', message: 'There is no secret to keep.' }] : []),
    ...(auth.kind === 'hmac' && !isKept && !signingKey(auth.secret)
      ? [{ path: '/auth/secret', message: 'Expected whsec_ and 24 to 64 bytes in base64.' }]
      : []),
    ...(auth.kind === 'header' && OWN_HEADERS.test(auth.name)
      ? [{ path: '/auth/name', message: 'This header belongs to the call itself.' }]
      : []),
    ...(auth.kind === 'allowlist' && !env.EGRESS
      ? [{ path: '/auth/kind', message: 'This deployment has no EGRESS binding with fixed addresses.' }]
      : []),
  ]
}

type Secrets = Pick<store.NewEndpoint, 'sealedSecret' | 'sealedOldSecret' | 'oldSecretUntil'>

/** A new HMAC secret leaves the one before it in force for a while, so that the other side can change at its own time. */
async function sealed(
  { env, now }: OpenContext,
  owner: string,
  auth: EndpointAuth,
  known?: store.EndpointRow,
): Promise<Secrets> {
  const secret = secretIn(auth)
  const none = { sealedSecret: null, sealedOldSecret: null, oldSecretUntil: null }
  if (secret === undefined) return none
  if (secret === MASK && known) return secretsOf(known)
  const sealedSecret = await encryptSecret(env, owner, secret)
  const overlapMs = (auth.kind === 'hmac' ? (auth.overlapSeconds ?? ROTATION_DEFAULT_OVERLAP_SECONDS) : 0) * 1000
  if (known?.authKind !== 'hmac' || overlapMs === 0) return { ...none, sealedSecret }
  if (await isSealedIn(env, owner, known.sealedSecret, secret)) return secretsOf(known)
  return { sealedSecret, sealedOldSecret: known.sealedSecret, oldSecretUntil: now + overlapMs }
}

/** Sent again, as after a lost answer, it is no new one. One that no key opens any more is no reason to refuse its successor. */
async function isSealedIn(env: Env, owner: string, sealedSecret: string | null, secret: string): Promise<boolean> {
  if (sealedSecret === null) return false
  const present = await decryptSecret(env, owner, sealedSecret).catch(() => undefined)
  return present !== undefined && equalSecrets(present, secret)
}

const secretsOf = ({ sealedSecret, sealedOldSecret, oldSecretUntil }: Secrets) => ({
  sealedSecret,
  sealedOldSecret,
  oldSecretUntil,
})

type ShownRow = store.EndpointRow | (store.NewEndpoint & Pick<store.EndpointRow, 'createdOn'>)

export function shownEndpoint(row: ShownRow) {
  const shownAuth = {
    header: { kind: 'header', name: row.headerName, value: MASK },
    hmac: { kind: 'hmac', secret: MASK },
    allowlist: { kind: 'allowlist' },
  }
  return {
    name: row.name,
    url: row.url,
    events: JSON.parse(row.events) as string[],
    includeLoads: Boolean(row.includeLoads),
    allowedFor: row.allowedFor,
    auth: shownAuth[row.authKind],
    oldSecretUntil: row.oldSecretUntil === null ? null : timeText(row.oldSecretUntil),
    createdOn: timeText(row.createdOn),
    updatedOn: timeText(row.updatedOn),
  }
}

export async function listEndpoints(context: OpenContext, slug: string) {
  const { orgId, db } = await scopeOf(context, slug)
  return { results: (await store.selectEndpoints(db, orgId)).map(shownEndpoint) }
}

export async function getEndpoint(context: OpenContext, slug: string, name: string) {
  const { orgId, db } = await scopeOf(context, slug)
  const row = await store.findEndpoint(db, orgId, name)
  if (!row) throw notFound('endpoint')
  return shownEndpoint(row)
}

export async function deleteEndpoint(context: OpenContext, slug: string, name: string): Promise<void> {
  const { orgId, db } = await scopeOf(context, slug)
  if (!(await store.findEndpoint(db, orgId, name))) throw notFound('endpoint')
  // First: a repeat finds nothing any more that it could tell of.
  await recordAudit(context, { orgId, action: 'endpoint_removed', actor: OPERATOR, subjectId: name })
  await store.removeEndpoint(db, orgId, name, context.now)
}

function shownDelivery(row: store.DeliveryRow) {
  return {
    id: row.id,
    endpointName: row.endpointName,
    triggerKey: row.triggerKey,
    status: row.status,
    attempts: row.attempts,
    nextAttemptOn: row.status === 'pending' ? timeText(row.dueOn) : null,
    responseStatus: row.responseStatus,
    error: row.error,
    payload: JSON.parse(row.payload) as unknown,
    createdOn: timeText(row.createdOn),
    endedOn: row.endedOn === null ? null : timeText(row.endedOn),
  }
}

/** Also of an endpoint that is gone: its log outlives it. */
export async function listDeliveries(context: OpenContext, slug: string, name: string, query: DeliveriesQuery) {
  const { orgId, db } = await scopeOf(context, slug)
  const { status } = query
  return keysetPage(
    {
      belongsTo: JSON.stringify(['deliveries', orgId, name, status]),
      place: z.tuple([z.number()]),
      placeOf: ({ seq }: store.ListedDelivery) => [seq],
      isCut: ({ bytes }: store.ListedDelivery) => bytes >= PAGE_MAX_BYTES,
      read: (after, limit) => store.selectDeliveries(db, orgId, name, { status, beforeSeq: after?.[0], limit }),
      show: shownDelivery,
    },
    query,
  )
}

export async function resendDelivery(context: OpenContext, slug: string, name: string, id: string) {
  const { env, now } = context
  const { orgId, db } = await scopeOf(context, slug)
  await keepWatch(env, orgId)
  const row = await store.reopenDelivery(db, orgId, name, id, now, now + deliveryPeriodMs({ isLocal: isLocal(env) }))
  if (!row) throw notFound('delivery')
  await recordAudit(context, { orgId, action: 'delivery_resent', actor: OPERATOR, subjectId: id, detail: { name } })
  context.defer(wakeDelivery(env, orgId, id))
  return shownDelivery(row)
}

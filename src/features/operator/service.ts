// Verbs of the deployment's owner (N12).
import * as z from 'zod'
import type { OpenContext } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { keysetPage, type PageRequest } from '../../platform/paging/keyset.ts'
import { auditRow, OPERATOR, OPERATOR_TRAIL } from '../audit/entry.ts'
import { forgetOrganization } from '../auth/authenticate.ts'
import { issueCredential, listCredentials, revokeCredential } from '../auth/credentials.ts'
import { hashed } from '../auth/hashing.ts'
import { forgetActivity, organization } from '../organizations/service.ts'
import { findOrg, type OrgRow } from '../organizations/store.ts'
import type { CreateAppKey, CreateOrg, CreateToken, UpdateOrg } from './contract.ts'
import { placeForNew } from './databases.ts'
import { buryOrg, closeOrg } from './deletion-store.ts'
import { changeOrg, hasTombstone, insertOrg, isChangedSince, selectOrgs } from './store.ts'
import { sweepOrganization } from './sweep.ts'

export function shownOrg(row: Omit<OrgRow, 'moving'> & { moving: boolean | number }) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    tier: row.tier,
    createdOn: timeText(row.createdOn),
    suspendedOn: row.suspendedOn === null ? null : timeText(row.suspendedOn),
    historyRetentionDays: row.historyRetentionDays,
    historyArchiveDays: row.historyArchiveDays,
    database: row.database,
    moving: Boolean(row.moving),
  }
}

/** A key may come again when its answer is forgotten: the id of an organization that was deleted is never given out again. */
async function idForNew({ env, repeatId }: OpenContext): Promise<string> {
  return repeatId !== undefined && !(await hasTombstone(env, repeatId)) ? repeatId : newId()
}

export async function createOrganization(context: OpenContext, { slug, name, tier, admin, database }: CreateOrg) {
  const { env, now } = context
  const org = {
    id: await idForNew(context),
    slug,
    name,
    tier,
    createdOn: now,
    suspendedOn: null,
    exportedOn: null,
    exportedCommits: null,
    deletedOn: null,
    historyRetentionDays: null,
    historyArchiveDays: null,
    ...(await placeForNew(env, database)),
    moving: false,
  }
  const person = admin && {
    id: newId(),
    email: admin.email,
    passwordHash: await hashed(context, admin.password),
    createdOn: now,
  }
  const event = auditRow(context, {
    orgId: org.id,
    action: 'organization_created',
    actor: OPERATOR,
    detail: { slug, name, tier, ...(admin && { admin: admin.email }) },
  })
  if (!(await insertOrg(env, org, person, event))) {
    // The first call created it, but its response was lost.
    const held = await findOrg(env, slug)
    if (held && held.id === context.repeatId) return shownOrg(held)
    throw new Fault('duplicate', 'Another organization has this slug.', {
      errors: [{ path: '/slug', message: 'Another organization has this slug.' }],
    })
  }
  return shownOrg(org)
}

export function listOrganizations({ env }: OpenContext, page: PageRequest) {
  return keysetPage(
    {
      belongsTo: 'orgs',
      place: z.tuple([z.string()]),
      placeOf: ({ slug }: OrgRow) => [slug],
      read: (after, limit) => selectOrgs(env, after?.[0], limit),
      show: shownOrg,
    },
    page,
  )
}

export async function changeOrganization(
  context: OpenContext,
  slug: string,
  change: UpdateOrg & Partial<Pick<OrgRow, 'tier'>>,
) {
  const { env, now } = context
  const { suspended, ...kept } = change
  const fields = { ...kept, ...(suspended !== undefined && { suspendedOn: suspended ? now : null }) }
  if (Object.keys(fields).length === 0) throw invalid([{ path: '', message: 'Nothing to change was sent.' }])
  const { id: orgId } = await organization(context, slug)
  const event = auditRow(context, { orgId, action: 'organization_changed', actor: OPERATOR, detail: change })
  const org = await changeOrg(env, slug, fields, event)
  if (!org) throw notFound('organization')
  forgetOrganization(org.id)
  forgetActivity(org.id)
  return shownOrg(org)
}

/** Data is deleted in steps within a request's limits; no credential is accepted from the first step on. */
export async function deleteOrganization(context: OpenContext, slug: string): Promise<void> {
  const org = await organization(context, slug)
  if (org.exportedOn === null) throw new Fault('conflict', 'Take an export of the organization before deleting it.')
  const hasChanged = await isChangedSince(context.env, org.id, org.exportedOn)
  if (hasChanged || !(await closeOrg(context.env, org.id, org, context.now))) {
    const detail = 'The organization has changed since its last export. Suspend it, and take a new export.'
    throw new Fault('conflict', detail)
  }
  const event = auditRow(context, {
    orgId: OPERATOR_TRAIL,
    action: 'organization_deleted',
    actor: OPERATOR,
    subjectId: org.id,
    detail: { slug, name: org.name },
  })
  await buryOrg(context.env, org.id, context.now, event)
  forgetOrganization(org.id)
  forgetActivity(org.id)
  context.defer(sweepOrganization(context.env, org.id))
}

export async function issueKey(context: OpenContext, slug: string, key: CreateAppKey) {
  const { name, scope, tier, expiresOn, entityTypes, addresses } = key
  if (expiresOn != null && expiresOn <= context.now) {
    throw invalid([{ path: '/expiresOn', message: 'Expected a time in the future.' }])
  }
  const { id: orgId } = await organization(context, slug)
  return issueCredential(context, {
    orgId,
    kind: 'app',
    name,
    scope,
    tier: tier ?? null,
    by: OPERATOR,
    expiresOn: expiresOn ?? null,
    entityTypes,
    addresses,
  })
}

export async function issueToken(context: OpenContext, slug: string, { name, ttlSeconds, scope }: CreateToken) {
  const { id: orgId } = await organization(context, slug)
  const expiresOn = context.now + ttlSeconds * 1000
  const issued = await issueCredential(context, { orgId, kind: 'token', name, scope, by: OPERATOR, expiresOn })
  return { id: issued.id, name, accessToken: issued.key, expiresOn: timeText(expiresOn) }
}

const KEYS = ['app', 'user'] as const
const TOKENS = ['token'] as const

type Issued = typeof KEYS | typeof TOKENS

async function listIssued(kinds: Issued, context: OpenContext, slug: string, page: PageRequest) {
  const { id: orgId } = await organization(context, slug)
  return listCredentials(context, { orgId, kinds: [...kinds] }, page)
}

async function revokeIssued(kinds: Issued, context: OpenContext, slug: string, id: string): Promise<void> {
  const { id: orgId } = await organization(context, slug)
  await revokeCredential(context, { orgId, kinds: [...kinds] }, id, OPERATOR)
}

export const listIssuedKeys = listIssued.bind(null, KEYS)
export const listIssuedTokens = listIssued.bind(null, TOKENS)
export const revokeIssuedKey = revokeIssued.bind(null, KEYS)
export const revokeIssuedToken = revokeIssued.bind(null, TOKENS)

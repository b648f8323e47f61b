// Wire shapes and endpoints of the operator's API (N12).
import * as z from 'zod'
import type { Quota } from '../../platform/db/quota.ts'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { QUOTAS, QUOTAS_MOST, TOKEN_DEFAULT_TTL_SECONDS, TOKEN_MAX_TTL_SECONDS } from '../../platform/limits.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'
import { CreateKey, Email, IssuedKey, Key, Name, Password, Tier } from '../auth/contract.ts'

export const Slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'Expected 3 to 63 small letters, digits and dashes.')

export const CreateOrg = named(
  'CreateOrganization',
  z.strictObject({
    slug: Slug,
    name: Name,
    tier: Tier.default('standard'),
    admin: z.strictObject({ email: Email, password: Password }).optional(),
    database: z.string().max(20).optional().describe('By its name; else the emptiest (`GET /operator/databases`).'),
  }),
  { slug: 'acme', name: 'Acme', admin: { email: 'ann@example.com', password: 'a long password' } },
)
export type CreateOrg = z.output<typeof CreateOrg>

export const UpdateOrg = named(
  'UpdateOrganization',
  z.strictObject({
    name: Name.optional(),
    suspended: z.boolean().optional(),
    historyRetentionDays: z.int().min(1).max(36_500).nullable().optional(),
    historyArchiveDays: z
      .int()
      .min(1)
      .max(36_500)
      .nullable()
      .optional()
      .describe('After so many days change records move into files, and are read from there; null: never.'),
  }),
  { suspended: true },
)
export type UpdateOrg = z.output<typeof UpdateOrg>

export const Org = named(
  'Organization',
  z.object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    tier: Tier,
    createdOn: z.iso.datetime(),
    suspendedOn: z.iso.datetime().nullable(),
    historyRetentionDays: z.int().nullable(),
    historyArchiveDays: z.int().nullable(),
    database: z.string(),
    moving: z.boolean().describe('On its way to another database.'),
  }),
)

export const CreateAppKey = named(
  'CreateOrganizationKey',
  CreateKey.omit({ kind: true }).extend({ tier: Tier.nullable().optional() }),
  { name: 'Nightly sync', scope: 'read', tier: 'high' },
)
export type CreateAppKey = z.output<typeof CreateAppKey>

export const CreateToken = named(
  'CreateAccessToken',
  z.strictObject({
    name: Name,
    ttlSeconds: z.int().min(1).max(TOKEN_MAX_TTL_SECONDS).default(TOKEN_DEFAULT_TTL_SECONDS),
    scope: z.enum(['read', 'write']).default('write'),
  }),
  { name: 'Callback of the ERP', ttlSeconds: 3600 },
)
export type CreateToken = z.output<typeof CreateToken>

const common = { tag: 'operator', access: 'operator' } as const

export const createOrg = {
  id: 'createOrganization',
  ...common,
  method: 'POST',
  path: '/operator/orgs',
  summary: 'Create an organization',
  keepsAnswer: true,
  takesPassword: true,
  description: 'The password is valid in this organization only: a user who belongs to several has one for each.',
  body: CreateOrg,
  answer: Org,
  status: 201,
  sends: ['Location'],
  faults: ['duplicate'],
} as const satisfies Operation

export const listOrgs = {
  id: 'listOrganizations',
  ...common,
  method: 'GET',
  path: '/operator/orgs',
  summary: 'List organizations',
  query: PageQuery,
  answer: pageOf(Org),
  status: 200,
} as const satisfies Operation

export const getOrg = {
  id: 'getOrganization',
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug',
  summary: 'Get an organization',
  answer: Org,
  status: 200,
} as const satisfies Operation

export const updateOrg = {
  id: 'updateOrganization',
  ...common,
  method: 'PUT',
  path: '/operator/orgs/:slug',
  summary: 'Suspend, resume or rename an organization, or set how long its history is kept',
  body: UpdateOrg,
  answer: Org,
  status: 200,
} as const satisfies Operation

export const deleteOrg = {
  id: 'deleteOrganization',
  ...common,
  method: 'DELETE',
  path: '/operator/orgs/:slug',
  summary: 'Delete an organization with all its data, after an export',
  status: 204,
  faults: ['conflict'],
} as const satisfies Operation

export const setTier = {
  id: 'setOrganizationTier',
  ...common,
  method: 'PUT',
  path: '/operator/orgs/:slug/tier',
  summary: 'Set the rate tier of an organization',
  body: named('SetTier', z.strictObject({ tier: Tier }), { tier: 'high' }),
  answer: Org,
  status: 200,
} as const satisfies Operation

export const rebuildSearch = {
  id: 'rebuildSearchIndex',
  ...common,
  method: 'POST',
  path: '/operator/orgs/:slug/search-index',
  summary: 'Make the search index of an organization anew, in the background',
  keepsAnswer: true,
  answer: Org,
  status: 202,
} as const satisfies Operation

const quotaNames = Object.keys(QUOTAS) as Quota[]

const quotaObject = <T extends z.ZodType>(shape: (quota: Quota) => T) =>
  z.strictObject(Object.fromEntries(quotaNames.map(quota => [quota, shape(quota)])) as Record<Quota, T>)

export const SetQuotas = named(
  'SetQuotas',
  quotaObject(quota => z.int().min(0).max(QUOTAS_MOST[quota]).nullable().optional()),
  { entities: 10_000_000, concurrentLoads: null },
)
export type SetQuotas = z.output<typeof SetQuotas>

export const Quotas = named(
  'Quotas',
  quotaObject(() => z.object({ limit: z.int(), isUsual: z.boolean(), used: z.int() })),
)

export const getSecrets = {
  id: 'countSecrets',
  ...common,
  method: 'GET',
  path: '/operator/secrets',
  summary: 'How many secrets are sealed under which key; a change of SECRETS_KEY is over when there is one key left',
  answer: named(
    'SealedSecrets',
    z.object({ results: z.array(z.object({ key: z.string(), isInForce: z.boolean(), secrets: z.int() })) }),
  ),
  status: 200,
} as const satisfies Operation

export const getQuotas = {
  id: 'getOrganizationQuotas',
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug/quotas',
  summary: 'What an organization may have, and has',
  description:
    'Bytes of files and types, workflows of the trigger key that has most, runs of the last 24 hours, loads that wait or run. ' +
    'Beyond a quota, writes are refused with 409 `quota_exceeded`, which names it.',
  answer: Quotas,
  status: 200,
} as const satisfies Operation

export const setQuotas = {
  id: 'setOrganizationQuotas',
  ...common,
  method: 'PUT',
  path: '/operator/orgs/:slug/quotas',
  summary: 'Set quotas of an organization; null brings back the usual one',
  body: SetQuotas,
  answer: Quotas,
  status: 200,
} as const satisfies Operation

export const createKey = {
  id: 'createOrganizationKey',
  ...common,
  method: 'POST',
  path: '/operator/orgs/:slug/api-keys',
  summary: 'Issue an app key; it is shown this once',
  body: CreateAppKey,
  answer: IssuedKey,
  issuesCredential: true,
  status: 201,
} as const satisfies Operation

export const listKeys = {
  id: 'listOrganizationKeys',
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug/api-keys',
  summary: 'List the keys of an organization',
  query: PageQuery,
  answer: pageOf(Key),
  status: 200,
} as const satisfies Operation

export const deleteKey = {
  id: 'deleteOrganizationKey',
  ...common,
  method: 'DELETE',
  path: '/operator/orgs/:slug/api-keys/:id',
  summary: 'Revoke a key at once',
  status: 204,
} as const satisfies Operation

export const createToken = {
  id: 'createAccessToken',
  ...common,
  method: 'POST',
  path: '/operator/orgs/:slug/tokens',
  summary: 'Issue an access token; it is shown this once',
  body: CreateToken,
  answer: named(
    'AccessToken',
    z.object({ id: z.string(), name: z.string(), accessToken: z.string(), expiresOn: z.iso.datetime() }),
  ),
  issuesCredential: true,
  status: 201,
} as const satisfies Operation

export const listTokens = {
  id: 'listAccessTokens',
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug/tokens',
  summary: 'List the access tokens of an organization',
  query: PageQuery,
  answer: pageOf(Key),
  status: 200,
} as const satisfies Operation

export const deleteToken = {
  id: 'deleteAccessToken',
  ...common,
  method: 'DELETE',
  path: '/operator/orgs/:slug/tokens/:id',
  summary: 'Revoke an access token at once',
  status: 204,
} as const satisfies Operation

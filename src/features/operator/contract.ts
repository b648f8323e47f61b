// Wire shapes and endpoints of the operator's API (N12).
import * as z from 'zod'
import type { Operation } from '../../platform/http/operation.ts'
import { TOKEN_DEFAULT_TTL_SECONDS, TOKEN_MAX_TTL_SECONDS } from '../../platform/limits.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'
import { CreateKey, Email, IssuedKey, Key, Name, Password, Tier } from '../auth/contract.ts'

const Slug = z.string().regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'Expected 3 to 63 small letters, digits and dashes.')

export const CreateOrg = z.strictObject({
  slug: Slug,
  name: Name,
  tier: Tier.default('standard'),
  admin: z.strictObject({ email: Email, password: Password }).optional(),
})
export type CreateOrg = z.output<typeof CreateOrg>

export const UpdateOrg = z.strictObject({
  name: Name.optional(),
  suspended: z.boolean().optional(),
  historyRetentionDays: z.int().min(1).max(36_500).nullable().optional(),
})
export type UpdateOrg = z.output<typeof UpdateOrg>

export const Org = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  tier: Tier,
  createdOn: z.iso.datetime(),
  suspendedOn: z.iso.datetime().nullable(),
  historyRetentionDays: z.int().nullable(),
})

export const CreateAppKey = CreateKey.omit({ kind: true }).extend({ tier: Tier.nullable().optional() })
export type CreateAppKey = z.output<typeof CreateAppKey>

export const CreateToken = z.strictObject({
  name: Name,
  ttlSeconds: z.int().min(1).max(TOKEN_MAX_TTL_SECONDS).default(TOKEN_DEFAULT_TTL_SECONDS),
  scope: z.enum(['read', 'write']).default('write'),
})
export type CreateToken = z.output<typeof CreateToken>

const common = { tag: 'operator', access: 'operator' } as const

export const createOrg = {
  ...common,
  method: 'POST',
  path: '/operator/orgs',
  summary: 'Create an organization',
  keepsAnswer: true,
  description: 'The password counts in this organization alone: whoever belongs to several has one for each.',
  body: CreateOrg,
  answer: Org,
  status: 201,
  faults: ['duplicate'],
} as const satisfies Operation

export const listOrgs = {
  ...common,
  method: 'GET',
  path: '/operator/orgs',
  summary: 'List organizations',
  query: PageQuery,
  answer: pageOf(Org),
  status: 200,
} as const satisfies Operation

export const getOrg = {
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug',
  summary: 'Get an organization',
  answer: Org,
  status: 200,
  faults: ['not_found'],
} as const satisfies Operation

export const updateOrg = {
  ...common,
  method: 'PUT',
  path: '/operator/orgs/:slug',
  summary: 'Suspend, resume or rename an organization, or set how long its history is kept',
  body: UpdateOrg,
  answer: Org,
  status: 200,
  faults: ['not_found'],
} as const satisfies Operation

export const deleteOrg = {
  ...common,
  method: 'DELETE',
  path: '/operator/orgs/:slug',
  summary: 'Delete an organization with all its data, after an export',
  status: 204,
  faults: ['not_found', 'conflict'],
} as const satisfies Operation

export const exportOrg = {
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug/export',
  summary: 'Export everything an organization has, a JSON object a line',
  status: 200,
  faults: ['not_found'],
} as const satisfies Operation

export const setTier = {
  ...common,
  method: 'PUT',
  path: '/operator/orgs/:slug/tier',
  summary: 'Set the rate tier of an organization',
  body: z.strictObject({ tier: Tier }),
  answer: Org,
  status: 200,
  faults: ['not_found'],
} as const satisfies Operation

export const createKey = {
  ...common,
  method: 'POST',
  path: '/operator/orgs/:slug/api-keys',
  summary: 'Issue an app key; it is shown this once',
  body: CreateAppKey,
  answer: IssuedKey,
  issuesCredential: true,
  status: 201,
  faults: ['not_found'],
} as const satisfies Operation

export const listKeys = {
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug/api-keys',
  summary: 'List the keys of an organization',
  query: PageQuery,
  answer: pageOf(Key),
  status: 200,
  faults: ['not_found'],
} as const satisfies Operation

export const deleteKey = {
  ...common,
  method: 'DELETE',
  path: '/operator/orgs/:slug/api-keys/:id',
  summary: 'Revoke a key at once',
  status: 204,
  faults: ['not_found'],
} as const satisfies Operation

export const createToken = {
  ...common,
  method: 'POST',
  path: '/operator/orgs/:slug/tokens',
  summary: 'Issue an access token; it is shown this once',
  body: CreateToken,
  answer: z.object({ id: z.string(), name: z.string(), accessToken: z.string(), expiresOn: z.iso.datetime() }),
  issuesCredential: true,
  status: 201,
  faults: ['not_found'],
} as const satisfies Operation

export const listTokens = {
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug/tokens',
  summary: 'List the access tokens of an organization',
  query: PageQuery,
  answer: pageOf(Key),
  status: 200,
  faults: ['not_found'],
} as const satisfies Operation

export const deleteToken = {
  ...common,
  method: 'DELETE',
  path: '/operator/orgs/:slug/tokens/:id',
  summary: 'Revoke an access token at once',
  status: 204,
  faults: ['not_found'],
} as const satisfies Operation

// Wire shapes of people and credentials, and the endpoints by which people manage keys (N9, N10).
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { isAddressBlock } from '../../platform/key-limits.ts'
import { findKind } from '../../platform/kind.ts'
import {
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  ROTATION_DEFAULT_OVERLAP_SECONDS,
  ROTATION_MAX_OVERLAP_SECONDS,
} from '../../platform/limits.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'

export const Tier = z.enum(['standard', 'high', 'internal'])
export const Role = z.enum(['admin', 'member'])
export const Name = z.string().trim().min(1).max(200)
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email())
export const Password = z.string().min(PASSWORD_MIN_LENGTH).max(PASSWORD_MAX_LENGTH)
export const FutureTime = z.iso.datetime({ offset: true }).transform(text => Date.parse(text))

const EntityTypes = z
  .array(z.string().refine(name => findKind(name) !== undefined, 'There is no such entity type.'))
  .min(1)
  .max(50)
  .nullable()
  .optional()
  .describe('The only entity types that the key can read and write; absent: everything.')

const Addresses = z
  .array(z.string().max(64).refine(isAddressBlock, 'Expected an address, or a block such as 192.0.2.0/24.'))
  .min(1)
  .max(50)
  .nullable()
  .optional()
  .describe('The only addresses, or blocks of them, that it can be used from.')

export const CreateKey = named(
  'CreateApiKey',
  z.strictObject({
    name: Name,
    kind: z.enum(['app', 'user']).optional().describe('Absent: `app` for an admin, `user` for a member.'),
    scope: z.enum(['read', 'write']).default('write'),
    expiresOn: FutureTime.nullable().optional(),
    entityTypes: EntityTypes,
    addresses: Addresses,
  }),
  { name: 'Nightly sync', scope: 'read', entityTypes: ['item'] },
)
export type CreateKey = z.output<typeof CreateKey>

export const RotateKey = named(
  'RotateApiKey',
  z.strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(ROTATION_MAX_OVERLAP_SECONDS)
      .default(ROTATION_DEFAULT_OVERLAP_SECONDS)
      .describe('How long the old key goes on working.'),
  }),
  { overlapSeconds: 86_400 },
)

export const Key = named(
  'ApiKey',
  z.object({
    id: z.string(),
    kind: z.enum(['app', 'user', 'token', 'session']),
    name: z.string(),
    start: z.string(),
    scope: z.enum(['read', 'write']),
    tier: Tier.nullable(),
    userId: z.string().nullable(),
    createdOn: z.iso.datetime(),
    createdById: z.string(),
    lastUsedOn: z.iso.datetime().nullable().describe('Kept to the hour.'),
    expiresOn: z.iso.datetime().nullable(),
    revokedOn: z.iso.datetime().nullable(),
    replacedById: z.string().nullable(),
    entityTypes: z.array(z.string()).nullable(),
    addresses: z.array(z.string()).nullable(),
  }),
)

export const IssuedKey = named('IssuedApiKey', Key.extend({ key: z.string().describe('Shown this once.') }))

const common = { tag: 'keys', access: 'organization', role: 'member' } as const

export const listMyKeys = {
  id: 'listApiKeys',
  ...common,
  method: 'GET',
  path: '/api-keys',
  summary: 'List keys: admins see all of the organization, members their own',
  query: PageQuery,
  answer: pageOf(Key),
  status: 200,
} as const satisfies Operation

export const createMyKey = {
  id: 'createApiKey',
  ...common,
  method: 'POST',
  path: '/api-keys',
  summary: 'Issue a key; it is shown this once',
  description: 'A user key acts in the name of its maker. App keys belong to the organization and are made by admins.',
  session: true,
  issuesCredential: true,
  body: CreateKey,
  answer: IssuedKey,
  status: 201,
  faults: ['conflict'],
} as const satisfies Operation

export const rotateMyKey = {
  id: 'rotateApiKey',
  ...common,
  method: 'POST',
  path: '/api-keys/:id/rotate',
  summary: 'Put a new key in the place of an old one, which goes on working for the stated overlap',
  session: true,
  issuesCredential: true,
  body: RotateKey,
  answer: IssuedKey,
  status: 201,
  faults: ['conflict'],
} as const satisfies Operation

export const deleteMyKey = {
  id: 'deleteApiKey',
  ...common,
  method: 'DELETE',
  path: '/api-keys/:id',
  summary: 'Revoke a key at once',
  status: 204,
} as const satisfies Operation

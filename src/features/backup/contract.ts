// Wire shapes and endpoints of backup and restore (N63); the operator's alone.
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { RESTORE_PART_MAX_BYTES, UPLOAD_MAX_PARTS } from '../../platform/limits.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'
import { Org, Slug } from '../operator/contract.ts'
import { End, Secrets } from './lines.ts'

const common = { tag: 'operator', access: 'operator' } as const

export const exportOrg = {
  id: 'exportOrganization',
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug/export',
  summary: 'Everything an organization has but the contents of its files, a JSON object a line',
  description:
    'Pages of lines, each page ended by a `mark` with the digest of all lines so far. A call answers a bounded number of pages: ' +
    'where the last mark has an `after`, the next call goes on behind it, also after days. The last page ends with `end`. What ' +
    'commits write is of one moment, however much was written meanwhile. `secrets=open` adds opened secrets and digests of ' +
    'passwords: for archives that are encrypted.',
  query: z.strictObject({ after: z.string().min(1).max(4096).optional(), secrets: Secrets.default('without') }),
  answerTypes: ['application/x-ndjson'],
  sends: ['Content-Disposition'],
  status: 200,
  faults: ['sync_key_expired', 'conflict'],
} as const satisfies Operation

export const exportContent = {
  id: 'exportFileContent',
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug/export/files/:id',
  summary: 'The content of a file of an organization',
  answerTypes: ['application/octet-stream'],
  status: 200,
  sends: ['ETag', 'Content-Disposition', 'Accept-Ranges'],
  conditions: ['If-None-Match', 'Range'],
} as const satisfies Operation

export const Restore = named(
  'OrganizationRestore',
  z.object({
    id: z.string(),
    organizationId: z.string(),
    slug: z.string(),
    state: z.enum(['receiving', 'completing', 'complete']),
    nextPart: z.int(),
    isShifted: z.boolean(),
    leftOut: z.object({ passwords: z.int(), endpoints: z.array(z.string()), identityProvider: z.boolean() }),
    createdOn: z.iso.datetime(),
    touchedOn: z.iso.datetime(),
  }),
)

export const BeginRestore = named(
  'BeginRestore',
  z.strictObject({
    slug: Slug.optional(),
    /** The last line of the archive, and the digest of its last mark. */
    end: End,
    digest: z.string().min(1).max(64),
    positions: z.enum(['keep', 'shift']).default('keep'),
    suspended: z.boolean().optional(),
  }),
  {
    slug: 'acme',
    end: { table: 'end', format: 1, organizationId: 'AAAAAAAAAAAAAAAA', slug: 'acme', parts: 1, highest: {} },
    digest: 'Jl0cXvbB2xFPw0sNuJLXgVRCsUDcRbXG2NSQ2R8dIpA',
  },
)
export type BeginRestore = z.output<typeof BeginRestore>

export const beginRestore = {
  id: 'beginRestore',
  ...common,
  method: 'POST',
  path: '/operator/restores',
  summary: 'Begin to bring an organization back from an archive, or go on with it',
  description:
    'Nothing of it can be seen before it is complete. It comes back under its own id, with the ids, times, history and key digests ' +
    'that it had; an organization that is there already, or a slug that is taken, is 409. The same archive again goes on where ' +
    'it stopped; `slug` and `suspended`, where they are sent again, count from then on. `positions=shift`, for a database whose other organizations have the places of its records: then syncKeys from ' +
    'before are answered with 410.',
  keepsAnswer: true,
  body: BeginRestore,
  answer: Restore,
  status: 201,
  sends: ['Location'],
  faults: ['conflict', 'duplicate'],
} as const satisfies Operation

export const getRestore = {
  id: 'getRestore',
  ...common,
  method: 'GET',
  path: '/operator/restores/:id',
  summary: 'How far a restore is',
  answer: Restore,
  status: 200,
} as const satisfies Operation

const BYTES = { 'application/octet-stream': 'bytes', 'application/x-ndjson': 'bytes' } as const

export const putRestorePart = {
  id: 'putRestorePart',
  ...common,
  method: 'PUT',
  path: '/operator/restores/:id/parts/:part',
  summary: 'Send the next part of an archive',
  description:
    `Parts are numbered from 0 and come in order: a page of lines with its mark, or, with \`fileId\`, a piece of a file's content ` +
    '(8 MiB each but the last; `isGone` for a file that was deleted meanwhile). A part that was taken already is answered without being taken again. At most ' +
    `${RESTORE_PART_MAX_BYTES} bytes.`,
  query: z.strictObject({
    fileId: z.string().min(1).max(64).optional(),
    piece: z.coerce.number().int().min(1).max(UPLOAD_MAX_PARTS).optional(),
    isLast: z.enum(['true', 'false']).optional(),
    isGone: z.enum(['true', 'false']).optional(),
  }),
  rawBody: BYTES,
  answer: Restore,
  status: 200,
  faults: ['conflict', 'too_large'],
} as const satisfies Operation

export const completeRestore = {
  id: 'completeRestore',
  ...common,
  method: 'POST',
  path: '/operator/restores/:id/complete',
  summary: 'Let the restored organization in',
  description:
    'Everything is compared first. A call does a bounded part of what is left: repeat it until `state` is `complete`. `slug` ' +
    'chooses another name, should the one asked for have been taken meanwhile.',
  keepsAnswer: true,
  body: named('CompleteRestore', z.strictObject({ slug: Slug.optional() }), {}),
  answer: Restore,
  status: 200,
  faults: ['conflict', 'duplicate'],
} as const satisfies Operation

export const deleteRestore = {
  id: 'abandonRestore',
  ...common,
  method: 'DELETE',
  path: '/operator/restores/:id',
  summary: 'Give a restore up, with everything that was sent',
  status: 204,
  faults: ['conflict'],
} as const satisfies Operation

export const Backup = named(
  'Backup',
  z.object({
    id: z.string(),
    organizationId: z.string(),
    slug: z.string(),
    bytes: z.int(),
    begunOn: z.iso.datetime(),
    completedOn: z.iso.datetime(),
  }),
)

export const listBackups = {
  id: 'listBackups',
  ...common,
  method: 'GET',
  path: '/operator/backups',
  summary: 'List the backups that the service has made by itself',
  description: 'Where a bucket is bound as BACKUPS; else it is 409.',
  query: PageQuery,
  answer: pageOf(Backup),
  status: 200,
  faults: ['conflict'],
} as const satisfies Operation

export const backUpNow = {
  id: 'beginBackup',
  ...common,
  method: 'POST',
  path: '/operator/orgs/:slug/backups',
  summary: 'Save an organization now, in the background, beside what every night brings',
  keepsAnswer: true,
  description:
    'Where a bucket is bound as BACKUPS; else it is 409. One that is under way goes on, and no other begins.',
  answer: Org,
  status: 202,
  faults: ['conflict'],
} as const satisfies Operation

export const getBackup = {
  id: 'downloadBackup',
  ...common,
  method: 'GET',
  path: '/operator/backups/:organizationId/:id',
  summary: 'One of them, as the file that `selvedge operator restore` takes',
  answerTypes: ['application/octet-stream'],
  sends: ['Content-Disposition'],
  status: 200,
  faults: ['conflict'],
} as const satisfies Operation

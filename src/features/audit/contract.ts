// Wire shapes and endpoints of the audit trail.
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { AUDIT_RETENTION_DAYS } from '../../platform/limits.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'
import { ACTIONS } from './entry.ts'

export const AuditEntry = named(
  'AuditEntry',
  z.object({
    id: z.string(),
    createdOn: z.iso.datetime(),
    action: z.enum(ACTIONS),
    actorType: z.enum(['user', 'app', 'operator', 'nobody']),
    actorId: z.string().nullable(),
    address: z.string().nullable(),
    subjectId: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
    number: z.int().nullable().describe('Its place in the chain of lines; none until it is chained, at most an hour.'),
    digest: z.string().nullable().describe('Over itself and the line before.'),
  }),
)

const about = {
  method: 'GET',
  description: `Sign-ins, keys, people and acts of the operator, newest first. Kept for ${AUDIT_RETENTION_DAYS} days.`,
  query: PageQuery,
  answer: pageOf(AuditEntry),
  status: 200,
} as const

export const getAudit = {
  id: 'listAuditEntries',
  ...about,
  path: '/audit',
  tag: 'people',
  summary: 'Read the audit trail of the organization',
  access: 'organization',
  role: 'admin',
} as const satisfies Operation

export const getOperatorAudit = {
  id: 'listOperatorAuditEntries',
  ...about,
  path: '/operator/audit',
  tag: 'operator',
  summary: 'Read the acts of operators that outlive their organization: deletions',
  access: 'operator',
} as const satisfies Operation

export const getOrgAudit = {
  id: 'listOrganizationAuditEntries',
  ...about,
  path: '/operator/orgs/:slug/audit',
  tag: 'operator',
  summary: 'Read the audit trail of an organization',
  access: 'operator',
} as const satisfies Operation

export const ExportQuery = z.strictObject({
  format: z.enum(['jsonl', 'csv']).default('jsonl').describe('`selvedge audit verify` reads JSON lines.'),
  after: z.coerce.number().int().min(0).max(1e15).default(0).describe('Only lines behind this number.'),
})
export type ExportQuery = z.output<typeof ExportQuery>

const exporting = {
  method: 'GET',
  description:
    'Oldest first. Each line holds the digest of the line before (`previousDigest`) and its own: SHA-256, in base64url, of the ' +
    "line's JSON without `digest`, its keys in order. The answer's `Selvedge-Audit-Head` is the number and digest of the last line: kept " +
    'elsewhere, it shows what is missing at the end. A download that cannot go on ends with a line that is none of the trail, ' +
    '`{"problem": …}` or a row of `(broken off)`, and lacks the line that the head names. What is older than the retention is missing at the beginning only.',
  query: ExportQuery,
  answerTypes: ['application/x-ndjson', 'text/csv'],
  sends: ['Content-Disposition', 'Selvedge-Audit-Head'],
  status: 200,
} as const

export const getAuditExport = {
  id: 'exportAuditEntries',
  ...exporting,
  path: '/audit/export',
  tag: 'people',
  summary: 'Take the audit trail of the organization out, line by line, each chained to the one before',
  access: 'organization',
  role: 'admin',
} as const satisfies Operation

export const getOperatorAuditExport = {
  id: 'exportOperatorAuditEntries',
  ...exporting,
  path: '/operator/audit/export',
  tag: 'operator',
  summary: 'Take the acts of operators that outlive their organization out',
  access: 'operator',
} as const satisfies Operation

export const getOrgAuditExport = {
  id: 'exportOrganizationAuditEntries',
  ...exporting,
  path: '/operator/orgs/:slug/audit/export',
  tag: 'operator',
  summary: 'Take the audit trail of an organization out',
  access: 'operator',
} as const satisfies Operation

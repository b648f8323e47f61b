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

// Taking back what a load, or anybody, has changed (N52): a process of its own. Shapes only.
import * as z from 'zod'
import { commonExample, commonFields } from '../../platform/entity-shape.ts'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { parseTime } from '../../platform/time-range.ts'
import { LOAD_STATUSES } from '../loads/contract.ts'

export const REVERT_REASONS = [
  'changed_since',
  'deleted_since',
  'restored_since',
  'in_use',
  'duplicate',
  'reference_gone',
  'does_not_fit',
  'too_many_changes',
] as const
export type RevertReason = (typeof REVERT_REASONS)[number]

export const RevertIssue = named(
  'RevertIssue',
  z.strictObject({
    entityReference: z.string().describe('`<entityType>:<id>` of what was left alone.'),
    property: z.string().nullable().describe('The property that was left alone; null: the whole entity.'),
    reason: z.enum(REVERT_REASONS),
    message: z.string(),
  }),
)
export type RevertIssue = z.infer<typeof RevertIssue>

const Count = z.int().min(0)

export const RevertCounts = z.object({ deleted: Count, restored: Count, updated: Count, unchanged: Count, kept: Count })
export type RevertCounts = z.infer<typeof RevertCounts>

export const RevertProcess = named(
  'RevertProcess',
  z.looseObject({
    ...commonFields,
    name: z.string(),
    loaderProcessId: z.string().optional().describe('The load that is taken back.'),
    criteria: z.record(z.string(), z.unknown()).optional().describe('Else: the changes that are.'),
    since: z.iso.datetime().optional(),
    until: z.iso.datetime().optional(),
    dryRun: z.boolean(),
    status: z.enum(LOAD_STATUSES),
    failure: z.string().optional(),
    progress: z.object({
      phase: z.string(),
      changesDone: Count.describe('Change records looked at that are to be taken back.'),
      percent: z.int().min(0).max(100).describe('It never runs back.'),
    }),
    results: z
      .record(z.string(), RevertCounts)
      .describe('By entity type: deleted again, brought back, given their old values, as before already, left alone.'),
    issueCount: Count,
    issues: z.array(RevertIssue).describe('What was left alone, the first 100.'),
    issuesFileId: z.string().optional().describe('All of it, as CSV.'),
    assortmentPublishChangeIds: z.array(z.string()),
    startedOn: z.iso.datetime().optional(),
    endedOn: z.iso.datetime().optional(),
  }),
  {
    ...commonExample,
    typePath: 'revert-process',
    name: 'Revert of Load of styles.csv',
    loaderProcessId: 'Vn3KqJ8sW2xT0aLb',
    dryRun: false,
    status: 'completed',
    progress: { phase: 'done', changesDone: 1204, percent: 100 },
    results: { item: { deleted: 1190, restored: 0, updated: 10, unchanged: 0, kept: 4 } },
    issueCount: 4,
    issues: [
      {
        entityReference: 'item:Vn3KqJ8sW2xT0aLb',
        property: 'price',
        reason: 'changed_since',
        message: 'Somebody has changed it since.',
      },
    ],
    assortmentPublishChangeIds: [],
    startedOn: '2026-03-02T09:30:00.000Z',
  },
)

export const RevertBody = named('Revert', z.strictObject({ dryRun: z.boolean().optional() }), { dryRun: true })

const Name = z.string().min(1).max(64)

const Time = z
  .string()
  .max(64)
  .refine(text => parseTime(text) !== undefined, 'Expected an ISO time or a date.')

export const RestoreChangesBody = named(
  'RestoreChanges',
  z.strictObject({
    criteria: z
      .strictObject({
        createdById: z.string().min(1).max(128).optional().describe('Who made the changes, as the history names them.'),
        createdByType: z.enum(['user', 'app', 'operator', 'loader', 'workflow']).optional(),
        entityType: z.union([Name, z.array(Name).min(1).max(50)]).optional(),
        entityReference: z.string().max(200).optional(),
      })
      .describe('Which changes are taken back; `{}`: all of them.'),
    since: Time.describe('From this time on, inclusive; a date stands for its beginning.'),
    until: Time.optional().describe('Up to this time, inclusive; a date stands for its end. Default: now.'),
    dryRun: z.boolean().optional(),
    name: z.string().trim().min(1).max(512).optional(),
  }),
  { criteria: { createdById: 'h5YcB0nWv7RtK2qD' }, since: '2026-03-02T10:00:00.000Z', dryRun: true },
)
export type RestoreChangesBody = z.output<typeof RestoreChangesBody>

const started = {
  access: 'organization',
  method: 'POST',
  answer: RevertProcess,
  status: 202,
  sends: ['ETag', 'Location'],
} as const

export const revertLoad = {
  id: 'revertLoad',
  ...started,
  tag: 'loader-processes',
  path: '/loader-processes/:id/revert',
  summary: 'Take a load back',
  description:
    'Starts a process: what the load created is deleted, what it changed gets its old values, what it removed returns. What others changed since, or refer to, is left alone and listed.',
  body: RevertBody,
  faults: ['conflict', 'quota_exceeded'],
} as const satisfies Operation

export const restoreChanges = {
  id: 'restoreChanges',
  ...started,
  tag: 'change-history',
  path: '/change-history/restore',
  summary: 'Take changes back',
  description: 'The same for whatever changes fit, such as all that one key has made since a time.',
  body: RestoreChangesBody,
  faults: ['conflict', 'quota_exceeded'],
} as const satisfies Operation

export const cancelRevert = {
  id: 'cancelRevert',
  access: 'organization',
  tag: 'revert-processes',
  method: 'POST',
  path: '/revert-processes/:id/cancel',
  summary: 'Cancel a revert',
  keepsAnswer: true,
  description: 'What is taken back stays so. Reverting again completes it.',
  answer: RevertProcess,
  status: 202,
  sends: ['ETag'],
  faults: ['conflict'],
} as const satisfies Operation

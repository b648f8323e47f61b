// The change history on the wire (source; N22–N25).
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { queryObject } from '../../platform/http/query-object.ts'
import { Limit, PageKey } from '../../platform/paging/page-query.ts'
import { parseBetween } from '../../platform/time-range.ts'

const EntityType = z.string().min(1).max(64)

const CreatedOn = z
  .string()
  .max(200)
  .transform((text, context): [number, number] => {
    const between = parseBetween(text, 'time') ?? { fault: 'Expected "BETWEEN <start> and <end>".' }
    if ('range' in between) return between.range
    context.addIssue({ code: 'custom', message: between.fault })
    return z.NEVER
  })

export const HistoryCriteria = z.strictObject({
  entityType: z.union([EntityType, z.array(EntityType).min(1).max(50)]).optional(),
  entityReference: z.string().max(200).optional(),
  createdOn: CreatedOn.optional(),
})
export type HistoryCriteria = z.output<typeof HistoryCriteria>

export const HistoryOrder = z.strictObject({
  orderField: z.enum(['createdOn']).default('createdOn'),
  order: z.enum(['asc', 'desc']).default('desc'),
})

export const HistoryQuery = z.strictObject({
  criteria: queryObject(HistoryCriteria)
    .optional()
    .describe('`{entityType, entityReference, createdOn}` as jsurl or JSON; createdOn is `BETWEEN <start> and <end>`.'),
  order: queryObject(HistoryOrder)
    .optional()
    .describe('`{orderField: "createdOn", order: "asc" | "desc"}`; default desc.'),
  entityType: EntityType.optional().describe('The same as in `criteria`.'),
  after: z
    .string()
    .max(4096)
    .optional()
    .describe(
      'A `syncKey`: the records committed after it, oldest first, none missed and none twice. Empty: from the beginning.',
    ),
  limit: Limit,
  nextPageKey: PageKey,
})
export type HistoryQuery = z.output<typeof HistoryQuery>

export const ChangeRecord = named(
  'ChangeRecord',
  z.object({
    id: z.string(),
    orgId: z.string(),
    entityType: z.string(),
    entityReference: z.string(),
    changeType: z.enum(['create', 'update', 'delete']),
    createdOn: z.iso.datetime(),
    createdById: z.string(),
    createdByType: z.enum(['user', 'app', 'operator', 'loader', 'workflow']),
    version: z.int(),
    changes: z.record(z.string(), z.object({ oldValue: z.unknown(), newValue: z.unknown() })),
  }),
)

export const changeHistory = {
  id: 'listChanges',
  method: 'GET',
  path: '/change-history',
  tag: 'change-history',
  summary: 'Query or poll the change history',
  access: 'organization',
  query: HistoryQuery,
  answer: named(
    'ChangePage',
    z.object({ results: z.array(ChangeRecord), nextPageKey: z.string().nullable(), syncKey: z.string() }),
  ),
  status: 200,
  forLimitedKeys: true,
  faults: ['sync_key_expired'],
} as const satisfies Operation

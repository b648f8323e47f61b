// Endpoints of loads (N27, N28) and of publishes (N33), as data.
import * as z from 'zod'
import { commonExample, commonFields } from '../../platform/entity-shape.ts'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { FAILURE_AREAS, Issue, LOAD_STATUSES, LOAD_TYPES, LoaderProcessBody } from '../loads/contract.ts'

const Count = z.int().min(0)

export const LoaderProcess = named(
  'LoaderProcess',
  z.looseObject({
    ...commonFields,
    name: z.string(),
    loadType: z.array(z.enum(LOAD_TYPES)),
    fileLocation: z.string(),
    status: z.enum(LOAD_STATUSES),
    failureArea: z.enum(FAILURE_AREAS),
    progress: z.object({
      phase: z.string(),
      rowsTotal: Count.nullable(),
      rowsDone: Count.describe('In the phase that is named.'),
      percent: z.int().min(0).max(100).describe('Of the whole load; it never runs back.'),
      rowsPerSecond: Count.nullable().describe('Of the phase; null where it counts no rows.'),
      secondsLeft: Count.nullable().describe('Until the end of the whole load; null as long as nothing can be told.'),
    }),
    results: z.record(z.string(), z.object({ created: Count, updated: Count, unchanged: Count, removed: Count })),
    unrecordedWrites: Count.describe('Writes of assortment items without change records.'),
    steps: z.array(z.object({ step: z.int(), name: z.string(), rows: Count, warnings: Count })),
    errorCount: Count,
    warningCount: Count,
    issues: z.array(Issue).describe('The first 100.'),
    issuesFileId: z.string().optional(),
    annotatedFileId: z.string().optional(),
    assortmentPublishChangeIds: z.array(z.string()),
    startedOn: z.iso.datetime().optional(),
    endedOn: z.iso.datetime().optional(),
  }),
  {
    ...commonExample,
    typePath: 'loader-process',
    name: 'Load of styles.csv',
    loadType: ['ITEM'],
    fileLocation: 'Vn3KqJ8sW2xT0aLb',
    status: 'running',
    failureArea: 'NONE',
    progress: { phase: 'writing', rowsTotal: 1204, rowsDone: 400, percent: 58, rowsPerSecond: null, secondsLeft: null },
    results: { item: { created: 390, updated: 10, unchanged: 0, removed: 0 } },
    unrecordedWrites: 0,
    steps: [{ step: 1, name: 'booleans', rows: 1204, warnings: 0 }],
    errorCount: 0,
    warningCount: 0,
    issues: [],
    assortmentPublishChangeIds: [],
    startedOn: '2026-03-02T09:30:00.000Z',
  },
)

const loads = { tag: 'loader-processes', access: 'organization', answer: LoaderProcess } as const

export const startLoad = {
  id: 'startLoad',
  ...loads,
  method: 'POST',
  path: '/loader-processes',
  summary: 'Start a load',
  description: 'Takes the loader configuration, inline, from `loaderConfigurationId`, or both: inline properties win.',
  // Checked by the verb, which names faults of shape and of rules in one answer.
  body: z.unknown(),
  bodyShape: LoaderProcessBody,
  status: 202,
  sends: ['ETag', 'Location'],
} as const satisfies Operation

export const cancelLoad = {
  id: 'cancelLoad',
  ...loads,
  method: 'POST',
  path: '/loader-processes/:id/cancel',
  summary: 'Cancel a load',
  keepsAnswer: true,
  description: 'What is committed stays. Loading the same file again completes it.',
  status: 202,
  sends: ['ETag'],
  faults: ['conflict'],
} as const satisfies Operation

export const AssortmentPublish = named(
  'AssortmentPublish',
  z.object({
    id: z.string(),
    assortmentId: z.string(),
    createdOn: z.iso.datetime(),
    createdById: z.string(),
    createdByType: z.string(),
    detail: z.object({
      adds: Count,
      updates: Count,
      deletes: Count,
      addsUrl: z.string(),
      updatesUrl: z.string(),
      deletesUrl: z.string(),
      baselineUrl: z.string().describe('The members before the publish.'),
    }),
  }),
)

const publishes = { tag: 'assortments', access: 'organization', answer: AssortmentPublish } as const

export const publishAssortment = {
  id: 'publishAssortment',
  ...publishes,
  method: 'POST',
  path: '/assortments/:id/publish',
  summary: 'Publish an assortment',
  description: 'Lists what has changed since its last publish, renews its summary and emits `assortment|publish`.',
  status: 201,
  sends: ['Location'],
} as const satisfies Operation

export const getPublish = {
  id: 'getAssortmentPublish',
  ...publishes,
  method: 'GET',
  path: '/assortments/:id/history/:changeId',
  summary: 'Get a publish of an assortment',
  status: 200,
} as const satisfies Operation

// Operations of publishes (N33), as data.
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'

const Count = z.int().min(0)

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
  faults: ['conflict', 'too_large'],
} as const satisfies Operation

export const getPublish = {
  id: 'getAssortmentPublish',
  ...publishes,
  method: 'GET',
  path: '/assortments/:id/history/:changeId',
  summary: 'Get a publish of an assortment',
  status: 200,
} as const satisfies Operation

export const listPublishes = {
  id: 'listAssortmentPublishes',
  ...publishes,
  method: 'GET',
  path: '/assortments/:id/history',
  summary: 'List the publishes of an assortment, newest first',
  query: PageQuery,
  answer: pageOf(AssortmentPublish),
  status: 200,
} as const satisfies Operation

// Wire shapes and operations of the deployment's status and of dead letters.
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'

const common = { tag: 'operator', access: 'operator' } as const

export const DeploymentStatus = named(
  'DeploymentStatus',
  z.object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    environment: z.string(),
    schema: z.object({ expected: z.string(), applied: z.string().nullable() }),
    missingBindings: z.array(z.string()),
    checks: z.array(z.object({ name: z.string(), isOk: z.boolean(), ms: z.int() })),
    organizations: z.object({ total: z.int(), suspended: z.int() }),
    loads: z.object({ waiting: z.int(), oldestStepOn: z.iso.datetime().nullable() }),
    deliveries: z.object({ since: z.iso.datetime(), delivered: z.int(), pending: z.int(), failed: z.int() }),
    deadLetters: z.object({ total: z.int(), oldestOn: z.iso.datetime().nullable() }),
  }),
  {
    status: 'ok',
    version: '1.2.3',
    environment: 'production',
    schema: { expected: '0007_search', applied: '0007_search' },
    missingBindings: [],
    checks: [{ name: 'database', isOk: true, ms: 12 }],
    organizations: { total: 3, suspended: 0 },
    loads: { waiting: 0, oldestStepOn: null },
    deliveries: { since: '2026-11-14T12:00:00.000Z', delivered: 120, pending: 1, failed: 0 },
    deadLetters: { total: 0, oldestOn: null },
  },
)

export const getStatus = {
  id: 'getDeploymentStatus',
  ...common,
  method: 'GET',
  path: '/operator/status',
  summary: 'What is deployed, whether its stores answer, and what stands still; also at `/health?deep=1`',
  description:
    'Deliveries are those of the last 24 hours, of each database the newest 10,000 at most. `loads.waiting` counts those under way, too.',
  answer: DeploymentStatus,
  status: 200,
} as const satisfies Operation

export const listDatabases = {
  id: 'listDatabases',
  ...common,
  method: 'GET',
  path: '/operator/databases',
  summary: 'The databases of the deployment: how full each is, and how many organizations are in it',
  description:
    'A new organization goes to the emptiest that is `open`. From 7 GB on a database is `filling`, with a warning; one that does not answer is `unavailable`, and so are its organizations alone.',
  answer: named(
    'Databases',
    z.object({
      results: z.array(
        z.object({
          name: z.string(),
          state: z.enum(['open', 'filling', 'unavailable']),
          bytes: z.int().nullable(),
          organizations: z.int(),
          warning: z.string().nullable(),
        }),
      ),
    }),
    { results: [{ name: 'DB', state: 'open', bytes: 73_400_320, organizations: 12, warning: null }] },
  ),
  status: 200,
} as const satisfies Operation

export const DeadLetter = named(
  'DeadLetter',
  z.object({
    id: z.string(),
    organization: z.string().nullable(),
    kind: z.string(),
    subjectId: z.string().nullable(),
    createdOn: z.iso.datetime(),
  }),
)

export const listDeadLetters = {
  id: 'listDeadLetters',
  ...common,
  method: 'GET',
  path: '/operator/dead-letters',
  summary: 'Wake-ups that the queues gave up, oldest first',
  query: PageQuery,
  answer: pageOf(DeadLetter),
  status: 200,
} as const satisfies Operation

export const replayDeadLetter = {
  id: 'replayDeadLetter',
  ...common,
  method: 'POST',
  path: '/operator/dead-letters/:id/replay',
  summary: 'Send a wake-up again that the queues gave up',
  keepsAnswer: true,
  status: 204,
} as const satisfies Operation

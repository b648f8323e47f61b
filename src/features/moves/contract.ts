// Wire shapes and operations of moves (N57).
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'

const common = { tag: 'operator', access: 'operator' } as const

export const BeginMove = named(
  'MoveOrganization',
  z.strictObject({ database: z.string().min(1).max(20).describe('By its name (`GET /operator/databases`).') }),
  { database: 'DATA_01' },
)
export type BeginMove = z.output<typeof BeginMove>

export const Move = named(
  'OrganizationMove',
  z.object({
    id: z.string(),
    organization: z.string(),
    from: z.string(),
    to: z.string(),
    state: z.enum(['moving', 'complete', 'cancelled', 'failed']),
    phase: z
      .string()
      .describe(
        'clearing, copying, comparing, following, stopped (writes get 503), opening; undoing; or how it ended.',
      ),
    percent: z.int(),
    rows: z.object({ total: z.int(), copied: z.int(), compared: z.int(), followed: z.int() }),
    tables: z.record(z.string(), z.int()).describe('Rows of each table, the same in both databases when it was moved.'),
    stoppedMs: z.int().describe('How long writes were refused.'),
    startedOn: z.iso.datetime(),
    touchedOn: z.iso.datetime(),
    endedOn: z.iso.datetime().nullable(),
    error: z.string().nullable(),
  }),
  {
    id: 'k3jd8sk2ls9dkq1m',
    organization: 'acme',
    from: 'DB',
    to: 'DATA_01',
    state: 'moving',
    phase: 'copying',
    percent: 40,
    rows: { total: 12000, copied: 7600, compared: 0, followed: 0 },
    tables: {},
    stoppedMs: 0,
    startedOn: '2026-11-14T12:00:00.000Z',
    touchedOn: '2026-11-14T12:00:05.000Z',
    endedOn: null,
    error: null,
  },
)

export const beginMove = {
  id: 'moveOrganization',
  ...common,
  method: 'POST',
  path: '/operator/orgs/:slug/move',
  summary: 'Move an organization to another database, in the background, while it is in use',
  keepsAnswer: true,
  description:
    'Writes are refused for a moment at the end (503 with Retry-After). Keys, ids and times stay valid. Sent again for the same database while it is under way, it answers how far it is.',
  body: BeginMove,
  answer: Move,
  status: 202,
  sends: ['Location'],
  faults: ['conflict'],
} as const satisfies Operation

export const getMove = {
  id: 'getOrganizationMove',
  ...common,
  method: 'GET',
  path: '/operator/orgs/:slug/move',
  summary: 'How far the last move of an organization is, or how it ended',
  answer: Move,
  status: 200,
} as const satisfies Operation

export const cancelMove = {
  id: 'cancelOrganizationMove',
  ...common,
  method: 'POST',
  path: '/operator/orgs/:slug/move/cancel',
  summary: 'Give a move up: the organization stays where it was',
  keepsAnswer: true,
  answer: Move,
  status: 202,
  faults: ['conflict'],
} as const satisfies Operation

// Wire shapes and endpoints of outbound calls (N41), all of them the operator's.
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { ENDPOINT_MAX_EVENTS, ROTATION_MAX_OVERLAP_SECONDS } from '../../platform/limits.ts'
import { Limit, PageKey, pageOf } from '../../platform/paging/page-query.ts'

/** Replaces a secret in responses; sent back, it keeps the secret as it is. */
export const MASK = '********'

const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'Expected the name of a header.')
const HeaderValue = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[\x20-\x7e]+$/, 'Expected printable ASCII characters.')

const TriggerKey = z.string().regex(/^(\*|[a-z][a-z0-9-]{0,63}\|(\*|[a-z][a-z0-9-]{0,63}))$/, {
  message: 'Expected an event such as "item|create" or "assortment|publish", "item|*", or "*".',
})

export const EndpointAuth = z.discriminatedUnion('kind', [
  named('HeaderAuth', z.strictObject({ kind: z.literal('header'), name: HeaderName, value: HeaderValue })),
  named(
    'HmacAuth',
    z.strictObject({
      kind: z.literal('hmac'),
      secret: z.string().max(200),
      overlapSeconds: z
        .int()
        .min(0)
        .max(ROTATION_MAX_OVERLAP_SECONDS)
        .optional()
        .describe('How long calls are signed with the secret before it as well; a day where nothing is said.'),
    }),
  ),
  named('AllowlistAuth', z.strictObject({ kind: z.literal('allowlist') })),
])
export type EndpointAuth = z.output<typeof EndpointAuth>

const AllowedFor = z
  .enum(['events', 'workflows', 'both'])
  .describe('Who may call it: deliveries of events, `http` tasks of workflows, or both.')

export const PutEndpoint = named(
  'PutEndpoint',
  z.strictObject({
    url: z.string().min(1),
    events: z.array(TriggerKey).max(ENDPOINT_MAX_EVENTS).default([]),
    includeLoads: z.boolean().default(false).describe('Whether changes made by loads are delivered too.'),
    allowedFor: AllowedFor.default('both'),
    auth: EndpointAuth,
  }),
  {
    url: 'https://erp.example.com/selvedge',
    events: ['item|*', 'assortment|publish'],
    auth: { kind: 'header', name: 'X-Partner-Key', value: 'the key of the partner' },
  },
)
export type PutEndpoint = z.output<typeof PutEndpoint>

export const ShownEndpoint = named(
  'Endpoint',
  z.object({
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    includeLoads: z.boolean(),
    allowedFor: AllowedFor,
    auth: z.looseObject({ kind: z.string() }).describe(`Secrets are shown as ${MASK}.`),
    oldSecretUntil: z.iso
      .datetime()
      .nullable()
      .describe('Until then calls are signed with the secret before it as well.'),
    createdOn: z.iso.datetime(),
    updatedOn: z.iso.datetime(),
  }),
)

const DeliveryStatus = z.enum(['pending', 'delivered', 'failed'])

export const Delivery = named(
  'Delivery',
  z.object({
    id: z.string().describe('Also the `webhook-id` of every try.'),
    endpointName: z.string(),
    triggerKey: z.string(),
    status: DeliveryStatus,
    attempts: z.int(),
    nextAttemptOn: z.iso.datetime().nullable(),
    responseStatus: z.int().nullable(),
    error: z.string().nullable(),
    payload: z.unknown(),
    createdOn: z.iso.datetime(),
    endedOn: z.iso.datetime().nullable(),
  }),
)

export const DeliveriesQuery = z.strictObject({
  limit: Limit,
  nextPageKey: PageKey,
  status: DeliveryStatus.optional().describe('Only deliveries of this status.'),
})
export type DeliveriesQuery = z.output<typeof DeliveriesQuery>

const common = { tag: 'operator', access: 'operator' } as const
const PATH = '/operator/orgs/:slug/endpoints'

export const listEndpoints = {
  id: 'listEndpoints',
  ...common,
  method: 'GET',
  path: PATH,
  summary: 'List the endpoints that are called for an organization',
  answer: named('EndpointList', z.object({ results: z.array(ShownEndpoint) })),
  status: 200,
} as const satisfies Operation

export const putEndpoint = {
  id: 'putEndpoint',
  ...common,
  method: 'PUT',
  path: `${PATH}/:name`,
  summary: 'Configure an endpoint: where it is, what is delivered to it, how calls are secured',
  description:
    'Secured by a header with a key, by an HMAC signature in the Standard Webhooks form (secret `whsec_…`), or by the fixed ' +
    'addresses that calls leave from. https only; private addresses are refused.',
  body: PutEndpoint,
  answer: ShownEndpoint,
  status: 200,
  faults: ['conflict'],
} as const satisfies Operation

export const getEndpoint = {
  id: 'getEndpoint',
  ...common,
  method: 'GET',
  path: `${PATH}/:name`,
  summary: 'Get an endpoint; its secrets are masked',
  answer: ShownEndpoint,
  status: 200,
} as const satisfies Operation

export const deleteEndpoint = {
  id: 'deleteEndpoint',
  ...common,
  method: 'DELETE',
  path: `${PATH}/:name`,
  summary: 'Remove an endpoint; what is not delivered yet fails',
  status: 204,
} as const satisfies Operation

export const listDeliveries = {
  id: 'listDeliveries',
  ...common,
  method: 'GET',
  path: `${PATH}/:name/deliveries`,
  summary: 'List what was delivered to an endpoint, newest first',
  query: DeliveriesQuery,
  answer: pageOf(Delivery),
  status: 200,
} as const satisfies Operation

export const resendDelivery = {
  id: 'resendDelivery',
  ...common,
  method: 'POST',
  path: `${PATH}/:name/deliveries/:id/resend`,
  summary: 'Deliver once more, with the same webhook-id',
  keepsAnswer: true,
  answer: Delivery,
  status: 202,
} as const satisfies Operation

// The OpenAPI 3.1 document, made from the same operations and schemas that validate requests.
import * as z from 'zod'
import type { Code } from '../errors.ts'
import type { Operation } from './operation.ts'
import { CODES, statusOf } from './problem.ts'

const SECURITY = {
  organization: [{ apiKey: [], organization: [] }, { bearer: [] }],
  task: [{ apiKey: [], organization: [] }, { bearer: [] }],
  operator: [{ operatorKey: [] }],
  anybody: [],
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> => {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: ({ jsonSchema }) => plainer(jsonSchema) })
  const { $schema: _, ...rest } = made as Record<string, unknown>
  return rest
}

/** What the format says already, and bounds that nobody set, only make strange examples. */
function plainer(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

export function openApi(operations: readonly Operation[], origin: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Selvedge',
      version: '0.1.0',
      description:
        'Product data as typed entities. Authenticate with `X-Api-Key` and `X-Api-Org`, or with a bearer token. ' +
        'Errors are problem documents (RFC 9457) with a stable `code`.',
    },
    servers: [{ url: `${origin}/api` }],
    tags: tagsOf(operations),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        organization: { type: 'apiKey', in: 'header', name: 'X-Api-Org' },
        bearer: { type: 'http', scheme: 'bearer' },
        operatorKey: { type: 'apiKey', in: 'header', name: 'X-Operator-Key' },
      },
      schemas: { Problem: schemaOf(Problem, 'output') },
    },
  }
}

/** What organizations use comes before what the operator uses. */
function tagsOf(operations: readonly Operation[]): { name: string }[] {
  const ordered = [...operations].sort((a, b) => Number(a.access === 'operator') - Number(b.access === 'operator'))
  const entities = ordered.filter(({ path }) => path.endsWith('/batch')).map(({ tag }) => tag)
  return [...new Set([...entities, ...ordered.map(({ tag }) => tag)])].map(name => ({ name }))
}

const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(CODES),
  requestId: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

function operationOf(operation: Operation): Record<string, unknown> {
  return {
    tags: [operation.tag],
    operationId: operationId(operation),
    summary: operation.summary,
    ...descriptionOf(operation),
    security: SECURITY[operation.access],
    parameters: [...pathParameters(operation), ...queryParameters(operation)],
    ...bodyOf(operation),
    responses: { ...answerOf(operation), ...faultsOf(operation) },
  }
}

const CALLERS = { member: 'a person of the organization', admin: 'an admin of the organization' }

function descriptionOf({ description, role, session, issuesCredential }: Operation) {
  const sentences = [
    description,
    role && `For ${CALLERS[role]}${session ? ', signed in: a key is not enough' : ''}.`,
    issuesCredential && 'Refuses `Idempotency-Key`.',
  ].filter(Boolean)
  return sentences.length ? { description: sentences.join(' ') } : {}
}

function operationId({ method, path }: Operation): string {
  const words = path.replaceAll(':', 'by-').split(/[/-]/).filter(Boolean)
  return method.toLowerCase() + words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function pathParameters({ path }: Operation) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Operation) {
  if (!query) return []
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description && { description }),
    schema,
  }))
}

function bodyOf({ body, rawBody }: Operation) {
  if (body)
    return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }
  if (rawBody) return { requestBody: { required: true, content: { 'application/octet-stream': {} } } }
  return {}
}

const DONE: Partial<Record<Operation['status'], string>> = { 204: 'Done; no body.', 302: 'Leads on.' }

function answerOf({ status, answer }: Operation) {
  const content = answer && { content: { 'application/json': { schema: schemaOf(answer, 'output') } } }
  return { [status]: { description: DONE[status] ?? 'Done.', ...content } }
}

function faultsOf({ access, query, body, limitedByAddress, faults = [] }: Operation) {
  const codes: Code[] = [
    ...(access === 'anybody' ? [] : (['unauthorized', 'forbidden', 'rate_limited'] as const)),
    ...(limitedByAddress ? (['rate_limited'] as const) : []),
    ...(query || body ? (['invalid_input'] as const) : []),
    ...(body ? (['too_large', 'unsupported_media_type'] as const) : []),
    ...faults,
  ]
  const statuses = [...new Set(codes.map(statusOf))].sort()
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries(
    statuses.map(status => {
      const names = CODES.filter(code => statusOf(code) === status && codes.includes(code))
      return [status, { description: names.join(', '), content }]
    }),
  )
}

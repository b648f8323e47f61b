// The OpenAPI 3.1 document, made from the same operations and shapes that route and validate requests.
import { components } from '../components.ts'
import type { Operation } from '../operation.ts'
import { Describer, type Descriptions } from './describe.ts'
import { bodyExample, PATH_EXAMPLES } from './examples.ts'
import { ANSWER_HEADERS, REQUEST_HEADERS, requestHeadersOf } from './headers.ts'
import { answersOf, FaultAnswers } from './responses.ts'
import { inline, type JsonSchema, Schemas } from './schemas.ts'

export interface Tag {
  name: string
  description: string
}

/** What the document says besides its operations. */
export interface About {
  version: string
  description: string
  /** Base address of the API. */
  server: string
  /** In the order that readers need them. */
  groups: { name: string; tags: Tag[] }[]
  descriptions: readonly Descriptions[]
}

const KEY = [{ apiKey: [], organization: [] }]
const SECURITY: Record<Operation['access'], unknown[]> = {
  organization: [...KEY, { bearer: [] }],
  task: [...KEY, { bearer: [] }],
  operator: [{ operatorKey: [] }],
  anybody: [],
}

const SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'A key of the organization, `app:…` or `user:…`.',
  },
  organization: { type: 'apiKey', in: 'header', name: 'X-Api-Org', description: 'The slug of the organization.' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token: of a session, of the operator, or of one task.',
  },
  operatorKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Operator-Key',
    description: "The key of the deployment's owner.",
  },
}

export function openApi(
  operations: readonly Operation[],
  { version, description, server, groups, descriptions }: About,
): Record<string, unknown> {
  const describer = new Describer(descriptions)
  const schemas = new Schemas(operations)
  const faults = new FaultAnswers(schemas)
  const tags = groups.flatMap(group => group.tags)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of inOrder(
    operations,
    tags.map(({ name }) => name),
  )) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: operationOf(operation, { schemas, faults, describer }),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Selvedge',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    tags,
    'x-tagGroups': groups.map(group => ({ name: group.name, tags: group.tags.map(({ name }) => name) })),
    paths,
    components: {
      securitySchemes: SCHEMES,
      parameters: REQUEST_HEADERS,
      headers: ANSWER_HEADERS,
      responses: faults.used,
      schemas: Object.fromEntries(
        Object.entries(schemas.used).map(([name, schema]) => [name, describer.describe(name, schema)]),
      ),
    },
  }
}

/** List, get, create, update, delete, what else there is, batches. */
function rankOf({ method, path }: Operation): number {
  const isOne = /:\w+$/.test(path)
  if (path.endsWith('/batch')) return 20 + ['POST', 'PUT', 'DELETE'].indexOf(method)
  const usual = { GET: isOne ? 1 : 0, POST: isOne ? 9 : 2, PUT: 3, DELETE: 4 }[method]
  return usual + (path.split('/').length > (isOne ? 3 : 2) ? 5 : 0)
}

function inOrder(operations: readonly Operation[], tags: readonly string[]): Operation[] {
  const rank = (operation: Operation) => tags.indexOf(operation.tag) * 100 + rankOf(operation)
  return [...operations].sort((a, b) => rank(a) - rank(b))
}

interface Parts {
  schemas: Schemas
  faults: FaultAnswers
  describer: Describer
}

function operationOf(operation: Operation, { schemas, faults, describer }: Parts): Record<string, unknown> {
  return {
    tags: [operation.tag],
    operationId: operation.id,
    summary: operation.summary,
    ...descriptionOf(operation, describer),
    'x-order': rankOf(operation),
    security: SECURITY[operation.access],
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation, describer),
      ...requestHeadersOf(operation),
    ],
    ...bodyOf(operation, schemas),
    responses: { ...answersOf(operation, schemas), ...faults.of(operation) },
  }
}

const CALLERS = { member: 'a person of the organization', admin: 'an admin of the organization' }

function descriptionOf({ id, description, role, session, issuesCredential }: Operation, describer: Describer) {
  const sentences = [
    description ?? describer.operation(id),
    role && `For ${CALLERS[role]}${session ? ', signed in: a key is not enough' : ''}.`,
    issuesCredential && 'Refuses `Idempotency-Key`.',
  ].filter(Boolean)
  return sentences.length ? { description: sentences.join(' ') } : {}
}

const IN_PATH: Record<string, string> = {
  id: 'Id, as lists and creates answer it.',
  typePath: 'Type path, such as `item:shoe`, or the id of the type.',
  slug: 'Slug of the organization.',
  name: 'Name of the endpoint.',
  changeId: 'Id of the publish.',
  secret: 'Secret of the webhook: the last part of its `triggerUrl`.',
  orgId: 'Id of the organization.',
  organizationId: 'Id of the organization.',
  part: 'Number of the part, from 0.',
}

function pathParameters({ path }: Operation) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: IN_PATH[name] ?? '',
    schema: { type: 'string' },
    example: PATH_EXAMPLES[name] ?? name,
  }))
}

function queryParameters({ id, query }: Operation, describer: Describer) {
  const { properties = {}, required = [] } = (query ? inline(query) : {}) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: description ?? describer.parameter(id, name),
    schema,
  }))
}

function bodyOf(operation: Operation, schemas: Schemas) {
  const { bodyShape: body = operation.body, rawBody } = operation
  if (body) {
    const json = { schema: schemas.refer(body, 'input'), example: bodyExample(body, schemas) }
    return { requestBody: { required: true, content: { 'application/json': json } } }
  }
  if (!rawBody) return {}
  const content = Object.entries(rawBody).map(([type, schema]) => [type, rawContent(schema, schemas)])
  return { requestBody: { required: true, content: Object.fromEntries(content) } }
}

function rawContent(schema: NonNullable<Operation['rawBody']>[string], schemas: Schemas) {
  if (schema === 'bytes') return { schema: { type: 'string', format: 'binary' } }
  if (schema === 'form') {
    const file = { type: 'string', format: 'binary' }
    return { schema: { type: 'object', properties: { file }, required: ['file'] } }
  }
  return { schema: schemas.refer(schema, 'input'), example: components.get(schema)?.example }
}

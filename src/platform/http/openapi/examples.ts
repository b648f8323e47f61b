// Examples of the API document. A wire shape that has none of its own gets one made from its parts, by what properties of
// a name usually hold.
import type * as z from 'zod'
import { components } from '../components.ts'
import type { JsonSchema, Schemas } from './schemas.ts'

const ID = 'Vn3KqJ8sW2xT0aLb'

const TIME = '2026-03-02T09:30:00.000Z'

const BY_NAME: Record<string, unknown> = {
  id: ID,
  orgId: 'c1Rz0uQp7YhM4dXe',
  createdById: 'b7LwN2kVf5GtS9oA',
  updatedById: 'b7LwN2kVf5GtS9oA',
  userId: 'p4XbD8mZq1HsJ6yC',
  version: 1,
  name: 'Linen shirt',
  typePath: 'item:shirt',
  rootTypePath: 'item',
  federatedId: 'LS-1',
  email: 'ann@example.com',
  slug: 'acme',
  orgSlug: 'acme',
  fileName: 'styles.csv',
  contentType: 'text/csv',
  checksum: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  size: 1204,
  nextPageKey: null,
  entityType: 'item',
  entityReference: `item:${ID}`,
  triggerKey: 'item|update',
  subtext: 'Waiting for the factory',
  issuer: 'https://login.example.com',
  url: 'https://erp.example.com/selvedge',
  start: 'app:Vn3K',
  accessToken: 'tok_…',
  key: 'app:…',
  requestId: 'f2Gk9TsW0bRnY6uE',
  percent: 40,
}

/** What stands in the path, where somebody tries an operation out. */
export const PATH_EXAMPLES: Record<string, string> = {
  id: ID,
  typePath: 'item',
  slug: 'acme',
  orgId: 'c1Rz0uQp7YhM4dXe',
  name: 'erp',
  changeId: 'm8TqE3rUz6KpL1vB',
  secret: `c1Rz0uQp7YhM4dXe${'x'.repeat(40)}`,
}

export function bodyExample(body: z.ZodType, schemas: Schemas): unknown {
  return components.get(body)?.example ?? exampleOf(schemas.refer(body, 'input'), schemas, 'required')
}

export function answerExample(answer: z.ZodType, schemas: Schemas): unknown {
  return components.get(answer)?.example ?? exampleOf(schemas.refer(answer, 'output'), schemas, 'all')
}

type Extent = 'required' | 'all'

function exampleOf(schema: JsonSchema, schemas: Schemas, extent: Extent, name = ''): unknown {
  if (typeof schema.$ref === 'string') {
    const id = schema.$ref.split('/').at(-1) ?? ''
    const own = components._idmap.get(id)
    return (own && components.get(own)?.example) ?? exampleOf(schemas.resolve(schema.$ref), schemas, extent, name)
  }
  const given = [...list(schema.examples), ...('const' in schema ? [schema.const] : []), ...list(schema.enum)]
  if (given.length) return given[0]
  const choices = [...list(schema.anyOf), ...list(schema.oneOf)] as JsonSchema[]
  const isNullable = choices.some(choice => choice.type === 'null')
  if (name in BY_NAME && (BY_NAME[name] !== null || isNullable)) return BY_NAME[name]
  if ('default' in schema) return schema.default
  const [first] = choices.filter(choice => choice.type !== 'null')
  if (first) return exampleOf(first, schemas, extent, name)
  if (schema.type === 'array') return schema.items ? [exampleOf(schema.items as JsonSchema, schemas, extent)] : []
  if (schema.type === 'object') return objectOf(schema, schemas, extent)
  return scalarOf(schema, name)
}

function objectOf(schema: JsonSchema, schemas: Schemas, extent: Extent): JsonSchema {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] }
  const wanted = Object.entries(properties).filter(([name]) => extent === 'all' || required.includes(name))
  return Object.fromEntries(wanted.map(([name, part]) => [name, exampleOf(part, schemas, extent, name)]))
}

function scalarOf({ type, format, minimum }: JsonSchema, name: string): unknown {
  const [only] = Array.isArray(type) ? type : [type]
  if (only === 'integer' || only === 'number') return minimum ?? 1
  if (only === 'boolean') return false
  if (format === 'date-time') return TIME
  return only === 'string'
    ? name.endsWith('Url')
      ? `https://api.example.com/${name}`
      : name.endsWith('Id')
        ? ID
        : 'text'
    : {}
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

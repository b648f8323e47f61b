// Examples of the API document. A wire shape that has none of its own gets one made from its parts, by what properties of
// a name usually hold.
import type * as z from 'zod'
import { components } from '../components.ts'
import { COMMON_FIELDS, EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from './common-fields.ts'
import type { JsonSchema, Schemas } from './schemas.ts'

/** Values of path parameters for trying out an operation. */
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
  const common = COMMON_FIELDS[name]
  if (common && 'example' in common && (common.example !== null || isNullable)) return common.example
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

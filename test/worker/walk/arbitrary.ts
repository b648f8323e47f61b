// From a schema of the document to values that fit it, and to values that do not.
import fc, { type Arbitrary } from 'fast-check'
import type { ApiDocument, Schema } from './api-document.ts'

const LONGEST = 24
const DEEPEST = 4

const anything = fc.jsonValue({ maxDepth: 2 })

export function fitting(document: ApiDocument, part: Schema, depth = 0): Arbitrary<unknown> {
  const schema = document.resolve(part)
  const within = (inner: Schema) => fitting(document, inner, depth + 1)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices = [...list(schema.anyOf), ...list(schema.oneOf)]
  if (choices.length) return fc.oneof(...choices.map(within))
  const types = Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : []
  if (types.length !== 1) return types.length ? fc.oneof(...types.map(type => within({ ...schema, type }))) : anything
  switch (types[0]) {
    case 'string':
      return texts(schema)
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -9), max: Number(schema.maximum ?? 9999) })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(within((schema.items ?? {}) as Schema), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: depth > DEEPEST ? Number(schema.minItems ?? 0) : 3,
      })
    case 'object':
      return objects(schema, within, depth)
    default:
      return fc.constant(null)
  }
}

const list = (value: unknown) => (Array.isArray(value) ? (value as Schema[]) : [])

function texts({ pattern, format, minLength = 0, maxLength = LONGEST }: Schema): Arbitrary<string> {
  if (format === 'date-time') return fc.constantFrom('2099-01-01T00:00:00.000Z', '2020-02-29T23:59:59Z')
  if (format === 'uri') return fc.webUrl()
  const [from, to] = [Number(minLength), Math.max(Number(minLength), Math.min(Number(maxLength), LONGEST))]
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern), { size: 'small' })
  return fc.string({ minLength: from, maxLength: to, unit: 'grapheme' })
}

function objects(schema: Schema, within: (inner: Schema) => Arbitrary<unknown>, depth: number): Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const required = (schema.required ?? []) as string[]
  const named = Object.entries(properties).filter(([name]) => required.includes(name) || depth <= DEEPEST)
  const own = fc.record(Object.fromEntries(named.map(([name, inner]) => [name, within(inner)])), {
    requiredKeys: required,
  })
  if (typeof schema.additionalProperties !== 'object' || depth > 1) return own
  const more = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), anything, { maxKeys: 2 })
  return fc.tuple(more, own).map(([some, rest]) => ({ ...some, ...rest }))
}

/** A value that fits, with one thing wrong; or something else altogether. */
export function unfitting(document: ApiDocument, schema: Schema): Arbitrary<unknown> {
  const strange = fc.constantFrom<unknown>(null, 5, 'text', true, [], [[]], {}, { unheardOf: 1 }, [null], 1e300)
  const spoilt = fc.tuple(fitting(document, schema), fc.nat(), strange).map(([value, at, wrong]) => {
    if (typeof value !== 'object' || value === null) return wrong
    const names = Object.keys(value)
    const name = names[at % Math.max(1, names.length)] ?? 'unheardOf'
    return Array.isArray(value) ? [...value, wrong] : { ...value, [name]: wrong }
  })
  return fc.oneof(strange, spoilt)
}

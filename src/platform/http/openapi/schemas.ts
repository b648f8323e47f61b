// From wire shapes to the schemas of the API document: what a caller may send, and what it gets. Zod itself knows how to do
// it for a whole registry; a body or an answer without a name of its own is named after its operation.
import * as z from 'zod'
import { components, pascal } from '../components.ts'
import type { Operation } from '../operation.ts'

export type JsonSchema = Record<string, unknown>
type Direction = 'input' | 'output'

const PLACE = '#/components/schemas/'

export class Schemas {
  readonly #registry = z.registry<{ id: string }>()
  readonly #made: Record<Direction, Record<string, JsonSchema>>
  readonly #used = new Map<string, JsonSchema>()

  constructor(operations: readonly Operation[]) {
    for (const [id, schema] of components._idmap) this.#registry.add(schema, { id })
    for (const { id, body, bodyShape = body, answer } of operations) {
      if (bodyShape) this.#name(bodyShape, `${pascal(id)}Body`)
      if (answer) this.#name(answer, `${pascal(id)}Answer`)
    }
    this.#made = { input: this.#make('input'), output: this.#make('output') }
  }

  /** A reference to what may be sent, or to what is answered. */
  refer(schema: z.ZodType, direction: Direction): { $ref: string } {
    const id = this.#registry.get(schema)?.id
    if (!id) throw new Error('a wire shape without a name')
    this.#use(id, direction)
    return { $ref: PLACE + id }
  }

  /** The schemas that are referred to, in the order of their names. */
  get used(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  resolve(reference: string): JsonSchema {
    return this.#used.get(reference.slice(PLACE.length)) ?? {}
  }

  #name(schema: z.ZodType, id: string): void {
    if (!this.#registry.has(schema)) this.#registry.add(schema, { id })
  }

  #make(io: Direction): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.#registry, {
      io,
      uri: id => PLACE + id,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => plainer(zodSchema, jsonSchema),
    })
    return Object.fromEntries(
      Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema as JsonSchema]),
    )
  }

  /** With all that it refers to. One name is one shape: what is sent and what is answered must not differ under it. */
  #use(id: string, direction: Direction): void {
    const schema = this.#made[direction][id] ?? {}
    const known = this.#used.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`${id} is sent and answered in two shapes`)
    if (known) return
    this.#used.set(id, schema)
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      this.#use(name, direction)
    }
  }
}

/** The schema of something that stands in one place only, such as the parameters of an operation. */
export function inline(schema: z.ZodType, io: Direction = 'input'): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => plainer(zodSchema, jsonSchema),
  })
  const { $schema: _, ...rest } = made as JsonSchema
  return rest
}

/**
 * What the format says already, patterns that only JavaScript can read, and bounds that nobody set help no reader. An object that is not strict may get
 * more properties with a later release (N7), so that the document does not close it.
 */
function plainer(zodSchema: z.core.$ZodTypes, schema: z.core.JSONSchema.BaseSchema): void {
  const isPlain = schema.format === undefined && (schema.type === undefined || schema.type === 'string')
  if (!isPlain || schema.pattern?.includes('\\p{')) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
  const { def } = zodSchema._zod
  if (def.type === 'object' && def.catchall === undefined) delete schema.additionalProperties
}

// Adds descriptions to the API document. They are kept out of the contracts where the Worker does not need them: it would
// carry and parse them in every isolate, while the document is made once, at build time.
import { COMMON_FIELDS } from './common-fields.ts'
import type { JsonSchema } from './schemas.ts'

/** What one feature says about its part of the document. A description in the contract wins. */
export interface Descriptions {
  /** By the id of the operation. */
  operations?: Record<string, string>
  /** By the id of the operation and the name of the parameter. */
  parameters?: Record<string, Record<string, string>>
  /** By schema and property: `summary.itemCount` is a property of a property or of its entries. */
  properties?: Record<string, Record<string, string>>
}

/** Each entity type has its own example of these, in its body and its answer. */
const PER_KIND = new Set(['name', 'typePath', 'federatedId', 'identifier'])

/** `ItemCreate`, `ItemUpdate` and `CreateItem` share what is said of `Item`. */
const baseOf = (schema: string) =>
  schema
    .replace(/^(Issued|Created|Create|Update|Put|Set)(?=[A-Z])/, '')
    .replace(/(Create|BatchUpdate|Update|Page|Batch)$/, '')

export class Describer {
  /** Entries that no property needed, for the test that keeps the tables short. */
  readonly unused: Set<string>
  readonly #operations = new Map<string, string>()
  readonly #parameters = new Map<string, string>()
  readonly #properties = new Map<string, string>()

  constructor(tables: readonly Descriptions[]) {
    for (const { operations = {}, parameters = {}, properties = {} } of tables) {
      for (const [id, text] of Object.entries(operations)) this.#operations.set(id, text)
      add(this.#parameters, parameters, '?')
      add(this.#properties, properties, '.')
    }
    this.unused = new Set([this.#operations, this.#parameters, this.#properties].flatMap(map => [...map.keys()]))
  }

  operation(id: string): string | undefined {
    return this.#take(this.#operations, id)
  }

  parameter(operation: string, name: string): string | undefined {
    return this.#take(this.#parameters, `${operation}?${name}`)
  }

  /** The schema with a description, and where it helps an example, on each of its properties. */
  describe(name: string, schema: JsonSchema): JsonSchema {
    return this.#inside(schema, name, '')
  }

  #inside(schema: JsonSchema, name: string, path: string): JsonSchema {
    const made: JsonSchema = { ...schema }
    if (isObject(schema.properties)) {
      const properties = Object.entries(schema.properties as Record<string, JsonSchema>)
      made.properties = Object.fromEntries(
        properties.map(([key, part]) => [key, this.#property(part, name, path ? `${path}.${key}` : key, key)]),
      )
    }
    for (const keyword of ['items', 'additionalProperties']) {
      if (isObject(schema[keyword])) made[keyword] = this.#inside(schema[keyword] as JsonSchema, name, path)
    }
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      const choices = schema[keyword]
      if (Array.isArray(choices)) made[keyword] = choices.map(choice => this.#inside(choice as JsonSchema, name, path))
    }
    return made
  }

  #property(schema: JsonSchema, name: string, path: string, key: string): JsonSchema {
    const own =
      this.#take(this.#properties, `${name}.${path}`) ?? this.#take(this.#properties, `${baseOf(name)}.${path}`)
    const made = this.#inside(schema, name, path)
    if (schema.description !== undefined) return made
    if (own !== undefined) return { ...made, description: own }
    const { description, example } = COMMON_FIELDS[key] ?? {}
    const isHelpful = !PER_KIND.has(key) && schema.type === typeof example && !schema.enum && !schema.pattern
    return { ...made, ...(description && { description }), ...(isHelpful && { examples: [example] }) }
  }

  #take(map: ReadonlyMap<string, string>, key: string): string | undefined {
    const text = map.get(key)
    if (text !== undefined) this.unused.delete(key)
    return text
  }
}

function add(map: Map<string, string>, table: Record<string, Record<string, string>>, separator: string): void {
  for (const [outer, entries] of Object.entries(table)) {
    for (const [inner, text] of Object.entries(entries)) map.set(`${outer}${separator}${inner}`, text)
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

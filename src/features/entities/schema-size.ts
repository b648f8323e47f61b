// How large the answers are that have many types as JSON Schema (N53, N54): told before they are made, for inheritance
// multiplies. Pure.
import { Fault } from '../../platform/errors.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import type { Kind } from '../../platform/kind.ts'
import { SCHEMA_MAX_BYTES, SCHEMA_MAX_PROPERTIES } from '../../platform/limits.ts'
import { Layer } from '../types/definitions.ts'
import { annotationsOf, valueSchema } from '../types/property-schema.ts'
import { pathsTo, type TypeTable } from '../types/table.ts'
import { type Described, entitySchema, type Place, type Variant } from './json-schema.ts'

/** Quotes, commas and what surrounds a value: `"a":{"anyOf":[…,{"type":"null"}]},` or `{"$ref":"#/$defs/…/properties/…"}`. */
const AROUND_BYTES = 60
/** Its name, again among those that are required, and in a reference, where a byte may take three signs. */
const NAMED_TIMES = 5

export interface Planned extends Pick<Described, 'kind' | 'typePath' | 'label'> {
  variants: readonly Variant[]
}

export function checkSize(types: TypeTable, planned: readonly Planned[], place: Place): void {
  const most = planned.reduce((sum, { typePath }) => sum + types.mostProperties(typePath), 0)
  if (most > SCHEMA_MAX_PROPERTIES || schemaBytes(types, planned, place) > SCHEMA_MAX_BYTES) {
    throw new Fault('too_large', 'There are too many properties for one answer. Ask for the types one by one.')
  }
}

/** No less than it takes as JSON. */
export function schemaBytes(types: TypeTable, planned: readonly Planned[], place: Place): number {
  const [fields, defined] = [new Map<string, number>(), new Map<string, { whole: number; referred: number }>()]
  const fieldsOf = (kind: Kind, typePath: string, variant: Variant) =>
    remembered(fields, `${typePath} ${variant}`, () => {
      const bare = { kind, typePath, definitions: new Layer([], undefined) }
      return jsonBytes(entitySchema(bare, variant, place))
    })
  const definedAt = (path: string) =>
    remembered(defined, path, () => {
      const properties = types.get(path)?.properties ?? []
      const around = properties.length * AROUND_BYTES + jsonBytes(properties.map(({ slug }) => slug)) * NAMED_TIMES
      return {
        whole: around + jsonBytes(properties.map(each => [annotationsOf(each), valueSchema(each)])),
        referred: around + properties.length * path.length,
      }
    })
  return planned.reduce((sum, { kind, typePath, label, variants }) => {
    // All paths below a root have the same fields.
    const usual = typePath === kind.name ? typePath : `${kind.name}:`
    const above = pathsTo(typePath).filter(path => path !== typePath)
    const inherited = above.map(definedAt).map(({ whole, referred }) => (place === 'alone' ? whole : referred))
    const own = definedAt(typePath).whole + jsonBytes([typePath, typePath, label])
    const rest = inherited.reduce((bytes, each) => bytes + each, own)
    return variants.reduce((bytes, variant) => bytes + fieldsOf(kind, usual, variant) + rest, sum)
  }, 0)
}

function remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

// The types of an organization as a generator needs them, read from `GET /types?format=json-schema&variant=read` (N54). Pure.

import { usage } from '../failure.ts'
import { isRecord } from '../input.ts'

export type Schema = Readonly<Record<string, unknown>>

export interface Property {
  name: string
  /** What values fit. */
  schema: Schema
  isRequired: boolean
  /** Only the service sets it. */
  isReadOnly: boolean
  label: string | undefined
  description: string | undefined
  isArchived: boolean
  /** Entities can be ordered by it. */
  isIndexed: boolean
  /** The entities that it names can be asked for beside it. */
  relation: Relation | undefined
}

export interface Relation {
  name: string
  /** The entity type that it leads to. */
  target: string
  isList: boolean
}

export interface TypeModel {
  typePath: string
  /** `item:shoe` → `ItemShoe`; no two are the same. */
  name: string
  label: string | undefined
  parent: TypeModel | undefined
  /** Defined here, and not inherited. */
  own: Property[]
  /** Those of them that the parent has, too: they are defined anew. */
  anew: string[]
  /** All of them, inherited ones first. */
  all: Property[]
  /** Entities of the type have this very path; those of `type` have the paths that they describe. */
  hasOwnPath: boolean
  /** Nobody but the service makes or changes entities of the type. */
  isReadOnly: boolean
}

/** What every entity has; the client's `CommonFields`. */
const COMMON = [
  'id',
  'orgId',
  'typePath',
  'name',
  'federatedId',
  'createdOn',
  'updatedOn',
  'createdById',
  'updatedById',
  'version',
]

/** Names that variants of a type get. */
export const CREATE = 'Create'
export const UPDATE = 'Update'

export function typeModels(document: unknown): TypeModel[] {
  const schemas = isRecord(document) ? document.$defs : undefined
  if (!isRecord(schemas) || Object.keys(schemas).length === 0) {
    throw usage(
      'This is not what types are made from.',
      'Save the answer of GET /types?format=json-schema&variant=read.',
      'The document has no schemas under $defs.',
    )
  }
  const models = new Map<string, TypeModel>()
  const taken = new Set<string>()
  // What stands above comes first, since its path is shorter.
  for (const typePath of Object.keys(schemas).sort(byDepth)) {
    const schema = schemas[typePath]
    if (isRecord(schema)) models.set(typePath, modelOf(typePath, schema, parentOf(typePath, models), taken))
  }
  return [...models.values()].sort((a, b) => (a.typePath < b.typePath ? -1 : 1))
}

const depthOf = (typePath: string) => typePath.split(':').length
const byDepth = (a: string, b: string) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1)

/** The nearest path above that there is. */
function parentOf(typePath: string, models: ReadonlyMap<string, TypeModel>): TypeModel | undefined {
  for (let at = typePath.lastIndexOf(':'); at > 0; at = typePath.lastIndexOf(':', at - 1)) {
    const found = models.get(typePath.slice(0, at))
    if (found) return found
  }
  return undefined
}

function modelOf(typePath: string, schema: Schema, parent: TypeModel | undefined, taken: Set<string>): TypeModel {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const own = Object.entries(properties).flatMap(([name, value]): Property[] =>
    // What it inherits is a reference to where that is defined.
    COMMON.includes(name) || !isRecord(value) || '$ref' in value ? [] : [propertyOf(name, value, required.has(name))],
  )
  const above = parent?.all ?? []
  const ownNames = new Set(own.map(({ name }) => name))
  return {
    typePath,
    name: nameOf(typePath, taken),
    label: typeof schema.title === 'string' && schema.title !== typePath ? schema.title : undefined,
    parent,
    own,
    anew: above.filter(({ name }) => ownNames.has(name)).map(({ name }) => name),
    all: [...above.filter(({ name }) => !ownNames.has(name)), ...own],
    hasOwnPath: isRecord(properties.typePath) && 'const' in properties.typePath,
    isReadOnly: schema.readOnly === true,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

function propertyOf(name: string, value: Schema, isRequired: boolean): Property {
  const { title, description, deprecated, readOnly, $comment, ...schema } = value
  return {
    name,
    schema,
    isRequired,
    isReadOnly: readOnly === true,
    label: textOf(title),
    description: textOf(description),
    isArchived: deprecated === true,
    isIndexed: $comment === 'indexed',
    relation: relationOf($comment, schema),
  }
}

function relationOf(comment: unknown, { type }: Schema): Relation | undefined {
  const [, name, target] = /^relation (\S+): (\S+)$/.exec(textOf(comment) ?? '') ?? []
  return name !== undefined && target !== undefined ? { name, target, isList: type === 'array' } : undefined
}

/** Two paths may differ in nothing but punctuation: the later one gets a number. */
function nameOf(typePath: string, taken: Set<string>): string {
  const plain = typePath
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain : `${plain}${number}`
    const all = [name, name + CREATE, name + UPDATE, `Any${name}`, `Any${name}${CREATE}`, `Any${name}${UPDATE}`]
    if (all.some(each => taken.has(each))) continue
    for (const each of all) taken.add(each)
    return name
  }
}

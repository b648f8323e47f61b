// The API document with the types of an organization in it, so that generators of any language get them (N54). Pure.
import { pascal } from '../../platform/http/components.ts'
import type { JsonSchema } from '../../platform/http/openapi/schemas.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { allKinds, type Kind } from '../../platform/kind.ts'
import type { TypeTable } from '../types/table.ts'
import { entitySchema, type Variant, variantsOf } from './json-schema.ts'
import { checkSize } from './schema-size.ts'
import { described, pathsOf } from './type-schemas.ts'

/** As the gate looks at it. It stands beside the API, and not in the document itself. */
export const organizationDocument = {
  id: 'organizationDocument',
  method: 'GET',
  path: '/openapi.json',
  tag: 'types',
  summary: 'The API document with the types of the organization',
  access: 'organization',
  forLimitedKeys: true,
  status: 200,
} as const satisfies Operation

type Schemas = Record<string, JsonSchema>

const SUFFIX: Record<Variant, string> = { read: '', create: 'Create', update: 'Update' }
const PLACE = '#/components/schemas/'

export function documentWithTypes(document: JsonSchema, types: TypeTable): JsonSchema {
  const planned = pathsOf(types).map(path => described(types, path))
  checkSize(
    types,
    planned.map(type => ({ ...type, variants: variantsOf(type.kind) })),
    'alone',
  )
  const components = document.components as { schemas: Schemas }
  const schemas = { ...components.schemas }
  for (const kind of allKinds()) {
    if (kind.ownRoot && types.below(kind.name).length) describe(schemas, kind, types)
  }
  return { ...document, components: { ...components, schemas: sorted(schemas) } }
}

function describe(schemas: Schemas, kind: Kind, types: TypeTable): void {
  const below = types.below(kind.name).filter(path => path !== kind.name)
  const names = new Map([...below].sort().map(path => [path, freeName(schemas, path)]))
  const known = new Map<string, unknown>()
  for (const variant of variantsOf(kind)) {
    const fields = (schemas[pascal(kind.name) + SUFFIX[variant]]?.properties ?? {}) as Schemas
    for (const [name, { description }] of Object.entries(fields)) known.set(name, description)
  }
  for (const variant of variantsOf(kind)) {
    const name = pascal(kind.name) + SUFFIX[variant]
    const general = schemas[name]
    if (!general) continue
    const whole = withProperties(general, { kind, types, variant, known })
    for (const [path, own] of names) {
      const schema = entitySchema(described(types, path), variant)
      const title = own + SUFFIX[variant]
      // Generators name classes by titles, so that two labels of one name would lose a class (N114).
      const description = `${schema.title}: entities of the type path \`${path}\`.`
      schemas[title] = { ...schema, title, description, properties: withDescriptions(schema, known) }
    }
    if (names.size === 0) {
      schemas[name] = whole
      continue
    }
    // Of paths without a description, or of the root itself.
    const other = `${name}OfAnotherType`
    schemas[other] = whole
    const all = [...[...names.values()].map(own => own + SUFFIX[variant]), other]
    schemas[name] = { anyOf: all.map(each => ({ $ref: PLACE + each })) }
  }
}

/** Fields are described as in the plain document, properties by their labels. */
function withDescriptions({ properties }: JsonSchema, known: ReadonlyMap<string, unknown>): Schemas {
  return Object.fromEntries(
    Object.entries(properties as Schemas).map(([name, schema]) => {
      const own = `${schema.title ?? name}, a property that the organization has defined.`
      return [name, { ...schema, description: schema.description ?? known.get(name) ?? own }]
    }),
  )
}

interface Root {
  kind: Kind
  types: TypeTable
  variant: Variant
  known: ReadonlyMap<string, unknown>
}

/** What the root defines holds for every path that does not say otherwise. */
function withProperties(general: JsonSchema, { kind, types, variant, known }: Root): JsonSchema {
  const definitions = types.definitionsOf(kind.name)
  const own = entitySchema(described(types, kind.name), variant) as { properties: Schemas; required?: string[] }
  const defined = Object.entries(withDescriptions(own, known)).filter(([name]) => definitions.has(name))
  const required = [...((general.required as string[] | undefined) ?? []), ...(own.required ?? [])]
  return {
    ...general,
    properties: { ...(general.properties as Schemas), ...Object.fromEntries(defined) },
    ...(required.length ? { required: [...new Set(required)] } : {}),
  }
}

/** `item:page` must not become the page of items. */
function freeName(schemas: Schemas, path: string): string {
  const plain = pascal(path.replaceAll(':', '-'))
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain : `${plain}${number}`
    if (Object.values(SUFFIX).some(suffix => Object.hasOwn(schemas, name + suffix))) continue
    // Taken from now on, although its schemas come later.
    for (const suffix of Object.values(SUFFIX)) schemas[name + suffix] = {}
    return name
  }
}

const sorted = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas)
      .filter(([, schema]) => Object.keys(schema).length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

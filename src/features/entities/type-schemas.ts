// Types as JSON Schema, one of them or all in one document (N53). Pure, but for what it is given.
import { invalid } from '../../platform/errors.ts'
import type { JsonSchema } from '../../platform/http/openapi/schemas.ts'
import { allKinds, findKind, type Kind, kind } from '../../platform/kind.ts'
import { Layer } from '../types/definitions.ts'
import { rootOf, type TypeTable } from '../types/table.ts'
import { type Described, DIALECT, entitySchema, type Variant, variantsOf } from './json-schema.ts'
import { checkSize } from './schema-size.ts'

export interface Asked {
  variant?: Variant | undefined
  baseUrl: string
}

/** The complete schema of one type path. */
export function schemaOfType(types: TypeTable, typePath: string, { variant, baseUrl }: Asked): JsonSchema {
  const type = described(types, typePath)
  const possible = variantsOf(type.kind)
  if (variant && !possible.includes(variant)) {
    throw invalid([{ path: '/variant', message: `Of this type there is ${possible.join(' and ')}.` }])
  }
  const chosen = variant ?? usualVariant(type.kind)
  return {
    $schema: DIALECT,
    $id: `${baseUrl}/types/${typePath}?format=json-schema&variant=${chosen}`,
    ...entitySchema(type, chosen),
  }
}

/** The schemas of all entity types and all described paths, by type path. */
export function schemaOfAll(types: TypeTable, { variant, baseUrl }: Asked): JsonSchema {
  const planned = pathsOf(types).flatMap(typePath => {
    const type = described(types, typePath)
    const chosen = variant ?? usualVariant(type.kind)
    return variantsOf(type.kind).includes(chosen) ? [{ ...type, variants: [chosen] as const }] : []
  })
  checkSize(types, planned, 'among others')
  const schemas = planned.map(type => [type.typePath, entitySchema(type, type.variants[0], 'among others')])
  return {
    $schema: DIALECT,
    $id: `${baseUrl}/types?format=json-schema${variant ? `&variant=${variant}` : ''}`,
    $defs: Object.fromEntries(schemas),
  }
}

/** What may be sent, where something may; else what is shown. */
const usualVariant = (of: Kind): Variant => variantsOf(of)[0] ?? 'read'

/** Type paths of entities that can be: roots before what stands below them. */
export function pathsOf(types: TypeTable): string[] {
  const kinds = allKinds()
  const roots = new Set(kinds.filter(each => each.ownRoot).map(({ name }) => name))
  const below = types.paths.filter(path => roots.has(rootOf(path)))
  return [...new Set([...kinds.map(({ name }) => name), ...below])].sort()
}

export function described(types: TypeTable, typePath: string): Described {
  const root = rootOf(typePath)
  const found = findKind(root)
  // A caller may describe a path that no entity can have, and a type's own path says nothing of types.
  if (!found?.ownRoot) {
    const isKind = found !== undefined && typePath === root
    const definitions = isKind ? new Layer([], undefined) : types.definitionsOf(typePath)
    const of = found && isKind ? found : kind(root, root, '', { operations: [] })
    return { kind: of, typePath, label: isKind ? null : types.get(typePath)?.label, definitions }
  }
  return { kind: found, typePath, label: types.get(typePath)?.label, definitions: types.definitionsOf(typePath) }
}

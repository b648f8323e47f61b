// The types of an organization as the pipeline reads them: inheritance resolved, defaults filled in.
import type { Option, PropertyDefinition } from '../../types/contract.ts'
import { type Definitions, Layer } from '../../types/definitions.ts'
import { faultsOf } from '../../types/fit.ts'
import { pathsTo, type TypeTable } from '../../types/table.ts'
import type { Targets } from '../targets.ts'
import type { Inherited, Property, TypeSource } from './property.ts'

/** The own properties of each type path at or below the entity types. */
export function ownProperties(types: TypeTable, targets: Targets): Record<string, Property[]> {
  const paths = targets.flatMap(({ name }) => types.below(name))
  return Object.fromEntries(paths.map(path => [path, (types.get(path)?.properties ?? []).map(propertyOf)]))
}

function propertyOf(stored: PropertyDefinition): Property {
  return {
    slug: stored.slug,
    label: stored.label ?? stored.slug,
    propertyType: stored.propertyType,
    options:
      stored.options?.map(option =>
        typeof option === 'string'
          ? { value: option, label: option }
          : { value: option.value, label: option.label ?? option.value },
      ) ?? null,
    level: stored.level ?? 'all',
    archived: stored.archived ?? false,
    required: stored.required ?? false,
  }
}

/** Properties that a source keeps, counted once for each type that has them. */
const KEPT_MAX = 200_000

/**
 * A path has its own properties and those of the paths above it; the nearest definition of a slug holds. Paths that nobody has
 * described share those of the type above them.
 */
export function typeSource(own: Record<string, Property[]>): TypeSource {
  const known = new Map<string, Property[]>()
  let kept = 0
  let last: { typePath: string; properties: readonly Property[] } | undefined
  const find: TypeSource = typePath => {
    const paths = pathsTo(typePath).filter(path => Object.hasOwn(own, path))
    const described = paths.at(-1)
    if (described === undefined) return NONE
    const made = known.get(described)
    if (made) return made
    const bySlug = new Map<string, Property>()
    for (const path of paths) {
      for (const property of own[path] ?? []) bySlug.set(property.slug, property)
    }
    const properties = [...bySlug.values()]
    kept += properties.length
    if (kept > KEPT_MAX) {
      known.clear()
      kept = properties.length
    }
    known.set(described, properties)
    return properties
  }
  // Most rows have the type of the row before.
  return typePath => {
    if (last?.typePath !== typePath) last = { typePath, properties: find(typePath) }
    return last.properties
  }
}

const NONE: readonly Property[] = []

const definitions = new WeakMap<readonly Property[], Definitions>()

/** As the API holds values against them. */
export function definitionsOf(properties: readonly Property[]): Definitions {
  const known = definitions.get(properties)
  if (known) return known
  const own = properties.map(property => ({ ...property, options: property.options as Option[] | null }))
  const made = new Layer(own, undefined)
  definitions.set(properties, made)
  return made
}

const inherited = new WeakMap<readonly Property[], Inherited[]>()

/** Properties that options of this type have from their families. */
export function inheritedBy(types: TypeSource, typePath: string): readonly Inherited[] {
  const properties = types(typePath)
  const known = inherited.get(properties)
  if (known) return known
  const list = properties
    .filter(({ level, archived }) => !archived && (level === 'family' || level === 'override'))
    .map(({ slug, level }) => ({
      slug,
      isFixed: level === 'family',
      fits: (value: unknown) => faultsOf(definitionsOf(properties), { [slug]: value }, false).length === 0,
    }))
  inherited.set(properties, list)
  return list
}

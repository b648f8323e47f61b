// What entities of several types may have: of a property that some of them define differently the options of all. Pure.
import type { EntityType, TypeProperty } from '../../typescript/index.ts'

const optionValue = (option: NonNullable<TypeProperty['options']>[number]) =>
  typeof option === 'string' ? option : option.value

function united(one: TypeProperty, other: TypeProperty): TypeProperty {
  if (one.propertyType !== other.propertyType || !one.options || !other.options) return one
  const known = new Set(one.options.map(optionValue))
  const more = other.options.filter(option => !known.has(optionValue(option)))
  return more.length === 0 ? one : { ...one, options: [...one.options, ...more] }
}

/** Every live property, those of the types above first. */
export function unitedProperties(types: readonly Pick<EntityType, 'typePath' | 'properties'>[]): TypeProperty[] {
  const depth = (typePath: string) => typePath.split(':').length
  const found = new Map<string, TypeProperty>()
  for (const { properties } of [...types].sort((a, b) => depth(a.typePath) - depth(b.typePath))) {
    for (const property of properties ?? []) {
      if (property.archived) continue
      const before = found.get(property.slug)
      found.set(property.slug, before ? united(before, property) : property)
    }
  }
  return [...found.values()]
}

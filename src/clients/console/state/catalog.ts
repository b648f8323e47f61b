// The entity types there are, and what the organization has described of them; asked once, and again after a change.
import { signal } from '@preact/signals'
import type { EntityType, RootType, TypeProperty } from '../../typescript/index.ts'
import { client } from './session.ts'
import { unitedProperties } from './united-properties.ts'

export interface Catalog {
  roots: readonly RootType[]
  /** By type path, with what they inherit. */
  types: ReadonlyMap<string, EntityType>
}

export const catalog = signal<Catalog | undefined>(undefined)
export const catalogFault = signal<unknown>(undefined)
const PAGE_SIZE = 1000
let asking: Promise<void> | undefined
let after: Promise<void> | undefined

/** A reading that is under way may not have what was just saved: it is read once more after it, for whoever asks meanwhile. */
export function askCatalog(): Promise<void> {
  if (asking) {
    after ??= asking.then(() => {
      after = undefined
      return askCatalog()
    })
    return after
  }
  asking = readCatalog().finally(() => {
    asking = undefined
  })
  return asking
}

async function readCatalog(): Promise<void> {
  try {
    const first = await client.types.list({ queryParams: { limit: PAGE_SIZE } })
    const all = [...first.results]
    for (let nextPageKey = first.nextPageKey; nextPageKey !== null; ) {
      const page = await client.types.list({ queryParams: { limit: PAGE_SIZE, nextPageKey } })
      all.push(...page.results)
      ;({ nextPageKey } = page)
    }
    catalog.value = {
      roots: first.entityTypes,
      types: new Map(all.map(type => [type.typePath, type])),
    }
    catalogFault.value = undefined
  } catch (error) {
    catalogFault.value = error
  }
}

/** The type of the path, or of the nearest described path above it. */
export function typeOf(typePath: string): EntityType | undefined {
  const parts = typePath.split(':')
  for (let length = parts.length; length > 0; length--) {
    const found = catalog.value?.types.get(parts.slice(0, length).join(':'))
    if (found) return found
  }
  return undefined
}

/** As the type of an entity has it: another type may have another of the same name. */
export function propertyOf(typePath: string, slug: string): TypeProperty | undefined {
  const type = typeOf(typePath)
  if (!type) return undefined
  const known = bySlug.get(type) ?? new Map((type.properties ?? []).map(each => [each.slug, each]))
  bySlug.set(type, known)
  return known.get(slug)
}

const bySlug = new WeakMap<EntityType, ReadonlyMap<string, TypeProperty>>()

/** Every live property that an entity of this entity type may have, those of the root first. */
export const propertiesBelow = (root: string): TypeProperty[] =>
  unitedProperties(
    [...(catalog.value?.types.values() ?? [])].filter(
      ({ typePath }) => typePath === root || typePath.startsWith(`${root}:`),
    ),
  )

/** Where types describe a property that holds ids of any entities: by entity type and property. */
export function describedReferences(): { entityName: string; property: string }[] {
  const roots = catalog.value?.roots ?? []
  return roots.flatMap(({ entityType, rootTypePath }) =>
    propertiesBelow(rootTypePath)
      .filter(({ propertyType }) => propertyType === 'object_reference' || propertyType === 'object_ref_list')
      .map(({ slug }) => ({ entityName: entityType, property: slug })),
  )
}

export const rootByPath = (path: string) => catalog.value?.roots.find(root => root.path === path)
export const rootByName = (name: string) => catalog.value?.roots.find(root => root.entityType === name)

/** `custom-entities` → `Custom entities`. */
export function titleOf(path: string): string {
  const words = path.replaceAll('-', ' ').replace(/^event workflow/, 'workflow')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function optionsOf(property: TypeProperty): { value: string; label: string }[] {
  return (property.options ?? []).map(option =>
    typeof option === 'string'
      ? { value: option, label: option }
      : { value: option.value, label: option.label ?? option.value },
  )
}

// The entity types there are, and what the organization has described of them; asked once, and again after a change.
import { signal } from '@preact/signals'
import type { EntityType, RootType, TypeProperty } from '../../typescript/index.ts'
import { client } from './session.ts'

export interface Catalog {
  roots: readonly RootType[]
  /** By type path, with what they inherit. */
  types: ReadonlyMap<string, EntityType>
}

export const catalog = signal<Catalog | undefined>(undefined)
export const catalogFault = signal<unknown>(undefined)
let asking: Promise<void> | undefined

export function askCatalog(): Promise<void> {
  asking ??= readCatalog().finally(() => {
    asking = undefined
  })
  return asking
}

async function readCatalog(): Promise<void> {
  try {
    const page = await client.types.list({ queryParams: { limit: 1000 } })
    catalog.value = {
      roots: page.entityTypes,
      types: new Map(page.results.map(type => [type.typePath, type])),
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

/** Every live property that an entity of this entity type may have, those of the root first. */
export function propertiesBelow(root: string): TypeProperty[] {
  const found = new Map<string, TypeProperty>()
  const types = [...(catalog.value?.types.values() ?? [])]
    .filter(({ typePath }) => typePath === root || typePath.startsWith(`${root}:`))
    .sort((a, b) => a.typePath.split(':').length - b.typePath.split(':').length)
  for (const { properties } of types) {
    for (const property of properties ?? []) {
      if (!property.archived && !found.has(property.slug)) found.set(property.slug, property)
    }
  }
  return [...found.values()]
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

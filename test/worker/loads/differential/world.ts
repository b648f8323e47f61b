// What the model knows: definitions, files, and the entities that loads leave behind. Entities go by their federatedIds;
// an id that a property refers to is written as the federatedId of what it names.
export type Properties = Record<string, unknown>

export interface Definition {
  slug: string
  label: string
  propertyType: string
  level: 'family' | 'option' | 'all' | 'override'
  options?: { value: string; label: string }[]
  archived?: true
}

export type Types = Record<string, Definition[]>

export interface Item {
  typePath: string
  name: string
  family: string | null
  optionName: string | null
  optionGroup: string | null
  properties: Properties
}

export interface Other {
  typePath: string
  name: string
  properties: Properties
}

export interface World {
  items: Record<string, Item>
  projectItems: Record<string, Properties>
  /** By assortment, then by item. */
  members: Record<string, Record<string, Properties>>
  /** Colors, custom entities and size range templates, by kind and federatedId. */
  others: Record<string, Other>
}

export const emptyWorld = (): World => ({ items: {}, projectItems: {}, members: { A1: {}, A2: {} }, others: {} })

export const copyOf = (world: World): World => structuredClone(world)

/** A conditional column in parts, so that the model need not parse expressions. */
export interface Conditional {
  toProperty: string
  fromProperty?: string
  when?: { column: string; equals: string; value: unknown }
  default?: unknown
}

export interface Split {
  column: string
  values: Record<string, string>
  isPartial: boolean
  addField?: string
  dropField?: string
}

export interface File {
  loadType: string[]
  header: string[]
  rows: string[][]
  mappings: Record<string, string>
  removed: string[]
  conditionals: Conditional[]
  split?: Split
}

/** A type path has its own definitions and those of the paths above it; the nearest one of a slug holds. */
export function definitionsOf(types: Types, typePath: string): Definition[] {
  const words = typePath.split(':')
  const bySlug = new Map<string, Definition>()
  for (let length = 1; length <= words.length; length++) {
    for (const definition of types[words.slice(0, length).join(':')] ?? []) bySlug.set(definition.slug, definition)
  }
  return [...bySlug.values()]
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Sets what is given; null clears. */
export function put(properties: Properties, given: Properties): void {
  for (const [slug, value] of Object.entries(given)) {
    if (value === null) delete properties[slug]
    else if (value !== undefined) properties[slug] = value
  }
}

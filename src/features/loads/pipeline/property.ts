// What the pipeline needs to know of a type: its properties, those of the paths above it included (N20).

export type PropertyType =
  | 'string'
  | 'text'
  | 'number'
  | 'currency'
  | 'percent'
  | 'boolean'
  | 'date'
  | 'choice'
  | 'multi_select'
  | 'url'
  | 'object_reference'
  | 'object_ref_list'
  | 'json'

export type Level = 'family' | 'option' | 'all' | 'override'

export interface Property {
  slug: string
  label: string
  propertyType: PropertyType
  options: readonly { value: string; label: string }[]
  level: Level
  archived: boolean
  required: boolean
}

/** The properties of a type path, inheritance resolved; none where nothing is defined. */
export type TypeSource = (typePath: string) => readonly Property[]

/** The entity types that a load can write. */
export type Target = 'item' | 'project-item' | 'assortment-item' | 'color' | 'custom-entity' | 'size-range-template'

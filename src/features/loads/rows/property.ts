// What the pipeline needs to know of a type: its properties, those of the paths above it included (N20).
import type { PropertyDefinition } from '../../types/contract.ts'

export type PropertyType = PropertyDefinition['propertyType']
export type Level = NonNullable<PropertyDefinition['level']>

export interface Property {
  slug: string
  label: string
  propertyType: PropertyType
  /** Null: any text will do. */
  options: readonly { value: string; label: string }[] | null
  level: Level
  archived: boolean
  required: boolean
}

/** A property that options have from their families; fixed: they cannot have another value. */
export interface Inherited {
  slug: string
  isFixed: boolean
  /** Whether the type takes such a value: a family may be of another type. */
  fits(value: unknown): boolean
}

/** The properties of a type path, inheritance resolved; none where nothing is defined. */
export type TypeSource = (typePath: string) => readonly Property[]

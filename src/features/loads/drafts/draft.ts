// What a chunk of rows amounts to: entities to write, by federatedId. The write phase finds out which of them exist.
import type { Target } from '../rows/property.ts'
import type { Properties } from './row-values.ts'

export interface Draft {
  target: Target
  /** federatedId of the entity; for project and assortment items that of their item. */
  key: string
  line: number
  /** What the file says; null clears. */
  set: Properties
  /** What only a new entity gets. */
  make: Properties
  /** federatedId of an option's family. */
  family?: string
  assortmentId?: string
  /** Update a member, never add one. */
  membership?: 'keep'
  /** An earlier row has spoken for the same entity. */
  follows?: true
}

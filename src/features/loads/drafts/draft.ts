// What a chunk of rows amounts to: entities to write, by federatedId. The write phase finds out which of them exist.
import type { LoadTarget } from '../targets.ts'
import type { Properties } from './row-values.ts'

export interface Draft {
  target: LoadTarget
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
  /** Update a member; add one only where another row adds it. */
  membership?: 'keep'
  /** Id of the family that a stored option has so far, where the file gives it another one. */
  movedFrom?: string
}

/** An entity within its load, by its entity type, its assortment and its item. */
export function draftKey({ target, assortmentId = '', key }: Pick<Draft, 'target' | 'assortmentId' | 'key'>): string {
  return `${target.name}\n${assortmentId}\n${key}`
}

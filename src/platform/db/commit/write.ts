// What can be written. A write without its change record must say so (`unrecorded`).
import type { CreateWrite, DeleteWrite, Properties, UpdateWrite, Write } from '../../kind.ts'
import type { PropertyColumn } from '../schema/entities.ts'

export type { CreateWrite, DeleteWrite, Properties, UpdateWrite, Write }

/** With its place in the caller's list, which faults name, and its fields as the text that goes to the database. */
export type Placed<W extends Write = Write> = W & { index: number; json: string }

export function isRecorded({ kind, unrecorded }: Write): boolean {
  return kind.recorded && !unrecorded
}

/** Kept out of the history, but not forgotten: see `unrecordedChanges`. */
export function isKeptAside({ kind, unrecorded }: Write): boolean {
  return kind.recorded && unrecorded === true
}

/** What a write says of its entity; a delete says nothing. */
export function fieldsOf(write: Write): Properties {
  return write.op === 'create' ? write.data : write.op === 'update' ? write.patch : {}
}

/** An id that must name an entity (of any type where `kind` is null), with where it stands in the body. */
export type ReferenceCheck = [index: number, pointer: string, kind: string | null, id: string]

/** Of all writes: a bulk write has many, most of which refer to nothing. */
export function referencesIn(writes: readonly Placed[]): ReferenceCheck[] {
  const checks: ReferenceCheck[] = []
  for (const write of writes) {
    const fields = fieldsOf(write)
    for (const { field, target, list } of write.kind.references) {
      const value = fields[field]
      if (typeof value === 'string') checks.push([write.index, field, target, value])
      else if (list && Array.isArray(value)) {
        for (const [at, id] of value.entries()) checks.push([write.index, `${field}/${at}`, target, String(id)])
      }
    }
  }
  return checks
}

/** A reference that nothing may be deeper than, with its column. */
export interface FlatReference {
  write: Placed
  field: PropertyColumn
  id: string
}

export function flatReferencesIn(writes: readonly Placed[]): FlatReference[] {
  const found: FlatReference[] = []
  for (const write of writes) {
    const fields = fieldsOf(write)
    for (const { field, isFlat, list } of write.kind.references) {
      const id = fields[field]
      if (isFlat && !list && typeof id === 'string') found.push({ write, field, id })
    }
  }
  return found
}

/** Where no value is an object, SQLite's own merge does what N14 asks for, and is cheap. */
export function isFlat(patch: Properties): boolean {
  return Object.values(patch).every(value => typeof value !== 'object' || value === null || Array.isArray(value))
}

// What can be written. A write without its change record must say so (`unrecorded`).
import type { Kind } from '../../kind.ts'
import type { PropertyColumn } from '../schema/entities.ts'

export type Properties = Record<string, unknown>

interface WriteOf<Op extends string> {
  op: Op
  kind: Kind
  id: string
  unrecorded?: true
}

export type CreateWrite = WriteOf<'create'> & { data: Properties }
/** The top-level fields to replace, each whole; `null` clears one (N14). */
export type UpdateWrite = WriteOf<'update'> & { patch: Properties; versions?: readonly number[] | undefined }
export type DeleteWrite = WriteOf<'delete'> & { versions?: readonly number[] | undefined }
export type Write = CreateWrite | UpdateWrite | DeleteWrite

/** With its place in the caller's list, which faults name, and its fields as the text that goes to the database. */
export type Placed<W extends Write = Write> = W & { index: number; json: string }

export function isRecorded({ kind, unrecorded }: Write): boolean {
  return kind.recorded && !unrecorded
}

/** What a write says of its entity; a delete says nothing. */
export function fieldsOf(write: Write): Properties {
  return write.op === 'create' ? write.data : write.op === 'update' ? write.patch : {}
}

/** An id that must name an entity (of any type where `kind` is null), with where it stands in the body. */
export type ReferenceCheck = [index: number, pointer: string, kind: string | null, id: string]

export function referencesIn(write: Placed): ReferenceCheck[] {
  const fields = fieldsOf(write)
  return write.kind.references.flatMap(({ field, target, list }) => {
    const value = fields[field]
    if (list && Array.isArray(value)) {
      return value.map((id, at): ReferenceCheck => [write.index, `${field}/${at}`, target, String(id)])
    }
    return typeof value === 'string' ? [[write.index, field, target, value]] : []
  })
}

/** The references of a write that nothing may be deeper than, with their column. */
export function flatReferencesIn(write: Placed): { field: PropertyColumn; id: string }[] {
  const fields = fieldsOf(write)
  return write.kind.references.flatMap(({ field, isFlat, list }) => {
    const id = fields[field]
    return isFlat && !list && typeof id === 'string' ? [{ field, id }] : []
  })
}

/** Where no value is an object, SQLite's own merge does what N14 asks for, and is cheap. */
export function isFlat(patch: Properties): boolean {
  return Object.values(patch).every(value => typeof value !== 'object' || value === null || Array.isArray(value))
}

// What a bulk edit writes, or why it cannot be sent yet: an empty field clears nothing unless the person says so. Pure.
import type { TypeProperty } from '../../typescript/index.ts'
import { parseCell } from './cell-text.ts'

export interface BulkDraft {
  slug: string
  text: string
  /** Clear the property instead of setting it. */
  isClearing: boolean
}

export type BulkChange = { value: unknown } | { missing: string } | { fault: string }

export function bulkChange(
  { slug, text, isClearing }: BulkDraft,
  field: TypeProperty | undefined,
  sample: unknown,
): BulkChange {
  if (slug === '') return { missing: 'Choose a property.' }
  if (isClearing) return { value: null }
  if (text.trim() === '') return { missing: 'Enter the new value, or choose to clear it.' }
  return parseCell(text, field, sample)
}

// Cells of a grid as texts: what a paste, a fill or a key writes into them, and what a copy takes from them.
import type { Entity } from '../../typescript/index.ts'
import { cellText, parseCell, parseLike } from './cell-text.ts'
import { type Column, fieldIn } from './columns.ts'
import type { Block } from './filled-block.ts'
import type { Change } from './grid-edits.ts'
import { ownValue } from './own-value.ts'
import { sameValue } from './same-value.ts'
import type { GridEdits } from './use-grid-edits.ts'

export function changeOf(row: Entity, column: Column, text: string): Change {
  const before = ownValue(row, column.slug)
  const field = fieldIn(column, row)
  const parsed = before == null ? parseLike(text, field, column.sample) : parseCell(text, field, before)
  const ofCell = { id: row.id, slug: column.slug }
  const compared = { before: { value: before ?? null } }
  if ('fault' in parsed) return { ...ofCell, edit: { value: text, text, fault: parsed.fault, ...compared } }
  return { ...ofCell, edit: sameValue(parsed.value, before) ? undefined : { value: parsed.value, ...compared } }
}

export const blockOf = (rows: number, columns: number, text: string) =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => text))

/** Of a block, as it is shown: with what is not saved yet. */
export function textsOf(
  block: Block,
  rows: readonly Entity[],
  columns: readonly Column[],
  { edits }: GridEdits,
): string[][] {
  return rows.slice(block.top, block.bottom + 1).map(row =>
    columns.slice(block.left, block.right + 1).map(column => {
      const edit = edits.get(row.id)?.get(column.slug)
      return edit?.text ?? cellText(edit ? edit.value : ownValue(row, column.slug), fieldIn(column, row))
    }),
  )
}

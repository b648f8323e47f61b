// One row of the grid, drawn again only where something of it changed: a step by an arrow key costs two rows, not all.
import type { RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Entity } from '../../typescript/index.ts'
import { to } from '../state/address.ts'
import type { Column } from '../state/columns.ts'
import type { Edit } from '../state/grid-edits.ts'
import { type Editing, type Finish, gridCell } from './grid-cell.tsx'

export interface RowActs {
  toggle(id: string): void
  finish: Finish
  resolve(keep: 'mine' | 'theirs', cell: { id: string; slug: string }): void
}

interface GridRowProps {
  row: Entity
  rowAt: number
  path: string
  columns: readonly Column[]
  edits: ReadonlyMap<string, Edit> | undefined
  isSelected: boolean
  isChild: boolean
  /** The column that has the focus, or -1. */
  here: number
  /** The first and last marked column, or -1. */
  markedFrom: number
  markedTo: number
  /** The column of the fill handle, or -1. */
  fillAt: number
  editing: Editing | undefined
  /** Those of the last drawing of the grid. */
  acts: RefObject<RowActs>
}

export function GridRow(props: GridRowProps) {
  return useMemo(() => drawn(props), Object.values(props))
}

function drawn(props: GridRowProps) {
  const { row, rowAt, path, columns, edits, isSelected, isChild, here, markedFrom, markedTo, fillAt, editing, acts } =
    props
  const finish: Finish = (...taken) => acts.current.finish(...taken)
  return (
    <tr aria-selected={isSelected} aria-rowindex={rowAt + 2}>
      <td class="check pin">
        <input
          type="checkbox"
          aria-label={`Select ${row.name ?? row.id}`}
          checked={isSelected}
          onChange={() => acts.current.toggle(row.id)}
        />
      </td>
      {columns.map((column, columnAt) =>
        gridCell({
          row,
          column,
          place: `${rowAt}-${columnAt}`,
          edit: edits?.get(column.slug),
          href: columnAt === 0 ? to.entity(path, row.id) : undefined,
          isChild: column.slug === 'name' && isChild,
          isHere: here === columnAt,
          isMarked: markedFrom <= columnAt && columnAt <= markedTo,
          editing: editing?.slug === column.slug ? editing : undefined,
          isFillable: fillAt === columnAt,
          finish,
          resolve: keep => acts.current.resolve(keep, { id: row.id, slug: column.slug }),
        }),
      )}
    </tr>
  )
}

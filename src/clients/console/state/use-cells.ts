// Moving among the cells of a grid by keyboard: one cell has the focus, a rectangle may be marked from it.
import { useState } from 'preact/hooks'

export interface Place {
  row: number
  column: number
}

export interface Cells {
  at: Place
  /** The first and last marked column of a row; -1 where none is. */
  markedIn(row: number): { markedFrom: number; markedTo: number }
  /** The marked rectangle, both ends included. */
  block: { top: number; left: number; bottom: number; right: number }
  goTo(place: Place, isExtending?: boolean): void
  /** Marks a rectangle; its first cell gets the focus. */
  mark(block: Cells['block']): void
  move(rows: number, columns: number, isExtending?: boolean): void
}

interface Row {
  id: string
}

interface Held extends Place {
  id: string | undefined
}

const within = (value: number, most: number) => Math.max(0, Math.min(value, most))

/** Rows that come or go move the others: a cell stays with its row. */
function placeIn(rows: readonly Row[], held: Held): Place {
  if (rows[held.row]?.id === held.id) return held
  const row = rows.findIndex(({ id }) => id === held.id)
  return { row: row < 0 ? within(held.row, rows.length - 1) : row, column: held.column }
}

export function useCells(rows: readonly Row[], columns: number): Cells {
  const first: Held = { row: 0, column: 0, id: rows[0]?.id }
  const [heldAt, setAt] = useState(first)
  const [heldFrom, setFrom] = useState(first)
  const at = placeIn(rows, heldAt)
  const from = placeIn(rows, heldFrom)
  const block = {
    top: Math.min(at.row, from.row),
    left: Math.min(at.column, from.column),
    bottom: Math.max(at.row, from.row),
    right: Math.max(at.column, from.column),
  }
  const goTo = (place: Place, isExtending = false) => {
    const row = within(place.row, rows.length - 1)
    const next = { row, column: within(place.column, columns - 1), id: rows[row]?.id }
    setAt(next)
    if (!isExtending) setFrom(next)
  }
  return {
    at,
    block,
    markedIn: row => {
      const isBlock = block.top !== block.bottom || block.left !== block.right
      const isIn = isBlock && row >= block.top && row <= block.bottom
      return isIn ? { markedFrom: block.left, markedTo: block.right } : { markedFrom: -1, markedTo: -1 }
    },
    goTo,
    mark: ({ top, left, bottom, right }) => {
      setAt({ row: top, column: left, id: rows[top]?.id })
      setFrom({ row: bottom, column: right, id: rows[bottom]?.id })
    },
    move: (rowsOn, columnsOn, isExtending) =>
      goTo({ row: at.row + rowsOn, column: at.column + columnsOn }, isExtending),
  }
}

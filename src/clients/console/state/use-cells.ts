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
  move(rows: number, columns: number, isExtending?: boolean): void
}

const within = (value: number, most: number) => Math.max(0, Math.min(value, most))

export function useCells(rows: number, columns: number): Cells {
  const [at, setAt] = useState<Place>({ row: 0, column: 0 })
  const [from, setFrom] = useState<Place>({ row: 0, column: 0 })
  const block = {
    top: Math.min(at.row, from.row),
    left: Math.min(at.column, from.column),
    bottom: Math.max(at.row, from.row),
    right: Math.max(at.column, from.column),
  }
  const goTo = (place: Place, isExtending = false) => {
    const next = { row: within(place.row, rows - 1), column: within(place.column, columns - 1) }
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
    move: (rowsOn, columnsOn, isExtending) =>
      goTo({ row: at.row + rowsOn, column: at.column + columnsOn }, isExtending),
  }
}

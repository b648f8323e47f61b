// What the fill handle writes: the marked cells again and again, over the cells that it was dragged to. Pure.

export interface Block {
  top: number
  left: number
  bottom: number
  right: number
}

/** From a block to a cell outside of it: down or up, or to a side, whichever is farther. */
export function extendedBlock(block: Block, row: number, column: number): Block {
  const rowsOut = Math.max(block.top - row, row - block.bottom, 0)
  const columnsOut = Math.max(block.left - column, column - block.right, 0)
  if (rowsOut === 0 && columnsOut === 0) return block
  return rowsOut >= columnsOut
    ? { ...block, top: Math.min(block.top, row), bottom: Math.max(block.bottom, row) }
    : { ...block, left: Math.min(block.left, column), right: Math.max(block.right, column) }
}

const modulo = (value: number, by: number) => ((value % by) + by) % by

/** Texts for every cell of `to`, which contains `from`; the pattern of `from` goes on in both directions. */
export function filledBlock(texts: readonly (readonly string[])[], from: Block, to: Block): string[][] {
  const rows = from.bottom - from.top + 1
  const columns = from.right - from.left + 1
  return Array.from({ length: to.bottom - to.top + 1 }, (_, down) =>
    Array.from({ length: to.right - to.left + 1 }, (_, across) => {
      const line = texts[modulo(to.top + down - from.top, rows)]
      return line?.[modulo(to.left + across - from.left, columns)] ?? ''
    }),
  )
}

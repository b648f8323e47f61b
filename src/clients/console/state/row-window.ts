// Which rows of a long list are drawn: those that can be seen, some around them, and the one that has the focus. Pure.

export interface Seen {
  scrollTop: number
  height: number
  rowHeight: number
  count: number
}

/** From the first row to before the last one, with the height of the rows left out above. */
export interface RowPiece {
  from: number
  to: number
  /** Rows left out since the piece before. */
  gap: number
}

/** Rows beyond both edges; the window moves in steps of as many, so that most scroll events draw nothing. */
const AROUND = 8

export function rowsSeen({ scrollTop, height, rowHeight, count }: Seen): { from: number; to: number } {
  const first = Math.floor(scrollTop / rowHeight / AROUND) * AROUND
  const shown = Math.ceil(height / rowHeight) + AROUND
  return { from: Math.max(0, Math.min(first - AROUND, count)), to: Math.min(count, first + shown + AROUND) }
}

/** The row with the focus stays drawn wherever it is: the focus would be lost with it. */
export function rowPieces({ from, to }: { from: number; to: number }, focused: number, count: number): RowPiece[] {
  const isOutside = focused >= 0 && focused < count && (focused < from || focused >= to)
  const alone = { from: focused, to: focused + 1 }
  const pieces = !isOutside ? [{ from, to }] : focused < from ? [alone, { from, to }] : [{ from, to }, alone]
  return pieces.map((piece, at) => ({ ...piece, gap: piece.from - (pieces[at - 1]?.to ?? 0) }))
}

/** Where to scroll so that a row stands between the head and the lower edge; undefined where it does already. */
export function scrollFor(row: number, { scrollTop, height, rowHeight }: Omit<Seen, 'count'>): number | undefined {
  const top = row * rowHeight
  if (top < scrollTop) return top
  const lowest = height - 2 * rowHeight
  return top > scrollTop + lowest ? top - lowest : undefined
}

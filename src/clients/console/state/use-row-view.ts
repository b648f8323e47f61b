// The part of a grid that can be seen: which rows are drawn, and when the next page is read.
import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { rowsSeen, scrollFor } from './row-window.ts'

export interface RowView {
  box: RefObject<HTMLDivElement | null>
  seen: { from: number; to: number }
  rowHeight: number
  onScroll(): void
  /** Scrolls as far as it takes to see the row. */
  show(row: number): void
}

/** Read by then, so that people seldom see the end of what is there. */
const ROWS_AHEAD = 40
const ROW_PX = 32

export function useRowView(count: number, more: (() => Promise<void>) | undefined): RowView {
  const box = useRef<HTMLDivElement>(null)
  // Until the box is measured: what the window shows at most.
  const [at, setAt] = useState({ scrollTop: 0, height: window.innerHeight, rowHeight: ROW_PX })
  const isReading = useRef(false)
  const measure = useCallback(() => {
    const element = box.current
    if (!element) return
    const rowHeight = element.querySelector('tbody tr:not(.gap)')?.getBoundingClientRect().height || ROW_PX
    const next = { scrollTop: element.scrollTop, height: element.clientHeight, rowHeight }
    // Most scrolling draws the same rows.
    setAt(before => {
      const [old, now] = [rowsSeen({ ...before, count }), rowsSeen({ ...next, count })]
      const isSame = old.from === now.from && old.to === now.to && before.rowHeight === rowHeight
      return isSame ? before : next
    })
  }, [count])
  useLayoutEffect(() => {
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [measure])
  const seen = rowsSeen({ ...at, count })
  useLayoutEffect(() => {
    if (!more || isReading.current || seen.to + ROWS_AHEAD < count) return
    isReading.current = true
    void more().finally(() => {
      isReading.current = false
    })
  }, [seen.to, count, more !== undefined])
  const show = (row: number) => {
    const element = box.current
    if (!element) return
    const { scrollTop, clientHeight: height } = element
    const top = scrollFor(row, { scrollTop, height, rowHeight: at.rowHeight })
    if (top !== undefined) element.scrollTop = top
  }
  return { box, seen, rowHeight: at.rowHeight, onScroll: measure, show }
}

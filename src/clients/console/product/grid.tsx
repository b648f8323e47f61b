// The grid: rows of entities, edited in place. Enter edits, Escape leaves, Tab moves on, Ctrl Enter opens the entity, a block can be
// copied, pasted, and dragged over others.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Entity } from '../../typescript/index.ts'
import { to } from '../state/address.ts'
import { blockText, parseBlock } from '../state/cell-text.ts'
import type { Column } from '../state/columns.ts'
import { beginsByLetter } from '../state/editor-kind.ts'
import { type Block, extendedBlock, filledBlock } from '../state/filled-block.ts'
import { counted } from '../state/format.ts'
import { blockOf, changeOf, textsOf } from '../state/grid-texts.ts'
import { rowPieces } from '../state/row-window.ts'
import { tell } from '../state/toasts.ts'
import { type Place, useCells } from '../state/use-cells.ts'
import type { GridEdits } from '../state/use-grid-edits.ts'
import { useRowView } from '../state/use-row-view.ts'
import { type Editing, editedIn } from './grid-cell.tsx'
import { GridHead } from './grid-head.tsx'
import { GridRow, type RowActs } from './grid-row.tsx'

interface GridProps {
  path: string
  label: string
  columns: readonly Column[]
  rows: readonly Entity[]
  edits: GridEdits
  order: string | undefined
  sortBy(slug: string): void
  selected: ReadonlySet<string>
  select(ids: ReadonlySet<string>): void
  canWrite: boolean
  /** Reads the next page; undefined where all rows are there. */
  more: (() => Promise<void>) | undefined
}

export function Grid(props: GridProps) {
  const { path, label, columns, rows, edits, selected, select, canWrite, more } = props
  const { route } = useLocation()
  const cells = useCells(rows, columns.length)
  const [editing, setEditing] = useState<Editing | undefined>(undefined)
  const body = useRef<HTMLTableSectionElement>(null)
  const view = useRowView(rows.length, more)
  /** What the fill handle is dragged from. */
  const filling = useRef<Block | undefined>(undefined)
  const isDragging = useRef(false)
  const wantsFocus = useRef(false)
  const { at } = cells
  useLayoutEffect(() => {
    if (!wantsFocus.current || editing) return
    wantsFocus.current = false
    view.show(at.row)
    body.current?.querySelector<HTMLElement>(`[data-cell="${at.row}-${at.column}"]`)?.focus()
  }, [at.row, at.column, editing])

  const move = (rowsOn: number, columnsOn: number, isExtending = false) => {
    wantsFocus.current = true
    cells.move(rowsOn, columnsOn, isExtending)
  }
  /** How many cells of the block have no place. */
  const setCells = (top: number, left: number, block: readonly (readonly string[])[]): number => {
    const changes = block.flatMap((line, rowOn) =>
      line.flatMap((text, columnOn) => {
        const row = rows[top + rowOn]
        const column = columns[left + columnOn]
        return row && column && !column.isReadOnly ? [changeOf(row, column, text)] : []
      }),
    )
    edits.change(changes)
    return block.flat().length - changes.length
  }
  const finish: RowActs['finish'] = (text, { rowsOn = 0, columnsOn = 0, isLeft = false } = {}) => {
    // Of the cell that it was begun in, wherever one is by now.
    const row = rows.find(({ id }) => id === editing?.id)
    const column = columns.find(({ slug }) => slug === editing?.slug)
    if (text !== undefined && row && column) edits.change([changeOf(row, column, text)])
    wantsFocus.current = !isLeft
    setEditing(undefined)
    if (rowsOn !== 0 || columnsOn !== 0) cells.move(rowsOn, columnsOn)
  }
  /** Whether there is something to edit, and it can begin so. */
  const edit = (begin?: string): boolean => {
    const row = rows[at.row]
    const column = columns[at.column]
    if (!canWrite || !row || !column || column.isReadOnly) return false
    if (begin !== undefined && !beginsByLetter(editedIn(column, row))) return false
    setEditing({ id: row.id, slug: column.slug, begin })
    return true
  }
  const latest: RowActs = {
    toggle: id => select(toggled(selected, id)),
    finish,
    resolve: edits.resolve,
  }
  const acts = useRef(latest)
  acts.current = latest
  // One listener for all cells: they are many.
  const onFocus = (event: FocusEvent) => {
    const place = placeOf(event)
    if (place && (place.row !== at.row || place.column !== at.column)) cells.goTo(place)
  }
  const onMouseDown = (event: MouseEvent) => {
    const place = event.button === 0 && !isControl(event.target) ? placeOf(event) : undefined
    if (!place) return
    if (event.target instanceof Element && event.target.classList.contains('fill')) {
      // The focus stays where it is.
      event.preventDefault()
      filling.current = cells.block
      return
    }
    isDragging.current = true
    if (event.shiftKey) cells.goTo(place, true)
  }
  const onPointerOver = (event: PointerEvent) => {
    const place = event.buttons === 1 ? placeOf(event) : undefined
    if (!place) return
    if (filling.current) cells.mark(extendedBlock(filling.current, place.row, place.column))
    else if (isDragging.current) cells.goTo(place, true)
  }
  const onMouseUp = () => {
    const from = filling.current
    isDragging.current = false
    filling.current = undefined
    if (!from) return
    const texts = textsOf(from, rows, columns, edits)
    setCells(cells.block.top, cells.block.left, filledBlock(texts, from, cells.block))
  }
  const onDblClick = (event: MouseEvent) => {
    if (placeOf(event)) edit()
  }
  const onKey = (event: KeyboardEvent) => {
    // A button in a cell has its own keys, and the box before a row is no cell.
    if (editing || isControl(event.target) || !placeOf(event)) return
    const way = ARROWS[event.key]
    if (way) {
      event.preventDefault()
      move(way[0], way[1], event.shiftKey)
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey || event.altKey)) {
      event.preventDefault()
      const row = rows[at.row]
      if (row) route(to.entity(path, row.id))
    } else if (canWrite && (event.key === 'Enter' || event.key === 'F2')) {
      event.preventDefault()
      edit()
    } else if (canWrite && event.key === 'Delete') {
      const { top, left, bottom, right } = cells.block
      setCells(top, left, blockOf(bottom - top + 1, right - left + 1, ''))
    } else if (canWrite && event.key === 'd' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      const from = { ...cells.block, bottom: cells.block.top }
      setCells(from.top, from.left, filledBlock(textsOf(from, rows, columns, edits), from, cells.block))
    } else if (isLetter(event) && edit(event.key)) event.preventDefault()
  }
  const onCopy = (event: ClipboardEvent) => {
    if (editing) return
    event.preventDefault()
    event.clipboardData?.setData('text/plain', blockText(textsOf(cells.block, rows, columns, edits)))
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    // A picture is no text.
    if (editing || !canWrite || text === '') return
    event.preventDefault()
    const { top, left } = cells.block
    const unplaced = setCells(top, left, parseBlock(text))
    if (unplaced > 0) tell(`${counted(unplaced, 'cell')} did not fit: the rows or columns end here, or are read only.`)
  }
  const { bottom, right } = cells.block
  const width = columns.reduce((sum, column) => sum + column.width, CHECK_PX)
  const pieces = rowPieces(view.seen, at.row, rows.length)
  const below = rows.length - (pieces.at(-1)?.to ?? 0)
  return (
    <div class="grid-scroll" ref={view.box} onScroll={view.onScroll}>
      <table
        class="grid"
        {...GRID}
        style={{ width: `max(100%, ${width}px)` }}
        aria-label={label}
        aria-description={KEYS}
        aria-rowcount={more ? -1 : rows.length + 1}
        onCopy={onCopy}
        onPaste={onPaste}
      >
        <colgroup>
          <col style={{ width: `${CHECK_PX}px` }} />
          {columns.map(column => (
            <col key={column.slug} style={{ width: `${column.width}px` }} />
          ))}
        </colgroup>
        <GridHead {...props} />
        <tbody
          ref={body}
          onKeyDown={onKey}
          onFocusIn={onFocus}
          onMouseDown={onMouseDown}
          onPointerOver={onPointerOver}
          onMouseUp={onMouseUp}
          onDblClick={onDblClick}
        >
          {pieces.flatMap(({ from, to, gap }) => [
            gap > 0 && <Gap key={`before ${from}`} height={gap * view.rowHeight} />,
            ...rows
              .slice(from, to)
              .map((row, index) => (
                <GridRow
                  key={row.id}
                  {...{ row, path, columns, acts }}
                  rowAt={from + index}
                  edits={edits.edits.get(row.id)}
                  isSelected={selected.has(row.id)}
                  isChild={isUnderFamily(rows, from + index)}
                  here={at.row === from + index ? at.column : -1}
                  {...cells.markedIn(from + index)}
                  fillAt={canWrite && bottom === from + index ? right : -1}
                  editing={editing?.id === row.id ? editing : undefined}
                />
              )),
          ])}
          {below > 0 && <Gap height={below * view.rowHeight} />}
        </tbody>
      </table>
    </div>
  )
}

const CHECK_PX = 36

/** Stands for rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return (
    <tr class="gap">
      <td style={{ height: `${height}px` }} />
    </tr>
  )
}

const isControl = (target: EventTarget | null) =>
  target instanceof HTMLButtonElement ||
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement

const KEYS = 'Enter edits, Ctrl Enter opens, Delete clears, Shift and arrows mark, Ctrl Z takes back.'

/** A table whose cells are moved among by arrows. */
const GRID = { role: 'grid' } as const

/** Of the cell that it happened in, or inside of which. */
function placeOf({ target }: Event): Place | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]')?.dataset.cell : undefined
  const [row, column] = cell?.split('-').map(Number) ?? []
  return row === undefined || column === undefined ? undefined : { row, column }
}

const ARROWS: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -1000],
  End: [0, 1000],
  PageUp: [-20, 0],
  PageDown: [20, 0],
}

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

function toggled(selected: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** An option that stands below its family, or below another option of it. */
function isUnderFamily(rows: readonly Entity[], at: number): boolean {
  const family = rows[at]?.itemFamilyId
  const above = rows[at - 1]
  return typeof family === 'string' && (above?.id === family || above?.itemFamilyId === family)
}

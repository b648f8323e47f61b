// The grid: rows of entities, edited in place. Enter edits, Escape leaves, Tab moves on, Ctrl Enter opens the entity, a block can be
// copied and pasted.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Entity } from '../../typescript/index.ts'
import { to } from '../state/address.ts'
import { blockText, cellText, parseBlock, parseCell, parseLike } from '../state/cell-text.ts'
import { type Column, fieldIn } from '../state/columns.ts'
import { beginsByLetter } from '../state/editor-kind.ts'
import { counted } from '../state/format.ts'
import type { Change } from '../state/grid-edits.ts'
import { ownValue } from '../state/own-value.ts'
import { sameValue } from '../state/same-value.ts'
import { tell } from '../state/toasts.ts'
import { type Cells, type Place, useCells } from '../state/use-cells.ts'
import type { GridEdits } from '../state/use-grid-edits.ts'
import { usePainted } from '../state/use-painted.ts'
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
}

export function Grid(props: GridProps) {
  const { path, label, columns, rows, edits, selected, select, canWrite } = props
  const { route } = useLocation()
  const cells = useCells(rows, columns.length)
  const [editing, setEditing] = useState<Editing | undefined>(undefined)
  const body = useRef<HTMLTableSectionElement>(null)
  const wantsFocus = useRef(false)
  const { at } = cells
  useLayoutEffect(() => {
    if (!wantsFocus.current || editing) return
    wantsFocus.current = false
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
  }
  const acts = useRef(latest)
  acts.current = latest
  const drawn = useRowsDrawn(rows.length)
  // One listener for all cells: they are many.
  const onFocus = (event: FocusEvent) => {
    const place = placeOf(event)
    if (place && (place.row !== at.row || place.column !== at.column)) cells.goTo(place)
  }
  const onMouseDown = (event: MouseEvent) => {
    const place = event.shiftKey ? placeOf(event) : undefined
    if (place) cells.goTo(place, true)
  }
  const onDblClick = (event: MouseEvent) => {
    if (placeOf(event)) edit()
  }
  const onKey = (event: KeyboardEvent) => {
    // A button in a cell has its own keys, and the box before a row is no cell.
    if (editing || event.target instanceof HTMLButtonElement || !placeOf(event)) return
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
    } else if (isLetter(event) && edit(event.key)) event.preventDefault()
  }
  const onCopy = (event: ClipboardEvent) => {
    if (editing) return
    event.preventDefault()
    event.clipboardData?.setData('text/plain', copied(cells, rows, columns, edits))
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
  return (
    <div class="grid-scroll">
      <table class="grid" {...GRID} aria-label={label} aria-description={KEYS} onCopy={onCopy} onPaste={onPaste}>
        <GridHead {...props} />
        <tbody ref={body} onKeyDown={onKey} onFocusIn={onFocus} onMouseDown={onMouseDown} onDblClick={onDblClick}>
          {rows.slice(0, drawn).map((row, rowAt) => (
            <GridRow
              key={row.id}
              {...{ row, rowAt, path, columns, acts }}
              edits={edits.edits.get(row.id)}
              isSelected={selected.has(row.id)}
              isChild={isUnderFamily(rows, rowAt)}
              here={at.row === rowAt ? at.column : -1}
              {...cells.markedIn(rowAt)}
              editing={editing?.id === row.id ? editing : undefined}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const ROW_AT_LEAST_PX = 32
/** What the box of the grid leaves of the window to others; style/pages.css. */
const BESIDE_GRID_PX = 190

/** What the window shows is drawn at once, the rest after it was painted. */
function useRowsDrawn(rows: number): number {
  const first = Math.ceil((window.innerHeight - BESIDE_GRID_PX) / ROW_AT_LEAST_PX)
  return Math.max(usePainted(rows) ?? 0, first)
}

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

function changeOf(row: Entity, column: Column, text: string): Change {
  const before = ownValue(row, column.slug)
  const field = fieldIn(column, row)
  const parsed = before == null ? parseLike(text, field, column.sample) : parseCell(text, field, before)
  const ofCell = { id: row.id, slug: column.slug }
  if ('fault' in parsed) return { ...ofCell, edit: { value: text, text, fault: parsed.fault } }
  return { ...ofCell, edit: sameValue(parsed.value, before) ? undefined : { value: parsed.value } }
}

const blockOf = (rows: number, columns: number, text: string) =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => text))

function copied(cells: Cells, rows: readonly Entity[], columns: readonly Column[], { edits }: GridEdits): string {
  const { top, left, bottom, right } = cells.block
  const lines = rows.slice(top, bottom + 1).map(row =>
    columns.slice(left, right + 1).map(column => {
      const edit = edits.get(row.id)?.get(column.slug)
      return edit?.text ?? cellText(edit ? edit.value : ownValue(row, column.slug), fieldIn(column, row))
    }),
  )
  return blockText(lines)
}

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

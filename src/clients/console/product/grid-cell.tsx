// One cell: its value, or its editor; a dot where it is not saved, its message where it is wrong.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Entity } from '../../typescript/index.ts'
import { Copy } from '../components/copy.tsx'
import { shownValue } from '../components/value.tsx'
import { ValueInput } from '../components/value-input.tsx'
import { propertyOf } from '../state/catalog.ts'
import { cellText } from '../state/cell-text.ts'
import { type Column, fieldIn } from '../state/columns.ts'
import type { Edit } from '../state/grid-edits.ts'
import { ownValue } from '../state/own-value.ts'

export interface Editing {
  /** Of the entity: rows may come and go meanwhile. */
  id: string
  slug: string
  /** The letter that it began with. */
  begin: string | undefined
}

/** What the editor of a cell is chosen by. */
export const editedIn = (column: Column, row: Entity) => ({
  property: fieldIn(column, row),
  slug: column.slug,
  isBoolean: typeof ownValue(row, column.slug) === 'boolean',
})

/** With the text to take over, or none; then on by so many rows and columns, or left for something else on the page. */
export type Finish = (
  text: string | undefined,
  then?: { rowsOn?: number; columnsOn?: number; isLeft?: boolean },
) => void

interface GridCellProps {
  row: Entity
  column: Column
  place: string
  edit: Edit | undefined
  href: string | undefined
  isChild: boolean
  isHere: boolean
  isMarked: boolean
  editing: Editing | undefined
  /** The last marked cell, from where values are dragged to others. */
  isFillable: boolean
  finish: Finish
  resolve(keep: 'mine' | 'theirs'): void
}

const NAMES_MOST = 5

/** Called, not drawn as a component: there are hundreds of them. */
export function gridCell(props: GridCellProps) {
  const { row, column, place, edit, href, isChild, isHere, isMarked, editing, isFillable, resolve } = props
  const { slug } = column
  const property = propertyOf(row.typePath, slug) ?? column.property
  const value = edit ? edit.value : ownValue(row, slug)
  const shown = shownValue({ slug, value, property, most: NAMES_MOST, isPlain: true })
  const look = [
    column.isNumber && 'number',
    edit && 'unsaved',
    (edit?.fault || edit?.conflict) && 'wrong',
    edit?.conflict && 'conflict',
    editing && 'editing',
    isMarked && 'marked',
    isChild && 'child',
    place.endsWith('-0') && 'first',
  ]
  return (
    <td
      key={slug}
      class={look.filter(Boolean).join(' ') || undefined}
      data-cell={place}
      tabIndex={isHere ? 0 : -1}
      title={typeof value === 'string' && value.length > 40 ? value : undefined}
      {...(column.isReadOnly && { 'aria-readonly': true })}
      {...((edit?.fault || edit?.conflict) && { 'aria-invalid': true })}
    >
      {editing ? (
        <CellEditor {...props} editing={editing} value={value} />
      ) : href ? (
        <a href={href} tabIndex={-1}>
          {shown || (row.name ?? 'open')}
        </a>
      ) : (
        shown
      )}
      {slug === 'identifier' && !editing && typeof value === 'string' && (
        <Copy text={value} what={`the identifier of ${row.name ?? row.id}`} />
      )}
      {edit?.fault && !editing && <span class="fault cell-note">{edit.fault}</span>}
      {edit?.conflict && !editing && (
        <span class="cell-note">
          <span class="fault">
            Changed meanwhile to {shownValue({ slug, value: edit.conflict.value, property, isPlain: true }) ?? 'empty'}.
          </span>{' '}
          <button type="button" onClick={() => resolve('mine')}>
            Keep mine
          </button>{' '}
          <button type="button" onClick={() => resolve('theirs')}>
            Take theirs
          </button>
        </span>
      )}
      {isFillable && !editing && <span class="fill" aria-hidden="true" />}
    </td>
  )
}

type CellEditorProps = GridCellProps & { editing: Editing; value: unknown }

function CellEditor({ column, row, editing, value, edit, finish }: CellEditorProps) {
  const before = edit?.text ?? cellText(value, fieldIn(column, row))
  const [text, setText] = useState(editing.begin ?? before)
  const input = useRef<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null>(null)
  const isDone = useRef(false)
  // Before the next key arrives.
  useLayoutEffect(() => {
    input.current?.focus()
    if (editing.begin === undefined && input.current && 'select' in input.current) input.current.select()
  }, [editing.begin])
  const end: Finish = (taken, then) => {
    if (isDone.current) return
    isDone.current = true
    finish(taken === before ? undefined : taken, then)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') end(undefined)
    else if (event.key === 'Enter' && !event.shiftKey) end(text, { rowsOn: 1 })
    else if (event.key === 'Tab') end(text, { columnsOn: event.shiftKey ? -1 : 1 })
    else return
    event.preventDefault()
  }
  return (
    <ValueInput
      {...editedIn(column, row)}
      text={text}
      change={setText}
      inputRef={element => {
        input.current = element
      }}
      attributes={{
        'aria-label': `${column.label} of ${row.name ?? row.id}`,
        onKeyDown,
        onBlur: () => end(text, { isLeft: true }),
      }}
    />
  )
}

// One property of many entities, with a preview of how many change, as one atomic batch.
import { useState } from 'preact/hooks'
import { ApiError, type Entity, type TypeProperty } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Field, textOf } from '../components/field.tsx'
import { ValueInput } from '../components/value-input.tsx'
import { optionsOf } from '../state/catalog.ts'
import { cellText, parseCell } from '../state/cell-text.ts'
import type { Column } from '../state/columns.ts'
import { words } from '../state/fault-words.ts'
import { severalWords } from '../state/form-schema.ts'
import { counted } from '../state/format.ts'
import { cellFaults, type Patch } from '../state/grid-edits.ts'
import { ownValue } from '../state/own-value.ts'
import { sameValue } from '../state/same-value.ts'
import type { GridEdits } from '../state/use-grid-edits.ts'
import { useOnce } from '../state/use-once.ts'

const SHOWN = 5

/** By the names of what was refused, or in words. */
function refusals(error: unknown, patches: readonly Patch[], rows: readonly Entity[]): string[] {
  const nameOf = (id: string) => rows.find(row => row.id === id)?.name ?? id
  const faults = error instanceof ApiError ? cellFaults(error, patches) : []
  return faults.length === 0 ? [words(error).what] : faults.map(({ id, fault }) => `${nameOf(id)}: ${fault}`)
}

const listHint = (field: TypeProperty | undefined) =>
  field?.propertyType === 'multi_select' ? ` ${severalWords(optionsOf(field).map(({ label }) => label))}` : ''

interface BulkEditProps {
  rows: readonly Entity[]
  columns: readonly Column[]
  edits: GridEdits
  close(): void
}

export function BulkEdit({ rows, columns, edits, close }: BulkEditProps) {
  const choices = columns.filter(({ isReadOnly, slug }) => !isReadOnly && slug !== 'federatedId')
  const [slug, setSlug] = useState(choices.find(each => each.property)?.slug ?? 'name')
  const [text, setText] = useState('')
  const column = choices.find(each => each.slug === slug)
  const parsed = parseCell(
    text,
    column?.field,
    rows.map(row => ownValue(row, slug)).find(each => each != null),
  )
  const fault = 'fault' in parsed ? parsed.fault : undefined
  const value = 'value' in parsed ? parsed.value : undefined
  const changing = rows.filter(row => !sameValue(ownValue(row, slug), value))
  const textIn = (each: unknown) => cellText(each, column?.field) || 'empty'
  const [refused, setRefused] = useState<readonly string[]>([])
  const { isBusy, start } = useOnce(async () => {
    setRefused([])
    const patches = changing.map(({ id }) => ({ id, [slug]: value }))
    try {
      await edits.write(patches)
      close()
    } catch (error) {
      setRefused(refusals(error, patches, rows))
    }
  })
  return (
    <Dialog title={`Edit ${counted(rows.length, 'entity', 'entities')}`} close={close} isBusy={isBusy}>
      <Field label="Property">
        {field => (
          <select
            {...field}
            value={slug}
            onChange={event => {
              setSlug(textOf(event))
              setText('')
            }}
          >
            {choices.map(each => (
              <option key={each.slug} value={each.slug}>
                {each.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="New value" hint={`Empty clears the property.${listHint(column?.field)}`} fault={fault}>
        {field => <ValueInput attributes={field} property={column?.field} text={text} change={setText} />}
      </Field>
      <p role="status">
        {counted(rows.length, 'entity', 'entities')},{' '}
        {changing.length === 1 ? '1 changes' : `${changing.length} change`}.
      </p>
      {changing.length > 0 && (
        <ul class="soft">
          {changing.slice(0, SHOWN).map(row => (
            <li key={row.id}>
              {row.name ?? row.id}: {textIn(ownValue(row, slug))} → {textIn(value)}
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <section class="error" role="alert">
          <h2>Nothing was changed</h2>
          <ul>
            {refused.slice(0, SHOWN).map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {refused.length > SHOWN && <p>And {refused.length - SHOWN} more.</p>}
        </section>
      )}
      <div class="line">
        <button
          type="button"
          class="main"
          disabled={isBusy || fault !== undefined || changing.length === 0}
          onClick={() => void start()}
        >
          Change {counted(changing.length, 'entity', 'entities')}
        </button>
        <button type="button" disabled={isBusy} onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

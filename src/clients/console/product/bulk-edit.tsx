// One property of many entities, with a preview of how many change, as one atomic batch.
import { useState } from 'preact/hooks'
import { ApiError, type Entity, type TypeProperty } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Field, textOf } from '../components/field.tsx'
import { Value } from '../components/value.tsx'
import { ValueInput } from '../components/value-input.tsx'
import { type BulkChange, type BulkDraft, bulkChange } from '../state/bulk-change.ts'
import { optionsOf } from '../state/catalog.ts'
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
  field?.propertyType === 'multi_select' ? severalWords(optionsOf(field).map(({ label }) => label)) : undefined

interface BulkEditProps {
  rows: readonly Entity[]
  columns: readonly Column[]
  edits: GridEdits
  close(): void
}

export function BulkEdit({ rows, columns, edits, close }: BulkEditProps) {
  const choices = columns.filter(({ isReadOnly, slug }) => !isReadOnly && slug !== 'federatedId')
  const [draft, setDraft] = useState<BulkDraft>({ slug: '', text: '', isClearing: false })
  const { slug, text, isClearing } = draft
  const column = choices.find(each => each.slug === slug)
  const sample = rows.map(row => ownValue(row, slug)).find(each => each != null)
  const change = bulkChange(draft, column?.field, sample)
  const fault = 'fault' in change ? change.fault : undefined
  const value = 'value' in change ? change.value : undefined
  const changing = 'value' in change ? rows.filter(row => !sameValue(ownValue(row, slug), value)) : []
  const reason = reasonOf(change, changing.length)
  const shown = (each: unknown) =>
    each == null ? (
      <span class="soft">empty</span>
    ) : (
      <Value slug={slug} value={each} property={column?.field} most={SHOWN} />
    )
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
            onChange={event => setDraft({ slug: textOf(event), text: '', isClearing: false })}
          >
            <option value="">Choose …</option>
            {choices.map(each => (
              <option key={each.slug} value={each.slug}>
                {each.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {column && !isClearing && (
        <Field label="New value" hint={listHint(column.field)} fault={fault}>
          {field => (
            <ValueInput
              attributes={field}
              property={column.field}
              slug={slug}
              text={text}
              change={next => setDraft({ ...draft, text: next })}
            />
          )}
        </Field>
      )}
      {column && (
        <label class="choice">
          <input
            type="checkbox"
            checked={isClearing}
            onChange={event => setDraft({ ...draft, isClearing: event.currentTarget.checked })}
          />
          Clear {column.label}
        </label>
      )}
      <p role="status">
        {reason ?? `${changing.length} of ${rows.length} ${changing.length === 1 ? 'changes' : 'change'}.`}
      </p>
      {changing.length > 0 && (
        <ul class="soft">
          {changing.slice(0, SHOWN).map(row => (
            <li key={row.id}>
              {row.name ?? row.id}: {shown(ownValue(row, slug))} → {shown(value)}
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
        <button type="button" class="main" disabled={isBusy || reason !== undefined} onClick={() => void start()}>
          Change {counted(changing.length, 'entity', 'entities')}
        </button>
        <button type="button" disabled={isBusy} onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

/** Why nothing can be sent yet; undefined where it can. */
function reasonOf(change: BulkChange, changing: number): string | undefined {
  if ('missing' in change) return change.missing
  if ('fault' in change) return 'Correct the new value.'
  return changing === 0 ? 'Every row has this value already.' : undefined
}

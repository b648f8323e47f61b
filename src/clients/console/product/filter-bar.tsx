// Filters as chips; a new one by field, operator and value (all operators of N48).
import { useId, useRef, useState } from 'preact/hooks'
import { Field, textOf } from '../components/field.tsx'
import { ValueInput } from '../components/value-input.tsx'
import { cellText, parseLike } from '../state/cell-text.ts'
import type { Column } from '../state/columns.ts'
import { type Criteria, criterionOf, criterionWords, OPERATORS, unitedCriterion } from '../state/criteria-words.ts'
import { ownValue } from '../state/own-value.ts'
import { valueWords } from '../state/value-words.ts'

interface FilterBarProps {
  columns: readonly Column[]
  criteria: Criteria
  change(criteria: Criteria): void
}

export function FilterBar({ columns, criteria, change }: FilterBarProps) {
  const id = useId().replaceAll(':', '')
  const popover = useRef<HTMLFormElement>(null)
  const labelOf = (slug: string) => columns.find(column => column.slug === slug)?.label ?? slug
  const fieldOf = (slug: string) => columns.find(column => column.slug === slug)?.field
  const remove = (slug: string) => {
    const { [slug]: _, ...rest } = criteria
    change(rest)
  }
  return (
    <>
      <button type="button" popoverTarget={id}>
        + Filter
      </button>
      <FilterForm
        id={id}
        form={popover}
        columns={columns}
        add={(slug, criterion) => {
          popover.current?.hidePopover()
          change({ ...criteria, [slug]: unitedCriterion(ownValue(criteria, slug), criterion) })
        }}
      />
      {Object.entries(criteria).map(([slug, criterion]) => (
        <span class="chip" key={slug}>
          {labelOf(slug)} {criterionWords(criterion, value => valueWords(slug, fieldOf(slug), value))}
          <button type="button" aria-label={`Remove the filter on ${labelOf(slug)}`} onClick={() => remove(slug)}>
            ✕
          </button>
        </span>
      ))}
    </>
  )
}

interface FilterFormProps {
  id: string
  form: { current: HTMLFormElement | null }
  columns: readonly Column[]
  add(slug: string, criterion: unknown): void
}

function FilterForm({ id, form, columns, add }: FilterFormProps) {
  const [slug, setSlug] = useState('name')
  const [name, setName] = useState('eq')
  const [text, setText] = useState('')
  const [fault, setFault] = useState('')
  const column = columns.find(each => each.slug === slug)
  const operator = OPERATORS.find(each => each.name === name) ?? OPERATORS[0]
  const submit = (event: Event) => {
    event.preventDefault()
    const parts =
      operator?.values === 'none' ? [] : operator?.values === 'one' ? [text] : text.split('|').map(part => part.trim())
    if (operator?.values === 'two' && parts.length !== 2) {
      setFault('Write two values with | between them.')
      return
    }
    const isPlain = name === 'contains' || name === 'startsWith'
    const parsed = parts.map(part =>
      isPlain ? { value: part.trim() } : parseLike(part, column?.field, column?.sample),
    )
    const wrong = parsed.find(each => 'fault' in each)
    if (wrong && 'fault' in wrong) {
      setFault(wrong.fault)
      return
    }
    const values = parsed
      .map(each => ('value' in each ? each.value : undefined))
      .map(each => (Array.isArray(each) ? each[0] : each))
    setFault('')
    setText('')
    add(slug, criterionOf(name, values))
  }
  return (
    <form ref={form} id={id} popover="auto" class="stack filter-form" onSubmit={submit}>
      <div class="filters">
        <Field label="Property">
          {field => (
            <select {...field} value={slug} onChange={event => setSlug(textOf(event))}>
              {columns.map(each => (
                <option key={each.slug} value={each.slug}>
                  {each.label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="How">
          {field => (
            <select {...field} value={name} onChange={event => setName(textOf(event))}>
              {OPERATORS.map(each => (
                <option key={each.name} value={each.name}>
                  {each.words}
                </option>
              ))}
            </select>
          )}
        </Field>
        {operator?.values !== 'none' && (
          <Field
            label="Value"
            fault={fault}
            hint={operator?.values === 'one' ? undefined : 'Values with | between them.'}
          >
            {field => (
              <ValueInput
                attributes={field}
                property={operator?.values === 'one' && name !== 'contains' ? column?.field : undefined}
                slug={operator?.values === 'one' && name !== 'contains' ? slug : undefined}
                text={cellText(text)}
                change={setText}
              />
            )}
          </Field>
        )}
      </div>
      <div class="line">
        <button type="submit" class="main">
          Add the filter
        </button>
      </div>
    </form>
  )
}

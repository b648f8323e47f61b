// Step 4: columns that are made by conditions and expressions, the split over assortments; what each step makes of the first
// rows stands below and changes as one types.
import { useState } from 'preact/hooks'
import type { FilePreview, StepsPreview } from '../../../features/loads/preview-shape.ts'
import type { ColumnDefinition, Entity } from '../../typescript/index.ts'
import { Field, textOf } from '../components/field.tsx'
import { ReferenceInput } from '../components/reference-input.tsx'
import { ErrorPanel } from '../components/shown.tsx'
import type { Candidate } from '../state/column-suggestions.ts'
import { assortmentKey, type LoadDraft, splitKeyOf, splitTextOf } from '../state/load-draft.ts'
import { defaultHint, NEW_COLUMN, typedText, typedValue, withDefault } from '../state/made-column.ts'
import { ownValue } from '../state/own-value.ts'
import { useFocusStays } from '../state/use-focus-stays.ts'
import type { Loaded } from '../state/use-load.ts'
import { StepsTable } from './steps-table.tsx'

interface LoadRulesProps {
  preview: FilePreview
  draft: LoadDraft
  candidates: readonly Candidate[]
  /** What a split and a project are chosen from. */
  beside: Loaded<{ assortments: readonly Entity[]; hasMore: boolean; workspaces: readonly Entity[] }>
  steps: StepsPreview | undefined
  change(changes: Partial<LoadDraft>): void
}

export function LoadRules(props: LoadRulesProps) {
  const { draft, candidates, beside, change, steps } = props
  const place = useFocusStays<HTMLElement>()
  const set = (at: number, next: ColumnDefinition) =>
    change({ made: draft.made.map((each, index) => (index === at ? next : each)) })
  return (
    <section ref={place} class="panel stack" aria-labelledby="load-rules">
      <div class="line spread">
        <h2 class="step-title" id="load-rules">
          <span class="at">4</span> Rules
        </h2>
        <button type="button" onClick={() => change({ made: [...draft.made, NEW_COLUMN] })}>
          Make a column
        </button>
      </div>
      <datalist id="load-properties">
        {candidates.map(({ slug, label }) => (
          <option key={slug} value={slug}>
            {label}
          </option>
        ))}
      </datalist>
      {draft.made.length === 0 && (
        <p class="soft">
          A column can be made from others: <code>{'{Style}-{Color}'}</code>, or by conditions such as{' '}
          <code>{'{Price} > 75'}</code>. <a href="/docs/expressions">What expressions can do</a>.
        </p>
      )}
      {draft.made.map((column, at) => (
        <MadeColumn
          key={at}
          at={at}
          column={column}
          set={next => set(at, next)}
          remove={() => change({ made: draft.made.filter((_, index) => index !== at) })}
        />
      ))}
      {beside.error !== undefined && <ErrorPanel error={beside.error} again={() => void beside.reload()} />}
      {draft.loadType.includes('PROJECT_ITEM') && <Workspace {...props} />}
      {draft.loadType.includes('ASSORTMENT') && <Split {...props} />}
      {steps?.fault && (
        <p class="fault" role="alert">
          An expression cannot be read: {steps.fault}.
        </p>
      )}
      {steps && <StepsTable preview={steps} />}
    </section>
  )
}

interface MadeColumnProps {
  at: number
  column: ColumnDefinition
  set(next: ColumnDefinition): void
  remove(): void
}

function MadeColumn({ at, column, set, remove }: MadeColumnProps) {
  const conditions = column.conditions ?? []
  const setCondition = (index: number, part: Partial<(typeof conditions)[number]>) =>
    set({ ...column, conditions: conditions.map((each, place) => (place === index ? { ...each, ...part } : each)) })
  const n = at + 1
  return (
    <fieldset class="made">
      <legend class="hidden">Made column {n}</legend>
      <Field label={`Made column ${n}`}>
        {field => (
          <input
            {...field}
            list="load-properties"
            placeholder="property"
            value={column.toProperty}
            onInput={event => set({ ...column, toProperty: textOf(event) })}
          />
        )}
      </Field>
      {conditions.map((condition, index) => (
        <div class="line" key={index}>
          <span>if</span>
          <input
            class="mono grow"
            aria-label={`Condition ${index + 1} of column ${n}`}
            value={condition.conditional}
            placeholder="{Price} > 75"
            onInput={event => setCondition(index, { conditional: textOf(event) })}
          />
          <span>then</span>
          <input
            class="mono grow"
            aria-label={`Value ${index + 1} of column ${n}`}
            value={typedText(condition.value)}
            onInput={event => setCondition(index, { value: typedValue(textOf(event)) })}
          />
          <button
            type="button"
            class="plain"
            aria-label={`Remove condition ${index + 1} of column ${n}`}
            onClick={() =>
              set(withoutEmpty({ ...column, conditions: conditions.filter((_, place) => place !== index) }))
            }
          >
            ✕
          </button>
        </div>
      ))}
      <div class="line">
        <span>{conditions.length > 0 ? 'else' : 'is'}</span>
        <input
          class="mono grow"
          aria-label={`Default of column ${n}`}
          placeholder={defaultHint(column)}
          value={typedText(column.default)}
          onInput={event => set(withDefault(column, textOf(event)))}
        />
        <button
          type="button"
          onClick={() => set({ ...column, conditions: [...conditions, { conditional: '', value: '' }] })}
        >
          Add a condition
        </button>
        <button type="button" class="plain" aria-label={`Remove column ${n}`} onClick={remove}>
          ✕
        </button>
      </div>
    </fieldset>
  )
}

function withoutEmpty({ conditions, ...column }: ColumnDefinition): ColumnDefinition {
  return conditions && conditions.length > 0 ? { ...column, conditions } : column
}

function Workspace({ draft, beside, change }: LoadRulesProps) {
  return (
    <Field
      label="Project"
      hint="The workspace that receives the seasonal data; found from the assortments where none is chosen."
    >
      {field => (
        <select
          {...field}
          value={draft.workspaceIdentifier}
          onChange={event => change({ workspaceIdentifier: textOf(event) })}
        >
          <option value="">From the assortments</option>
          {beside.value?.workspaces.map(each => (
            <option key={each.id} value={String(each.identifier ?? '')}>
              {each.name ?? String(each.identifier)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Only the beginning of a large file was read: further down it may have other values. */
function OneMore({ add }: { add(value: string): void }) {
  const [text, setText] = useState('')
  return (
    <Field label="Another value that stands further down">
      {field => (
        <span class="line">
          <input {...field} value={text} onInput={event => setText(textOf(event))} />
          <button
            type="button"
            disabled={text === ''}
            onClick={() => {
              add(text)
              setText('')
            }}
          >
            Add the value
          </button>
        </span>
      )}
    </Field>
  )
}

function Split({ preview, draft: { split }, beside, change }: LoadRulesProps) {
  const at = preview.names.indexOf(split.field)
  const inFile = at < 0 ? [] : preview.rows.map(row => row[at] ?? '').filter(value => value !== '')
  const values = [...new Set([...inFile, ...Object.keys(split.values)])]
  const setValue = (value: string, key: string) =>
    change({ split: { ...split, values: { ...split.values, [value]: key } } })
  return (
    <fieldset class="made">
      <legend class="hidden">Split over assortments</legend>
      <Field label="The assortment is named by the column">
        {field => (
          <select
            {...field}
            value={split.field}
            onChange={event => change({ split: { ...split, field: textOf(event) } })}
          >
            <option value="">Choose …</option>
            {preview.names.map(name => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {values.map(value => (
        <Field key={value} label={`“${value}” goes to`}>
          {field =>
            beside.value?.hasMore ? (
              <ReferenceInput
                attributes={field}
                entityName="assortment"
                text={splitTextOf(ownValue(split.values, value) ?? '')}
                change={text => setValue(value, splitKeyOf(text))}
              />
            ) : (
              <select
                {...field}
                value={ownValue(split.values, value) ?? ''}
                onChange={event => setValue(value, textOf(event))}
              >
                <option value="">no assortment</option>
                {beside.value?.assortments.map(each => (
                  <option key={each.id} value={assortmentKey(each)}>
                    {each.name ?? String(each.identifier ?? each.id)}
                  </option>
                ))}
              </select>
            )
          }
        </Field>
      ))}
      {split.field !== '' && !preview.isWhole && (
        <OneMore add={value => setValue(value, ownValue(split.values, value) ?? '')} />
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={split.isPartial}
          onChange={event => change({ split: { ...split, isPartial: event.currentTarget.checked } })}
        />
        Only add: take nothing out of the assortments
      </label>
    </fieldset>
  )
}

// Texts of the file that are none of their property's options: the option that each probably means, until a person confirms it.
import type { UnknownOption } from '../../../features/loads/preview-shape.ts'
import type { TypeProperty } from '../../typescript/index.ts'
import { textOf } from '../components/field.tsx'
import { labelled } from '../components/labelled.ts'
import { optionsOf } from '../state/catalog.ts'
import { labelOf } from '../state/columns.ts'
import type { LoadDraft } from '../state/load-draft.ts'
import type { OptionMatches } from '../state/option-matches.ts'
import { ownValue } from '../state/own-value.ts'
import { useFocusStays } from '../state/use-focus-stays.ts'

interface LoadOptionsProps {
  draft: LoadDraft
  /** What its rows may have. */
  properties: readonly TypeProperty[]
  unknown: readonly UnknownOption[]
  /** What was chosen before for the same texts. */
  remembered: OptionMatches
  change(changes: Partial<LoadDraft>): void
}

interface Line {
  column: string
  text: string
  property: TypeProperty | undefined
  chosen: string | undefined
  suggestion: string | undefined
}

export function LoadOptions(props: LoadOptionsProps) {
  const { draft, change } = props
  const place = useFocusStays<HTMLElement>()
  const lines = linesOf(props)
  if (lines.length === 0) return null
  const suggested = lines.filter(line => line.chosen === undefined && line.suggestion !== undefined)
  const match = (chosen: readonly [line: Line, value: string | undefined][]) => {
    const options = new Map(Object.entries(draft.options))
    for (const [{ column, text }, value] of chosen) {
      const { [text]: _, ...others } = options.get(column) ?? {}
      options.set(column, value === undefined ? others : { ...others, [text]: value })
    }
    change({ options: Object.fromEntries(options) })
  }
  return (
    <section ref={place} class="stack" aria-labelledby="load-options">
      <div class="line spread">
        <h3 id="load-options">Texts that are no option</h3>
        {suggested.length > 1 && (
          <button type="button" onClick={() => match(suggested.map(line => [line, line.suggestion]))}>
            Confirm {suggested.length} options
          </button>
        )}
      </div>
      <div class="scroll">
        <table class="list cards" ref={labelled}>
          <thead>
            <tr>
              <th scope="col">In the file</th>
              <th scope="col">Property</th>
              <th scope="col">Means</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(line => (
              <OptionLine key={line.column + line.text} line={line} set={value => match([[line, value]])} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft">Cells that mean no option are left out, with a warning.</p>
    </section>
  )
}

function OptionLine({ line, set }: { line: Line; set(value: string | undefined): void }) {
  const { column, text, property, chosen, suggestion } = line
  const options = property ? optionsOf(property) : []
  const wordsFor = (value: string) => options.find(option => option.value === value)?.label ?? value
  const place = useFocusStays<HTMLTableRowElement>()
  return (
    <tr ref={place}>
      <th scope="row">{text}</th>
      <td>{labelOf(property?.slug ?? column, property)}</td>
      <td>
        <div class="line">
          {chosen === undefined && suggestion !== undefined && (
            <button type="button" class="soft" onClick={() => set(suggestion)}>
              {wordsFor(suggestion)}? Confirm
            </button>
          )}
          <select
            class="narrow"
            aria-label={`What ${text} means`}
            value={chosen ?? ''}
            onChange={event => set(textOf(event) || undefined)}
          >
            <option value="">no option</option>
            {options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
            {chosen !== undefined && !options.some(({ value }) => value === chosen) && (
              <option value={chosen}>{chosen}</option>
            )}
          </select>
        </div>
      </td>
    </tr>
  )
}

function linesOf({ draft, properties, unknown, remembered }: LoadOptionsProps): Line[] {
  const propertyOf = (name: string) =>
    properties.find(({ slug }) => slug === name) ??
    properties.find(({ label }) => label?.toLowerCase() === name.toLowerCase())
  const matched = Object.entries(draft.options).flatMap(([column, texts]) =>
    Object.entries(texts).map(([text, chosen]) => ({
      column,
      text,
      chosen,
      property: propertyOf(column),
      suggestion: undefined,
    })),
  )
  const isOpen = ({ column, text }: UnknownOption) =>
    ownValue(ownValue(draft.options, column) ?? {}, text) === undefined
  const open = unknown.filter(isOpen).map(({ column, slug, text, nearest }) => ({
    column,
    text,
    chosen: undefined,
    property: propertyOf(slug),
    suggestion: ownValue(ownValue(remembered, column) ?? {}, text) ?? nearest,
  }))
  return [...matched, ...open]
}

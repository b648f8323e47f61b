// Step 3: each column of the file, three of its values, and the property it goes to. Suggestions wait for a person.
import type { ComponentChildren } from 'preact'
import type { FilePreview } from '../../../features/loads/preview-shape.ts'
import { textOf } from '../components/field.tsx'
import { labelled } from '../components/labelled.ts'
import { type Candidate, isMatched, suggestionFor } from '../state/column-suggestions.ts'
import { type LoadDraft, optionKeyRule, targetsWith } from '../state/load-draft.ts'
import { ownValue } from '../state/own-value.ts'
import { useFocusStays } from '../state/use-focus-stays.ts'

interface LoadColumnsProps {
  preview: FilePreview
  draft: LoadDraft
  candidates: readonly Candidate[]
  remembered: Readonly<Record<string, string>>
  /** What rows are found by. */
  needed: string
  change(changes: Partial<LoadDraft>): void
  /** What stands below the columns. */
  children?: ComponentChildren
}

export function LoadColumns(props: LoadColumnsProps) {
  const { preview, draft, candidates, remembered, needed, change, children } = props
  const names = preview.names.filter(name => name !== '')
  const isOpen = (name: string) =>
    !isMatched(name, candidates) && (ownValue(draft.targets, name) ?? []).length === 0 && !draft.removed.includes(name)
  const ordered = [...names.filter(name => !isOpen(name)), ...names.filter(isOpen)]
  const open = names.filter(isOpen)
  const suggested = open.flatMap(name => {
    const target = suggestionFor(name, candidates, remembered)
    return target === undefined ? [] : [[name, [target]] as const]
  })
  const isFound =
    names.includes(needed) ||
    Object.values(draft.targets).some(targets => targets.includes(needed)) ||
    draft.made.some(({ toProperty }) => toProperty === needed)
  const keyRule = optionKeyRule(draft, names)
  const place = useFocusStays<HTMLElement>()
  const constants = Object.entries(draft.targets).filter(([text, to]) => to.length > 0 && !names.includes(text))
  return (
    <section ref={place} class="panel stack" aria-labelledby="load-columns">
      <div class="line spread">
        <h2 class="step-title" id="load-columns">
          <span class="at">3</span> Columns
        </h2>
        {suggested.length > 1 && (
          <button
            type="button"
            onClick={() => change({ targets: { ...draft.targets, ...Object.fromEntries(suggested) } })}
          >
            Confirm {suggested.length} suggestions
          </button>
        )}
      </div>
      {!isFound && (
        <p class="fault" role="alert">
          No column goes to <code>{needed}</code> yet: rows are found by it.
        </p>
      )}
      <div class="scroll">
        <table class="list cards" ref={labelled}>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Values</th>
              <th scope="col">Goes to</th>
            </tr>
          </thead>
          <tbody>
            {ordered.map(name => (
              <ColumnLine
                key={name}
                {...{ name, draft, candidates, change }}
                examples={examplesOf(preview, name)}
                suggestion={isOpen(name) ? suggestionFor(name, candidates, remembered) : undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
      {keyRule && (
        <p class="line">
          <span>
            Options need a key of their own, such as <code>{String(keyRule.default)}</code>.
          </span>
          <button type="button" class="soft" onClick={() => change({ made: [...draft.made, keyRule] })}>
            Make it? Confirm
          </button>
        </p>
      )}
      {constants.map(([text, to]) => (
        <p class="line" key={text}>
          <span>
            Every row gets <code>{text}</code> as {to.join(', ')}
          </span>
          <button type="button" class="link" onClick={() => change({ targets: { ...draft.targets, [text]: [] } })}>
            Not so<span class="hidden">: {text}</span>
          </button>
        </p>
      ))}
      <p class="soft">
        A column that nothing is chosen for goes to the property of the same name or label. Where the type has none, it
        is left out with a warning.
      </p>
      {children}
    </section>
  )
}

function examplesOf({ names, rows }: FilePreview, name: string): string {
  const at = names.indexOf(name)
  const values = rows.map(row => row[at] ?? '').filter(value => value !== '')
  return [...new Set(values)].slice(0, 3).join(' · ')
}

interface ColumnLineProps extends Pick<LoadColumnsProps, 'draft' | 'candidates' | 'change'> {
  name: string
  examples: string
  suggestion: string | undefined
}

const REMOVE = '\u0000remove'

function ColumnLine({ name, examples, suggestion, draft, candidates, change }: ColumnLineProps) {
  const targets = ownValue(draft.targets, name) ?? []
  const isRemoved = draft.removed.includes(name)
  const setTargets = (next: readonly string[]) => change({ targets: { ...draft.targets, [name]: next } })
  const labelOf = (slug: string) => candidates.find(each => each.slug === slug)?.label ?? slug
  const own = candidates.find(each => each.slug === name || each.label.toLowerCase() === name.toLowerCase())
  const choose = (value: string) => {
    if (value === REMOVE) change({ removed: [...draft.removed, name], targets: { ...draft.targets, [name]: [] } })
    else if (value !== '') setTargets(targetsWith(targets, own?.slug, value))
  }
  const place = useFocusStays<HTMLTableRowElement>()
  return (
    <tr ref={place}>
      <th scope="row">{name}</th>
      <td class="soft">{examples}</td>
      <td>
        <div class="line">
          {isRemoved && (
            <Chip
              label="left out"
              remove={() => change({ removed: draft.removed.filter(each => each !== name) })}
              name={name}
            />
          )}
          {targets.map(target => (
            <Chip
              key={target}
              label={labelOf(target)}
              name={name}
              remove={() => setTargets(targets.filter(each => each !== target))}
            />
          ))}
          {targets.length === 0 && !isRemoved && own && <span>{own.label}</span>}
          {suggestion !== undefined && (
            <button type="button" class="soft" onClick={() => setTargets([suggestion])}>
              {labelOf(suggestion)}? Confirm
            </button>
          )}
          {!isRemoved && (
            <select
              aria-label={`Where ${name} goes${targets.length > 0 ? ' as well' : ''}`}
              class="narrow"
              value=""
              onChange={event => {
                choose(textOf(event))
                event.currentTarget.value = ''
              }}
            >
              <option value="">{targets.length > 0 || own ? 'and also …' : 'Choose …'}</option>
              {candidates
                .filter(({ slug }) => !targets.includes(slug) && slug !== own?.slug)
                .map(({ slug, label }) => (
                  <option key={slug} value={slug}>
                    {label === slug ? slug : `${label} (${slug})`}
                  </option>
                ))}
              <option value={REMOVE}>Leave it out</option>
            </select>
          )}
        </div>
      </td>
    </tr>
  )
}

function Chip({ label, name, remove }: { label: string; name: string; remove(): void }) {
  return (
    <span class="chip">
      {label}
      <button type="button" aria-label={`${name} not to ${label}`} onClick={remove}>
        ✕
      </button>
    </span>
  )
}

// Step 2: what the rows are, with what they will make in words.
import { kindOfLoad, LOAD_KINDS, type LoadDraft } from '../state/load-draft.ts'
import { Field, textOf } from './field.tsx'

interface DraftProps {
  draft: LoadDraft
  change(changes: Partial<LoadDraft>): void
}

export function LoadKindStep({ draft, change }: DraftProps) {
  const kind = kindOfLoad(draft.loadType)
  return (
    <section class="panel stack" aria-labelledby="load-kind">
      <h2 class="step-title" id="load-kind">
        <span class="at">2</span> What is it
      </h2>
      <Field label="The rows are" hint={kind?.words}>
        {field => (
          <select
            {...field}
            value={draft.loadType.join()}
            onChange={event => {
              const chosen = LOAD_KINDS.find(each => each.loadType.join() === textOf(event))
              if (chosen) change({ loadType: chosen.loadType })
            }}
          >
            {LOAD_KINDS.map(each => (
              <option key={each.title} value={each.loadType.join()}>
                {each.title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Those that exist already">
        {field => (
          <select
            {...field}
            value={draft.mode}
            onChange={event => change({ mode: textOf(event) as LoadDraft['mode'] })}
          >
            <option value="upsert">are changed, new ones are made</option>
            <option value="create">are errors: only new ones are made</option>
            <option value="update">are changed, new ones are errors</option>
          </select>
        )}
      </Field>
    </section>
  )
}

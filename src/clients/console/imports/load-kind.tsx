// Step 2: what the rows are, with what they will make in words.
import type { LoaderConfiguration } from '../../typescript/index.ts'
import { Field, textOf } from '../components/field.tsx'
import { catalog } from '../state/catalog.ts'
import { kindOfLoad, LOAD_KINDS, type LoadDraft } from '../state/load-draft.ts'
import { typeForAll, withTypeForAll } from '../state/load-type-paths.ts'
import { BeginWith } from './load-configuration.tsx'

interface DraftProps {
  draft: LoadDraft
  change(changes: Partial<LoadDraft>): void
}

interface LoadKindProps extends DraftProps {
  /** Columns of the file; one of them may say the type. */
  columns: readonly string[]
  use(configuration: LoaderConfiguration): void
}

export function LoadKindStep({ draft, columns, change, use }: LoadKindProps) {
  const kind = kindOfLoad(draft.loadType)
  return (
    <section class="panel stack" aria-labelledby="load-kind">
      <h2 class="step-title" id="load-kind">
        <span class="at">2</span> What is it
      </h2>
      <BeginWith use={use} />
      <Field label="The rows are" hint={kind?.words}>
        {field => (
          <select
            {...field}
            value={(kind?.loadType ?? draft.loadType).join()}
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
      <TypeOfAll {...{ draft, columns, change }} />
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

/** Of which type all rows are, unless a column or a rule says it. */
function TypeOfAll({ draft, columns, change }: DraftProps & { columns: readonly string[] }) {
  const root = kindOfLoad(draft.loadType)?.entityName ?? 'item'
  const paths = [...(catalog.value?.types.keys() ?? [])].filter(path => path.startsWith(`${root}:`))
  const chosen = typeForAll(draft, columns)
  if (chosen === undefined || (paths.length === 0 && chosen === '')) return null
  return (
    <Field label="Their type" hint="It says which properties they have, and how each cell is read.">
      {field => (
        <select {...field} value={chosen} onChange={event => change(withTypeForAll(draft, columns, textOf(event)))}>
          <option value="">{root === 'custom-entity' ? 'Choose …' : `${root}, or as they are stored`}</option>
          {[...new Set([...paths, ...(chosen === '' ? [] : [chosen])])].map(path => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

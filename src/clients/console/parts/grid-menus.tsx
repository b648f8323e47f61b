// Which columns are shown, and views that were saved in this browser.
import { useId, useState } from 'preact/hooks'
import type { Column } from '../state/columns.ts'
import { keep, kept } from '../state/kept.ts'
import { orgSlug } from '../state/session.ts'
import { tell } from '../state/toasts.ts'
import { Field, textOf } from './field.tsx'

interface ColumnMenuProps {
  columns: readonly Column[]
  shown: readonly string[]
  change(shown: string[] | undefined): void
}

export function ColumnMenu({ columns, shown, change }: ColumnMenuProps) {
  const id = useId().replaceAll(':', '')
  const toggle = (slug: string) => change(shown.includes(slug) ? shown.filter(each => each !== slug) : [...shown, slug])
  return (
    <>
      <button type="button" popoverTarget={id}>
        Columns
      </button>
      <div id={id} popover="auto">
        <fieldset class="columns-list">
          <legend class="hidden">Columns to show</legend>
          {columns.map(({ slug, label }) => (
            <label key={slug}>
              <input type="checkbox" checked={shown.includes(slug)} onChange={() => toggle(slug)} />
              {label} <span class="soft mono">{slug}</span>
            </label>
          ))}
        </fieldset>
        <button type="button" class="link" onClick={() => change(undefined)}>
          As at first
        </button>
      </div>
    </>
  )
}

interface View {
  name: string
  /** The query of the address. */
  query: Record<string, string | undefined>
}

interface ViewMenuProps {
  path: string
  query: Record<string, string | undefined>
  open(query: Record<string, string | undefined>): void
}

export function ViewMenu({ path, query, open }: ViewMenuProps) {
  const id = useId().replaceAll(':', '')
  const place = `views.${orgSlug()}.${path}`
  const [views, setViews] = useState(() => kept<View[]>(place, []))
  const [name, setName] = useState('')
  const store = (next: View[]) => {
    keep(place, next)
    setViews(next)
  }
  const save = (event: Event) => {
    event.preventDefault()
    store([...views.filter(view => view.name !== name), { name, query }])
    tell(`Saved the view ${name} in this browser.`)
    setName('')
  }
  return (
    <>
      <button type="button" popoverTarget={id}>
        Views
      </button>
      <div id={id} popover="auto" class="stack">
        <ul class="columns-list">
          <li>
            <button type="button" class="link" onClick={() => open({})}>
              All
            </button>
          </li>
          {views.map(view => (
            <li key={view.name} class="line spread">
              <button type="button" class="link" onClick={() => open(view.query)}>
                {view.name}
              </button>
              <button
                type="button"
                class="plain"
                aria-label={`Forget the view ${view.name}`}
                onClick={() => store(views.filter(each => each !== view))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
        <form class="stack" onSubmit={save}>
          <Field label="Keep what is shown as" hint="Kept in this browser. To share it, copy the address.">
            {field => <input {...field} required value={name} onInput={event => setName(textOf(event))} />}
          </Field>
          <button type="submit">Save this view</button>
        </form>
      </div>
    </>
  )
}

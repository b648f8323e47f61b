// Which columns are shown.
import { useId } from 'preact/hooks'
import type { Column } from '../state/columns.ts'

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

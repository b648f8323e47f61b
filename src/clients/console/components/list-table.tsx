// The one table of lists: the first column names the row, acts stand last; on a phone each row is a card.
import type { ComponentChildren } from 'preact'
import type { Page } from '../../typescript/index.ts'
import type { Pages } from '../state/use-pages.ts'
import { labelled } from './labelled.ts'
import { Shown } from './shown.tsx'

export interface Column<T> {
  name: string
  show(row: T): ComponentChildren
  look?: 'mono' | 'number' | 'break'
}

export interface ListTableProps<T> {
  /** What the rows are, for those who cannot see the heading above. */
  label: string
  columns: readonly Column<T>[]
  keyOf(row: T): string
  acts?: ((row: T) => ComponentChildren) | undefined
}

export function ListTable<T>({ label, columns, keyOf, acts, rows }: ListTableProps<T> & { rows: readonly T[] }) {
  const [first, ...rest] = columns
  return (
    <div class="scroll">
      <table class="list cards" aria-label={label} ref={labelled}>
        <thead>
          <tr>
            {columns.map(({ name, look }) => (
              <th key={name} scope="col" class={look === 'number' ? look : ''}>
                {name}
              </th>
            ))}
            {acts && (
              <th scope="col">
                <span class="hidden">Acts</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              <th scope="row" class={first?.look ?? ''}>
                {first?.show(row)}
              </th>
              {rest.map(({ name, show, look }) => (
                <td key={name} class={look ?? ''}>
                  {show(row)}
                </td>
              ))}
              {acts && (
                <td class="acts">
                  <span class="line">{acts(row)}</span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PagedTableProps<T> extends ListTableProps<T> {
  pages: Pages<T>
  /** What is said where there are none. */
  empty: ComponentChildren
  lines?: number
  /** Leaves rows out that have been read. */
  fits?: ((row: T) => boolean) | undefined
}

/** A list that comes in pages, with the button that brings the next. */
export function PagedTable<T>({ pages, empty, lines, fits, ...table }: PagedTableProps<T>) {
  return (
    <Shown of={pages} lines={lines ?? 4}>
      {page => {
        const rows = fits ? page.results.filter(fits) : page.results
        return (
          <>
            {rows.length === 0 ? empty : <ListTable {...table} rows={rows} />}
            <More page={page} more={pages.more} />
          </>
        )
      }}
    </Shown>
  )
}

export function More({ page, more }: { page: Page<unknown>; more(): Promise<void> }) {
  if (page.nextPageKey === null) return null
  return (
    <p class="line">
      <button type="button" onClick={() => void more()}>
        Show more
      </button>
    </p>
  )
}

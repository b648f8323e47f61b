// The head of the grid: sorting, and the box that marks all rows.

import type { Entity } from '../../typescript/index.ts'
import type { Column } from '../state/columns.ts'

interface GridHeadProps {
  columns: readonly Column[]
  rows: readonly Entity[]
  order: string | undefined
  sortBy(slug: string): void
  selected: ReadonlySet<string>
  select(ids: ReadonlySet<string>): void
}

export function GridHead({ columns, rows, order, sortBy, selected, select }: GridHeadProps) {
  const isAll = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  return (
    <thead>
      <tr>
        <td class="check pin">
          <input
            type="checkbox"
            aria-label="Select all rows"
            checked={isAll}
            onChange={() => select(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
          />
        </td>
        {columns.map((column, at) => (
          <Head key={column.slug} column={column} isFirst={at === 0} order={order} sortBy={sortBy} />
        ))}
      </tr>
    </thead>
  )
}

type HeadProps = { column: Column; isFirst: boolean } & Pick<GridHeadProps, 'order' | 'sortBy'>

function Head({ column: { slug, label, isNumber, isSortable }, isFirst, order, sortBy }: HeadProps) {
  const [field, way] = (order ?? '').split('.')
  const sort = field === slug ? (way === 'desc' ? 'descending' : 'ascending') : 'none'
  return (
    <th scope="col" class={isNumber ? 'number' : isFirst ? 'first' : ''} {...(isSortable && { 'aria-sort': sort })}>
      {isSortable ? (
        <button type="button" onClick={() => sortBy(slug)}>
          {label}
          {sort !== 'none' && <span aria-hidden="true">{sort === 'ascending' ? '↑' : '↓'}</span>}
        </button>
      ) : (
        label
      )}
    </th>
  )
}

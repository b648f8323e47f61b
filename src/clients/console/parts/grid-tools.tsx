// Above a grid: search, filters, views, columns, export. They stay while its rows come.
import { titleOf } from '../state/catalog.ts'
import type { Column } from '../state/columns.ts'
import type { ViewQuery } from '../state/saved-views.ts'
import { ColumnMenu } from './column-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { textOf } from './field.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ViewMenu } from './view-menu.tsx'

interface GridToolsProps {
  path: string
  entityName: string
  query: ViewQuery
  set(changes: ViewQuery): void
  open(query: ViewQuery): void
  criteria: Record<string, unknown>
  columns: readonly Column[]
  shown: readonly string[]
  canWrite: boolean
}

export function GridTools(props: GridToolsProps) {
  const { path, entityName, query, set, open, criteria, columns, shown, canWrite } = props
  return (
    <div class="grid-tools">
      <input
        class="quick"
        type="search"
        aria-label={`Search in ${titleOf(path).toLowerCase()}`}
        placeholder="Search"
        value={query.q ?? ''}
        onChange={event => set({ q: textOf(event) })}
      />
      <FilterBar
        columns={columns}
        criteria={criteria}
        change={next => set({ criteria: Object.keys(next).length > 0 ? JSON.stringify(next) : undefined })}
      />
      <span class="grow" />
      <ViewMenu entityName={entityName} path={path} query={query} open={open} canWrite={canWrite} />
      <ColumnMenu columns={columns} shown={shown} change={next => set({ columns: next?.join(',') })} />
      <ExportMenu entityName={entityName} path={path} asked={{ criteria, query, columns: shown }} />
    </div>
  )
}

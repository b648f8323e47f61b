// Above a grid: search, filters, views, columns, export. They stay while its rows come.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ExportMenu } from '../components/export-menu.tsx'
import { textOf } from '../components/field.tsx'
import { titleOf } from '../state/catalog.ts'
import type { Column } from '../state/columns.ts'
import type { ViewQuery } from '../state/saved-views.ts'
import { ColumnMenu } from './column-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ViewMenu } from './view-menu.tsx'

interface GridToolsProps {
  path: string
  entityName: string
  query: ViewQuery
  set(changes: ViewQuery, replace?: boolean): void
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
      <Quick
        label={`Search in ${titleOf(path).toLowerCase()}`}
        text={query.q ?? ''}
        find={(q, isTyping) => set({ q }, isTyping)}
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

const PAUSE_MS = 250

/** Searches while somebody types, after a short pause; until then what was typed stays when the rest is drawn anew. */
function Quick({ label, text, find }: { label: string; text: string; find(text: string, isTyping: boolean): void }) {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const latest = useRef(find)
  latest.current = find
  useEffect(() => setTyped(undefined), [text])
  useEffect(() => {
    if (typed === undefined || typed === text) return
    const timer = setTimeout(() => latest.current(typed, true), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, text])
  return (
    <input
      class="quick"
      type="search"
      aria-label={label}
      placeholder="Search"
      value={typed ?? text}
      onInput={event => setTyped(textOf(event))}
      onChange={event => textOf(event) !== text && find(textOf(event), false)}
    />
  )
}

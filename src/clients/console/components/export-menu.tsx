// What is shown, as a file: filter, search, order and columns of the view. The browser takes it as it comes, of any size.
import { useId } from 'preact/hooks'
import { shellWord } from '../state/quoted.ts'
import { BASE_URL } from '../state/session.ts'

type Format = 'csv' | 'csv-load' | 'jsonl' | 'configuration'

export interface Asked {
  criteria: Record<string, unknown>
  query: Readonly<Record<string, string | undefined>>
  columns: readonly string[]
}

/** Below the API; a link to it begins the download. */
export function exportPath(path: string, format: Format, { criteria, query, columns }: Asked): string {
  const [orderField, order] = (query.order ?? '').split('.')
  const given = new URLSearchParams({ format })
  if (Object.keys(criteria).length > 0) given.set('criteria', JSON.stringify(criteria))
  if (query.q) given.set('q', query.q)
  if (orderField) given.set('order', JSON.stringify({ orderField, order: order === 'desc' ? 'desc' : 'asc' }))
  if (columns.length > 0) given.set('properties', columns.join(','))
  return `/${path}/export?${given}`
}

export const exportAddress = (path: string, format: Format, asked: Asked) => BASE_URL + exportPath(path, format, asked)

const FORMATS: [format: Format, label: string, hint: string, ending: string][] = [
  ['csv', 'Spreadsheet (CSV)', 'every cell shows its value', 'csv'],
  ['csv-load', 'CSV to edit and import back', 'import it with the configuration', 'csv'],
  ['configuration', 'Import configuration', 'for the CSV to edit', 'json'],
  ['jsonl', 'JSON lines', 'an entity on each line, for programs', 'jsonl'],
]

export function ExportMenu({ entityName, path, asked }: { entityName: string; path: string; asked: Asked }) {
  const id = useId().replaceAll(':', '')
  const flags = [
    Object.keys(asked.criteria).length > 0 && `--criteria ${shellWord(JSON.stringify(asked.criteria))}`,
    asked.query.q && `--search ${shellWord(asked.query.q)}`,
    asked.query.order && `--order ${shellWord(asked.query.order.replace(/\.asc$/, '').replace(/\.desc$/, ':desc'))}`,
    `--properties ${shellWord(asked.columns.join(','))}`,
  ]
  return (
    <>
      <button type="button" popoverTarget={id}>
        Export
      </button>
      <div id={id} popover="auto" class="stack">
        <p class="soft">All that fits, with the columns shown.</p>
        <ul class="columns-list">
          {FORMATS.map(([format, label, hint, ending]) => (
            <li key={format}>
              <a href={exportAddress(path, format, asked)} download={`${path}.${ending}`}>
                {label}
              </a>{' '}
              <span class="soft">{hint}</span>
            </li>
          ))}
        </ul>
        <p class="soft">
          <code>
            selvedge entities export {entityName} {flags.filter(Boolean).join(' ')}
          </code>
        </p>
      </div>
    </>
  )
}

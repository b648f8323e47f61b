// The databases that organizations are spread over, as the operator sees them (N56).
import type { DataStore, Operator } from '../../typescript/index.ts'
import { type Column, ListTable } from '../components/list-table.tsx'
import { Shown } from '../components/shown.tsx'
import { numberText, sizeText } from '../state/format.ts'
import { useLoad } from '../state/use-load.ts'

const COLUMNS: readonly Column<DataStore>[] = [
  { name: 'Database', show: ({ name }) => name, look: 'mono' },
  {
    name: 'State',
    show: ({ state, warning }) => (
      <>
        <span class={`state ${state === 'open' ? 'done' : 'failed'}`}>{state}</span>
        {warning && <p>{warning}</p>}
      </>
    ),
  },
  { name: 'Size', show: ({ bytes }) => (bytes === null ? '' : sizeText(bytes)), look: 'number' },
  { name: 'Organizations', show: ({ organizations }) => numberText(organizations), look: 'number' },
]

export function Databases({ operator }: { operator: Operator }) {
  const databases = useLoad('databases', signal => operator.databases({ signal }))
  return (
    <section class="stack" aria-labelledby="operator-databases">
      <h2 id="operator-databases">Databases</h2>
      <Shown of={databases}>
        {({ results }) => <ListTable label="Databases" columns={COLUMNS} keyOf={({ name }) => name} rows={results} />}
      </Shown>
    </section>
  )
}

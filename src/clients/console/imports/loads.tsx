// All loads, newest first; those that run move.
import type { LoadProcess } from '../../typescript/index.ts'
import { Empty } from '../components/empty.tsx'
import { HowTo } from '../components/how-to.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { Page } from '../components/page.tsx'
import { State } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../state/address.ts'
import { numberText } from '../state/format.ts'
import { totalsOf } from '../state/load-words.ts'
import { client } from '../state/session.ts'
import { usePages } from '../state/use-pages.ts'
import { RevertList } from './revert-list.tsx'

const LOOK_MS = 3_000

const PAGE_SIZE = 50

const COLUMNS: readonly Column<LoadProcess>[] = [
  {
    name: 'Load',
    show: ({ id, name, dryRun }) => (
      <>
        <a href={to.load(id)}>{name ?? id}</a>
        {dryRun === true && <span class="soft"> check only</span>}
      </>
    ),
  },
  {
    name: 'State',
    show: ({ status, progress }) => (
      <>
        <State is={status} />
        {status === 'running' && ` ${progress.percent} %`}
      </>
    ),
  },
  { name: 'New', look: 'number', show: process => numberText(totalsOf(process).created) },
  { name: 'Changed', look: 'number', show: process => numberText(totalsOf(process).updated) },
  { name: 'Errors', look: 'number', show: ({ errorCount }) => numberText(errorCount) },
  { name: 'When', show: ({ createdOn }) => <Time at={createdOn} /> },
]

export function Loads() {
  const loads = usePages(
    'loads',
    ({ nextPageKey, signal }) => {
      const order = { orderField: 'createdOn', order: 'desc' } as const
      return client.loads.list({ queryParams: { limit: PAGE_SIZE, order, nextPageKey }, signal })
    },
    LOOK_MS,
  )
  return (
    <Page
      title="Loads"
      acts={
        <a class="button main" href={to.newLoad}>
          Load a file
        </a>
      }
    >
      <div class="stack">
        <PagedTable
          label="Loads"
          pages={loads}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          lines={6}
          empty={
            <Empty title="No loads yet">
              <p>
                A load reads a CSV file and makes entities of its rows. Look at what it would do first; take it back
                afterwards if it was wrong.
              </p>
              <a class="button main" href={to.newLoad}>
                Load a file
              </a>
            </Empty>
          }
        />
        <RevertList />
      </div>
      <HowTo
        way={{
          path: '/loader-processes?limit=50',
          typescript: 'const { results } = await client.loads.list({ queryParams: { limit: 50 } })',
          command: 'load list',
        }}
      />
    </Page>
  )
}

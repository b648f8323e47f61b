// What was taken back, newest first; nothing is said where nothing was.
import type { RevertProcess } from '../../typescript/index.ts'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { State } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../state/address.ts'
import { numberText } from '../state/format.ts'
import { isReverting } from '../state/reverts.ts'
import { client } from '../state/session.ts'
import { usePages } from '../state/use-pages.ts'

const LOOK_MS = 3_000
const PAGE_SIZE = 20

const COLUMNS: readonly Column<RevertProcess>[] = [
  {
    name: 'What',
    show: ({ id, name, dryRun }) => (
      <>
        <a href={to.revert(id)}>{name ?? id}</a>
        {dryRun && <span class="soft"> only a look ahead</span>}
      </>
    ),
  },
  {
    name: 'State',
    show: process => (
      <>
        <State is={process.status} />
        {isReverting(process) && ` ${process.progress.percent} %`}
      </>
    ),
  },
  { name: 'Left alone', look: 'number', show: ({ issueCount }) => numberText(issueCount) },
  { name: 'When', show: ({ createdOn }) => <Time at={createdOn} /> },
]

export function RevertList() {
  const reverts = usePages(
    'reverts',
    ({ nextPageKey, signal }) => {
      const order = { orderField: 'createdOn', order: 'desc' } as const
      return client.reverts.list({ queryParams: { limit: PAGE_SIZE, order, nextPageKey }, signal })
    },
    LOOK_MS,
  )
  if (reverts.error === undefined && !reverts.value?.results.length) return null
  return (
    <section class="stack" aria-labelledby="reverts">
      <h2 id="reverts">Taken back</h2>
      <PagedTable label="Taken back" pages={reverts} columns={COLUMNS} keyOf={({ id }) => id} empty={null} />
    </section>
  )
}

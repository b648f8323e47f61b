// What the queues gave up, oldest first: each, or all of it, can be sent again.
import { useState } from 'preact/hooks'
import type { DeadLetter } from '../../typescript/index.ts'
import { Confirm } from '../components/dialog.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../state/address.ts'
import { counted } from '../state/format.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useOnce } from '../state/use-once.ts'
import { readAll, usePages } from '../state/use-pages.ts'
import type { OfOperator } from './frame.tsx'

const PAGE_SIZE = 50
const LOOK_MS = 10_000

const COLUMNS: readonly Column<DeadLetter>[] = [
  { name: 'What', show: ({ kind }) => kind.replaceAll(/[-_]/g, ' ') },
  {
    name: 'Organization',
    show: ({ organization }) =>
      organization ? <a href={to.operatorOrg(organization)}>{organization}</a> : <span class="soft">deleted</span>,
  },
  { name: 'About', look: 'mono', show: ({ subjectId }) => subjectId },
  { name: 'Given up', show: ({ createdOn }) => <Time at={createdOn} /> },
]

export function DeadLetters({ operator, changed }: OfOperator & { changed(): void }) {
  const letters = usePages('dead letters', at => operator.deadLetters({ ...at, limit: PAGE_SIZE }), LOOK_MS)
  const [isAsking, setAsking] = useState(false)
  const reload = async () => {
    await letters.reload()
    changed()
  }
  const { isBusy, start: sendOne } = useOnce(async ({ id }: DeadLetter) => {
    const isSent = await attempt('It was not sent again', async () => {
      await operator.replayDeadLetter({ id })
      return true
    })
    if (isSent) tell('It is sent again.')
    await reload()
  })
  const sendAll = async () => {
    let sent = 0
    await attempt('Not all were sent again', async () => {
      // Those that are there now: one that fails again comes back, and would be sent for ever.
      for (const { id } of await readAll(at => operator.deadLetters(at))) {
        await operator.replayDeadLetter({ id })
        sent++
      }
    })
    tell(`Sent ${counted(sent, 'dead letter')} again.`)
    await reload()
  }
  const isAny = (letters.value?.results.length ?? 0) > 0
  return (
    <section class="stack" id="dead-letters" aria-labelledby="dead-letters-title">
      <div class="line spread">
        <h2 id="dead-letters-title">Dead letters</h2>
        {isAny && (
          <button type="button" onClick={() => setAsking(true)}>
            Send all again
          </button>
        )}
      </div>
      <PagedTable
        label="Dead letters"
        pages={letters}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        lines={2}
        acts={letter => (
          <button type="button" disabled={isBusy} onClick={() => void sendOne(letter)}>
            Send again<span class="hidden"> {letter.kind}</span>
          </button>
        )}
        empty={<p class="soft">None: the queues have given up nothing.</p>}
      />
      {isAsking && (
        <Confirm title="Send all dead letters again?" act="Send them all" close={() => setAsking(false)} run={sendAll}>
          <p>Each wakes up its work once more. What was done meanwhile is not done twice.</p>
        </Confirm>
      )}
    </section>
  )
}

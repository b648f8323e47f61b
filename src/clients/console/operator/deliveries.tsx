// What was delivered to one endpoint, newest first. What failed can be sent again.
import { useState } from 'preact/hooks'
import type { Delivery } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { textOf } from '../components/field.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { State } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { usePageState } from '../state/address.ts'
import { counted } from '../state/format.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useOnce } from '../state/use-once.ts'
import { readAll, usePages } from '../state/use-pages.ts'
import type { OfOrg } from './frame.tsx'

const LOOK_MS = 5_000
const PAGE_SIZE = 50
const STATUSES = ['', 'failed', 'pending', 'delivered'] as const

export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { name: 'Event', look: 'mono', show: ({ triggerKey }) => triggerKey },
  {
    name: 'State',
    look: 'break',
    show: ({ status, error, responseStatus }) => (
      <>
        <State is={status} />
        {error ? <div class="sub">{error}</div> : responseStatus && <div class="sub">answered {responseStatus}</div>}
      </>
    ),
  },
  {
    name: 'Tried',
    show: ({ attempts, nextAttemptOn }) => (
      <>
        {counted(attempts, 'time')}
        {nextAttemptOn && (
          <div class="sub">
            again <Time at={nextAttemptOn} />
          </div>
        )}
      </>
    ),
  },
  { name: 'Made', show: ({ createdOn }) => <Time at={createdOn} /> },
]

interface ActsProps extends OfOrg {
  delivery: Delivery
  sent(): void
}

export function DeliveryActs({ operator, slug, delivery, sent }: ActsProps) {
  const [isOpen, setOpen] = useState(false)
  const { id, endpointName: name, triggerKey, status, payload } = delivery
  const { isBusy, start: resend } = useOnce(async () => {
    if (await attempt('It was not sent again', () => operator.endpoints.resend({ slug, name, id }))) {
      tell('It is sent again.')
      sent()
    }
  })
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Look<span class="hidden"> at {triggerKey}</span>
      </button>
      {status !== 'pending' && (
        <button type="button" disabled={isBusy} onClick={() => void resend()}>
          Send again<span class="hidden"> {triggerKey}</span>
        </button>
      )}
      {isOpen && (
        <Dialog title={triggerKey} close={() => setOpen(false)}>
          <p class="soft">
            webhook-id <code>{id}</code>, the same at every try.
          </p>
          <pre class="code">{JSON.stringify(payload, null, 2)}</pre>
          <div class="line">
            <button type="button" onClick={() => setOpen(false)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** Of one endpoint. */
export function EndpointDeliveries({ operator, slug, name }: OfOrg & { name: string }) {
  const { query, set } = usePageState()
  const status = STATUSES.find(each => each === query.status) ?? ''
  const wanted = status === '' ? undefined : status
  const deliveries = usePages(
    `${slug} ${name} ${status}`,
    at => operator.endpoints.deliveries({ slug, name, limit: PAGE_SIZE, status: wanted, ...at }),
    LOOK_MS,
  )
  const { isBusy, start: resendAll } = useOnce(async () => {
    let sent = 0
    await attempt('Not all were sent again', async () => {
      for (const { id } of await readAll(at =>
        operator.endpoints.deliveries({ slug, name, status: 'failed', ...at }),
      )) {
        await operator.endpoints.resend({ slug, name, id })
        sent++
      }
    })
    tell(`Sent ${counted(sent, 'delivery', 'deliveries')} again.`)
    await deliveries.reload()
  })
  return (
    <section class="panel stack" aria-label={`Deliveries of ${name}`}>
      <div class="line spread">
        <h2>Deliveries of {name}</h2>
        <span class="line">
          {status === 'failed' && (deliveries.value?.results.length ?? 0) > 0 && (
            <button type="button" disabled={isBusy} onClick={() => void resendAll()}>
              Send all that failed again
            </button>
          )}
          <select
            class="narrow"
            aria-label="Which deliveries"
            value={status}
            onChange={event => set({ status: textOf(event) })}
          >
            {STATUSES.map(each => (
              <option key={each} value={each}>
                {each === '' ? 'all' : each}
              </option>
            ))}
          </select>
          <button type="button" onClick={() => set({ endpoint: undefined, status: undefined })}>
            Close
          </button>
        </span>
      </div>
      <PagedTable
        label={`Deliveries of ${name}`}
        pages={deliveries}
        columns={DELIVERY_COLUMNS}
        keyOf={({ id }) => id}
        lines={3}
        acts={delivery => (
          <DeliveryActs operator={operator} slug={slug} delivery={delivery} sent={() => void deliveries.reload()} />
        )}
        empty={<p class="soft">No deliveries{status && ` that are ${status}`}.</p>}
      />
    </section>
  )
}

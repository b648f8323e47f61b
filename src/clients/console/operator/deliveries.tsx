// What was delivered to endpoints: of one, newest first, or what failed anywhere. What failed can be sent again.
import { useState } from 'preact/hooks'
import type { Delivery, Operator } from '../../typescript/index.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Empty } from '../parts/empty.tsx'
import { textOf } from '../parts/field.tsx'
import { type Column, ListTable, PagedTable } from '../parts/list-table.tsx'
import { Shown } from '../parts/shown.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { to, usePageState } from '../state/address.ts'
import { counted } from '../state/format.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { readAll, usePages } from '../state/use-pages.ts'
import { type OfOperator, type OfOrg, OperatorPage } from './frame.tsx'

const LOOK_MS = 5_000
const PAGE_SIZE = 50
type Status = Delivery['status']
const STATUSES = ['', 'failed', 'pending', 'delivered'] as const

const COLUMNS: readonly Column<Delivery>[] = [
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

function DeliveryActs({ operator, slug, delivery, sent }: ActsProps) {
  const [isOpen, setOpen] = useState(false)
  const { id, endpointName: name, triggerKey, status, payload } = delivery
  const resend = async () => {
    if (await attempt('It was not sent again', () => operator.endpoints.resend({ slug, name, id }))) {
      tell('It is sent again.')
      sent()
    }
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Look<span class="hidden"> at {triggerKey}</span>
      </button>
      {status !== 'pending' && (
        <button type="button" onClick={() => void resend()}>
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
  const resendAll = async () => {
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
  }
  return (
    <section class="panel stack" aria-label={`Deliveries of ${name}`}>
      <div class="line spread">
        <h2>Deliveries of {name}</h2>
        <span class="line">
          {status === 'failed' && (deliveries.value?.results.length ?? 0) > 0 && (
            <button type="button" onClick={() => void resendAll()}>
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
        columns={COLUMNS}
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

interface Found extends Delivery {
  slug: string
}

/** Of each endpoint; the endpoint's own page has the rest. */
const OF_EACH = 20
const AT_ONCE = 4

async function deliveriesOfAll(operator: Operator, status: Status, signal: AbortSignal): Promise<Found[]> {
  const orgs = await readAll(at => operator.listOrgs({ ...at, signal }))
  const found: Found[] = []
  const look = async () => {
    for (let org = orgs.pop(); org !== undefined; org = orgs.pop()) {
      const { slug } = org
      for (const { name } of (await operator.endpoints.list({ slug, signal })).results) {
        const page = await operator.endpoints.deliveries({ slug, name, status, limit: OF_EACH, signal })
        found.push(...page.results.map(delivery => ({ ...delivery, slug })))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look))
  return found.sort((a, b) => b.createdOn.localeCompare(a.createdOn))
}

const endpointHref = ({ slug, endpointName, status }: Found) =>
  `${to.operatorOrg(slug, 'endpoints')}&endpoint=${encodeURIComponent(endpointName)}&status=${status}`

const ALL_COLUMNS: readonly Column<Found>[] = [
  {
    name: 'Endpoint',
    look: 'break',
    show: found => (
      <>
        <a href={endpointHref(found)}>{found.endpointName}</a>
        <div class="sub">{found.slug}</div>
      </>
    ),
  },
  ...COLUMNS,
]

/** Each organization is asked by itself: they may live in different databases. */
export function AllDeliveries({ operator }: OfOperator) {
  const { query, set } = usePageState()
  const status: Status = query.status === 'pending' || query.status === 'delivered' ? query.status : 'failed'
  const found = useLoad(`all ${status}`, signal => deliveriesOfAll(operator, status, signal))
  return (
    <OperatorPage
      title="Deliveries"
      acts={
        <button type="button" disabled={found.isLoading} onClick={() => void found.reload()}>
          Look again
        </button>
      }
      way={{
        path: '/operator/orgs/SLUG/endpoints/NAME/deliveries?status=failed',
        typescript:
          "const { results } = await operator.endpoints.deliveries({ slug: 'SLUG', name: 'NAME', status: 'failed' })",
        command: 'endpoints deliveries SLUG NAME --status failed',
      }}
    >
      <div class="line spread">
        <p class="soft">The newest {OF_EACH} of each endpoint, over all organizations.</p>
        <div class="steps">
          {(['failed', 'pending', 'delivered'] as const).map(each => (
            <button key={each} type="button" aria-pressed={status === each} onClick={() => set({ status: each })}>
              {each}
            </button>
          ))}
        </div>
      </div>
      <Shown of={found}>
        {rows =>
          rows.length === 0 ? (
            <Empty title={status === 'failed' ? 'Nothing failed' : `Nothing is ${status}`}>
              <p>Deliveries are kept for a while, then swept. Endpoints are set on the page of each organization.</p>
            </Empty>
          ) : (
            <ListTable
              label="Deliveries of all organizations"
              rows={rows}
              columns={ALL_COLUMNS}
              keyOf={({ id }) => id}
              acts={delivery => (
                <DeliveryActs
                  operator={operator}
                  slug={delivery.slug}
                  delivery={delivery}
                  sent={() => void found.reload()}
                />
              )}
            />
          )
        }
      </Shown>
    </OperatorPage>
  )
}

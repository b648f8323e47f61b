// What was delivered to the endpoints of all organizations. Each organization is asked by itself, a page of them at a time: they
// may live in different databases, and one that does not answer is named beside what the others say.
import type { Delivery, Operator } from '../../typescript/index.ts'
import { Empty } from '../components/empty.tsx'
import { type Column, ListTable } from '../components/list-table.tsx'
import { Shown } from '../components/shown.tsx'
import { to, usePageState } from '../state/address.ts'
import { words } from '../state/fault-words.ts'
import { counted } from '../state/format.ts'
import { type PageAt, usePages } from '../state/use-pages.ts'
import { DELIVERY_COLUMNS, DeliveryActs } from './deliveries.tsx'
import { type OfOperator, OperatorPage } from './frame.tsx'

type Status = Delivery['status']

interface Found extends Delivery {
  slug: string
}

/** What one organization has, or why nobody knows. */
interface Looked {
  slug: string
  found: Found[]
  fault?: unknown
  /** Endpoints that were not asked: the organization's own page has them. */
  left: number
}

/** Of each endpoint; the endpoint's own page has the rest. */
const OF_EACH = 20
const ENDPOINTS_MOST = 20
const ORGANIZATIONS = 25
const AT_ONCE = 4

async function lookAt(operator: Operator, slug: string, status: Status, signal?: AbortSignal): Promise<Looked> {
  try {
    const { results: endpoints } = await operator.endpoints.list({ slug, signal })
    const found: Found[] = []
    for (const { name } of endpoints.slice(0, ENDPOINTS_MOST)) {
      const page = await operator.endpoints.deliveries({ slug, name, status, limit: OF_EACH, signal })
      found.push(...page.results.map(delivery => ({ ...delivery, slug })))
    }
    return { slug, found, left: Math.max(0, endpoints.length - ENDPOINTS_MOST) }
  } catch (fault) {
    signal?.throwIfAborted()
    return { slug, found: [], fault, left: 0 }
  }
}

async function lookAtPage(operator: Operator, status: Status, { nextPageKey, signal }: PageAt) {
  const orgs = await operator.listOrgs({ limit: ORGANIZATIONS, nextPageKey, signal })
  const results: Looked[] = []
  const waiting = [...orgs.results]
  const look = async () => {
    for (let org = waiting.shift(); org !== undefined; org = waiting.shift()) {
      results.push(await lookAt(operator, org.slug, status, signal))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look))
  return { ...orgs, results }
}

const newestFirst = (looked: readonly Looked[]) =>
  looked.flatMap(({ found }) => found).sort((a, b) => b.createdOn.localeCompare(a.createdOn))

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
  ...DELIVERY_COLUMNS,
]

export function AllDeliveries({ operator }: OfOperator) {
  const { query, set } = usePageState()
  const status: Status = query.status === 'pending' || query.status === 'delivered' ? query.status : 'failed'
  const found = usePages(`all ${status}`, at => lookAtPage(operator, status, at))
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
        {({ results, nextPageKey }) => (
          <>
            <Unknown looked={results} />
            <Deliveries
              operator={operator}
              status={status}
              rows={newestFirst(results)}
              sent={() => void found.reload()}
            />
            {nextPageKey !== null && (
              <p class="line">
                <button type="button" onClick={() => void found.more()}>
                  Look at more organizations
                </button>
                <span class="soft">{counted(results.length, 'organization')} so far</span>
              </p>
            )}
          </>
        )}
      </Shown>
    </OperatorPage>
  )
}

function Unknown({ looked }: { looked: readonly Looked[] }) {
  const silent = looked.filter(({ fault }) => fault !== undefined)
  const more = looked.filter(({ left }) => left > 0)
  return (
    <>
      {silent.length > 0 && (
        <section class="error" role="alert">
          <h2>{counted(silent.length, 'organization')} did not answer</h2>
          <ul class="links">
            {silent.map(({ slug, fault }) => (
              <li key={slug}>
                <a href={to.operatorOrg(slug)}>{slug}</a> <span class="soft">{words(fault).what}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {more.map(({ slug, left }) => (
        <p key={slug} class="soft">
          {counted(left, 'endpoint')} more of <a href={to.operatorOrg(slug, 'endpoints')}>{slug}</a>.
        </p>
      ))}
    </>
  )
}

interface DeliveriesProps extends OfOperator {
  status: Status
  rows: readonly Found[]
  sent(): void
}

function Deliveries({ operator, status, rows, sent }: DeliveriesProps) {
  if (rows.length === 0) {
    return (
      <Empty title={status === 'failed' ? 'Nothing failed' : `Nothing is ${status}`}>
        <p>Deliveries are kept for a while, then swept. Endpoints are set on the page of each organization.</p>
      </Empty>
    )
  }
  return (
    <ListTable
      label="Deliveries of all organizations"
      rows={rows}
      columns={ALL_COLUMNS}
      keyOf={({ id }) => id}
      acts={delivery => <DeliveryActs operator={operator} slug={delivery.slug} delivery={delivery} sent={sent} />}
    />
  )
}

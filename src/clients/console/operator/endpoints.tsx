// Outbound endpoints of an organization: where they are, what they are told, how calls are secured; and what was delivered to them.
import { useState } from 'preact/hooks'
import type { Endpoint } from '../../typescript/index.ts'
import { Confirm } from '../components/dialog.tsx'
import { Empty } from '../components/empty.tsx'
import { type Column, ListTable } from '../components/list-table.tsx'
import { Shown } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { usePageState } from '../state/address.ts'
import { ALLOWED_FOR } from '../state/terms.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useIsHere } from '../state/use-is-here.ts'
import { useLoad } from '../state/use-load.ts'
import { EndpointDeliveries } from './deliveries.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import type { OfOrg } from './frame.tsx'

const SECURED: Record<string, string> = {
  header: 'a key in a header',
  hmac: 'a signature',
  allowlist: 'fixed addresses',
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    name: 'Name',
    look: 'break',
    show: ({ name, url }) => (
      <>
        {name}
        <div class="sub mono">{url}</div>
      </>
    ),
  },
  {
    name: 'Told of',
    look: 'break',
    show: ({ events, includeLoads }) => (
      <>
        {events.length === 0 ? <span class="soft">no events</span> : events.join(', ')}
        {includeLoads && <div class="sub">changes by loads too</div>}
      </>
    ),
  },
  { name: 'Allowed for', show: ({ allowedFor }) => ALLOWED_FOR[allowedFor] },
  {
    name: 'Secured by',
    show: ({ auth, oldSecretUntil }) => (
      <>
        {SECURED[auth.kind] ?? auth.kind}
        {typeof auth.name === 'string' && <div class="sub mono">{auth.name}</div>}
        {oldSecretUntil && (
          <div class="sub">
            the secret before ends <Time at={oldSecretUntil} />
          </div>
        )}
      </>
    ),
  },
  { name: 'Changed', show: ({ updatedOn }) => <Time at={updatedOn} /> },
]

type Act = { kind: 'new' } | { kind: 'edit' | 'delete'; endpoint: Endpoint }

export function Endpoints({ operator, slug }: OfOrg) {
  const { query, set } = usePageState()
  const endpoints = useLoad(`endpoints ${slug}`, signal => operator.endpoints.list({ slug, signal }))
  const [act, setAct] = useState<Act | undefined>(undefined)
  const isHere = useIsHere()
  const close = () => setAct(undefined)
  const reload = () => void endpoints.reload()
  const remove = async ({ name }: Endpoint) => {
    const isGone = await attempt('The endpoint was not removed', async () => {
      await operator.endpoints.delete({ slug, name })
      return true
    })
    if (isGone) tell(`Removed ${name}.`)
    // Its deliveries go with it, where they are still shown.
    const shown = new URLSearchParams(location.search).get('endpoint')
    if (isGone && isHere.current && shown === name) set({ endpoint: undefined })
    reload()
  }
  return (
    <>
      <div class="line">
        <button type="button" class="main" onClick={() => setAct({ kind: 'new' })}>
          Add an endpoint
        </button>
        <span class="soft">
          What happens here is told to other systems. <a href="/docs/events">About events</a>
        </span>
      </div>
      <Shown of={endpoints} lines={3}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty title="No endpoints yet">
              <p>An endpoint is an address of another system that hears of changes, or that workflows call.</p>
            </Empty>
          ) : (
            <ListTable
              label="Endpoints"
              rows={results}
              columns={COLUMNS}
              keyOf={({ name }) => name}
              acts={endpoint => (
                <>
                  <button type="button" onClick={() => set({ endpoint: endpoint.name })}>
                    Deliveries<span class="hidden"> of {endpoint.name}</span>
                  </button>
                  <button type="button" onClick={() => setAct({ kind: 'edit', endpoint })}>
                    Edit<span class="hidden"> {endpoint.name}</span>
                  </button>
                  <button type="button" class="danger" onClick={() => setAct({ kind: 'delete', endpoint })}>
                    Remove<span class="hidden"> {endpoint.name}</span>
                  </button>
                </>
              )}
            />
          )
        }
      </Shown>
      {query.endpoint && (
        <EndpointDeliveries key={query.endpoint} operator={operator} slug={slug} name={query.endpoint} />
      )}
      {(act?.kind === 'new' || act?.kind === 'edit') && (
        <EndpointForm
          operator={operator}
          slug={slug}
          known={act.kind === 'edit' ? act.endpoint : undefined}
          close={close}
          saved={reload}
        />
      )}
      {act?.kind === 'delete' && (
        <Confirm
          title={`Remove ${act.endpoint.name}?`}
          act="Remove the endpoint"
          close={close}
          run={() => remove(act.endpoint)}
        >
          <p>What is not delivered yet fails. Workflows that call it fail, too.</p>
        </Confirm>
      )}
    </>
  )
}

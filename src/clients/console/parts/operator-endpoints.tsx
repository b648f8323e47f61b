// Outbound endpoints of an organization, and what was delivered to them; what failed can be sent again.
import { useState } from 'preact/hooks'
import type { Delivery } from '../../typescript/index.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { textOf } from './field.tsx'
import { labelled } from './labelled.ts'
import type { OfOrg } from './operator-org.tsx'
import { Shown } from './shown.tsx'
import { State } from './state.tsx'
import { Time } from './time.tsx'

const LOOK_MS = 5_000

export function OperatorEndpoints({ operator, slug }: OfOrg) {
  const endpoints = useLoad(`endpoints ${slug}`, signal => operator.endpoints.list({ slug, signal }))
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  return (
    <section class="stack" aria-labelledby="operator-endpoints">
      <h2 id="operator-endpoints">Outbound endpoints</h2>
      <Shown of={endpoints} lines={2}>
        {page =>
          page.results.length === 0 ? (
            <p class="soft">
              None. They are set by <code>selvedge operator endpoints set</code>.{' '}
              <a href="/docs/events">About events</a>
            </p>
          ) : (
            <div class="scroll">
              <table class="list cards" ref={labelled}>
                <thead>
                  <tr>
                    {['Name', 'Address', 'Events', 'Secured by'].map(name => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                    <th scope="col">
                      <span class="hidden">Acts</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {page.results.map(endpoint => (
                    <tr key={endpoint.name}>
                      <th scope="row">{endpoint.name}</th>
                      <td class="mono">{endpoint.url}</td>
                      <td>{endpoint.events.join(', ')}</td>
                      <td>{endpoint.auth.kind}</td>
                      <td class="acts">
                        <button type="button" onClick={() => setChosen(endpoint.name)}>
                          Deliveries<span class="hidden"> of {endpoint.name}</span>
                        </button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
      {chosen !== undefined && <Deliveries key={chosen} operator={operator} slug={slug} name={chosen} />}
    </section>
  )
}

const STATUSES = ['', 'failed', 'pending', 'delivered'] as const

function Deliveries({ operator, slug, name }: OfOrg & { name: string }) {
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('')
  const deliveries = useLoad(
    `${slug} ${name} ${status}`,
    signal => operator.endpoints.deliveries({ slug, name, limit: 50, status: status || undefined, signal }),
    LOOK_MS,
  )
  const resend = async ({ id }: Delivery) => {
    if (await attempt('It was not sent again', () => operator.endpoints.resend({ slug, name, id }))) {
      tell('It is sent again.')
      await deliveries.reload()
    }
  }
  return (
    <section class="panel stack" aria-label={`Deliveries of ${name}`}>
      <div class="line spread">
        <h3>Deliveries of {name}</h3>
        <select
          class="narrow"
          aria-label="Which deliveries"
          value={status}
          onChange={event => setStatus(textOf(event) as (typeof STATUSES)[number])}
        >
          {STATUSES.map(each => (
            <option key={each} value={each}>
              {each === '' ? 'all' : each}
            </option>
          ))}
        </select>
      </div>
      <Shown of={deliveries} lines={3}>
        {page =>
          page.results.length === 0 ? (
            <p class="soft">No deliveries{status && ` that are ${status}`}.</p>
          ) : (
            <div class="scroll">
              <table class="list cards" ref={labelled}>
                <tbody>
                  {page.results.map(delivery => (
                    <tr key={delivery.id}>
                      <th scope="row">{delivery.triggerKey}</th>
                      <td>
                        <State is={delivery.status} />
                        {delivery.error && <div class="sub">{delivery.error}</div>}
                      </td>
                      <td class="number">{delivery.attempts} attempts</td>
                      <td>
                        <Time at={delivery.createdOn} />
                      </td>
                      <td class="acts">
                        {delivery.status === 'failed' && (
                          <button type="button" onClick={() => void resend(delivery)}>
                            Send again
                          </button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
    </section>
  )
}

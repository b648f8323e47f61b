// What an assortment can do beyond being an entity: its members, and publishing by hand (N33).
import { useState } from 'preact/hooks'
import type { PublishRecord } from '../../typescript/index.ts'
import { criteriaQuery, to } from '../state/address.ts'
import { numberText } from '../state/format.ts'
import { client } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { Time } from './time.tsx'

export function AssortmentActs({ id, changed }: { id: string; changed(): void }) {
  const [record, setRecord] = useState<PublishRecord | undefined>(undefined)
  const publish = async () => {
    const made = await attempt('Publishing failed', () => client.assortments.publish({ id }))
    if (!made) return
    setRecord(made)
    tell('Published.')
    changed()
  }
  return (
    <section class="panel stack">
      <div class="line spread">
        <h2>Members and publish</h2>
        <button type="button" onClick={() => void publish()}>
          Publish
        </button>
      </div>
      <p>
        <a href={to.entities('assortment-items', criteriaQuery({ assortmentId: id }))}>Its assortment items</a>. A
        publish lists what was added, changed and dropped since the one before, and tells whoever listens.
      </p>
      {record && <Published record={record} />}
    </section>
  )
}

function Published({ record: { createdOn, detail } }: { record: PublishRecord }) {
  const parts = [
    { label: 'Added', count: detail.adds, url: detail.addsUrl },
    { label: 'Changed', count: detail.updates, url: detail.updatesUrl },
    { label: 'Dropped', count: detail.deletes, url: detail.deletesUrl },
  ]
  return (
    <dl class="counts">
      {parts.map(({ label, count, url }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {count > 0 ? (
              <a href={url} download>
                {numberText(count)}
              </a>
            ) : (
              '0'
            )}
          </dd>
        </div>
      ))}
      <div>
        <dt>When</dt>
        <dd>
          <Time at={createdOn} />
        </dd>
      </div>
    </dl>
  )
}

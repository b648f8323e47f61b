// The publishes of an assortment, newest first, each with what was added, changed and dropped in it.
import { useState } from 'preact/hooks'
import type { ChangeRecord, Page, PublishRecord } from '../../typescript/index.ts'
import { More } from '../components/list-table.tsx'
import { Shown } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { Reference } from '../components/value.tsx'
import { WhoMade } from '../history/change-entry.tsx'
import { counted, numberText } from '../state/format.ts'
import { firstMembers } from '../state/publishes.ts'
import { useLoad } from '../state/use-load.ts'

const SHOWN = 20

export function PublishList({ page, more }: { page: Page<PublishRecord>; more(): Promise<void> }) {
  if (page.results.length === 0) {
    return (
      <p class="soft">
        None yet. A publish lists what was added, changed and dropped since the one before, and tells whoever listens.
      </p>
    )
  }
  return (
    <>
      <ol class="versions">
        {page.results.map(record => (
          <Publish key={record.id} record={record} />
        ))}
      </ol>
      <More page={page} more={more} />
    </>
  )
}

function Publish({ record }: { record: PublishRecord }) {
  const [isOpen, setOpen] = useState(false)
  const { adds, updates, deletes } = record.detail
  const parts = partsOf(record)
  const who = { ...record, createdByType: record.createdByType as ChangeRecord['createdByType'] }
  return (
    <li>
      <div class="line spread">
        <span>
          <WhoMade record={who} /> published <Time at={record.createdOn} />
        </span>
        {parts.length > 0 && (
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fold up' : 'What changed'}
          </button>
        )}
      </div>
      <p class="soft">
        {numberText(adds)} added, {numberText(updates)} changed, {numberText(deletes)} dropped
      </p>
      {isOpen && parts.map(part => <Changed key={part.label} {...part} />)}
    </li>
  )
}

interface Part {
  label: string
  count: number
  url: string
}

function partsOf({ detail }: PublishRecord): Part[] {
  const all = [
    { label: 'Added', count: detail.adds, url: detail.addsUrl },
    { label: 'Changed', count: detail.updates, url: detail.updatesUrl },
    { label: 'Dropped', count: detail.deletes, url: detail.deletesUrl },
  ]
  return all.filter(({ count }) => count > 0)
}

function Changed({ label, count, url }: Part) {
  const members = useLoad(url, () => firstMembers(url))
  return (
    <section>
      <h3>
        {label}{' '}
        <a href={url} download>
          {counted(count, 'item')} as JSON
        </a>
      </h3>
      <Shown of={members} lines={2}>
        {list => (
          <p>
            {list.slice(0, SHOWN).map(({ itemId, itemFederatedId }, at) => (
              <span key={itemId}>
                {at > 0 && ', '}
                <Reference entityName="item" id={itemId} />
                {itemFederatedId && <span class="soft mono"> {itemFederatedId}</span>}
              </span>
            ))}
            {count > SHOWN && ` and ${numberText(count - SHOWN)} more`}
          </p>
        )}
      </Shown>
    </section>
  )
}

// What an assortment is made of: its items, the assortments in it and those that it is in; publishing by hand (N33).

import { useState } from 'preact/hooks'
import { Shown } from '../components/shown.tsx'
import { Reference } from '../components/value.tsx'
import { to } from '../state/address.ts'
import { client } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { useOnce } from '../state/use-once.ts'
import { usePages } from '../state/use-pages.ts'
import { MemberItems } from './member-items.tsx'
import { PublishList } from './publish-list.tsx'
import { PublishReview } from './publish-review.tsx'

const SHOWN = 20
const PUBLISHES_AT_ONCE = 10

interface AssortmentActsProps {
  id: string
  /** Of which it is a composite. */
  members: readonly string[]
  canWrite: boolean
  changed(): void
}

export function AssortmentActs({ id, members, canWrite, changed }: AssortmentActsProps) {
  const publishes = usePages(`publishes of ${id}`, at =>
    client.assortments.publishRecords({ id, limit: PUBLISHES_AT_ONCE, ...at }),
  )
  const [isReviewing, setReviewing] = useState(false)
  const { start: publish } = useOnce(async () => {
    const made = await attempt('Publishing failed', () => client.assortments.publish({ id }))
    if (!made) return
    tell('Published.')
    void publishes.reload()
    changed()
  })
  return (
    <>
      <section class="panel stack" aria-labelledby="assortment-members">
        <h2 id="assortment-members">Members</h2>
        <MemberItems
          entityName="assortment-item"
          path="assortment-items"
          criteria={{ assortmentId: id }}
          empty="No items of its own. Imports put items into assortments, and so does adding assortment items."
        />
        <Composites id={id} members={members} />
      </section>
      <section class="panel stack" aria-labelledby="assortment-publishes">
        <div class="line spread">
          <h2 id="assortment-publishes">Publishes</h2>
          {canWrite && (
            <button type="button" onClick={() => setReviewing(true)}>
              Review and publish
            </button>
          )}
        </div>
        <Shown of={publishes} lines={3}>
          {page => <PublishList page={page} more={publishes.more} />}
        </Shown>
      </section>
      {isReviewing && <PublishReview id={id} close={() => setReviewing(false)} publish={publish} />}
    </>
  )
}

function Composites({ id, members }: { id: string; members: readonly string[] }) {
  const above = useLoad(`composites of ${id}`, signal =>
    client.entities.list({
      entityName: 'assortment',
      queryParams: { criteria: { memberAssortmentIds: id }, limit: SHOWN },
      signal,
    }),
  )
  return (
    <>
      {members.length > 0 && (
        <p>
          A composite of{' '}
          {members.map((member, at) => (
            <span key={member}>
              {at > 0 && ', '}
              <Reference entityName="assortment" id={member} />
            </span>
          ))}
          : their items count as its own.
        </p>
      )}
      <Shown of={above} lines={1}>
        {page =>
          page.results.length > 0 && (
            <p>
              Part of{' '}
              {page.results.map((each, at) => (
                <span key={each.id}>
                  {at > 0 && ', '}
                  <a href={to.entity('assortments', each.id)}>{each.name ?? each.id}</a>
                </span>
              ))}
              .
            </p>
          )
        }
      </Shown>
    </>
  )
}

// Before an assortment is published: what is added, changed and dropped since its last publish.
import { Dialog } from '../components/dialog.tsx'
import { Shown } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { Reference } from '../components/value.tsx'
import { counted, numberText } from '../state/format.ts'
import { lastMembers, type PublishDifference, publishDifference } from '../state/publish-difference.ts'
import { allMembers } from '../state/publishes.ts'
import { client } from '../state/session.ts'
import { useLoad } from '../state/use-load.ts'
import { useOnce } from '../state/use-once.ts'
import { readAll } from '../state/use-pages.ts'

const SHOWN = 20

interface PublishReviewProps {
  id: string
  close(): void
  publish(): Promise<void>
}

export function PublishReview({ id, close, publish }: PublishReviewProps) {
  const review = useLoad(`review of ${id}`, () => readReview(id))
  const { isBusy, start } = useOnce(async () => {
    await publish()
    close()
  })
  return (
    <Dialog title="Review and publish" close={close} isBusy={isBusy}>
      <Shown of={review} lines={4}>
        {({ difference, lastOn }) => (
          <>
            <p>
              {lastOn ? (
                <>
                  Since the last publish, <Time at={lastOn} />:
                </>
              ) : (
                'This is the first publish.'
              )}
            </p>
            <Part label="Added" ids={difference.added} />
            <Part label="Changed" ids={difference.changed} />
            <Part label="Dropped" ids={difference.removed} />
            <div class="line">
              <button type="button" class="main" disabled={isBusy} onClick={() => void start()}>
                {actOf(difference)}
              </button>
              <button type="button" disabled={isBusy} onClick={close}>
                Cancel
              </button>
            </div>
          </>
        )}
      </Shown>
    </Dialog>
  )
}

function actOf({ added, changed, removed }: PublishDifference): string {
  const count = added.length + changed.length + removed.length
  return count === 0 ? 'Publish without changes' : `Publish ${counted(count, 'change')}`
}

function Part({ label, ids }: { label: string; ids: readonly string[] }) {
  return (
    <section>
      <h3>
        {label} <span class="soft">{numberText(ids.length)}</span>
      </h3>
      {ids.length > 0 && (
        <p>
          {ids.slice(0, SHOWN).map((id, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Reference entityName="item" id={id} isPlain />
            </span>
          ))}
          {ids.length > SHOWN && ` and ${numberText(ids.length - SHOWN)} more`}
        </p>
      )}
    </section>
  )
}

async function readReview(id: string): Promise<{ difference: PublishDifference; lastOn: string | undefined }> {
  const criteria = { assortmentId: id }
  const [members, publishes] = await Promise.all([
    readAll(at => client.entities.list({ entityName: 'assortment-item', queryParams: { criteria, ...at } })),
    client.assortments.publishRecords({ id, limit: 1 }),
  ])
  const now = members.map(({ itemId, updatedOn }) => ({ itemId: String(itemId), updatedOn }))
  const [last] = publishes.results
  if (!last) return { difference: publishDifference(now, undefined), lastOn: undefined }
  const { baselineUrl, addsUrl, deletesUrl } = last.detail
  const [before = [], added = [], dropped = []] = await Promise.all([baselineUrl, addsUrl, deletesUrl].map(allMembers))
  const itemIds = lastMembers(before, added, dropped)
  return { difference: publishDifference(now, { itemIds, createdOn: last.createdOn }), lastOn: last.createdOn }
}

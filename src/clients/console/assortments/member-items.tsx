// The items of an assortment or a season: how many there are, the first of them by name, and the way to all in the grid.
import { Shown } from '../components/shown.tsx'
import { Reference } from '../components/value.tsx'
import { criteriaQuery, to } from '../state/address.ts'
import { countText } from '../state/counts.ts'
import { client } from '../state/session.ts'
import { useLoad } from '../state/use-load.ts'

const SHOWN = 20

interface MemberItemsProps {
  /** Entities that hold an item each. */
  entityName: string
  path: string
  criteria: Record<string, string>
  empty: string
}

export function MemberItems({ entityName, path, criteria, empty }: MemberItemsProps) {
  const key = `${entityName} ${JSON.stringify(criteria)}`
  const items = useLoad(`members ${key}`, signal =>
    client.entities.list({ entityName, queryParams: { criteria, limit: SHOWN }, signal }),
  )
  const count = useLoad(`count ${key}`, signal =>
    client.entities.count({ entityName, queryParams: { criteria }, signal }),
  )
  return (
    <Shown of={items} lines={4}>
      {page =>
        page.results.length === 0 ? (
          <p class="soft">{empty}</p>
        ) : (
          <>
            <ul class="names">
              {page.results.map(each => (
                <li key={each.id}>
                  <Reference entityName="item" id={String(each.itemId)} />
                </li>
              ))}
            </ul>
            <p>
              <a href={to.entities(path, criteriaQuery(criteria))}>
                {count.value ? `All ${countText(count.value)} in the grid` : 'All in the grid'}
              </a>
            </p>
          </>
        )
      }
    </Shown>
  )
}

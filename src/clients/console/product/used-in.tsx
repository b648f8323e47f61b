// Where an entity is used: those that refer to it, by entity type.

import { Shown } from '../components/shown.tsx'
import { Reference } from '../components/value.tsx'
import { criteriaQuery, to } from '../state/address.ts'
import { describedReferences, rootByName, titleOf } from '../state/catalog.ts'
import { labelOf } from '../state/columns.ts'
import { usedBy } from '../state/references.ts'
import { client } from '../state/session.ts'
import { useLoad } from '../state/use-load.ts'

const MOST = 20

export function UsedIn({ entityName, id }: { entityName: string; id: string }) {
  const places = [...usedBy(entityName), ...describedReferences()]
  if (places.length === 0) return <p class="soft">No entity type refers to this one.</p>
  return (
    <div class="stack">
      {places.map(place => (
        <Place key={place.entityName + place.property} {...place} id={id} />
      ))}
    </div>
  )
}

function Place({ entityName, property, id }: { entityName: string; property: string; id: string }) {
  const path = rootByName(entityName)?.path ?? `${entityName}s`
  const used = useLoad(`${entityName} ${property} ${id}`, signal =>
    client.entities.list({ entityName, queryParams: { criteria: { [property]: id }, limit: MOST }, signal }),
  )
  return (
    <section>
      <h3>
        {titleOf(path)} <span class="soft">as {labelOf(property).toLowerCase()}</span>
      </h3>
      <Shown of={used} lines={2}>
        {page =>
          page.results.length === 0 ? (
            <p class="soft">In none.</p>
          ) : (
            <>
              <ul>
                {page.results.map(each => (
                  <li key={each.id}>
                    <a href={to.entity(path, each.id)}>{each.name ?? each.federatedId ?? each.id}</a>{' '}
                    {typeof each.itemId === 'string' && property !== 'itemId' && (
                      <Reference entityName="item" id={each.itemId} />
                    )}
                    {typeof each.assortmentId === 'string' && property !== 'assortmentId' && (
                      <Reference entityName="assortment" id={each.assortmentId} />
                    )}
                  </li>
                ))}
              </ul>
              {page.nextPageKey !== null && <a href={to.entities(path, criteriaQuery({ [property]: id }))}>Show all</a>}
            </>
          )
        }
      </Shown>
    </section>
  )
}

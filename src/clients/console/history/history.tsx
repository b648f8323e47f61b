// Everything that changed, newest first, with filters by type and day.
import { useState } from 'preact/hooks'
import type { ChangePage, ChangeRecord } from '../../typescript/index.ts'
import { Difference } from '../components/difference.tsx'
import { Empty } from '../components/empty.tsx'
import { Field, textOf } from '../components/field.tsx'
import { HowTo } from '../components/how-to.tsx'
import { labelled } from '../components/labelled.ts'
import { Page } from '../components/page.tsx'
import { Shown } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { Reference } from '../components/value.tsx'
import { to, usePageState } from '../state/address.ts'
import { catalog, rootByName, titleOf } from '../state/catalog.ts'
import { labelOf } from '../state/columns.ts'
import { historyCriteria, historyWay } from '../state/history-way.ts'
import { client } from '../state/session.ts'
import { attempt } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { changesOf, WhoMade } from './change-entry.tsx'

const PAGE_SIZE = 50

export function History() {
  const { query, set } = usePageState()
  const criteria = historyCriteria(query)
  const key = JSON.stringify(criteria)
  const changes = useLoad<ChangePage>(key, signal => client.changes.list({ criteria, limit: PAGE_SIZE, signal }))
  const more = async (page: ChangePage) => {
    const next = await attempt('More could not be read', () =>
      client.changes.list({ criteria, limit: PAGE_SIZE, nextPageKey: page.nextPageKey }),
    )
    if (next) changes.set({ ...next, results: [...page.results, ...next.results] })
  }
  const isFiltered = Object.keys(criteria).length > 0
  return (
    <Page title="History">
      <div class="grid-tools">
        <Field label="Type">
          {field => (
            <select {...field} value={query.type ?? ''} onChange={event => set({ type: textOf(event) })}>
              <option value="">All types</option>
              {catalog.value?.roots.map(({ entityType, path }) => (
                <option key={entityType} value={entityType}>
                  {titleOf(path)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="From (UTC)">
          {field => (
            <input {...field} type="date" value={query.from ?? ''} onChange={event => set({ from: textOf(event) })} />
          )}
        </Field>
        <Field label="Until (UTC)">
          {field => (
            <input {...field} type="date" value={query.until ?? ''} onChange={event => set({ until: textOf(event) })} />
          )}
        </Field>
      </div>
      <Shown of={changes} lines={10}>
        {page =>
          page.results.length === 0 ? (
            <Empty title={isFiltered ? 'Nothing changed in these bounds' : 'Nothing has changed yet'}>
              <p>Every write leaves a record here: who, when, and what each property was before.</p>
            </Empty>
          ) : (
            <>
              <div class="scroll">
                <table class="list cards" ref={labelled}>
                  <thead>
                    <tr>
                      <th scope="col">What</th>
                      <th scope="col">Type</th>
                      <th scope="col">Change</th>
                      <th scope="col">Who</th>
                      <th scope="col">When</th>
                    </tr>
                  </thead>
                  <tbody>
                    {page.results.map(record => (
                      <Line key={record.id} record={record} />
                    ))}
                  </tbody>
                </table>
              </div>
              {page.nextPageKey !== null && (
                <p class="line">
                  <button type="button" onClick={() => void more(page)}>
                    Show more
                  </button>
                </p>
              )}
            </>
          )
        }
      </Shown>
      <HowTo way={historyWay(query, PAGE_SIZE)} />
    </Page>
  )
}

const WORDS = { create: 'made', update: 'changed', delete: 'deleted' } as const
const SHOWN = 3

function Line({ record }: { record: ChangeRecord }) {
  const [isOpen, setOpen] = useState(false)
  const id = record.entityReference.slice(record.entityReference.indexOf(':') + 1)
  const path = rootByName(record.entityType)?.path
  const changes = changesOf(record)
  const shown = isOpen ? changes : changes.slice(0, SHOWN)
  const name = record.changes.name?.newValue ?? record.changes.name?.oldValue
  return (
    <tr>
      <th scope="row">
        {record.changeType === 'delete' || typeof name === 'string' ? (
          <a href={path ? to.entity(path, id) : '#'}>{typeof name === 'string' ? name : id}</a>
        ) : (
          <Reference entityName={record.entityType} id={id} />
        )}{' '}
        <span class="soft">v{record.version}</span>
      </th>
      <td>{record.entityType}</td>
      <td>
        {WORDS[record.changeType]}
        {record.changeType === 'update' &&
          shown.map(([slug, { oldValue, newValue }]) => (
            <div key={slug} class="sub">
              {labelOf(slug)}: <Difference {...{ slug, property: undefined, oldValue, newValue }} />
            </div>
          ))}
        {record.changeType === 'update' && changes.length > SHOWN && (
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Less' : `${changes.length - SHOWN} more`}
          </button>
        )}
      </td>
      <td>
        <WhoMade record={record} />
      </td>
      <td>
        <Time at={record.createdOn} />
      </td>
    </tr>
  )
}

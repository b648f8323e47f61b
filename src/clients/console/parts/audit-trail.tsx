// Sign-ins, keys, people and acts of the operator, newest first.
import type { AuditEntry, Page } from '../../typescript/index.ts'
import { plainText } from '../state/format.ts'
import { memberName } from '../state/people.ts'
import { client } from '../state/session.ts'
import { attempt } from '../state/toasts.ts'
import { type Loaded, useLoad } from '../state/use-load.ts'
import { labelled } from './labelled.ts'
import { Shown } from './shown.tsx'
import { Time } from './time.tsx'

const PAGE_SIZE = 100

export function AuditTrail() {
  const audit = useLoad('audit', signal => client.people.audit({ limit: PAGE_SIZE, signal }))
  return <AuditTable audit={audit} next={nextPageKey => client.people.audit({ limit: PAGE_SIZE, nextPageKey })} />
}

interface AuditTableProps {
  audit: Loaded<Page<AuditEntry>>
  next(nextPageKey: string): Promise<Page<AuditEntry>>
}

export function AuditTable({ audit, next }: AuditTableProps) {
  const more = async (page: Page<AuditEntry>) => {
    const read = await attempt('More could not be read', () => next(page.nextPageKey ?? ''))
    if (read) audit.set({ ...read, results: [...page.results, ...read.results] })
  }
  return (
    <Shown of={audit}>
      {page => (
        <>
          <div class="scroll">
            <table class="list cards" ref={labelled}>
              <thead>
                <tr>
                  {['What', 'Who', 'From', 'Details', 'When'].map(name => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {page.results.map(entry => (
                  <tr key={entry.id}>
                    <th scope="row">{entry.action.replaceAll('_', ' ')}</th>
                    <td>{entry.actorId ? memberName(entry.actorId) : entry.actorType}</td>
                    <td class="mono">{entry.address}</td>
                    <td>
                      {Object.entries(entry.detail)
                        .map(([name, value]) => `${name}: ${plainText(value)}`)
                        .join(', ')}
                    </td>
                    <td>
                      <Time at={entry.createdOn} />
                    </td>
                  </tr>
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
      )}
    </Shown>
  )
}

// All loads, newest first; those that run move.
import { Empty } from '../parts/empty.tsx'
import { HowTo } from '../parts/how-to.tsx'
import { labelled } from '../parts/labelled.ts'
import { Page } from '../parts/page.tsx'
import { Shown } from '../parts/shown.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { to } from '../state/address.ts'
import { numberText } from '../state/format.ts'
import { totalsOf } from '../state/load-words.ts'
import { client } from '../state/session.ts'
import { useLoad } from '../state/use-load.ts'

const LOOK_MS = 3_000

export function Loads() {
  const loads = useLoad(
    'loads',
    signal =>
      client.loads.list({ queryParams: { limit: 50, order: { orderField: 'createdOn', order: 'desc' } }, signal }),
    LOOK_MS,
  )
  return (
    <Page
      title="Loads"
      acts={
        <a class="button main" href={to.newLoad}>
          Load a file
        </a>
      }
    >
      <Shown of={loads}>
        {page =>
          page.results.length === 0 ? (
            <Empty title="No loads yet">
              <p>
                A load reads a CSV file and makes entities of its rows. Look at what it would do first; take it back
                afterwards if it was wrong.
              </p>
              <a class="button main" href={to.newLoad}>
                Load a file
              </a>
            </Empty>
          ) : (
            <div class="scroll">
              <table class="list cards" ref={labelled}>
                <thead>
                  <tr>
                    <th scope="col">Load</th>
                    <th scope="col">State</th>
                    <th scope="col" class="number">
                      New
                    </th>
                    <th scope="col" class="number">
                      Changed
                    </th>
                    <th scope="col" class="number">
                      Errors
                    </th>
                    <th scope="col">When</th>
                  </tr>
                </thead>
                <tbody>
                  {page.results.map(process => {
                    const totals = totalsOf(process)
                    return (
                      <tr key={process.id}>
                        <th scope="row">
                          <a href={to.load(process.id)}>{process.name ?? process.id}</a>
                          {process.dryRun === true && <span class="soft"> check only</span>}
                        </th>
                        <td>
                          <State is={process.status} />
                          {process.status === 'running' && ` ${process.progress.percent} %`}
                        </td>
                        <td class="number">{numberText(totals.created)}</td>
                        <td class="number">{numberText(totals.updated)}</td>
                        <td class="number">{numberText(process.errorCount)}</td>
                        <td>
                          <Time at={process.createdOn} />
                        </td>
                      </tr>
                    )
                  })}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
      <HowTo
        way={{
          path: '/loader-processes?limit=50',
          typescript: 'const { results } = await client.loads.list({ queryParams: { limit: 50 } })',
          command: 'load list',
        }}
      />
    </Page>
  )
}

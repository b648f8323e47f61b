// The databases that organizations are spread over, as the operator sees them (N56).
import type { Operator } from '../../typescript/index.ts'
import { useLoad } from '../state/use-load.ts'
import { labelled } from './labelled.ts'
import { Shown } from './shown.tsx'

const MB = 1024 * 1024
const HEADS = ['Database', 'State', 'Megabytes', 'Organizations']

export function OperatorDatabases({ operator }: { operator: Operator }) {
  const databases = useLoad('databases', signal => operator.databases({ signal }))
  return (
    <section class="stack" aria-labelledby="operator-databases">
      <h2 id="operator-databases">Databases</h2>
      <Shown of={databases}>
        {({ results }) => (
          <div class="scroll">
            <table class="list cards" ref={labelled}>
              <thead>
                <tr>
                  {HEADS.map(name => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {results.map(({ name, state, bytes, organizations, warning }) => (
                  <tr key={name}>
                    <th scope="row" class="mono">
                      {name}
                    </th>
                    <td>
                      <span class={`state ${state === 'open' ? 'done' : 'failed'}`}>{state}</span>
                      {warning && <p>{warning}</p>}
                    </td>
                    <td>{bytes === null ? '' : Math.ceil(bytes / MB)}</td>
                    <td>{organizations}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
    </section>
  )
}

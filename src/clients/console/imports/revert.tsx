// A load that is taken back: how far it is, what it did, and what it left alone, with the reason.
import { useState } from 'preact/hooks'
import type { RevertProcess } from '../../typescript/index.ts'
import { HowTo } from '../components/how-to.tsx'
import { labelled } from '../components/labelled.ts'
import { Page } from '../components/page.tsx'
import { ProgressBar } from '../components/progress-bar.tsx'
import { Shown } from '../components/shown.tsx'
import { State } from '../components/state.tsx'
import { Reference } from '../components/value.tsx'
import { to } from '../state/address.ts'
import { useCountsAfter } from '../state/counts.ts'
import { isReverting, revertWords } from '../state/reverts.ts'
import { BASE_URL, client, me } from '../state/session.ts'
import { attempt } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { useOnce } from '../state/use-once.ts'

const LOOK_MS = 1_000

export function Revert({ id }: { id: string }) {
  const [isLive, setLive] = useState(true)
  const revert = useLoad(
    id,
    async signal => {
      const process = await client.reverts.get({ id, signal })
      setLive(isReverting(process))
      return process
    },
    isLive ? LOOK_MS : undefined,
  )
  useCountsAfter(revert.value && !isReverting(revert.value))
  return (
    <Page
      title={revert.value?.name ?? 'Taking back'}
      crumbs={<a href={to.loads}>Loads</a>}
      acts={revert.value && isReverting(revert.value) && <Stop id={id} stopped={() => void revert.reload()} />}
    >
      <Shown of={revert}>{process => <Body process={process} />}</Shown>
      <HowTo
        way={{
          method: 'POST',
          path: `/loader-processes/${revert.value?.loaderProcessId ?? '<id>'}/revert`,
          body: { dryRun: true },
          typescript: `const { id } = await client.reverts.startForLoad({ id: '${revert.value?.loaderProcessId ?? '<id>'}', dryRun: true })
const revert = await client.reverts.wait({ id })`,
          command: `load revert ${revert.value?.loaderProcessId ?? 'LOAD_ID'} --dry-run`,
        }}
      />
    </Page>
  )
}

/** What it has taken back by then stays as it was before. */
function Stop({ id, stopped }: { id: string; stopped(): void }) {
  const cancel = useOnce(async () => {
    if (await attempt('It could not be stopped', () => client.reverts.cancel({ id }))) stopped()
  })
  return (
    <button type="button" disabled={cancel.isBusy || me.value?.scope !== 'write'} onClick={() => void cancel.start()}>
      Stop taking back
    </button>
  )
}

function Body({ process }: { process: RevertProcess }) {
  const { loaderProcessId, progress, issues, issueCount, issuesFileId } = process
  return (
    <div class="stack">
      <section class="panel stack">
        <p class="line">
          <State is={process.status} />
          {process.dryRun && <span class="chip">only a look ahead</span>}
          {loaderProcessId && <a href={to.load(loaderProcessId)}>The load</a>}
        </p>
        {isReverting(process) && <ProgressBar label="Progress" percent={progress.percent} />}
        {process.failure && <p class="fault">{process.failure}</p>}
        <p role="status">
          {process.dryRun && 'Taking it back would mean: '}
          {revertWords(process)}
        </p>
      </section>
      {issueCount > 0 && (
        <section class="stack" aria-label="Left alone">
          <h2>
            Left alone{' '}
            {issuesFileId && (
              <a href={`${BASE_URL}/files/${issuesFileId}/content`} download>
                all as CSV
              </a>
            )}
          </h2>
          <div class="scroll">
            <table class="list cards" ref={labelled}>
              <thead>
                <tr>
                  <th scope="col">What</th>
                  <th scope="col">Property</th>
                  <th scope="col">Why</th>
                </tr>
              </thead>
              <tbody>
                {issues.map(({ entityReference, property, message }) => {
                  const [entityName = '', id = ''] = entityReference.split(':')
                  return (
                    <tr key={entityReference + property}>
                      <th scope="row">
                        <Reference entityName={entityName} id={id} />
                      </th>
                      <td>{property ?? 'all of it'}</td>
                      <td>{message}</td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </div>
  )
}

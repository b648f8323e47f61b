// One load: the live bar while it runs; afterwards its counts, its issues, and the way back.

import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { LoadProcess } from '../../typescript/index.ts'
import { HowTo } from '../components/how-to.tsx'
import { labelled } from '../components/labelled.ts'
import { Page } from '../components/page.tsx'
import { Shown, Skeleton } from '../components/shown.tsx'
import { State } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { Reference } from '../components/value.tsx'
import { to } from '../state/address.ts'
import { titleOf } from '../state/catalog.ts'
import { useCountsAfter } from '../state/counts.ts'
import { isMissing } from '../state/fault-words.ts'
import { durationText, numberText } from '../state/format.ts'
import { configurationIn } from '../state/load-draft.ts'
import { failureWords, isRunning, totalsOf } from '../state/load-words.ts'
import { codeText, shellWord } from '../state/quoted.ts'
import { client } from '../state/session.ts'
import { attempt } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { useOnce } from '../state/use-once.ts'
import { IssueList } from './issue-list.tsx'
import { LoadBar } from './load-bar.tsx'
import { KeepConfiguration } from './load-configuration.tsx'
import { TakeBack } from './take-back.tsx'

const LOOK_MS = 1_000

export function Load({ id }: { id: string }) {
  const [isLive, setLive] = useState(true)
  const load = useLoad(
    id,
    async signal => {
      const process = await client.loads.get({ id, signal })
      setLive(isRunning(process))
      return process
    },
    isLive ? LOOK_MS : undefined,
  )
  useCountsAfter(load.value && !isRunning(load.value))
  const revert = useRevertInstead(id, isMissing(load.error))
  const title = load.value?.name ?? 'Load'
  return (
    <Page
      title={title}
      crumbs={<a href={to.loads}>Loads</a>}
      acts={load.value && <Acts process={load.value} changed={() => void load.reload()} />}
    >
      {isMissing(load.error) && !isMissing(revert.error) ? (
        <Shown of={revert}>{() => <Skeleton />}</Shown>
      ) : (
        <Shown of={load}>{process => <Body process={process} />}</Shown>
      )}
      <HowTo
        way={{
          path: `/loader-processes/${id}`,
          typescript: `const process = await client.loads.wait({ id: ${codeText(id)}, onProgress: seen => console.log(seen.progress) })`,
          command: `load watch ${shellWord(id)}`,
        }}
      />
    </Page>
  )
}

/** A revert writes as loads do, by its own id: what it has changed leads here as well. */
function useRevertInstead(id: string, isNoLoad: boolean) {
  const { route } = useLocation()
  const revert = useLoad(isNoLoad ? id : undefined, signal => client.reverts.get({ id, signal }))
  const isFound = revert.value !== undefined
  useEffect(() => {
    if (isFound) route(to.revert(id), true)
  }, [isFound, id, route])
  return revert
}

function Body({ process }: { process: LoadProcess }) {
  const { startedOn, endedOn } = process
  const took = startedOn && endedOn ? Date.parse(endedOn) - Date.parse(startedOn) : undefined
  return (
    <div class="stack">
      <section class="panel stack">
        <p class="line">
          <State is={process.status} />
          {process.dryRun === true && <span class="chip">only a check: nothing was written</span>}
          <span>
            <Reference entityName="file" id={String(process.fileLocation)} /> as{' '}
            {String(process.loadType).replaceAll(',', ', ')}
          </span>
          <span class="soft">
            begun <Time at={startedOn ?? process.createdOn} />
            {took !== undefined && `, took ${durationText(took)}`}
          </span>
        </p>
        {isRunning(process) && <LoadBar process={process} />}
        {process.status === 'failed' && <p class="fault">{failureWords(process)}</p>}
        <Counts process={process} />
      </section>
      <section class="stack" aria-label="Issues">
        <h2>Issues</h2>
        <IssueList process={process} />
      </section>
      <KeepConfiguration configuration={configurationIn(process)} />
    </div>
  )
}

function Counts({ process }: { process: LoadProcess }) {
  const entries = Object.entries(process.results ?? {})
  if (entries.length === 0) return null
  return (
    <div class="scroll">
      <table class="list cards" ref={labelled}>
        <thead>
          <tr>
            <th scope="col">Type</th>
            {['New', 'Changed', 'As they were', 'Removed'].map(name => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map(([name, counts]) => (
            <tr key={name}>
              <th scope="row">{titleOf(name)}</th>
              <td class="number">{numberText(counts.created)}</td>
              <td class="number">{numberText(counts.updated)}</td>
              <td class="number">{numberText(counts.unchanged)}</td>
              <td class="number">{numberText(counts.removed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Acts({ process, changed }: { process: LoadProcess; changed(): void }) {
  const { id } = process
  const cancel = useOnce(async () => {
    if (await attempt('Cancelling failed', () => client.loads.cancel({ id }))) changed()
  })
  if (isRunning(process)) {
    return (
      <button type="button" aria-disabled={cancel.isBusy} onClick={() => void cancel.start()}>
        Cancel the load
      </button>
    )
  }
  const totals = totalsOf(process)
  const wrote = process.dryRun !== true && totals.created + totals.updated + totals.removed > 0
  return (
    <>
      <a class="button" href={`${to.newLoad}?again=${id}`}>
        Load again like this
      </a>
      {wrote && <TakeBack id={id} />}
    </>
  )
}

// Step 5: the dry run's counts and issues, then one button with the number in it.

import { useState } from 'preact/hooks'
import { LoadError, type LoaderConfiguration, type LoadProcess, type UploadProgress } from '../../typescript/index.ts'
import { ErrorPanel } from '../components/shown.tsx'
import { type Sending, UploadBar } from '../components/upload-bar.tsx'
import { to } from '../state/address.ts'
import type { ChosenFile } from '../state/chosen-file.ts'
import { counted, numberText } from '../state/format.ts'
import { totalsOf } from '../state/load-words.ts'
import { client } from '../state/session.ts'
import { tellFault } from '../state/toasts.ts'
import { useArrive } from '../state/use-go.ts'
import { useIsHere } from '../state/use-is-here.ts'
import { useOnce } from '../state/use-once.ts'
import { IssueList } from './issue-list.tsx'
import { LoadBar } from './load-bar.tsx'
import { KeepConfiguration } from './load-configuration.tsx'

/** Of one file: another one has its own, by its key. */
interface LoadCheckProps {
  file: ChosenFile
  configuration: LoaderConfiguration
  checked(process: LoadProcess): void
}

export function LoadCheck({ file, configuration, checked: told }: LoadCheckProps) {
  const arrive = useArrive()
  const isHere = useIsHere()
  const [uploaded, setUploaded] = useState<string | undefined>(undefined)
  const [sending, setSending] = useState<Sending | undefined>(undefined)
  const [checked, setChecked] = useState<{ key: string; process: LoadProcess } | undefined>(undefined)
  const [running, setRunning] = useState<LoadProcess | undefined>(undefined)
  const [fault, setFault] = useState<unknown>(undefined)
  const key = JSON.stringify(configuration)
  const process = checked?.key === key ? checked.process : undefined
  const { isBusy, start: act } = useOnce(async (work: () => Promise<void>) => {
    setFault(undefined)
    try {
      await work()
    } catch (error) {
      if (isHere.current) setFault(error)
      else tellFault(`${file.name} was not loaded`, error)
    }
    // Also of a check that nobody could ask after.
    setRunning(undefined)
  })
  const fileId = async () => {
    if (uploaded !== undefined) return uploaded
    const { source } = file
    const id = typeof source === 'string' ? source : await send(source)
    setUploaded(id)
    return id
  }
  const send = async (content: File) => {
    const { name: fileName, size: total } = file
    const onProgress = ({ bytesDone: done }: UploadProgress) => setSending({ name: fileName, done, total })
    try {
      return (await client.files.upload({ content, fileName, contentType: 'text/csv', onProgress })).id
    } finally {
      setSending(undefined)
    }
  }
  const check = () =>
    act(async () => {
      const config = { ...configuration, fileLocation: await fileId(), dryRun: true }
      const { id } = await client.loads.start({ config })
      const found = await ended(id, setRunning)
      setChecked({ key, process: found })
      if (isHere.current) told(found)
    })
  const load = () =>
    act(async () => {
      const started = await client.loads.start({ config: { ...configuration, fileLocation: await fileId() } })
      arrive(to.load(started.id), `The load of ${file.name} has begun.`)
    })
  const totals = process && totalsOf(process)
  const changes = totals ? totals.created + totals.updated + totals.removed : 0
  return (
    <section class="panel stack" aria-labelledby="load-check">
      <h2 class="step-title" id="load-check">
        <span class="at">5</span> Check and load
      </h2>
      <div class="line">
        <button type="button" class={process ? '' : 'main'} aria-disabled={isBusy} onClick={() => void check()}>
          {process ? 'Check again' : 'Check without writing'}
        </button>
        <button
          type="button"
          class={process ? 'main' : ''}
          disabled={process?.status !== 'completed'}
          aria-disabled={isBusy}
          onClick={() => void load()}
        >
          {process?.status === 'completed' ? `Load ${counted(changes, 'change')}` : 'Load'}
        </button>
      </div>
      {sending && <UploadBar {...sending} />}
      {running && <LoadBar process={running} />}
      {fault !== undefined && <ErrorPanel error={fault} />}
      {process && totals && (
        <>
          <p role="status">
            {process.status === 'completed'
              ? `${numberText(totals.created)} new, ${numberText(totals.updated)} changed, ${numberText(totals.unchanged)} as they were, ${numberText(totals.removed)} leave.`
              : `The check found ${counted(process.errorCount, 'error')}: nothing would be written.`}
          </p>
          <IssueList process={process} />
        </>
      )}
      <KeepConfiguration configuration={configuration} />
    </section>
  )
}

async function ended(id: string, seen: (process: LoadProcess) => void): Promise<LoadProcess> {
  try {
    return await client.loads.wait({ id, onProgress: seen })
  } catch (error) {
    if (error instanceof LoadError) return error.process
    throw error
  }
}

// Step 5: the dry run's counts and issues, then one button with the number in it.

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { LoadError, type LoaderConfiguration, type LoadProcess, type UploadProgress } from '../../typescript/index.ts'
import { to } from '../state/address.ts'
import type { ChosenFile } from '../state/chosen-file.ts'
import { counted, numberText } from '../state/format.ts'
import { totalsOf } from '../state/load-words.ts'
import { client } from '../state/session.ts'
import { tell, tellFault } from '../state/toasts.ts'
import { useIsHere } from '../state/use-is-here.ts'
import { IssueList } from './issue-list.tsx'
import { LoadBar } from './load-bar.tsx'
import { KeepConfiguration } from './load-configuration.tsx'
import { ErrorPanel } from './shown.tsx'
import { type Sending, UploadBar } from './upload-bar.tsx'

interface LoadCheckProps {
  file: ChosenFile
  configuration: LoaderConfiguration
  checked(process: LoadProcess): void
}

export function LoadCheck({ file, configuration, checked: told }: LoadCheckProps) {
  const { route } = useLocation()
  const isHere = useIsHere()
  const [uploaded, setUploaded] = useState<{ file: ChosenFile; id: string } | undefined>(undefined)
  const [sending, setSending] = useState<Sending | undefined>(undefined)
  const [checked, setChecked] = useState<{ key: string; process: LoadProcess } | undefined>(undefined)
  const [running, setRunning] = useState<LoadProcess | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>(undefined)
  const key = JSON.stringify(configuration)
  const process = checked?.key === key && uploaded?.file === file ? checked.process : undefined
  const act = async (work: () => Promise<void>) => {
    setBusy(true)
    setFault(undefined)
    try {
      await work()
    } catch (error) {
      if (isHere.current) setFault(error)
      else tellFault(`${file.name} was not loaded`, error)
    }
    setBusy(false)
  }
  const fileId = async () => {
    if (uploaded?.file === file) return uploaded.id
    const { source } = file
    const id = typeof source === 'string' ? source : await send(source)
    setUploaded({ file, id })
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
      setRunning(undefined)
      told(found)
    })
  const load = () =>
    act(async () => {
      const started = await client.loads.start({ config: { ...configuration, fileLocation: await fileId() } })
      const look = () => route(to.load(started.id))
      if (isHere.current) look()
      else tell(`The load of ${file.name} has begun.`, { label: 'Look at it', run: look })
    })
  const totals = process && totalsOf(process)
  const changes = totals ? totals.created + totals.updated + totals.removed : 0
  return (
    <section class="panel stack" aria-labelledby="load-check">
      <h2 class="step-title" id="load-check">
        <span class="at">5</span> Check and load
      </h2>
      <div class="line">
        <button type="button" class={process ? '' : 'main'} disabled={isBusy} onClick={() => void check()}>
          {process ? 'Check again' : 'Check without writing'}
        </button>
        <button
          type="button"
          class={process ? 'main' : ''}
          disabled={isBusy || process?.status !== 'completed'}
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

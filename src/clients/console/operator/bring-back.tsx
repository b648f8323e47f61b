// An organization brought back from an archive: the whole file is checked before anything is sent.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ArchiveError, type Header, readFrames } from '../../../platform/formats/frames.ts'
import { bringBackFrames, type Checked, checkFrames, type Frames } from '../../cli/backup/bring-back-frames.ts'
import type { RestoreStatus } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Field, TextField } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { to } from '../state/address.ts'
import { counted, sizeText } from '../state/format.ts'
import { tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import type { OfOperator } from './frame.tsx'

/** Not every browser can iterate a stream. */
async function* piecesOf(file: File, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      signal.throwIfAborted()
      yield next.value
    }
  } finally {
    await reader.cancel()
  }
}

/** The key is made from a passphrase in a way that browsers have not. */
async function noKey({ encryption }: Header): Promise<undefined> {
  if (!encryption) return
  const way = 'selvedge operator restore FILE --passphrase-env NAME'
  throw new ArchiveError('passphrase', `This archive is encrypted. The command line opens it: ${way}`)
}

const framesOf =
  (file: File, signal: AbortSignal): Frames =>
  () =>
    readFrames(piecesOf(file, signal), noKey)

interface Chosen {
  file: File
  checked: Checked
}

export function BringBack({ operator, close }: OfOperator & { close(): void }) {
  const { route } = useLocation()
  const [file, setFile] = useState<File | undefined>(undefined)
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined)
  const [slug, setSlug] = useState('')
  const [suspended, setSuspended] = useState(false)
  const [done, setDone] = useState<number | undefined>(undefined)
  const [status, setStatus] = useState<RestoreStatus | undefined>(undefined)
  const under = useRef<AbortController | undefined>(undefined)
  const stop = () => under.current?.abort()
  // Cancel, Escape and the backdrop leave; nothing goes on unseen.
  useEffect(() => stop, [])
  const { fault, isBusy, onSubmit } = useForm(async () => {
    if (!file) return
    const controller = new AbortController()
    under.current = controller
    const { signal } = controller
    try {
      if (!chosen) {
        const checked = await checkFrames(framesOf(file, signal))
        if (!signal.aborted) setChosen({ file, checked })
        return
      }
      setDone(0)
      const { checked } = chosen
      const frames = framesOf(chosen.file, signal)
      setStatus(
        await bringBackFrames({ operator, frames, checked, slug: slug || undefined, suspended, signal, told: setDone }),
      )
    } catch (error) {
      if (!signal.aborted) throw error
      if (chosen) tell('Stopped. The same archive goes on from there; after 7 days what was sent is given up.')
    } finally {
      setDone(undefined)
    }
  })
  if (status) {
    const leave = () => {
      tell(`${status.slug} is back.`)
      close()
      route(to.operatorOrg(status.slug))
    }
    return <Back status={status} leave={leave} />
  }
  const name = String(chosen?.checked.end.slug ?? '')
  const act = chosen ? `Bring back ${slug || name}` : 'Check the archive'
  return (
    <Dialog title="Bring an organization back" close={close}>
      <form class="stack" onSubmit={onSubmit}>
        <Field label="Archive" hint="As `backups` gives it, or `selvedge operator backup` without a passphrase.">
          {field => (
            <input
              {...field}
              type="file"
              required
              disabled={done !== undefined}
              onChange={event => {
                stop()
                setFile(event.currentTarget.files?.[0])
                setChosen(undefined)
              }}
            />
          )}
        </Field>
        {chosen && (
          <>
            <p role="status">
              <span class="state done">
                Whole: an archive of {name}, {counted(chosen.checked.frames, 'part')}, {sizeText(chosen.file.size)}.
              </span>
            </p>
            <TextField
              label="Another slug than it had"
              hint={`Empty: ${name}.`}
              class="mono"
              value={slug}
              set={setSlug}
            />
            <label class="choice">
              <input
                type="checkbox"
                checked={suspended}
                onChange={event => setSuspended(event.currentTarget.checked)}
              />
              Suspended: nobody gets in, and nothing is sent out, before you let it in
            </label>
          </>
        )}
        {done !== undefined && (
          <progress max={chosen?.checked.frames ?? 1} value={done} aria-label="Parts that were sent" />
        )}
        <FormEnd
          act={act}
          fault={fault}
          isBusy={isBusy}
          canStop
          isDisabled={!file || done !== undefined}
          close={close}
        />
      </form>
    </Dialog>
  )
}

function Back({ status: { slug, leftOut, isShifted }, leave }: { status: RestoreStatus; leave(): void }) {
  const { passwords, endpoints, identityProvider } = leftOut
  const todo = [
    endpoints.length > 0 && `Set the secrets of these endpoints anew: ${endpoints.join(', ')}.`,
    passwords > 0 && `Members who need a one-time link for a new password: ${passwords}.`,
    identityProvider && 'Set the identity provider anew.',
    isShifted && 'Pollers begin anew: syncKeys from before are answered with 410.',
  ].filter(Boolean)
  return (
    <Dialog title={`${slug} is back`} close={leave}>
      {todo.length === 0 ? <p>Everything is as it was.</p> : todo.map(text => <p key={text}>{text}</p>)}
      <div class="line">
        <button type="button" class="main" onClick={leave}>
          Open it
        </button>
      </div>
    </Dialog>
  )
}

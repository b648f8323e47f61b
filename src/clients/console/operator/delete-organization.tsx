// Deleting an organization for good: suspended, taken out whole, its slug typed.
import { useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { to } from '../state/address.ts'
import { saveBlob } from '../state/downloads.ts'
import { sizeText } from '../state/format.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import { useArrive } from '../state/use-go.ts'
import type { OfOrg } from './frame.tsx'

interface Mark {
  after: string | null
}

/** Pages of lines until the archive is whole; the last line of each answer says where the next begins. */
async function exported({ operator, slug }: OfOrg, told: (bytes: number) => void): Promise<Blob> {
  const parts: Blob[] = []
  let bytes = 0
  let after: string | undefined
  do {
    const text = await operator.backups.pages({ slug, after })
    const part = new Blob([text])
    parts.push(part)
    bytes += part.size
    told(bytes)
    const mark = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '{}') as Mark
    after = mark.after ?? undefined
  } while (after !== undefined)
  return new Blob(parts, { type: 'application/x-ndjson' })
}

export function DeleteOrganization(of: OfOrg & { isSuspended: boolean }) {
  const { slug, isSuspended } = of
  const [bytes, setBytes] = useState<number | undefined>(undefined)
  const [isAsking, setAsking] = useState(false)
  const save = async () => {
    setBytes(0)
    const file = await attempt('The organization was not exported', () => exported(of, setBytes))
    setBytes(undefined)
    if (!file) return
    saveBlob(file, `${slug}.ndjson`)
    tell(`Saved ${sizeText(file.size)} as ${slug}.ndjson.`)
  }
  return (
    <section class="panel stack" aria-labelledby="take-out">
      <h2 id="take-out">Take out and delete</h2>
      <p class="soft">
        An export holds everything but the contents of files. The archive of{' '}
        <code>selvedge operator backup {slug}</code> has those too, and can be restored.{' '}
        <a href="/docs/backup">About backups</a>
      </p>
      <div class="line">
        <button type="button" disabled={bytes !== undefined} onClick={() => void save()}>
          {bytes === undefined ? 'Download an export' : `Reading… ${sizeText(bytes)}`}
        </button>
        <button type="button" class="danger" onClick={() => setAsking(true)}>
          Delete the organization
        </button>
        {!isSuspended && <span class="soft">Suspend it before, so that nothing changes after the export.</span>}
      </div>
      {isAsking && <Ask {...of} close={() => setAsking(false)} />}
    </section>
  )
}

function Ask({ operator, slug, close }: OfOrg & { close(): void }) {
  const arrive = useArrive()
  const [typed, setTyped] = useState('')
  const { fault, isBusy, onSubmit } = useForm(async () => {
    await operator.deleteOrg({ slug })
    tell(`${slug} is deleted.`)
    close()
    arrive(to.operatorOrgs)
  })
  return (
    <Dialog title={`Delete ${slug} for good?`} close={close} isBusy={isBusy}>
      <form class="stack" onSubmit={onSubmit}>
        <p>
          Everything in it goes: entities, history, files, members, keys. The service refuses it where no export was
          taken, or where something has changed since.
        </p>
        <TextField label={`Type ${slug} to go on`} class="mono" autoComplete="off" value={typed} set={setTyped} />
        <FormEnd
          act={`Delete ${slug}`}
          fault={fault}
          isBusy={isBusy}
          isDanger
          isDisabled={typed !== slug}
          close={close}
        />
      </form>
    </Dialog>
  )
}

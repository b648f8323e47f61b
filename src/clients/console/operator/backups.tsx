// Backups that the service makes by itself, every night; one can be begun at once, and each taken out as a file.
import { useState } from 'preact/hooks'
import { ApiError, type KeptBackup } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Empty } from '../components/empty.tsx'
import { Field, textOf } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { ErrorPanel } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../state/address.ts'
import { saveBlob } from '../state/downloads.ts'
import { durationText, sizeText } from '../state/format.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import { useLoad } from '../state/use-load.ts'
import { readAll, usePages } from '../state/use-pages.ts'
import { BringBack } from './bring-back.tsx'
import { type OfOperator, OperatorPage } from './frame.tsx'

const PAGE_SIZE = 100

const COLUMNS: readonly Column<KeptBackup>[] = [
  { name: 'Organization', show: ({ slug }) => <a href={to.operatorOrg(slug)}>{slug}</a> },
  { name: 'Begun', show: ({ begunOn }) => <Time at={begunOn} /> },
  {
    name: 'Took',
    look: 'number',
    show: ({ begunOn, completedOn }) => durationText(Date.parse(completedOn) - Date.parse(begunOn)),
  },
  { name: 'Size', look: 'number', show: ({ bytes }) => sizeText(bytes) },
]

export function Backups({ operator }: OfOperator) {
  const backups = usePages('backups', at => operator.backups.list({ ...at, limit: PAGE_SIZE }))
  const [isAsking, setAsking] = useState(false)
  const [isBringing, setBringing] = useState(false)
  const isUnbound = backups.error instanceof ApiError && backups.error.status === 409
  return (
    <OperatorPage
      title="Backups"
      acts={
        <>
          <button type="button" onClick={() => setBringing(true)}>
            Bring back
          </button>
          {!isUnbound && (
            <button type="button" class="main" onClick={() => setAsking(true)}>
              Back up now
            </button>
          )}
        </>
      }
      way={{
        path: '/operator/backups',
        typescript: 'const { results } = await operator.backups.list()',
        command: 'backups list',
      }}
    >
      {isUnbound ? (
        <Unbound />
      ) : (
        <>
          <p class="soft">
            Every organization, once a night. A backup that was never brought back is a hope.{' '}
            <a href="/docs/backup">About backups</a>
          </p>
          <PagedTable
            label="Backups"
            pages={backups}
            columns={COLUMNS}
            keyOf={({ organizationId, id }) => `${organizationId} ${id}`}
            acts={backup => <Download operator={operator} backup={backup} />}
            empty={
              <Empty title="No backups yet">
                <p>The first is made tonight. Begin one now to see that it works.</p>
              </Empty>
            }
          />
        </>
      )}
      {isBringing && <BringBack operator={operator} close={() => setBringing(false)} />}
      {isAsking && <BackUpNow operator={operator} close={() => setAsking(false)} begun={() => void backups.reload()} />}
    </OperatorPage>
  )
}

function Unbound() {
  return (
    <Empty title="This deployment keeps no backups">
      <p>
        Bind a bucket of R2 as <code>BACKUPS</code>, and every organization is saved there once a night.{' '}
        <a href="/docs/backup">How it is done</a>
      </p>
      <p>
        One organization can be saved at any time: <code>selvedge operator backup SLUG --out FILE</code>
      </p>
    </Empty>
  )
}

function Download({ operator, backup }: OfOperator & { backup: KeptBackup }) {
  const [isReading, setReading] = useState(false)
  const { organizationId, id, slug } = backup
  const save = async () => {
    setReading(true)
    const blob = await attempt('The backup could not be read', async () =>
      (await operator.backups.download({ organizationId, id })).blob(),
    )
    setReading(false)
    if (blob) saveBlob(blob, `${slug}-${id}.selvedge`)
  }
  return (
    <button type="button" disabled={isReading} onClick={() => void save()}>
      {isReading ? 'Reading…' : 'Download'}
      <span class="hidden"> the backup of {slug}</span>
    </button>
  )
}

function BackUpNow({ operator, close, begun }: OfOperator & { close(): void; begun(): void }) {
  const orgs = useLoad('organizations to save', signal => readAll(at => operator.listOrgs({ ...at, signal })))
  const [chosen, setChosen] = useState('')
  const slug = chosen || orgs.value?.[0]?.slug || ''
  const { fault, isBusy, onSubmit } = useForm(async () => {
    await operator.backups.beginBackup({ slug })
    tell(`${slug} is being saved. It stands in the list when it is whole.`)
    begun()
    close()
  })
  return (
    <Dialog title="Back up now" close={close} isBusy={isBusy}>
      <form class="stack" onSubmit={onSubmit}>
        <Field label="Organization" hint="One at a time; a backup of it that is under way goes on.">
          {field => (
            <select {...field} value={slug} onChange={event => setChosen(textOf(event))}>
              {orgs.value?.map(org => (
                <option key={org.id} value={org.slug}>
                  {org.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        {orgs.error !== undefined && <ErrorPanel error={orgs.error} again={() => void orgs.reload()} />}
        <FormEnd act="Begin the backup" fault={fault} isBusy={isBusy} isDisabled={slug === ''} close={close} />
      </form>
    </Dialog>
  )
}

// Keys: issue with limits, rotate with an overlap, revoke. A key is shown once.
import { useState } from 'preact/hooks'
import type { ApiKey, IssuedKey } from '../../typescript/index.ts'
import { Confirm, Dialog } from '../components/dialog.tsx'
import { Empty } from '../components/empty.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { issuedKey, useIssued } from '../components/issued.tsx'
import { isOver, KEY_COLUMNS } from '../components/key-columns.tsx'
import { PagedTable } from '../components/list-table.tsx'
import { Overlap } from '../components/overlap.tsx'
import { client, isAdmin, me } from '../state/session.ts'
import { DAY_SECONDS } from '../state/terms.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import { usePages } from '../state/use-pages.ts'
import { NewKeyDialog } from './new-key.tsx'

type Act = { kind: 'make' } | { kind: 'rotate' | 'revoke'; key: ApiKey }

const PAGE_SIZE = 100

export function KeyList() {
  const keys = usePages('keys', at => client.keys.list({ ...at, limit: PAGE_SIZE }))
  const [act, setAct] = useState<Act | undefined>(undefined)
  const { show, issued } = useIssued()
  const close = () => setAct(undefined)
  const reload = () => void keys.reload()
  const made = ({ name, key }: IssuedKey) => {
    show(issuedKey(name, key))
    reload()
  }
  return (
    <>
      <div class="line">
        <button type="button" class="main" onClick={() => setAct({ kind: 'make' })}>
          Make a key
        </button>
        <span class="soft">
          App keys belong to the organization, user keys to you. <a href="/docs/access">About keys</a>
        </span>
      </div>
      {issued}
      <PagedTable
        label="Keys"
        pages={keys}
        columns={KEY_COLUMNS}
        keyOf={({ id }) => id}
        acts={key => <KeyActs of={key} choose={kind => setAct({ kind, key })} />}
        empty={
          <Empty title="No keys yet">
            <p>A key lets a program in. Make one for each program, so that each can be revoked by itself.</p>
          </Empty>
        }
      />
      {act?.kind === 'make' && (
        <NewKeyDialog
          kinds={isAdmin() ? ['app', 'user'] : ['user']}
          close={close}
          make={async ({ tier: _, ...key }) => made(await client.keys.create(key))}
        />
      )}
      {act?.kind === 'rotate' && <Rotate of={act.key} close={close} done={made} />}
      {act?.kind === 'revoke' && <Revoke of={act.key} close={close} done={reload} />}
    </>
  )
}

function KeyActs({ of: key, choose }: { of: ApiKey; choose(kind: 'rotate' | 'revoke'): void }) {
  if (isOver(key, Date.now())) return null
  const canRotate = !key.revokedOn && (key.kind === 'app' || key.userId === me.value?.user?.id)
  return (
    <>
      {canRotate && (
        <button type="button" onClick={() => choose('rotate')}>
          Rotate<span class="hidden"> {key.name}</span>
        </button>
      )}
      <button type="button" class="danger" onClick={() => choose('revoke')}>
        Revoke<span class="hidden"> {key.name}</span>
      </button>
    </>
  )
}

function Rotate({ of: key, close, done }: { of: ApiKey; close(): void; done(key: IssuedKey): void }) {
  const [seconds, setSeconds] = useState(DAY_SECONDS)
  const { fault, isBusy, onSubmit } = useForm(async () => {
    done(await client.keys.rotate({ id: key.id, overlapSeconds: seconds }))
    close()
  })
  return (
    <Dialog title={`Rotate ${key.name}?`} close={close} isBusy={isBusy}>
      <form class="stack" onSubmit={onSubmit}>
        <p>A new key takes its place, with the same rights and limits.</p>
        <Overlap label="The old one goes on working" seconds={seconds} choose={setSeconds} />
        <FormEnd act="Make the new key" fault={fault} isBusy={isBusy} close={close} />
      </form>
    </Dialog>
  )
}

function Revoke({ of: { id, name }, close, done }: { of: ApiKey; close(): void; done(): void }) {
  const run = async () => {
    const isRevoked = await attempt('The key was not revoked', async () => {
      await client.keys.delete({ id })
      return true
    })
    if (isRevoked) tell(`Revoked ${name}.`)
    done()
  }
  return (
    <Confirm title={`Revoke ${name}?`} act="Revoke the key" close={close} run={run}>
      <p>Whatever uses it stops at once here, and everywhere within ten seconds. This cannot be taken back.</p>
    </Confirm>
  )
}

// Keys: issue, rotate with an overlap, revoke. A key is shown once.
import { useState } from 'preact/hooks'
import type { ApiKey, IssuedKey, Scope } from '../../typescript/index.ts'
import { words } from '../state/fault-words.ts'
import { memberName } from '../state/people.ts'
import { client, isAdmin, me } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { Copy } from './copy.tsx'
import { Confirm, Dialog } from './dialog.tsx'
import { Empty } from './empty.tsx'
import { Field, textOf } from './field.tsx'
import { labelled } from './labelled.ts'
import { Shown } from './shown.tsx'
import { Time } from './time.tsx'

const DAY_SECONDS = 86_400

export function KeyList() {
  const keys = useLoad('keys', signal => client.keys.list({ limit: 200, signal }))
  const [isAdding, setAdding] = useState(false)
  const [issued, setIssued] = useState<IssuedKey | undefined>(undefined)
  const [revoking, setRevoking] = useState<ApiKey | undefined>(undefined)
  const reload = () => void keys.reload()
  const rotate = async ({ id }: ApiKey) => {
    const next = await attempt('The key was not rotated', () => client.keys.rotate({ id, overlapSeconds: DAY_SECONDS }))
    if (next) setIssued(next)
    reload()
  }
  return (
    <>
      <div class="line">
        <button type="button" class="main" onClick={() => setAdding(true)}>
          Make a key
        </button>
        <span class="soft">
          App keys belong to the organization, user keys to you. <a href="/docs/access">About keys</a>
        </span>
      </div>
      {issued && <Issued issued={issued} close={() => setIssued(undefined)} />}
      <Shown of={keys}>
        {page =>
          page.results.length === 0 ? (
            <Empty title="No keys yet">
              <p>A key lets a program in. Make one for each program, so that each can be revoked by itself.</p>
            </Empty>
          ) : (
            <KeyTable keys={page.results} rotate={key => void rotate(key)} revoke={setRevoking} />
          )
        }
      </Shown>
      {isAdding && (
        <NewKey
          close={() => setAdding(false)}
          made={key => {
            setIssued(key)
            reload()
          }}
        />
      )}
      {revoking && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          act="Revoke the key"
          close={() => setRevoking(undefined)}
          run={async () => {
            const done = await attempt('The key was not revoked', async () => {
              await client.keys.delete({ id: revoking.id })
              return true
            })
            if (done) tell(`Revoked ${revoking.name}.`)
            reload()
          }}
        >
          <p>Whatever uses it stops within ten seconds. This cannot be taken back.</p>
        </Confirm>
      )}
    </>
  )
}

function Issued({ issued, close }: { issued: IssuedKey; close(): void }) {
  return (
    <section class="panel stack" role="status">
      <h2>The key “{issued.name}”, this once</h2>
      <p>
        <code>{issued.key}</code> <Copy text={issued.key} what="the key" />
      </p>
      <p class="soft">Keep it where programs read secrets. Nobody can show it again.</p>
      <div class="line">
        <button type="button" onClick={close}>
          I have it
        </button>
      </div>
    </section>
  )
}

interface KeyTableProps {
  keys: readonly ApiKey[]
  rotate(key: ApiKey): void
  revoke(key: ApiKey): void
}

const isOver = ({ revokedOn, expiresOn }: ApiKey, now: number) =>
  (revokedOn !== null && Date.parse(revokedOn) <= now) || (expiresOn !== null && Date.parse(expiresOn) <= now)

function KeyTable({ keys, rotate, revoke }: KeyTableProps) {
  const now = Date.now()
  return (
    <div class="scroll">
      <table class="list cards" ref={labelled}>
        <thead>
          <tr>
            {['Name', 'Begins with', 'Kind', 'May', 'Made', 'Last used', 'State'].map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <span class="hidden">Acts</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map(key => (
            <tr key={key.id}>
              <th scope="row">{key.name}</th>
              <td class="mono">{key.start}…</td>
              <td>
                {key.kind}
                {typeof key.userId === 'string' && <div class="sub">{memberName(key.userId)}</div>}
              </td>
              <td>{key.scope}</td>
              <td>
                <Time at={key.createdOn} />
              </td>
              <td>{key.lastUsedOn ? <Time at={key.lastUsedOn} /> : <span class="soft">never</span>}</td>
              <td>
                {isOver(key, now) ? (
                  <span class="state">ended</span>
                ) : key.revokedOn ? (
                  <span class="state waiting">
                    ends <Time at={key.revokedOn} />
                  </span>
                ) : (
                  <span class="state done">works</span>
                )}
              </td>
              <td class="acts">
                {!isOver(key, now) && (
                  <span class="line">
                    {!key.revokedOn && (key.kind === 'app' || key.userId === me.value?.user?.id) && (
                      <button type="button" onClick={() => rotate(key)}>
                        Rotate<span class="hidden"> {key.name}</span>
                      </button>
                    )}
                    <button type="button" class="danger" onClick={() => revoke(key)}>
                      Revoke<span class="hidden"> {key.name}</span>
                    </button>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NewKey({ close, made }: { close(): void; made(key: IssuedKey): void }) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'app' | 'user'>(isAdmin() ? 'app' : 'user')
  const [scope, setScope] = useState<Scope>('read')
  const [days, setDays] = useState('')
  const [fault, setFault] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      const expiresOn = days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_SECONDS * 1000).toISOString()
      made(await client.keys.create({ name, kind, scope, expiresOn }))
      close()
    } catch (error) {
      setFault(words(error).what)
    }
  }
  return (
    <Dialog title="Make a key" close={close}>
      <form class="stack" onSubmit={event => void submit(event)}>
        <Field label="Name" hint="What uses it, for example “Nightly sync”." fault={fault}>
          {field => <input {...field} required value={name} onInput={event => setName(textOf(event))} />}
        </Field>
        <Field label="Kind">
          {field => (
            <select {...field} value={kind} onChange={event => setKind(textOf(event) as 'app' | 'user')}>
              {isAdmin() && <option value="app">app: of the organization</option>}
              <option value="user">user: acts in my name</option>
            </select>
          )}
        </Field>
        <Field label="It may">
          {field => (
            <select {...field} value={scope} onChange={event => setScope(textOf(event) as Scope)}>
              <option value="read">read</option>
              <option value="write">read and write</option>
            </select>
          )}
        </Field>
        <Field label="Ends after days" hint="Empty: never.">
          {field => (
            <input {...field} type="number" min="1" max="3650" value={days} onInput={event => setDays(textOf(event))} />
          )}
        </Field>
        <div class="line">
          <button type="submit" class="main">
            Make the key
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

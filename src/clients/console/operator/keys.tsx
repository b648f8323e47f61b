// Keys and access tokens of an organization; each is shown once.
import { useState } from 'preact/hooks'
import type { ApiKey, Scope } from '../../typescript/index.ts'
import { Confirm, Dialog } from '../components/dialog.tsx'
import { Field, TextField, textOf } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { issuedKey, type Secret, useIssued } from '../components/issued.tsx'
import { isOver, KEY_COLUMNS } from '../components/key-columns.tsx'
import { PagedTable } from '../components/list-table.tsx'
import { NewKeyDialog } from '../settings/new-key.tsx'
import { DAY_SECONDS, HOUR_SECONDS } from '../state/terms.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import { type PageAt, usePages } from '../state/use-pages.ts'
import type { OfOrg } from './frame.tsx'

const PAGE_SIZE = 100

type Word = 'key' | 'token'

export function KeysAndTokens({ operator, slug }: OfOrg) {
  return (
    <>
      <Credentials
        word="key"
        title="Keys"
        about="Programs send them in X-Api-Key, together with the slug."
        read={at => operator.listKeys({ slug, ...at })}
        remove={id => operator.deleteKey({ slug, id })}
        form={({ show, close }) => (
          <NewKeyDialog
            kinds={['app']}
            hasTier
            close={close}
            make={async ({ kind: _, expiresOn, entityTypes, addresses, ...key }) => {
              const limits = {
                expiresOn: expiresOn ?? undefined,
                entityTypes: entityTypes ?? undefined,
                addresses: addresses ?? undefined,
              }
              const issued = await operator.createKey({ slug, ...key, ...limits })
              show(issuedKey(issued.name, issued.key))
            }}
          />
        )}
      />
      <Credentials
        word="token"
        title="Access tokens"
        about="For the Authorization header of callbacks. They end by themselves."
        read={at => operator.listTokens({ slug, ...at })}
        remove={id => operator.deleteToken({ slug, id })}
        form={({ show, close }) => (
          <NewToken
            close={close}
            make={async token => {
              const issued = await operator.createToken({ slug, ...token })
              show(issuedKey(issued.name, issued.accessToken, 'token'))
            }}
          />
        )}
      />
    </>
  )
}

interface CredentialsProps {
  word: Word
  title: string
  about: string
  read(at: PageAt & { limit: number }): ReturnType<OfOrg['operator']['listKeys']>
  remove(id: string): Promise<void>
  form(acts: { show(secret: Secret): void; close(): void }): preact.JSX.Element
}

function Credentials({ word, title, about, read, remove, form }: CredentialsProps) {
  const pages = usePages(word, at => read({ ...at, limit: PAGE_SIZE }))
  const [isAdding, setAdding] = useState(false)
  const { show, issued } = useIssued()
  const [ending, setEnding] = useState<ApiKey | undefined>(undefined)
  const revoke = async ({ id, name }: ApiKey) => {
    const isDone = await attempt(`The ${word} was not revoked`, async () => {
      await remove(id)
      return true
    })
    if (isDone) tell(`Revoked ${name}.`)
    await pages.reload()
  }
  return (
    <section class="stack" aria-labelledby={`operator-${word}s`}>
      <div class="line spread">
        <div>
          <h2 id={`operator-${word}s`}>{title}</h2>
          <p class="soft">{about}</p>
        </div>
        <button type="button" onClick={() => setAdding(true)}>
          Make {word === 'key' ? 'a key' : 'a token'}
        </button>
      </div>
      {issued}
      <PagedTable
        label={title}
        pages={pages}
        columns={KEY_COLUMNS}
        keyOf={({ id }) => id}
        lines={2}
        acts={key =>
          !isOver(key, Date.now()) && (
            <button type="button" class="danger" onClick={() => setEnding(key)}>
              Revoke<span class="hidden"> {key.name}</span>
            </button>
          )
        }
        empty={<p class="soft">None yet.</p>}
      />
      {isAdding &&
        form({
          show: secret => {
            show(secret)
            void pages.reload()
          },
          close: () => setAdding(false),
        })}
      {ending && (
        <Confirm
          title={`Revoke ${ending.name}?`}
          act={`Revoke the ${word}`}
          close={() => setEnding(undefined)}
          run={() => revoke(ending)}
        >
          <p>Whatever uses it stops at once here, and everywhere within ten seconds. This cannot be taken back.</p>
        </Confirm>
      )}
    </section>
  )
}

const SPANS = [
  [HOUR_SECONDS, 'an hour'],
  [DAY_SECONDS, 'a day'],
  [30 * DAY_SECONDS, '30 days'],
  [365 * DAY_SECONDS, 'a year'],
] as const

interface NewTokenProps {
  make(token: { name: string; scope: Scope; ttlSeconds: number }): Promise<void>
  close(): void
}

function NewToken({ make, close }: NewTokenProps) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Scope>('write')
  const [ttlSeconds, setSeconds] = useState<number>(HOUR_SECONDS)
  const { fault, isBusy, onSubmit } = useForm(async () => {
    await make({ name, scope, ttlSeconds })
    close()
  })
  return (
    <Dialog title="Make an access token" close={close} isBusy={isBusy}>
      <form class="stack" onSubmit={onSubmit}>
        <TextField
          label="Name"
          hint="What uses it, for example “Callback of the ERP”."
          required
          value={name}
          set={setName}
        />
        <div class="pair">
          <Field label="It may">
            {field => (
              <select {...field} value={scope} onChange={event => setScope(textOf(event) as Scope)}>
                <option value="read">read</option>
                <option value="write">read and write</option>
              </select>
            )}
          </Field>
          <Field label="It is good for">
            {field => (
              <select {...field} value={String(ttlSeconds)} onChange={event => setSeconds(Number(textOf(event)))}>
                {SPANS.map(([seconds, text]) => (
                  <option key={seconds} value={String(seconds)}>
                    {text}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <FormEnd act="Make the token" fault={fault} isBusy={isBusy} close={close} />
      </form>
    </Dialog>
  )
}

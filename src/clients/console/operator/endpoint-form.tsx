// One endpoint, new or known. A known secret is never shown: left empty it stays, a new one leaves it in force for the overlap.
import { useState } from 'preact/hooks'
import type { Endpoint, EndpointAuth } from '../../typescript/index.ts'
import { Copy } from '../components/copy.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Field, textOf } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { Overlap } from '../components/overlap.tsx'
import { ALLOWED_FOR, DAY_SECONDS } from '../state/terms.ts'
import { tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import type { OfOrg } from './frame.tsx'

type Kind = EndpointAuth['kind']

const KINDS: Record<Kind, string> = {
  hmac: 'a signature',
  header: 'a key in a header',
  allowlist: 'fixed addresses',
}
/** What the service shows for a secret; sent back, it keeps the secret as it is. */
const MASK = '********'
const SECRET_BYTES = 32

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

interface Draft {
  name: string
  url: string
  events: string
  includeLoads: boolean
  allowedFor: Endpoint['allowedFor']
  kind: Kind
  headerName: string
  secret: string
  overlapSeconds: number
}

const draftOf = (known: Endpoint | undefined): Draft => ({
  name: known?.name ?? '',
  url: known?.url ?? '',
  events: (known?.events ?? ['item|*']).join('\n'),
  includeLoads: known?.includeLoads ?? false,
  allowedFor: known?.allowedFor ?? 'both',
  kind: (known?.auth.kind as Kind | undefined) ?? 'hmac',
  headerName: typeof known?.auth.name === 'string' ? known.auth.name : 'X-Partner-Key',
  secret: '',
  overlapSeconds: DAY_SECONDS,
})

function authOf({ kind, headerName, secret, overlapSeconds }: Draft): EndpointAuth {
  if (kind === 'allowlist') return { kind }
  if (kind === 'header') return { kind, name: headerName, value: secret || MASK }
  return secret === '' ? { kind, secret: MASK } : { kind, secret, overlapSeconds }
}

interface EndpointFormProps extends OfOrg {
  known: Endpoint | undefined
  close(): void
  saved(): void
}

export function EndpointForm({ operator, slug, known, close, saved }: EndpointFormProps) {
  const [opened] = useState(() => draftOf(known))
  const [draft, setDraft] = useState(opened)
  const set = (change: Partial<Draft>) => setDraft(before => ({ ...before, ...change }))
  const { fault, isBusy, onSubmit } = useForm(async () => {
    const { name, url, includeLoads, allowedFor } = draft
    const events = draft.events.split(/[\s,]+/).filter(event => event !== '')
    await operator.endpoints.set({
      slug,
      name,
      endpoint: { url, events, includeLoads, allowedFor, auth: authOf(draft) },
    })
    tell(`${known ? 'Changed' : 'Added'} ${name}.`)
    saved()
    close()
  })
  return (
    <Dialog
      title={known ? `Edit ${known.name}` : 'Add an endpoint'}
      close={close}
      isBusy={isBusy}
      isDirty={draft !== opened}
    >
      <form class="stack" onSubmit={onSubmit}>
        {!known && (
          <Field label="Name" hint="Small letters, digits, - and _; workflows call it by this name.">
            {field => <input {...field} required value={draft.name} onInput={event => set({ name: textOf(event) })} />}
          </Field>
        )}
        <Field label="Address" hint="https; private addresses are refused.">
          {field => (
            <input
              {...field}
              class="mono"
              required
              placeholder="https://erp.example.com/selvedge"
              value={draft.url}
              onInput={event => set({ url: textOf(event) })}
            />
          )}
        </Field>
        <Field label="Events" hint="One in each line: item|create, item|*, assortment|publish, or * for all.">
          {field => (
            <textarea
              {...field}
              class="mono"
              rows={2}
              value={draft.events}
              onInput={event => set({ events: textOf(event) })}
            />
          )}
        </Field>
        <div class="pair">
          <Field label="Allowed for">
            {field => (
              <select
                {...field}
                value={draft.allowedFor}
                onChange={event => set({ allowedFor: textOf(event) as Endpoint['allowedFor'] })}
              >
                {Object.entries(ALLOWED_FOR).map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Secured by">
            {field => (
              <select {...field} value={draft.kind} onChange={event => set({ kind: textOf(event) as Kind })}>
                {Object.entries(KINDS).map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <Secret draft={draft} set={set} isKept={known?.auth.kind === draft.kind} />
        <label class="choice">
          <input
            type="checkbox"
            checked={draft.includeLoads}
            onChange={event => set({ includeLoads: event.currentTarget.checked })}
          />
          Changes made by loads are told, too
        </label>
        <FormEnd act={known ? 'Save the endpoint' : 'Add the endpoint'} fault={fault} isBusy={isBusy} close={close} />
      </form>
    </Dialog>
  )
}

interface SecretProps {
  draft: Draft
  set(change: Partial<Draft>): void
  /** There is a secret that stays where nothing is typed. */
  isKept: boolean
}

function Secret({ draft: { kind, headerName, secret, overlapSeconds }, set, isKept }: SecretProps) {
  if (kind === 'allowlist') return null
  const hint = isKept ? 'Empty: the one in force stays.' : undefined
  if (kind === 'header') {
    return (
      <div class="pair">
        <Field label="Header">
          {field => (
            <input
              {...field}
              class="mono"
              required
              value={headerName}
              onInput={event => set({ headerName: textOf(event) })}
            />
          )}
        </Field>
        <Field label="Its value" hint={hint}>
          {field => (
            <input
              {...field}
              type="password"
              autoComplete="off"
              required={!isKept}
              value={secret}
              onInput={event => set({ secret: textOf(event) })}
            />
          )}
        </Field>
      </div>
    )
  }
  return (
    <>
      <Field label={isKept ? 'New secret' : 'Secret'} hint={hint ?? 'whsec_ and 24 to 64 bytes in base64.'}>
        {field => (
          <span class="joined">
            <input
              {...field}
              class="mono"
              autoComplete="off"
              required={!isKept}
              placeholder="whsec_…"
              value={secret}
              onInput={event => set({ secret: textOf(event) })}
            />
            <button type="button" onClick={() => set({ secret: newSecret() })}>
              Make one
            </button>
          </span>
        )}
      </Field>
      {secret !== '' && (
        <p class="soft">
          The other side needs it to check signatures; nobody can show it again.{' '}
          <Copy text={secret} what="the secret" label="Copy it" />
        </p>
      )}
      {isKept && secret !== '' && (
        <Overlap
          label="Calls are signed with the one before as well"
          seconds={overlapSeconds}
          choose={seconds => set({ overlapSeconds: seconds })}
        />
      )}
    </>
  )
}

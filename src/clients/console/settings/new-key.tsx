// A new key with its limits: what it may, until when, for which entity types, from which addresses.
import { useState } from 'preact/hooks'
import { ENTITY_NAMES, type NewKey, type Scope } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Field, TextField, textOf } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { DAY_SECONDS, TIERS } from '../state/terms.ts'
import { useForm } from '../state/use-form.ts'

type Kind = 'app' | 'user'
export type ChosenKey = NewKey & { tier?: string | undefined }

const KINDS: Record<Kind, string> = { app: 'app: of the organization', user: 'user: acts in my name' }

interface NewKeyProps {
  /** Which kinds may be made; one alone is not asked for. */
  kinds: readonly Kind[]
  /** The operator may give a key a tier of its own. */
  hasTier?: boolean
  make(key: ChosenKey): Promise<void>
  close(): void
}

export function NewKeyDialog({ kinds, hasTier = false, make, close }: NewKeyProps) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'user')
  const [scope, setScope] = useState<Scope>('read')
  const [days, setDays] = useState('')
  const [tier, setTier] = useState('')
  const [types, setTypes] = useState<readonly string[]>([])
  const [addresses, setAddresses] = useState('')
  const { fault, isBusy, onSubmit } = useForm(async () => {
    const places = addresses.split(/[\s,]+/).filter(place => place !== '')
    await make({
      name,
      kind,
      scope,
      expiresOn: days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_SECONDS * 1000).toISOString(),
      entityTypes: types.length > 0 ? types : undefined,
      addresses: places.length > 0 ? places : undefined,
      tier: tier || undefined,
    })
    close()
  })
  return (
    <Dialog title="Make a key" close={close} isBusy={isBusy}>
      <form class="stack" onSubmit={onSubmit}>
        <TextField label="Name" hint="What uses it, for example “Nightly sync”." required value={name} set={setName} />
        <div class="pair">
          {kinds.length > 1 && (
            <Field label="Kind">
              {field => (
                <select {...field} value={kind} onChange={event => setKind(textOf(event) as Kind)}>
                  {kinds.map(each => (
                    <option key={each} value={each}>
                      {KINDS[each]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          <Field label="It may">
            {field => (
              <select {...field} value={scope} onChange={event => setScope(textOf(event) as Scope)}>
                <option value="read">read</option>
                <option value="write">read and write</option>
              </select>
            )}
          </Field>
          {hasTier && (
            <Field label="Rate tier">
              {field => (
                <select {...field} value={tier} onChange={event => setTier(textOf(event))}>
                  <option value="">that of the organization</option>
                  {TIERS.map(each => (
                    <option key={each}>{each}</option>
                  ))}
                </select>
              )}
            </Field>
          )}
          <TextField
            label="Ends after days"
            hint="Empty: never."
            type="number"
            min="1"
            max="3650"
            value={days}
            set={setDays}
          />
        </div>
        <TypeLimit chosen={types} choose={setTypes} />
        <Field
          label="Only from these addresses"
          hint="One in each line, or a block such as 192.0.2.0/24. Empty: from everywhere."
        >
          {field => (
            <textarea
              {...field}
              class="mono"
              rows={2}
              value={addresses}
              onInput={event => setAddresses(textOf(event))}
            />
          )}
        </Field>
        <FormEnd act="Make the key" fault={fault} isBusy={isBusy} close={close} />
      </form>
    </Dialog>
  )
}

function TypeLimit({ chosen, choose }: { chosen: readonly string[]; choose(types: readonly string[]): void }) {
  return (
    <details class="fold">
      <summary>
        Only for entity types:{' '}
        <span class="soft">{chosen.length === 0 ? 'all, and everything else' : chosen.join(', ')}</span>
      </summary>
      <fieldset class="choices">
        <legend class="hidden">Entity types that the key may read and write</legend>
        {ENTITY_NAMES.map(name => (
          <label class="choice" key={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={event =>
                choose(event.currentTarget.checked ? [...chosen, name] : chosen.filter(each => each !== name))
              }
            />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  )
}

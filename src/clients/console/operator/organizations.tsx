// The organizations of the deployment, and a new one with whoever administers it.
import { useState } from 'preact/hooks'
import type { Organization } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Empty } from '../components/empty.tsx'
import { Field, textOf } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../state/address.ts'
import { TIERS } from '../state/terms.ts'
import { useForm } from '../state/use-form.ts'
import { useArrive } from '../state/use-go.ts'
import { usePages } from '../state/use-pages.ts'
import { Databases } from './databases.tsx'
import { type OfOperator, OperatorPage } from './frame.tsx'

const PAGE_SIZE = 100

export function OrgState({ of: { suspendedOn } }: { of: Organization }) {
  return suspendedOn ? (
    <span class="state failed">
      suspended <Time at={suspendedOn} />
    </span>
  ) : (
    <span class="state done">open</span>
  )
}

const COLUMNS: readonly Column<Organization>[] = [
  { name: 'Organization', show: org => <a href={to.operatorOrg(org.slug)}>{org.name}</a> },
  { name: 'Slug', look: 'mono', show: org => org.slug },
  { name: 'Tier', show: org => org.tier },
  { name: 'State', show: org => <OrgState of={org} /> },
  { name: 'History kept', show: ({ historyRetentionDays: days }) => (days === null ? 'for ever' : `${days} days`) },
  { name: 'Database', look: 'mono', show: org => org.database },
  { name: 'Made', show: org => <Time at={org.createdOn} /> },
]

export function Organizations({ operator }: OfOperator) {
  const orgs = usePages('organizations', at => operator.listOrgs({ ...at, limit: PAGE_SIZE }))
  const [isAdding, setAdding] = useState(false)
  return (
    <OperatorPage
      title="Organizations"
      acts={
        <button type="button" class="main" onClick={() => setAdding(true)}>
          Make an organization
        </button>
      }
      way={{
        path: '/operator/orgs',
        typescript: 'const { results } = await operator.listOrgs()',
        command: 'orgs list',
      }}
    >
      <PagedTable
        label="Organizations"
        pages={orgs}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No organizations yet">
            <p>Everything belongs to an organization. Make the first, with the person who administers it.</p>
          </Empty>
        }
      />
      <Databases operator={operator} />
      {isAdding && <NewOrganization operator={operator} close={() => setAdding(false)} />}
    </OperatorPage>
  )
}

const FIELDS = [
  { name: 'slug', label: 'Slug', input: {}, hint: 'Small letters, digits and dashes; it stands in X-Api-Org.' },
  { name: 'name', label: 'Name', input: {}, hint: '' },
  { name: 'email', label: 'Email of its admin', input: { type: 'email' }, hint: '' },
  {
    name: 'password',
    label: 'First password of its admin',
    input: { type: 'password' },
    hint: '10 characters or more.',
  },
] as const satisfies { name: string; label: string; input: object; hint: string }[]

function NewOrganization({ operator, close }: OfOperator & { close(): void }) {
  const arrive = useArrive()
  const [texts, setTexts] = useState({ slug: '', name: '', email: '', password: '' })
  const [tier, setTier] = useState<string>(TIERS[0])
  const { fault, isBusy, onSubmit } = useForm(async () => {
    const { slug, name, email, password } = texts
    await operator.createOrg({ slug, name, tier, admin: { email, password } })
    close()
    arrive(to.operatorOrg(slug), `Made ${name}.`)
  })
  return (
    <Dialog
      title="Make an organization"
      close={close}
      isBusy={isBusy}
      isDirty={Object.values(texts).some(text => text !== '')}
    >
      <form class="stack" onSubmit={onSubmit}>
        {FIELDS.map(({ name, label, input, hint }) => (
          <Field key={name} label={label} hint={hint}>
            {field => (
              <input
                {...field}
                {...(input as object)}
                required
                autoComplete="off"
                value={texts[name]}
                onInput={event => {
                  const text = textOf(event)
                  setTexts(before => ({ ...before, [name]: text }))
                }}
              />
            )}
          </Field>
        ))}
        <Field label="Rate tier">
          {field => (
            <select {...field} value={tier} onChange={event => setTier(textOf(event))}>
              {TIERS.map(each => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Field>
        <FormEnd act="Make it" fault={fault} isBusy={isBusy} close={close} />
      </form>
    </Dialog>
  )
}

// One organization as its operator sees it: what it is, may have, lets in, calls, and what happened.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Confirm } from '../components/dialog.tsx'
import { Field, TextField } from '../components/field.tsx'
import { PartTabs } from '../components/part-tabs.tsx'
import { Shown } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { AuditTable } from '../settings/audit-trail.tsx'
import { to, usePageState } from '../state/address.ts'
import { codeText, shellWord } from '../state/quoted.ts'
import { TIERS } from '../state/terms.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import { useLoad } from '../state/use-load.ts'
import { useOnce } from '../state/use-once.ts'
import type { Way } from '../state/way.ts'
import { DeleteOrganization } from './delete-organization.tsx'
import { Endpoints } from './endpoints.tsx'
import { type OfOrg, OperatorPage } from './frame.tsx'
import { HistoryDays, type OfKnownOrg } from './history-days.tsx'
import { KeysAndTokens } from './keys.tsx'
import { MoveOrganization } from './move-organization.tsx'
import { OrgState } from './organizations.tsx'
import { Quotas } from './quotas.tsx'
import { SignInSettings } from './sign-in.tsx'

interface Tab {
  title: string
  show(of: OfOrg): ComponentChildren
  way(slug: string): Way
}

const TABS: Record<string, Tab> = {
  overview: {
    title: 'Overview',
    show: of => <Overview {...of} />,
    way: slug => ({
      method: 'PUT',
      path: `/operator/orgs/${slug}`,
      body: { suspended: true },
      typescript: `await operator.updateOrg({ slug: ${codeText(slug)}, change: { suspended: true } })`,
      command: `orgs suspend ${shellWord(slug)}`,
    }),
  },
  quotas: {
    title: 'Quotas',
    show: of => <Quotas {...of} />,
    way: slug => ({
      method: 'PUT',
      path: `/operator/orgs/${slug}/quotas`,
      body: { entities: 10_000_000, concurrentLoads: null },
      typescript: `await operator.setQuotas({ slug: ${codeText(slug)}, quotas: { entities: 10_000_000, concurrentLoads: null } })`,
      command: `quotas ${shellWord(slug)} entities=10000000 concurrentLoads=usual`,
    }),
  },
  keys: {
    title: 'Keys and tokens',
    show: of => <KeysAndTokens {...of} />,
    way: slug => ({
      method: 'POST',
      path: `/operator/orgs/${slug}/api-keys`,
      body: { name: 'Nightly sync', scope: 'read', entityTypes: ['item'] },
      typescript: `const { key } = await operator.createKey({ slug: ${codeText(slug)}, name: 'Nightly sync', scope: 'read', entityTypes: ['item'] })`,
      command: `keys create ${shellWord(slug)} --name 'Nightly sync' --scope read`,
    }),
  },
  endpoints: {
    title: 'Endpoints',
    show: of => <Endpoints {...of} />,
    way: slug => ({
      method: 'PUT',
      path: `/operator/orgs/${slug}/endpoints/erp`,
      body: {
        url: 'https://erp.example.com/selvedge',
        events: ['item|*'],
        allowedFor: 'events',
        auth: { kind: 'hmac', secret: 'whsec_…', overlapSeconds: 86_400 },
      },
      typescript: `await operator.endpoints.set({ slug: ${codeText(slug)}, name: 'erp', endpoint: {
  url: 'https://erp.example.com/selvedge', events: ['item|*'], allowedFor: 'events',
  auth: { kind: 'hmac', secret: process.env.ERP_SECRET, overlapSeconds: 86_400 },
} })`,
      command: `endpoints set ${shellWord(slug)} erp endpoint.yaml`,
    }),
  },
  'sign-in': {
    title: 'Sign-in',
    show: of => <SignInSettings {...of} />,
    way: slug => ({
      method: 'POST',
      path: `/operator/orgs/${slug}/password-reset`,
      body: { email: 'ann@example.com' },
      typescript: `const { resetUrl } = await operator.passwordReset({ slug: ${codeText(slug)}, email: 'ann@example.com' })`,
      command: `password-reset ${shellWord(slug)} ann@example.com`,
    }),
  },
  audit: {
    title: 'Audit',
    show: of => <OrgAudit {...of} />,
    way: slug => ({
      path: `/operator/orgs/${slug}/audit`,
      typescript: `const { results } = await operator.audit({ slug: ${codeText(slug)} })`,
      command: `audit ${shellWord(slug)}`,
    }),
  },
}

export function OrganizationPage(of: OfOrg) {
  const { query } = usePageState()
  const name = query.tab !== undefined && Object.hasOwn(TABS, query.tab) ? query.tab : 'overview'
  const chosen = TABS[name]
  if (!chosen) return null
  return (
    <OperatorPage title={of.slug} crumbs={<a href={to.operatorOrgs}>Organizations</a>} way={chosen.way(of.slug)}>
      <PartTabs
        label={`Parts of ${of.slug}`}
        current={name}
        parts={Object.entries(TABS).map(([each, { title }]) => ({
          name: each,
          title,
          href: to.operatorOrg(of.slug, each === 'overview' ? '' : each),
        }))}
      />
      {chosen.show(of)}
    </OperatorPage>
  )
}

const AUDIT_PAGE_SIZE = 100

const OrgAudit = ({ operator, slug }: OfOrg) => (
  <AuditTable of={slug} read={at => operator.audit({ slug, limit: AUDIT_PAGE_SIZE, ...at })} />
)

function Overview({ operator, slug }: OfOrg) {
  const org = useLoad(slug, signal => operator.getOrg({ slug, signal }))
  return (
    <Shown of={org}>
      {value => (
        <>
          <Facts operator={operator} slug={slug} org={value} changed={() => void org.reload()} />
          <MoveOrganization operator={operator} slug={slug} org={value} changed={() => void org.reload()} />
          <DeleteOrganization operator={operator} slug={slug} isSuspended={value.suspendedOn !== null} />
        </>
      )}
    </Shown>
  )
}

function Facts({ operator, slug, org, changed }: OfKnownOrg) {
  const [isSuspending, setSuspending] = useState(false)
  const act = async (what: string, done: string, run: () => Promise<unknown>) => {
    if ((await attempt(what, run)) === undefined) return false
    tell(done)
    changed()
    return true
  }
  const suspend = (suspended: boolean) =>
    act('Nothing was changed', suspended ? `${org.name} is suspended.` : `${org.name} is open again.`, () =>
      operator.updateOrg({ slug, change: { suspended } }),
    )
  const letIn = useOnce(async () => {
    await suspend(false)
  })
  const rebuild = useOnce(async () => {
    const run = () => operator.rebuildSearchIndex({ slug })
    await act('Nothing was begun', 'The search index is being made anew.', run)
  })
  const setTier = async (select: HTMLSelectElement) => {
    const tier = select.value
    const isSet = await act('The tier was not changed', `The tier is ${tier}.`, () => operator.setTier({ slug, tier }))
    if (!isSet) select.value = org.tier
  }
  return (
    <section class="panel stack" aria-labelledby="facts">
      <div class="line spread">
        <h2 id="facts">{org.name}</h2>
        <span class="line">
          <OrgState of={org} />
          {org.suspendedOn ? (
            <button type="button" disabled={letIn.isBusy} onClick={() => void letIn.start()}>
              Let it in again
            </button>
          ) : (
            <button type="button" class="danger" onClick={() => setSuspending(true)}>
              Suspend
            </button>
          )}
        </span>
      </div>
      <p class="soft">
        Made <Time at={org.createdOn} /> · <span class="mono">{org.id}</span>
      </p>
      <div class="pair">
        <Rename key={org.name} operator={operator} slug={slug} org={org} changed={changed} />
        <HistoryDays operator={operator} slug={slug} org={org} changed={changed} />
        <Field label="Rate tier" hint="How many requests a minute are let in.">
          {field => (
            <select
              {...field}
              value={org.tier}
              onChange={event => {
                void setTier(event.currentTarget)
              }}
            >
              {TIERS.map(tier => (
                <option key={tier}>{tier}</option>
              ))}
            </select>
          )}
        </Field>
        <div class="field">
          <span class="label">Search index</span>
          <button type="button" class="start" disabled={rebuild.isBusy} onClick={() => void rebuild.start()}>
            Make it anew
          </button>
          <span class="hint">In the background; searches go on meanwhile.</span>
        </div>
      </div>
      {isSuspending && (
        <Confirm
          title={`Suspend ${org.name}?`}
          act="Suspend it"
          close={() => setSuspending(false)}
          run={() => suspend(true)}
        >
          <p>Every key, token and session of it is refused, until you let it in again. Nothing is deleted.</p>
        </Confirm>
      )}
    </section>
  )
}

function Rename({ operator, slug, org, changed }: OfKnownOrg) {
  const [name, setName] = useState(org.name)
  const { fault, isBusy, onSubmit } = useForm(async () => {
    await operator.updateOrg({ slug, change: { name } })
    tell(`Its name is ${name}.`)
    changed()
  })
  return (
    <form class="joined" onSubmit={onSubmit}>
      <TextField label="Name" fault={fault} required value={name} set={setName} />
      <button type="submit" disabled={isBusy || name.trim() === org.name}>
        Rename
      </button>
    </form>
  )
}

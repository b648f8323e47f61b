// One organization as its operator sees it: state, tier, one-time password links, outbound endpoints with their deliveries, audit.
import { useState } from 'preact/hooks'
import type { Operator, Organization } from '../../typescript/index.ts'
import { words } from '../state/fault-words.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { AuditTable } from './audit-trail.tsx'
import { Copy } from './copy.tsx'
import { Field, textOf } from './field.tsx'
import { OperatorEndpoints } from './operator-endpoints.tsx'
import { Shown } from './shown.tsx'
import { Time } from './time.tsx'

const TIERS = ['standard', 'high', 'internal'] as const

export interface OfOrg {
  operator: Operator
  slug: string
}

export function OperatorOrg({ operator, slug }: OfOrg) {
  const org = useLoad(slug, signal => operator.getOrg({ slug, signal }))
  const audit = useLoad(`audit ${slug}`, signal => operator.audit({ slug, limit: 50, signal }))
  return (
    <div class="stack">
      <p>
        <a href="/console/operator">All organizations</a>
      </p>
      <Shown of={org}>{value => <Settings operator={operator} org={value} changed={() => void org.reload()} />}</Shown>
      <PasswordLink operator={operator} slug={slug} />
      <OperatorEndpoints operator={operator} slug={slug} />
      <section class="stack" aria-labelledby="operator-audit">
        <h2 id="operator-audit">Audit</h2>
        <AuditTable audit={audit} next={nextPageKey => operator.audit({ slug, limit: 50, nextPageKey })} />
      </section>
    </div>
  )
}

function Settings({ operator, org, changed }: { operator: Operator; org: Organization; changed(): void }) {
  const { slug, suspendedOn } = org
  const act = async (what: string, done: string, run: () => Promise<unknown>) => {
    if ((await attempt(what, run)) === undefined) return
    tell(done)
    changed()
  }
  const suspend = (suspended: boolean) =>
    act('Nothing was changed', suspended ? `${org.name} is suspended.` : `${org.name} is open again.`, () =>
      operator.updateOrg({ slug, change: { suspended } }),
    )
  return (
    <section class="panel stack">
      <h2>
        {org.name} <span class="mono soft">{slug}</span>
      </h2>
      <p class="line">
        {suspendedOn ? (
          <span class="state failed">
            suspended <Time at={suspendedOn} />
          </span>
        ) : (
          <span class="state done">open</span>
        )}
        {typeof org.database === 'string' && <span class="soft">database {org.database}</span>}
      </p>
      <div class="line">
        <Field label="Rate tier">
          {field => (
            <select
              {...field}
              value={org.tier}
              onChange={event => {
                const tier = textOf(event)
                void act('The tier was not changed', `The tier is ${tier}.`, () => operator.setTier({ slug, tier }))
              }}
            >
              {TIERS.map(tier => (
                <option key={tier}>{tier}</option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" class={suspendedOn ? '' : 'danger'} onClick={() => void suspend(!suspendedOn)}>
          {suspendedOn ? 'Resume' : 'Suspend'}
        </button>
      </div>
    </section>
  )
}

function PasswordLink({ operator, slug }: OfOrg) {
  const [email, setEmail] = useState('')
  const [link, setLink] = useState('')
  const [fault, setFault] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    setFault('')
    try {
      setLink((await operator.passwordReset({ slug, email })).resetUrl)
    } catch (error) {
      setFault(words(error).what)
    }
  }
  return (
    <section class="panel stack">
      <h2>A new password for somebody</h2>
      <form class="line" onSubmit={event => void submit(event)}>
        <Field label="Email of the member" fault={fault}>
          {field => <input {...field} type="email" required value={email} onInput={event => setEmail(textOf(event))} />}
        </Field>
        <button type="submit">Make a one-time link</button>
      </form>
      {link && (
        <p role="status">
          <code>{link}</code> <Copy text={link} what="the link" />
        </p>
      )}
    </section>
  )
}

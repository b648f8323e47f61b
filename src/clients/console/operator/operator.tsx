// The operator's wing: the whole deployment. It needs the operator key, not a session.
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { TextField } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { to } from '../state/address.ts'
import { enterAsOperator, isRefused, operator } from '../state/operator.ts'
import { useForm } from '../state/use-form.ts'
import { AllDeliveries } from './all-deliveries.tsx'
import { OperatorAudit } from './audit.tsx'
import { Backups } from './backups.tsx'
import { type OfOperator, OperatorFrame } from './frame.tsx'
import { OrganizationPage } from './organization.tsx'
import { Organizations } from './organizations.tsx'
import { StatusPage } from './status.tsx'

export function OperatorPage() {
  const present = operator.value
  if (!present) return <Entrance />
  return (
    <OperatorFrame>
      <Chosen operator={present} />
    </OperatorFrame>
  )
}

function Chosen({ operator: calls }: OfOperator) {
  const { path } = useLocation()
  const [place, name] = path.slice(to.operator.length).split('/').filter(Boolean)
  if (place === undefined) return <StatusPage operator={calls} />
  if (place === 'organizations' && name !== undefined) {
    const slug = decodeURIComponent(name)
    return <OrganizationPage key={slug} operator={calls} slug={slug} />
  }
  if (place === 'organizations') return <Organizations operator={calls} />
  if (place === 'deliveries') return <AllDeliveries operator={calls} />
  if (place === 'backups') return <Backups operator={calls} />
  if (place === 'audit') return <OperatorAudit operator={calls} />
  return (
    <Page title="There is no such page" isPlain>
      <p>
        The address may be mistyped. <a href={to.operator}>Go to Status</a>.
      </p>
    </Page>
  )
}

function Entrance() {
  const [key, setKey] = useState('')
  const { fault, isBusy, onSubmit } = useForm(() => enterAsOperator(key.trim()))
  useEffect(() => {
    document.title = 'Operator · Selvedge'
  }, [])
  return (
    <div class="door">
      <main>
        <span class="mark">Selvedge</span>
        <h1>Operator</h1>
        <form class="stack" onSubmit={onSubmit}>
          <TextField
            label="Operator key"
            hint="OPERATOR_KEY of the deployment; locally in .dev.vars. Kept for this tab."
            fault={fault || (isRefused.value ? 'The key that this tab had is not taken any more.' : '')}
            type="password"
            autoComplete="off"
            required
            value={key}
            set={setKey}
          />
          <button type="submit" class="main" disabled={isBusy}>
            Go on
          </button>
          <p>
            <a href="/console/">Sign in to an organization instead</a>
          </p>
        </form>
      </main>
    </div>
  )
}

// The operator's part: organizations of the deployment. It needs the operator key, not a session.
import { useEffect, useState } from 'preact/hooks'
import type { Operator } from '../../typescript/index.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Empty } from '../parts/empty.tsx'
import { Field, textOf } from '../parts/field.tsx'
import { labelled } from '../parts/labelled.ts'
import { OperatorDatabases } from '../parts/operator-databases.tsx'
import { OperatorOrg } from '../parts/operator-org.tsx'
import { Shown } from '../parts/shown.tsx'
import { Time } from '../parts/time.tsx'
import { usePageState } from '../state/address.ts'
import { words } from '../state/fault-words.ts'
import { enterAsOperator, leaveOperator, operator } from '../state/operator.ts'
import { tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'

export function OperatorPage() {
  useEffect(() => {
    document.title = 'Operator · Selvedge'
  }, [])
  const { query } = usePageState()
  const present = operator.value
  if (!present) return <Entrance />
  return (
    <main class="content operator">
      <header class="top">
        <span class="mark">Selvedge</span>
        <h1>Operator</h1>
        <a class="button" href="/console/">
          Console
        </a>
        <button type="button" onClick={leaveOperator}>
          Forget the key
        </button>
      </header>
      {query.org ? <OperatorOrg key={query.org} operator={present} slug={query.org} /> : <Orgs operator={present} />}
    </main>
  )
}

function Entrance() {
  const [key, setKey] = useState('')
  const [fault, setFault] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    setFault('')
    try {
      await enterAsOperator(key.trim())
    } catch (error) {
      setFault(words(error).what)
    }
  }
  return (
    <div class="door">
      <main>
        <span class="mark">Selvedge</span>
        <h1>Operator</h1>
        <form class="stack" onSubmit={event => void submit(event)}>
          <Field
            label="Operator key"
            hint="OPERATOR_KEY of the deployment; locally in .dev.vars. Kept for this tab."
            fault={fault}
          >
            {field => (
              <input
                {...field}
                type="password"
                autoComplete="off"
                required
                value={key}
                onInput={event => setKey(textOf(event))}
              />
            )}
          </Field>
          <button type="submit" class="main">
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

function Orgs({ operator: calls }: { operator: Operator }) {
  const orgs = useLoad('orgs', signal => calls.listOrgs({ limit: 500, signal }))
  const [isAdding, setAdding] = useState(false)
  return (
    <div class="stack">
      <div class="line spread">
        <h2>Organizations</h2>
        <button type="button" class="main" onClick={() => setAdding(true)}>
          Make an organization
        </button>
      </div>
      <Shown of={orgs}>
        {page =>
          page.results.length === 0 ? (
            <Empty title="No organizations yet">
              <p>Everything belongs to an organization. Make the first, with the person who administers it.</p>
            </Empty>
          ) : (
            <div class="scroll">
              <table class="list cards" ref={labelled}>
                <thead>
                  <tr>
                    {['Organization', 'Slug', 'Tier', 'State', 'Database', 'Made'].map(name => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {page.results.map(org => (
                    <tr key={org.id}>
                      <th scope="row">
                        <a href={`/console/operator?org=${org.slug}`}>{org.name}</a>
                      </th>
                      <td class="mono">{org.slug}</td>
                      <td>{org.tier}</td>
                      <td>
                        {org.suspendedOn ? (
                          <span class="state failed">suspended</span>
                        ) : (
                          <span class="state done">open</span>
                        )}
                      </td>
                      <td class="mono">{org.database}</td>
                      <td>
                        <Time at={org.createdOn} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
      <OperatorDatabases operator={calls} />
      {isAdding && <NewOrg operator={calls} close={() => setAdding(false)} made={() => void orgs.reload()} />}
    </div>
  )
}

const FIELDS = [
  { name: 'slug', label: 'Slug', input: {} },
  { name: 'name', label: 'Name', input: {} },
  { name: 'email', label: 'Email of its admin', input: { type: 'email' } },
  { name: 'password', label: 'First password of its admin', input: { type: 'password' } },
] as const satisfies { name: string; label: string; input: object }[]

function NewOrg({ operator: calls, close, made }: { operator: Operator; close(): void; made(): void }) {
  const [texts, setTexts] = useState({ slug: '', name: '', email: '', password: '' })
  const [fault, setFault] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    const { slug, name, email, password } = texts
    try {
      await calls.createOrg({ slug, name, admin: { email, password } })
      tell(`Made ${name}.`)
      made()
      close()
    } catch (error) {
      setFault(words(error).what)
    }
  }
  return (
    <Dialog title="Make an organization" close={close}>
      <form class="stack" onSubmit={event => void submit(event)}>
        {FIELDS.map(({ name, label, input }) => (
          <Field key={name} label={label} fault={name === 'password' ? fault : undefined}>
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
        <div class="line">
          <button type="submit" class="main">
            Make it
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

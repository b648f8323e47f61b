// The door: email and password, or single sign-on. Whoever was sent here comes back to the address they came for.
import { useEffect, useState } from 'preact/hooks'
import { TextField } from '../components/field.tsx'
import { words } from '../state/fault-words.ts'
import { keep, kept } from '../state/kept.ts'
import { postOpen } from '../state/open-call.ts'
import { BASE_URL, signedIn, whoWasHere } from '../state/session.ts'
import { beginSso } from '../state/sso.ts'

export function SignIn() {
  const [orgSlug, setOrg] = useState(kept('org', ''))
  const before = whoWasHere()
  const [email, setEmail] = useState(before?.user?.email ?? '')
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    const { title } = document
    document.title = 'Sign in · Selvedge'
    return () => {
      document.title = title
    }
  }, [])
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setFault('')
    try {
      keep('org', orgSlug.trim())
      await work()
    } catch (error) {
      setFault(words(error).what)
    }
    setBusy(false)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      await postOpen('/auth/login', { email, password, orgSlug: orgSlug.trim(), cookie: true })
      await signedIn()
    })
  }
  return (
    <div class="door">
      <main>
        <span class="mark">Selvedge</span>
        <h1>Sign in</h1>
        {before && <p>Your session has ended. What you have typed is still there when you are back.</p>}
        <form class="stack" onSubmit={submit}>
          <TextField
            label="Organization"
            name="organization"
            autoComplete="organization"
            autoCapitalize="none"
            required
            placeholder="demo"
            value={orgSlug}
            set={setOrg}
          />
          <TextField
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            required
            value={email}
            set={setEmail}
          />
          <TextField
            label="Password"
            fault={fault}
            type="password"
            name="password"
            autoComplete="current-password"
            required
            value={password}
            set={setPassword}
          />
          <button type="submit" class="main" disabled={isBusy}>
            {isBusy ? 'Signing in …' : 'Sign in'}
          </button>
          {before ? (
            // To leave this page would lose what was typed; signing in elsewhere opens it again.
            <a class="button" href="/console/" target="_blank" rel="noopener">
              Single sign-on, in another tab
            </a>
          ) : (
            <button
              type="button"
              disabled={isBusy || orgSlug.trim() === ''}
              onClick={() => void run(() => beginSso(BASE_URL, orgSlug.trim()))}
            >
              Single sign-on
            </button>
          )}
          <p class="soft">
            A local start prints email and password of the organization <code>demo</code>. Lost the password? The
            operator makes you a one-time link. <a href="/docs/access">About access</a> ·{' '}
            <a href="/console/operator">Operator</a>
          </p>
        </form>
      </main>
    </div>
  )
}

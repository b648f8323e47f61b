// A page behind a one-time link: the token stands behind `#`, so that no server and no log sees it before it is used.

import { useEffect, useState } from 'preact/hooks'
import { TextField } from '../components/field.tsx'
import { useForm } from '../state/use-form.ts'

const LEAST = 10

interface TokenDoorProps {
  title: string
  about: string
  act: string
  run: (token: string, password: string) => Promise<void>
}

export function TokenDoor({ title, about, act, run }: TokenDoorProps) {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  useEffect(() => {
    document.title = `${title} · Selvedge`
    // Neither the history of the browser nor a link that is copied keeps it.
    history.replaceState(null, '', location.pathname)
  }, [title])
  const { fault, isBusy, onSubmit } = useForm(async () => {
    if (password !== again) throw new Error('The two passwords differ.')
    await run(token, password)
  })
  return (
    <div class="door">
      <main>
        <span class="mark">Selvedge</span>
        <h1>{title}</h1>
        {token === '' ? (
          <section class="error" role="alert">
            <h2>This link is not whole</h2>
            <p>Open it again from where you got it: the part behind # is missing.</p>
          </section>
        ) : (
          <form class="stack" onSubmit={onSubmit}>
            <p>{about}</p>
            <TextField
              label="New password"
              hint={`At least ${LEAST} characters.`}
              type="password"
              autoComplete="new-password"
              required
              minLength={LEAST}
              value={password}
              set={setPassword}
            />
            <TextField
              label="The same again"
              fault={fault}
              type="password"
              autoComplete="new-password"
              required
              value={again}
              set={setAgain}
            />
            <button type="submit" class="main" disabled={isBusy}>
              {act}
            </button>
          </form>
        )}
      </main>
    </div>
  )
}

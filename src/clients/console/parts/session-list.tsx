// The own sessions, each to be ended; and the own password.
import { useState } from 'preact/hooks'
import { words } from '../state/fault-words.ts'
import { client, me } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { Field, textOf } from './field.tsx'
import { labelled } from './labelled.ts'
import { Shown } from './shown.tsx'
import { Time } from './time.tsx'

export function SessionList() {
  const sessions = useLoad('sessions', signal => client.people.sessions({ limit: 100, signal }))
  const end = async (id: string, isCurrent: boolean) => {
    const done = await attempt('The session was not ended', async () => {
      await client.people.endSession({ id })
      return true
    })
    if (!done) return
    if (isCurrent) me.value = null
    else {
      tell('Ended the session.')
      await sessions.reload()
    }
  }
  return (
    <>
      <Shown of={sessions} lines={3}>
        {page => (
          <div class="scroll">
            <table class="list cards" ref={labelled}>
              <thead>
                <tr>
                  {['Signed in', 'By', 'Last used', 'Until'].map(name => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                  <th scope="col">
                    <span class="hidden">Acts</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {page.results.map(each => (
                  <tr key={each.id}>
                    <th scope="row">
                      <Time at={each.createdOn} /> {each.isCurrent && <span class="soft">(this one)</span>}
                    </th>
                    <td>{each.method}</td>
                    <td>{each.lastUsedOn ? <Time at={each.lastUsedOn} /> : ''}</td>
                    <td>
                      <Time at={each.expiresOn} />
                    </td>
                    <td class="acts">
                      <button type="button" onClick={() => void end(each.id, each.isCurrent)}>
                        {each.isCurrent ? 'Sign out' : 'End'}
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
      <Password />
    </>
  )
}

function Password() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [fault, setFault] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    setFault('')
    try {
      await client.people.changePassword({ currentPassword: current, newPassword: next })
      setCurrent('')
      setNext('')
      tell('The password is changed. Other sessions and your user keys have ended.')
    } catch (error) {
      setFault(words(error).what)
    }
  }
  return (
    <form class="stack narrow-form" onSubmit={event => void submit(event)}>
      <h2>Change the password</h2>
      <Field label="Current password">
        {field => (
          <input
            {...field}
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onInput={event => setCurrent(textOf(event))}
          />
        )}
      </Field>
      <Field label="New password" fault={fault}>
        {field => (
          <input
            {...field}
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            value={next}
            onInput={event => setNext(textOf(event))}
          />
        )}
      </Field>
      <button type="submit">Change the password</button>
    </form>
  )
}

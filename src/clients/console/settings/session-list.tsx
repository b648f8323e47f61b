// Sessions, each to be ended: the own ones, for admins those of any member; and the own password.
import { useState } from 'preact/hooks'
import type { OpenSession } from '../../typescript/index.ts'
import { Field, TextField, textOf } from '../components/field.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { ErrorPanel } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { usePageState } from '../state/address.ts'
import { client, isAdmin, me } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import { useLoad } from '../state/use-load.ts'
import { useOnce } from '../state/use-once.ts'
import { usePages } from '../state/use-pages.ts'

const PAGE_SIZE = 100

const COLUMNS: readonly Column<OpenSession>[] = [
  {
    name: 'Signed in',
    show: each => (
      <>
        <Time at={each.createdOn} /> {each.isCurrent && <span class="soft">(this one)</span>}
      </>
    ),
  },
  { name: 'By', show: each => each.method },
  { name: 'Last used', show: each => <Time at={each.lastUsedOn} /> },
  { name: 'Until', show: each => <Time at={each.expiresOn} /> },
]

export function SessionList() {
  const { query, set } = usePageState()
  const userId = isAdmin() ? query.of : undefined
  const sessions = usePages(`sessions ${userId ?? ''}`, at =>
    client.people.sessions({ ...at, userId, limit: PAGE_SIZE }),
  )
  const { isBusy, start: end } = useOnce(async ({ id, isCurrent }: OpenSession) => {
    const isEnded = await attempt('The session was not ended', async () => {
      await client.people.endSession({ id })
      return true
    })
    if (!isEnded) return
    if (isCurrent) me.value = null
    else {
      tell('Ended the session.')
      await sessions.reload()
    }
  })
  return (
    <>
      {isAdmin() && <Whose chosen={userId ?? ''} choose={of => set({ of })} />}
      <PagedTable
        label="Open sessions"
        pages={sessions}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        lines={3}
        acts={each => (
          <button type="button" disabled={isBusy} onClick={() => void end(each)}>
            {each.isCurrent ? 'Sign out' : 'End'}
          </button>
        )}
        empty={<p class="soft">No session is open.</p>}
      />
      <Password />
    </>
  )
}

const MEMBERS_MOST = 1000

function Whose({ chosen, choose }: { chosen: string; choose(userId: string): void }) {
  const members = useLoad('members to choose', signal => client.people.list({ limit: MEMBERS_MOST, signal }))
  const others = members.value?.results.filter(({ id }) => id !== me.value?.user?.id) ?? []
  return (
    <div class="line">
      <Field label="Sessions of">
        {field => (
          <select {...field} value={chosen} onChange={event => choose(textOf(event))}>
            <option value="">me</option>
            {others.map(({ id, email }) => (
              <option key={id} value={id}>
                {email}
              </option>
            ))}
          </select>
        )}
      </Field>
      {members.error !== undefined && <ErrorPanel error={members.error} again={() => void members.reload()} />}
    </div>
  )
}

function Password() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const { fault, onSubmit } = useForm(async () => {
    await client.people.changePassword({ currentPassword: current, newPassword: next })
    setCurrent('')
    setNext('')
    tell('The password is changed. Other sessions and your user keys have ended.')
  })
  return (
    <form class="stack narrow-form" onSubmit={onSubmit}>
      <h2>Change the password</h2>
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={current}
        set={setCurrent}
      />
      <TextField
        label="New password"
        fault={fault}
        type="password"
        autoComplete="new-password"
        required
        minLength={10}
        value={next}
        set={setNext}
      />
      <button type="submit">Change the password</button>
    </form>
  )
}

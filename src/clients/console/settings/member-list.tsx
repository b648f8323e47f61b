// Members and their roles; invitations by a one-time link that is handed over by hand.
import { useState } from 'preact/hooks'
import type { Invitation, Member, Role } from '../../typescript/index.ts'
import { Confirm } from '../components/dialog.tsx'
import { Field, TextField, textOf } from '../components/field.tsx'
import { issuedLink, useIssued } from '../components/issued.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { Time } from '../components/time.tsx'
import { counted } from '../state/format.ts'
import { client, isAdmin, me } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { tellUndoable } from '../state/undo.ts'
import { useForm } from '../state/use-form.ts'
import { useOnce } from '../state/use-once.ts'
import { usePages } from '../state/use-pages.ts'

const PAGE_SIZE = 100
const isMe = ({ id }: Member) => id === me.value?.user?.id

export function MemberList() {
  const members = usePages('members', at => client.people.list({ ...at, limit: PAGE_SIZE }))
  const [leaving, setLeaving] = useState<Member | undefined>(undefined)
  const reload = () => void members.reload()
  const { isBusy, start: setRole } = useOnce(async (member: Member, role: Role) => {
    const before = member.role
    const done = await attempt('The role was not changed', () => client.people.setRole({ id: member.id, role }))
    reload()
    if (done) {
      const run = async () => {
        await client.people.setRole({ id: member.id, role: before }).finally(reload)
      }
      tellUndoable(`${member.email} is ${role} now.`, run)
    }
  })
  const columns: readonly Column<Member>[] = [
    {
      name: 'Member',
      look: 'break',
      show: member => (
        <>
          {member.email} {isMe(member) && <span class="soft">(you)</span>}
        </>
      ),
    },
    {
      name: 'Role',
      show: member =>
        isAdmin() ? (
          <select
            class="narrow"
            aria-label={`Role of ${member.email}`}
            value={member.role}
            disabled={isBusy}
            onChange={event => void setRole(member, textOf(event) as Role)}
          >
            <option>admin</option>
            <option>member</option>
          </select>
        ) : (
          member.role
        ),
    },
    { name: 'Joined', show: member => <Time at={member.joinedOn} /> },
  ]
  const acts = (member: Member) =>
    !isMe(member) && (
      <>
        <EndSessions member={member} />
        <button type="button" class="danger" onClick={() => setLeaving(member)}>
          Remove<span class="hidden"> {member.email}</span>
        </button>
      </>
    )
  return (
    <>
      <PagedTable
        label="Members"
        pages={members}
        columns={columns}
        keyOf={({ id }) => id}
        acts={isAdmin() ? acts : undefined}
        empty={<p class="soft">Nobody belongs to this organization yet.</p>}
      />
      {isAdmin() && <Invitations />}
      {leaving && (
        <Confirm
          title={`Remove ${leaving.email}?`}
          act="Remove the member"
          close={() => setLeaving(undefined)}
          run={async () => {
            await attempt('The member was not removed', () => client.people.remove({ id: leaving.id }))
            reload()
          }}
        >
          <p>
            Their sessions and user keys end at once here, and everywhere within ten seconds. What they wrote stays.
          </p>
        </Confirm>
      )}
    </>
  )
}

function EndSessions({ member }: { member: Member }) {
  const { isBusy, start: end } = useOnce(async () => {
    await attempt('The sessions were not ended', async () => {
      let ended = 0
      for (let isMore = true; isMore; ) {
        const page = await client.people.sessions({ userId: member.id, limit: 100 })
        for (const { id } of page.results) await client.people.endSession({ id })
        ended += page.results.length
        isMore = page.nextPageKey !== null
      }
      tell(`Ended ${counted(ended, 'session')} of ${member.email}.`)
    })
  })
  return (
    <button type="button" disabled={isBusy} onClick={() => void end()}>
      End sessions<span class="hidden"> of {member.email}</span>
    </button>
  )
}

function stateOf({ acceptedOn, revokedOn, expiresOn }: Invitation, now: number): string {
  if (acceptedOn) return 'accepted'
  if (revokedOn) return 'revoked'
  return Date.parse(expiresOn) <= now ? 'too old' : 'open'
}

const INVITATION_COLUMNS: readonly Column<Invitation>[] = [
  { name: 'Email', show: each => each.email, look: 'break' },
  { name: 'Role', show: each => each.role },
  { name: 'State', show: each => stateOf(each, Date.now()) },
  { name: 'Until', show: each => <Time at={each.expiresOn} /> },
]

function Invitations() {
  const invitations = usePages('invitations', at => client.people.invitations({ ...at, limit: PAGE_SIZE }))
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const { show, issued } = useIssued()
  const { fault, isBusy, onSubmit } = useForm(async () => {
    const invited = await client.people.invite({ email, role })
    show(issuedLink(invited.email, invited.acceptUrl))
    // What was typed meanwhile is for the next one.
    setEmail(now => (now === email ? '' : now))
    await invitations.reload()
  })
  const { isBusy: isRevoking, start: revoke } = useOnce(async ({ id }: Invitation) => {
    await attempt('The invitation was not revoked', () => client.people.revokeInvitation({ id }))
    await invitations.reload()
  })
  return (
    <>
      <h2>Invite somebody</h2>
      <form class="line" onSubmit={onSubmit}>
        <TextField label="Email" fault={fault} type="email" required value={email} set={setEmail} />
        <Field label="Role">
          {field => (
            <select {...field} value={role} onChange={event => setRole(textOf(event) as Role)}>
              <option>member</option>
              <option>admin</option>
            </select>
          )}
        </Field>
        <button type="submit" class="main" disabled={isBusy}>
          Make the link
        </button>
      </form>
      {issued}
      <PagedTable
        label="Invitations"
        pages={invitations}
        columns={INVITATION_COLUMNS}
        keyOf={({ id }) => id}
        lines={2}
        acts={each =>
          stateOf(each, Date.now()) === 'open' && (
            <button type="button" disabled={isRevoking} onClick={() => void revoke(each)}>
              Revoke<span class="hidden"> the invitation of {each.email}</span>
            </button>
          )
        }
        empty={<p class="soft">Nobody has been invited yet.</p>}
      />
    </>
  )
}

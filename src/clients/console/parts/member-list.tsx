// Members and their roles; invitations by a one-time link that is handed over by hand.
import { useState } from 'preact/hooks'
import type { Invitation, Member, Role } from '../../typescript/index.ts'
import { words } from '../state/fault-words.ts'
import { client, isAdmin, me } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { Copy } from './copy.tsx'
import { Confirm } from './dialog.tsx'
import { Field, textOf } from './field.tsx'
import { labelled } from './labelled.ts'
import { Shown } from './shown.tsx'
import { Time } from './time.tsx'

export function MemberList() {
  const members = useLoad('members', signal => client.people.list({ limit: 500, signal }))
  const [leaving, setLeaving] = useState<Member | undefined>(undefined)
  const reload = () => void members.reload()
  const setRole = async (member: Member, role: Role) => {
    const before = member.role
    const done = await attempt('The role was not changed', () => client.people.setRole({ id: member.id, role }))
    reload()
    if (done) {
      const run = async () => {
        await attempt('Taking back failed', () => client.people.setRole({ id: member.id, role: before }))
        reload()
      }
      tell(`${member.email} is ${role} now.`, { label: 'Undo', run })
    }
  }
  return (
    <>
      <Shown of={members}>
        {page => (
          <div class="scroll">
            <table class="list cards" ref={labelled}>
              <thead>
                <tr>
                  <th scope="col">Member</th>
                  <th scope="col">Role</th>
                  <th scope="col">Joined</th>
                  <th scope="col">
                    <span class="hidden">Acts</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {page.results.map(member => (
                  <tr key={member.id}>
                    <th scope="row">
                      {member.email} {member.id === me.value?.user?.id && <span class="soft">(you)</span>}
                    </th>
                    <td>
                      {isAdmin() ? (
                        <select
                          class="narrow"
                          aria-label={`Role of ${member.email}`}
                          value={member.role}
                          onChange={event => void setRole(member, textOf(event) as Role)}
                        >
                          <option>admin</option>
                          <option>member</option>
                        </select>
                      ) : (
                        member.role
                      )}
                    </td>
                    <td>
                      <Time at={member.joinedOn} />
                    </td>
                    <td class="acts">
                      {isAdmin() && member.id !== me.value?.user?.id && (
                        <span class="line">
                          <EndSessions member={member} />
                          <button type="button" class="danger" onClick={() => setLeaving(member)}>
                            Remove<span class="hidden"> {member.email}</span>
                          </button>
                        </span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
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
          <p>Their sessions and user keys end at once. What they wrote stays.</p>
        </Confirm>
      )}
    </>
  )
}

function EndSessions({ member }: { member: Member }) {
  const end = () =>
    attempt('The sessions were not ended', async () => {
      const { results } = await client.people.sessions({ userId: member.id, limit: 200 })
      for (const { id } of results) await client.people.endSession({ id })
      tell(`Ended ${results.length} sessions of ${member.email}.`)
    })
  return (
    <button type="button" onClick={() => void end()}>
      End sessions<span class="hidden"> of {member.email}</span>
    </button>
  )
}

type Issued = Invitation & { acceptUrl: string }

function Invitations() {
  const invitations = useLoad('invitations', signal => client.people.invitations({ limit: 100, signal }))
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [fault, setFault] = useState('')
  const [issued, setIssued] = useState<Issued | undefined>(undefined)
  const submit = async (event: Event) => {
    event.preventDefault()
    setFault('')
    try {
      setIssued(await client.people.invite({ email, role }))
      setEmail('')
    } catch (error) {
      setFault(words(error).what)
    }
    await invitations.reload()
  }
  const revoke = async ({ id }: Invitation) => {
    await attempt('The invitation was not revoked', () => client.people.revokeInvitation({ id }))
    await invitations.reload()
  }
  return (
    <>
      <h2>Invite somebody</h2>
      <form class="line" onSubmit={event => void submit(event)}>
        <Field label="Email" fault={fault}>
          {field => <input {...field} type="email" required value={email} onInput={event => setEmail(textOf(event))} />}
        </Field>
        <Field label="Role">
          {field => (
            <select {...field} value={role} onChange={event => setRole(textOf(event) as Role)}>
              <option>member</option>
              <option>admin</option>
            </select>
          )}
        </Field>
        <button type="submit" class="main">
          Make the link
        </button>
      </form>
      {issued && (
        <section class="panel stack" role="status">
          <p>Hand this link to {issued.email}. It works once, and is shown this once.</p>
          <p>
            <code>{issued.acceptUrl}</code> <Copy text={issued.acceptUrl} what="the link" />
          </p>
        </section>
      )}
      <Shown of={invitations} lines={2}>
        {page =>
          page.results.length === 0 ? (
            <p class="soft">Nobody has been invited yet.</p>
          ) : (
            <InvitationTable invitations={page.results} revoke={each => void revoke(each)} />
          )
        }
      </Shown>
    </>
  )
}

function stateOf({ acceptedOn, revokedOn, expiresOn }: Invitation, now: number): string {
  if (acceptedOn) return 'accepted'
  if (revokedOn) return 'revoked'
  return Date.parse(expiresOn) <= now ? 'too old' : 'open'
}

interface InvitationTableProps {
  invitations: readonly Invitation[]
  revoke(invitation: Invitation): void
}

function InvitationTable({ invitations, revoke }: InvitationTableProps) {
  const now = Date.now()
  return (
    <div class="scroll">
      <table class="list cards" ref={labelled}>
        <thead>
          <tr>
            {['Email', 'Role', 'State', 'Until'].map(name => (
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
          {invitations.map(each => (
            <tr key={each.id}>
              <th scope="row">{each.email}</th>
              <td>{each.role}</td>
              <td>{stateOf(each, now)}</td>
              <td>
                <Time at={each.expiresOn} />
              </td>
              <td class="acts">
                {stateOf(each, now) === 'open' && (
                  <button type="button" onClick={() => revoke(each)}>
                    Revoke<span class="hidden"> the invitation of {each.email}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

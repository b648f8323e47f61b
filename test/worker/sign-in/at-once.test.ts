// Two calls at the same moment, and what one of them leaves to the other.
import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { auditRow } from '../../../src/features/audit/entry.ts'
import * as hashing from '../../../src/features/auth/hashing.ts'
import { newCredential } from '../../../src/features/auth/key-text.ts'
import { insertInvitation } from '../../../src/features/invitations/store.ts'
import { joinMember } from '../../../src/features/members/store.ts'
import { SIGN_IN_FREE_FAILURES } from '../../../src/features/sign-in/limits.ts'
import { digestOf } from '../../../src/platform/digest.ts'
import { Fault } from '../../../src/platform/errors.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, type Json, operator } from '../api.ts'
import { Caller, newEmail, newTeam, PASSWORD, type Session, signIn, stranger, type Team } from './team.ts'

async function invitationTo(team: Team, email: string) {
  const { key: token, secret } = newCredential('token')
  const now = Date.now()
  const row = {
    id: newId(),
    orgId: team.id,
    email,
    role: 'admin' as const,
    digest: await digestOf(secret),
    createdOn: now,
    createdById: team.admin.id,
    expiresOn: now + 1_000_000,
    acceptedOn: null,
    revokedOn: null,
    acceptedWith: null,
  }
  const event = auditRow({ now }, { orgId: team.id, action: 'invitation_created', actor: null })
  return { token, isInserted: await insertInvitation(env, row, event, sql`1`) }
}

describe('N9 members', () => {
  it('that two calls remove are gone for the second one', async () => {
    const { admin, join } = await newTeam()
    const { id } = await join()
    const answers = await Promise.all([admin.delete(`/users/${id}`), admin.delete(`/users/${id}`)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  it('whose role two calls change have one change on record', async () => {
    const { admin, join } = await newTeam()
    const { id } = await join()
    const answers = await Promise.all([1, 2].map(() => admin.put(`/users/${id}`, { role: 'admin' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await admin.get<Json>('/audit?limit=100')
    expect((body.results ?? []).filter(({ action }) => action === 'member_role_changed')).toHaveLength(1)
  })

  it('who are removed leave no link to set their password', async () => {
    const { slug, admin, join } = await newTeam()
    const person = await join()
    const reset = await operator<{ token: string }>('POST', `/orgs/${slug}/password-reset`, { email: person.email })
    await admin.delete(`/users/${person.id}`)
    const { body } = await admin.post<{ token: string }>('/invitations', { email: person.email, role: 'admin' })
    const password = 'another long password'
    expect((await stranger().post('/invitations/accept', { token: body.token, password })).status).toBe(201)
    const newPassword = 'set by the old link'
    const used = await stranger().post('/auth/password-reset', { token: reset.body.token, newPassword })
    expect(used.status).toBe(404)
  })
})

describe('N11 an invitation', () => {
  it('to somebody who has joined meanwhile is not made', async () => {
    const team = await newTeam()
    const { email } = await team.join()
    expect((await invitationTo(team, email)).isInserted).toBe(false)
  })

  it('leads into no account that there is', async () => {
    const team = await newTeam()
    const email = newEmail()
    const { token } = await invitationTo(team, email)
    const person = { id: newId(), email, createdOn: Date.now() }
    await env.DB.batch([
      env.DB.prepare('INSERT INTO users (id, email, created_on) VALUES (?, ?, 0)').bind(person.id, email),
      env.DB.prepare("INSERT INTO memberships (org_id, user_id, role, created_on) VALUES (?, ?, 'member', 0)").bind(
        team.id,
        person.id,
      ),
    ])
    const password = 'somebody elses password'
    expect((await stranger().post<Session>('/invitations/accept', { token, password })).status).toBe(404)
  })

  it('that is revoked while somebody comes by single sign-on gives no role', async () => {
    const team = await newTeam()
    const person = { id: newId(), email: newEmail(), createdOn: Date.now() }
    const join = { orgId: team.id, role: 'admin' as const, now: Date.now(), when: sql`0` }
    const event = (id: string) =>
      auditRow({ now: Date.now() }, { orgId: team.id, action: 'member_joined', actor: { id, type: 'user' } })
    expect(await joinMember(env, join, person, event)).toBeUndefined()
  })
})

describe('N61 passwords', () => {
  it('that two sessions change at once leave the one that has won its session', async () => {
    const { slug, join } = await newTeam()
    const one = await join()
    const two = await signIn(slug, one.email)
    const change = (who: Caller, newPassword: string) =>
      who.put('/auth/password', { currentPassword: PASSWORD, newPassword })
    const answers = await Promise.all([change(one, 'the first new password'), change(two, 'the second new password')])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([204, 403])
    const winner = statuses[0] === 204 ? one : two
    expect((await winner.get('/auth/me')).status).toBe(200)
  })

  it('that nobody has looked at are not wrong ones', async () => {
    const { slug, join } = await newTeam()
    const { email } = await join()
    const office = new Caller({})
    const signInThere = (password: string) => office.post('/auth/login', { email, password, orgSlug: slug })
    const busy = vi.spyOn(hashing, 'isPassword').mockRejectedValue(new Fault('unavailable', 'busy'))
    onTestFinished(() => busy.mockRestore())
    for (let times = 0; times < 2 * SIGN_IN_FREE_FAILURES; times++)
      expect((await signInThere(PASSWORD)).status).toBe(503)
    busy.mockRestore()
    for (let times = 0; times < SIGN_IN_FREE_FAILURES; times++) expect((await signInThere('wrong')).status).toBe(401)
    expect((await signInThere(PASSWORD)).status).toBe(200)
  })
})

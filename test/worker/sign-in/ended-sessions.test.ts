// What lasts is issued only by who is still in. An end that came from elsewhere, which this isolate has not heard of, is written into the
// directory by hand.
import { describe, expect, it } from 'vitest'
import { issueKeyInHand, rotateKeyInHand } from '../../../src/features/auth/own-keys.ts'
import { invite } from '../../../src/features/invitations/service.ts'
import { beginSession } from '../../../src/features/sign-in/sessions.ts'
import type { Context } from '../../../src/platform/context.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { env } from '../api.ts'
import { newEmail, newTeam, type SignedIn, type Team } from './team.ts'

const ENDS = {
  'the session has ended': (team: Team, { id }: SignedIn) =>
    env.DB.prepare("UPDATE credentials SET revoked_on = 1 WHERE org_id = ? AND user_id = ? AND kind = 'session'").bind(
      team.id,
      id,
    ),
  'the admin is one no more': (team: Team, { id }: SignedIn) =>
    env.DB.prepare("UPDATE memberships SET role = 'member' WHERE org_id = ? AND user_id = ?").bind(team.id, id),
  'the person has left': (team: Team, { id }: SignedIn) =>
    env.DB.prepare('DELETE FROM memberships WHERE org_id = ? AND user_id = ?').bind(team.id, id),
}

/** How many keys, invitations and lines of the trail there are. */
async function lasting({ id }: Team) {
  const count = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE org_id = ?`).bind(id)
  const tables = ['credentials', 'invitations', 'audit', 'memberships'].map(count)
  return (await env.DB.batch<{ n: number }>(tables)).map(({ results }) => results[0]?.n)
}

async function newAdmin() {
  const team = await newTeam()
  const person = await team.join('admin')
  const { body: key } = await team.admin.post<{ id: string }>('/api-keys', { name: 'app', kind: 'app' })
  const { body: me } = await person.get<{ credential: { id: string } }>('/auth/me')
  return { team, person, keyId: key.id, sessionId: me.credential.id }
}

describe.each(Object.entries(ENDS))('N9 where %s, nothing that lasts is issued', (_, end) => {
  it('although the isolate remembers the session', async () => {
    const { team, person, keyId } = await newAdmin()
    await end(team, person).run()
    const before = await lasting(team)
    const calls = [
      () => person.post('/api-keys', { name: 'x', kind: 'app' }),
      () => person.post(`/api-keys/${keyId}/rotate`, {}),
      () => person.post('/invitations', { email: newEmail(), role: 'admin' }),
      () => person.put(`/users/${team.admin.id}`, { role: 'member' }),
    ]
    for (const call of calls) expect((await call()).status).toBeGreaterThanOrEqual(401)
    expect(await lasting(team)).toEqual(before)
  })

  it('although the call was let in before', async () => {
    const { team, person, keyId, sessionId } = await newAdmin()
    const org = { id: team.id, slug: team.slug }
    const actor = { id: person.id, type: 'user' } as const
    const nothing = () => undefined
    const context: Context = {
      env,
      org,
      actor,
      principal: {
        credentialId: sessionId,
        credentialKind: 'session',
        org,
        actor,
        userId: person.id,
        role: 'admin',
        scope: 'write',
        tier: 'standard',
        suspended: false,
        expiresOn: null,
      },
      db: databaseFor(env, team.id),
      now: Date.now(),
      requestId: '',
      baseUrl: 'https://selvedge.test/api',
      defer: nothing,
      announce: nothing,
      committed: nothing,
      keepWatch: async () => undefined,
    }
    await issueKeyInHand(context, { name: 'x', kind: 'app', scope: 'write' })
    await end(team, person).run()
    const before = await lasting(team)
    const issue = issueKeyInHand(context, { name: 'x', kind: 'app', scope: 'write' })
    await expect(issue).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(rotateKeyInHand(context, keyId, 60)).rejects.toMatchObject({ code: 'conflict' })
    const invited = invite(context, { email: newEmail(), role: 'admin' })
    await expect(invited).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await lasting(team)).toEqual(before)
  })
})

it('N11 whoever has left while the provider was asked gets no session', async () => {
  const team = await newTeam()
  const member = await team.join()
  await ENDS['the person has left'](team, member).run()
  const before = await lasting(team)
  const context = { env, now: Date.now(), requestId: '', baseUrl: '', defer: () => undefined }
  const person = { id: member.id, email: member.email, role: 'member' as const, org: { ...team, name: 'Team' } }
  await expect(beginSession(context, person, 'single sign-on')).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await lasting(team)).toEqual(before)
})

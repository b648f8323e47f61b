import { describe, expect, it } from 'vitest'
import { env, type Json, operator } from '../api.ts'
import { Caller, newEmail, newTeam, PASSWORD, type Session, SignedIn, signIn, stranger } from './team.ts'

type Invited = Json & { id: string; token: string; acceptUrl: string }

const accept = (token: string, password = PASSWORD) =>
  stranger().post<Session & Json>('/invitations/accept', { token, password })

describe('invitations', () => {
  it('an admin gets a one-time link to hand over; whoever accepts is a member and signed in', async () => {
    const team = await newTeam()
    const email = newEmail('new')
    const invited = await team.admin.post<Invited>('/invitations', { email, role: 'member' })
    expect(invited.status).toBe(201)
    expect(invited.body.acceptUrl).toBe(`https://selvedge.test/console/invitation#token=${invited.body.token}`)
    const answers = await Promise.all([accept(invited.body.token), accept(invited.body.token)])
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 404])
    const joined = answers.find(answer => answer.status === 201)
    expect(joined?.body.user).toMatchObject({ email, role: 'member' })
    const person = new SignedIn(joined?.body as Session)
    expect((await person.get('/auth/me')).body.user).toMatchObject({ email })
    await signIn(team.slug, email)
    const [listed] = (await team.admin.get('/invitations')).body.results ?? []
    expect(listed).toMatchObject({ id: invited.body.id, email, revokedOn: null })
    expect(listed?.acceptedOn).not.toBeNull()
    expect(listed).not.toHaveProperty('token')
  })

  it('a revoked, replaced, expired or garbled invitation is refused alike', async () => {
    const team = await newTeam()
    const invite = async (email = newEmail()) => (await team.admin.post<Invited>('/invitations', { email })).body
    const revoked = await invite()
    expect((await team.admin.delete(`/invitations/${revoked.id}`)).status).toBe(204)
    expect((await team.admin.delete(`/invitations/${revoked.id}`)).status).toBe(404)
    const replaced = await invite('twice@people.example')
    await invite('twice@people.example')
    const expired = await invite()
    await env.DB.prepare('UPDATE invitations SET expires_on = 1 WHERE id = ?').bind(expired.id).run()
    const bodies: Json[] = []
    for (const token of [revoked.token, replaced.token, expired.token, 'garbled', `${expired.token}x`]) {
      const answer = await accept(token)
      expect(answer.status).toBe(404)
      bodies.push({ ...answer.body, requestId: '' })
    }
    expect(new Set(bodies.map(body => JSON.stringify(body))).size).toBe(1)
  })

  it('a password counts in one organization alone: an invitation elsewhere takes over no account', async () => {
    const [home, elsewhere] = [await newTeam(), await newTeam()]
    const { email } = home.admin
    const { token } = (await elsewhere.admin.post<Invited>('/invitations', { email })).body
    const chosen = 'chosen by somebody else'
    expect((await accept(token, chosen)).body.user).toMatchObject({ id: home.admin.id, email, role: 'member' })
    const login = (password: string, orgSlug: string) => stranger().post('/auth/login', { email, password, orgSlug })
    expect((await login(chosen, home.slug)).status).toBe(401)
    expect((await login(PASSWORD, elsewhere.slug)).status).toBe(401)
    expect((await login(chosen, elsewhere.slug)).status).toBe(200)
    expect((await login(PASSWORD, home.slug)).status).toBe(200)
  })

  it('whoever sits on the email of a later admin gains nothing: the operator sets the password of the new organization', async () => {
    const squatter = await newTeam()
    const email = newEmail('later-admin')
    const { token } = (await squatter.admin.post<Invited>('/invitations', { email })).body
    await accept(token, 'chosen by the squatter')
    const slug = `later-${crypto.randomUUID().slice(0, 8)}`
    await operator('POST', '/orgs', { slug, name: 'Later', admin: { email, password: 'chosen by the operator' } })
    const login = (password: string) => stranger().post('/auth/login', { email, password, orgSlug: slug })
    expect((await login('chosen by the squatter')).status).toBe(401)
    expect((await login('chosen by the operator')).status).toBe(200)
  })

  it('members invite nobody, and whoever is a member is not invited', async () => {
    const team = await newTeam()
    const member = await team.join()
    expect((await member.post('/invitations', { email: newEmail() })).status).toBe(403)
    expect((await member.get('/invitations')).status).toBe(403)
    expect((await team.admin.post('/invitations', { email: member.email })).status).toBe(409)
    expect((await team.admin.post('/invitations', { email: 'x', role: 'owner' })).status).toBe(400)
  })

  it('ends what an admin has given out when the admin goes', async () => {
    const team = await newTeam()
    const second = await team.join('admin')
    const { token } = (await second.post<Invited>('/invitations', { email: newEmail() })).body
    expect((await team.admin.delete(`/users/${second.id}`)).status).toBe(204)
    expect((await accept(token)).status).toBe(404)
  })
})

describe('members', () => {
  it('lists the people of the organization page by page, to its people only', async () => {
    const team = await newTeam()
    const joined = [await team.join(), await team.join('admin')]
    const seen: unknown[] = []
    let key: unknown = ''
    while (key !== null) {
      const page = await team.admin.get(`/users?limit=1${key ? `&nextPageKey=${key}` : ''}`)
      expect(page.body.results).toHaveLength(1)
      seen.push(page.body.results?.[0]?.id)
      key = page.body.nextPageKey
    }
    expect(seen.sort()).toEqual([team.admin.id, ...joined.map(person => person.id)].sort())
  })

  it('removing a member ends their sessions and user keys at once', async () => {
    const team = await newTeam()
    const member = await team.join()
    const made = await member.post('/api-keys', { name: 'mine' })
    const key = new Caller({ 'X-Api-Key': String(made.body.key), 'X-Api-Org': team.slug })
    expect([(await member.get('/auth/me')).status, (await key.get('/auth/me')).status]).toEqual([200, 200])
    expect((await team.admin.delete(`/users/${member.id}`)).status).toBe(204)
    expect([(await member.get('/auth/me')).status, (await key.get('/auth/me')).status]).toEqual([401, 401])
    const again = { email: member.email, password: PASSWORD, orgSlug: team.slug }
    expect((await stranger().post('/auth/login', again)).status).toBe(401)
    expect((await team.admin.delete(`/users/${member.id}`)).status).toBe(404)
  })

  it('a removed member keeps what they have in another organization', async () => {
    const [home, elsewhere] = [await newTeam(), await newTeam()]
    const { token } = (await elsewhere.admin.post<Invited>('/invitations', { email: home.admin.email })).body
    const guest = new SignedIn((await accept(token)).body)
    expect((await elsewhere.admin.delete(`/users/${guest.id}`)).status).toBe(204)
    expect((await guest.get('/auth/me')).status).toBe(401)
    expect((await home.admin.get('/auth/me')).status).toBe(200)
  })

  it('a changed role acts at once', async () => {
    const team = await newTeam()
    const member = await team.join()
    expect((await member.get('/audit')).status).toBe(403)
    const promoted = await team.admin.put(`/users/${member.id}`, { role: 'admin' })
    expect(promoted.body).toMatchObject({ id: member.id, role: 'admin' })
    expect((await member.get('/audit')).status).toBe(200)
    await team.admin.put(`/users/${member.id}`, { role: 'member' })
    expect((await member.get('/audit')).status).toBe(403)
  })

  it('the last admin is neither removed nor demoted, also not by two at the same moment', async () => {
    const team = await newTeam()
    expect((await team.admin.delete(`/users/${team.admin.id}`)).status).toBe(409)
    expect((await team.admin.put(`/users/${team.admin.id}`, { role: 'member' })).status).toBe(409)
    expect((await team.admin.put(`/users/${team.admin.id}`, { role: 'admin' })).status).toBe(200)
    const second = await team.join('admin')
    const answers = await Promise.all([
      team.admin.put(`/users/${second.id}`, { role: 'member' }),
      second.put(`/users/${team.admin.id}`, { role: 'member' }),
    ])
    expect(answers.map(answer => answer.status)).toContain(200)
    const admins = await env.DB.prepare("SELECT count(*) AS n FROM memberships WHERE org_id = ? AND role = 'admin'")
      .bind(team.id)
      .first<{ n: number }>()
    expect(admins?.n).toBe(1)
  })

  it('no admin reaches the people of another organization', async () => {
    const [team, other] = [await newTeam(), await newTeam()]
    const member = await other.join()
    expect((await team.admin.put(`/users/${member.id}`, { role: 'admin' })).status).toBe(404)
    expect((await team.admin.delete(`/users/${member.id}`)).status).toBe(404)
    expect((await member.get('/auth/me')).status).toBe(200)
  })
})

describe('the audit trail', () => {
  it('tells admins of sign-ins, failures, keys, members and acts of the operator, newest first', async () => {
    const team = await newTeam()
    const member = await team.join()
    await member.post('/api-keys', { name: 'laptop' })
    const key = await team.appKey()
    await stranger().post('/auth/login', { email: member.email, password: 'wrong password', orgSlug: team.slug })
    await stranger().post('/auth/login', { email: newEmail('nobody'), password: 'wrong', orgSlug: team.slug })
    await operator('PUT', `/orgs/${team.slug}/tier`, { tier: 'high' })
    await team.admin.put(`/users/${member.id}`, { role: 'admin' })
    await team.admin.delete(`/users/${member.id}`)
    await expect.poll(async () => (await team.actions()).filter(action => action === 'sign_in_failed')).toHaveLength(2)
    const entries = (await team.admin.get('/audit?limit=1000')).body.results ?? []
    const times = entries.map(entry => Date.parse(String(entry.createdOn)))
    expect(times).toEqual([...times].sort((a, b) => b - a))
    expect(new Set(entries.map(entry => entry.action))).toEqual(
      new Set([
        'organization_created',
        'sign_in',
        'invitation_created',
        'invitation_accepted',
        'key_issued',
        'sign_in_failed',
        'organization_changed',
        'member_role_changed',
        'member_removed',
      ]),
    )
    const failed = entries.filter(entry => entry.action === 'sign_in_failed')
    expect(failed).toContainEqual(
      expect.objectContaining({
        actorType: 'nobody',
        actorId: null,
        subjectId: member.id,
        detail: { email: member.email, waitSeconds: 0 },
      }),
    )
    expect(failed.map(entry => entry.detail)).toContainEqual({ waitSeconds: 0 })
    expect(String(failed[0]?.address)).toMatch(/^10\.0\./)
    const issued = entries.filter(entry => entry.action === 'key_issued')
    expect(issued.map(entry => entry.actorType).sort()).toEqual(['operator', 'user'])
    expect((await key.get('/auth/me')).status).toBe(200)
  })

  it('goes page by page without gap or repeat, is for admins, and the operator sees it too', async () => {
    const team = await newTeam()
    const member = await team.join()
    for (let at = 0; at < 5; at++) await team.appKey()
    const seen: unknown[] = []
    let key: unknown = ''
    while (key !== null) {
      const page = await team.admin.get(`/audit?limit=2${key ? `&nextPageKey=${key}` : ''}`)
      seen.push(...(page.body.results ?? []).map(entry => entry.id))
      key = page.body.nextPageKey
    }
    expect(new Set(seen).size).toBe(seen.length)
    const whole = await operator('GET', `/orgs/${team.slug}/audit?limit=1000`)
    expect(whole.body.results?.map(entry => entry.id)).toEqual(seen)
    expect((await member.get('/audit')).status).toBe(403)
    expect((await operator('GET', '/orgs/no-such-org/audit')).status).toBe(404)
  })

  it('writes nothing for what did not happen', async () => {
    const team = await newTeam()
    const before = await team.actions()
    await team.admin.delete(`/users/${team.admin.id}`)
    await team.admin.put(`/users/${team.admin.id}`, { role: 'member' })
    await team.admin.delete('/invitations/no-such-one-0001')
    await team.admin.delete('/api-keys/no-such-key-0001')
    expect(await team.actions()).toEqual(before)
  })

  it('is swept after 400 days, with invitations that are long over and people who belong nowhere', async () => {
    const team = await newTeam()
    const { sweepPeople } = await import('../../../src/features/sign-in/sweep.ts')
    const { chainTrail } = await import('../../../src/features/audit/chain.ts')
    const member = await team.join()
    await team.admin.delete(`/users/${member.id}`)
    const count = async (sql: string) => (await env.DB.prepare(sql).bind(team.id).first<{ n: number }>())?.n
    // In the course of a day.
    for (let hour = 0; hour < 24; hour++) await sweepPeople(env, Date.now() + 2 * 86_400_000 + hour * 3_600_000)
    expect(await count('SELECT count(*) AS n FROM audit WHERE org_id = ?')).toBeGreaterThan(0)
    expect(await count(`SELECT count(*) AS n FROM users WHERE id = '${member.id}' AND ? <> ''`)).toBe(0)
    expect(await count(`SELECT count(*) AS n FROM users WHERE id = '${team.admin.id}' AND ? <> ''`)).toBe(1)
    await chainTrail(env, team.id)
    await sweepPeople(env, Date.now() + 401 * 86_400_000)
    // The last line stays: the next one is chained to it.
    expect(await count('SELECT count(*) AS n FROM audit WHERE org_id = ?')).toBe(1)
    expect(await count('SELECT count(*) AS n FROM invitations WHERE org_id = ?')).toBe(0)
  })
})

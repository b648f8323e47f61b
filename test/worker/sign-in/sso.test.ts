import { describe, expect, inject, it, vi } from 'vitest'
import { authorizationUrl, discover, ProviderFailure } from '../../../src/features/sso/openid.ts'
import { env, type Json, ORIGIN, operator, queryText } from '../api.ts'
import { begin, comeBack, fetchSession, LOOPBACK, signInAtProvider, travel, visit } from './browser.ts'
import { CLIENT_ID, CLIENT_SECRET } from './identity-provider-client.ts'
import { newEmail, newTeam, SignedIn, stranger, type Team } from './team.ts'

const [issuer, otherIssuer] = [inject('issuer'), inject('otherIssuer')]

async function newSsoTeam(allowSignUp?: boolean, at = issuer): Promise<Team> {
  const team = await newTeam()
  await setProvider(team, at, allowSignUp)
  return team
}

async function setProvider(team: Team, at: string, allowSignUp?: boolean): Promise<void> {
  const set = await operator('PUT', `/orgs/${team.slug}/identity-provider`, {
    issuer: at,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    ...(allowSignUp !== undefined && { allowSignUp }),
  })
  expect(set.status, JSON.stringify(set.body)).toBe(200)
}

const callbackOf = (team: Team) => `/api/auth/sso/callback/${team.id}`

const emailsOf = async (team: Team) => (await team.admin.get('/users')).body.results?.map(user => user.email)

describe('single sign-on, end to end against a real provider', () => {
  it('N11 signs a member in by verified email on a command line with a loopback redirect', async () => {
    const team = await newSsoTeam()
    const { verifier, end, code } = await travel(team.slug, team.admin.email.toUpperCase(), LOOPBACK, 'my state')
    expect(end.origin + end.pathname).toBe(LOOPBACK)
    expect([...end.searchParams.keys()].sort()).toEqual(['code', 'state'])
    expect(end.searchParams.get('state')).toBe('my state')
    const session = await fetchSession(code, verifier)
    expect(session.status).toBe(200)
    expect(session.body.user).toEqual({ id: team.admin.id, email: team.admin.email, role: 'admin' })
    const me = await new SignedIn(session.body).get('/auth/me')
    expect(me.body).toMatchObject({ credential: { kind: 'session' }, org: { slug: team.slug }, role: 'admin' })
    const [entry] = (await team.admin.get('/audit?limit=1')).body.results ?? []
    expect(entry).toMatchObject({ action: 'sign_in', actorId: team.admin.id, detail: { method: 'single sign-on' } })
  })

  it('N11 signs in on a page of the service by an ordinary redirect', async () => {
    const team = await newSsoTeam()
    const { verifier, end, code } = await travel(team.slug, team.admin.email, `${ORIGIN}/console/sso?next=items`)
    expect(end.href).toBe(`${ORIGIN}/console/sso?next=items&code=${code}`)
    expect((await fetchSession(code, verifier)).status).toBe(200)
  })

  it('N11 a code is good once, only with its verifier, and for a minute', async () => {
    const team = await newSsoTeam()
    const first = await travel(team.slug, team.admin.email)
    const uses = await Promise.all([1, 2, 3].map(() => fetchSession(first.code, first.verifier)))
    expect(uses.map(answer => answer.status).sort()).toEqual([200, 401, 401])
    const second = await travel(team.slug, team.admin.email)
    expect((await fetchSession(second.code, first.verifier)).status).toBe(401)
    expect((await fetchSession(second.code, second.verifier)).status).toBe(401)
    const third = await travel(team.slug, team.admin.email)
    await env.DB.prepare("UPDATE tickets SET expires_on = ? WHERE kind = 'sso-code'").bind(Date.now()).run()
    expect((await fetchSession(third.code, third.verifier)).status).toBe(401)
  })

  it('N11 a state is good once and for ten minutes; an unknown one is refused', async () => {
    const team = await newSsoTeam()
    const { url } = await begin(team.slug)
    const callback = await signInAtProvider(url, team.admin.email)
    await comeBack(callback)
    expect((await visit(callback.slice(ORIGIN.length))).status).toBe(404)
    expect((await visit(`${callbackOf(team)}?state=unknown&code=x`)).status).toBe(404)
    expect((await visit(`${callbackOf(team)}?code=x`)).status).toBe(400)
    const late = await signInAtProvider((await begin(team.slug)).url, team.admin.email)
    await env.DB.prepare("UPDATE tickets SET expires_on = ? WHERE kind = 'sso-state'").bind(Date.now()).run()
    expect((await visit(late.slice(ORIGIN.length))).status).toBe(404)
  })

  it("N11 a provider's code does not fit into another sign-in", async () => {
    const team = await newSsoTeam()
    const [mine, foreign] = [await begin(team.slug), await begin(team.slug)]
    const stolen = new URL(await signInAtProvider(foreign.url, team.admin.email)).searchParams
    const mixed = new URL(await signInAtProvider(mine.url, team.admin.email))
    mixed.searchParams.set('code', stolen.get('code') ?? '')
    const end = await comeBack(mixed.href)
    expect(end.searchParams.get('error')).toBe('server_error')
    expect(end.searchParams.has('code')).toBe(false)
  })

  it("N11 an answer in the name of another provider, or the provider's refusal, signs nobody in", async () => {
    const team = await newSsoTeam()
    const forged = new URL(await signInAtProvider((await begin(team.slug)).url, team.admin.email))
    forged.searchParams.set('iss', 'https://evil.example')
    expect((await comeBack(forged.href)).searchParams.get('error')).toBe('server_error')
    const state = new URL((await begin(team.slug)).url).searchParams.get('state')
    const denied = await comeBack(`${ORIGIN}${callbackOf(team)}?state=${state}&error=access_denied`)
    expect(denied.searchParams.get('error')).toBe('access_denied')
  })

  it("N78 a victim's code of an honest provider is not exchanged for the state of an attacker's organization", async () => {
    const [honest, attacker] = [await newSsoTeam(true), await newSsoTeam(true, otherIssuer)]
    const [victims, attackers] = [await begin(honest.slug), await begin(attacker.slug)]
    const state = new URL(attackers.url).searchParams.get('state') ?? ''
    // The attacker's provider sends the victim on to the honest one, with the client of the honest organization.
    const luring = new URL(victims.url)
    luring.searchParams.set('state', state)
    const callback = await signInAtProvider(luring.href, newEmail('victim'))
    expect(callback).toContain(`${callbackOf(honest)}?`)
    const outside = vi.spyOn(globalThis, 'fetch')
    const refused = [
      await visit(callback.slice(ORIGIN.length)),
      await visit(`/api/auth/sso/callback?state=${state}&code=x`),
    ]
    expect(refused.map(({ status }) => status)).toEqual([404, 404])
    expect(outside).not.toHaveBeenCalled()
    outside.mockRestore()
    // The ticket is still the attacker's own: a foreign answer has not used it up.
    const own = await comeBack(await signInAtProvider(attackers.url, newEmail('attacker')))
    expect(own.searchParams.get('error')).toBeNull()
  })

  it('N78 an answer of the provider that was set before is not taken to the one set meanwhile', async () => {
    const team = await newSsoTeam(true)
    const callback = await signInAtProvider((await begin(team.slug)).url, newEmail('late'))
    await setProvider(team, otherIssuer, true)
    const outside = vi.spyOn(globalThis, 'fetch')
    expect((await visit(callback.slice(ORIGIN.length))).status).toBe(404)
    expect(outside).not.toHaveBeenCalled()
    outside.mockRestore()
  })

  it('N11 an email that is not verified, or none, signs nobody in', async () => {
    const team = await newSsoTeam(true)
    const before = await emailsOf(team)
    for (const login of ['unverified@people.example', 'nameless']) {
      const { error, code } = await travel(team.slug, login)
      expect([error, code]).toEqual(['access_denied', ''])
    }
    expect(await emailsOf(team)).toEqual(before)
    const [entry] = (await team.admin.get('/audit?limit=1')).body.results ?? []
    expect(entry).toMatchObject({
      action: 'sign_in_failed',
      detail: { method: 'single sign-on', reason: 'email_not_verified' },
    })
  })

  it('N11 a first sign-in makes a member only where the operator allows it', async () => {
    const closed = await newSsoTeam()
    const email = newEmail('stranger')
    expect((await travel(closed.slug, email)).error).toBe('access_denied')
    expect(await emailsOf(closed)).not.toContain(email)
    const open = await newSsoTeam(true)
    const { code, verifier } = await travel(open.slug, email)
    const session = await fetchSession(code, verifier)
    expect(session.body.user).toMatchObject({ email, role: 'member' })
    expect(await open.actions()).toContain('member_joined')
    expect((await travel(closed.slug, email)).error).toBe('access_denied')
  })

  it('whoever is invited joins by single sign-on in the role of the invitation', async () => {
    const team = await newSsoTeam()
    const email = newEmail('invited')
    await team.admin.post('/invitations', { email, role: 'admin' })
    const { code, verifier } = await travel(team.slug, email)
    expect((await fetchSession(code, verifier)).body.user).toMatchObject({ email, role: 'admin' })
    const [invitation] = (await team.admin.get('/invitations')).body.results ?? []
    expect(invitation?.acceptedOn).not.toBeNull()
  })

  it('a person who came by single sign-on has no password, and cannot be given one by it', async () => {
    const team = await newSsoTeam(true)
    const { code, verifier } = await travel(team.slug, newEmail('only-sso'))
    const person = new SignedIn((await fetchSession(code, verifier)).body)
    const body = { currentPassword: '', newPassword: 'a new password' }
    expect((await person.put('/auth/password', body)).status).toBe(400)
    expect((await person.put('/auth/password', { ...body, currentPassword: 'guess' })).status).toBe(403)
  })

  it('a member by single sign-on has no password that was set in another organization', async () => {
    const [squatter, team] = [await newTeam(), await newSsoTeam(true)]
    const email = newEmail('victim')
    const { body } = await squatter.admin.post<{ token: string }>('/invitations', { email })
    const password = 'chosen by the squatter'
    expect((await stranger().post('/invitations/accept', { token: body.token, password })).status).toBe(201)
    expect((await travel(team.slug, email)).error).toBeNull()
    expect(await emailsOf(team)).toContain(email)
    expect((await stranger().post('/auth/login', { email, password, orgSlug: team.slug })).status).toBe(401)
  })

  it('somebody who is removed between the redirect and the token gets none', async () => {
    const team = await newSsoTeam()
    const member = await team.join()
    const { code, verifier } = await travel(team.slug, member.email)
    await team.admin.delete(`/users/${member.id}`)
    expect((await fetchSession(code, verifier)).status).toBe(401)
  })
})

describe('the start of single sign-on', () => {
  const start = async (query: Record<string, unknown>) => {
    const codeChallenge = 'x'.repeat(43)
    const response = await visit(`/api/auth/sso/start${queryText({ codeChallenge, redirectUri: LOOPBACK, ...query })}`)
    return { status: response.status, body: (await response.json()) as Json }
  }

  it('N11 leads to no strange address, and needs a challenge', async () => {
    const { slug } = await newSsoTeam()
    for (const redirectUri of ['https://evil.example/', 'http://localhost:1/', '/console', 'javascript:alert(1)']) {
      expect(await start({ orgSlug: slug, redirectUri })).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/redirectUri' }] },
      })
    }
    expect((await start({ orgSlug: slug, codeChallenge: 'short' })).body.errors).toMatchObject([
      { path: '/codeChallenge' },
    ])
  })

  it('an organization without a provider and one that does not exist look alike', async () => {
    const { slug } = await newTeam()
    const answers = [await start({ orgSlug: slug }), await start({ orgSlug: 'no-such-org' })]
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect({ ...body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' })
    }
  })
})

describe('the identity provider of an organization', () => {
  it('N12 is set, shown with a masked secret, and removed by the operator', async () => {
    const team = await newSsoTeam()
    const path = `/orgs/${team.slug}/identity-provider`
    const shown = await operator('GET', path)
    expect(shown.body).toMatchObject({
      issuer,
      clientId: CLIENT_ID,
      allowSignUp: false,
      callbackUrl: `${ORIGIN}${callbackOf(team)}`,
    })
    expect(JSON.stringify(shown.body)).not.toContain(CLIENT_SECRET)
    expect((await operator('DELETE', path)).status).toBe(204)
    expect((await operator('GET', path)).status).toBe(404)
    expect((await operator('DELETE', path)).status).toBe(404)
    expect(await team.actions()).toEqual(expect.arrayContaining(['identity_provider_set', 'identity_provider_removed']))
  })

  it('N12 keeps its secret when the masked one is sent back', async () => {
    const team = await newSsoTeam()
    const path = `/orgs/${team.slug}/identity-provider`
    const sealed = () =>
      env.DB.prepare('SELECT client_secret FROM identity_providers WHERE org_id = ?').bind(team.id).first()
    const before = await sealed()
    expect(before).not.toBeNull()
    const { callbackUrl: _, updatedOn: __, ...settings } = (await operator('GET', path)).body
    expect((await operator('PUT', path, { ...settings, allowSignUp: true })).body).toMatchObject({ allowSignUp: true })
    expect(await sealed()).toEqual(before)
    await operator('DELETE', path)
    const refused = await operator('PUT', path, settings)
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: '/clientSecret' }]])
  })

  it('N12 must be one: an address without discovery is refused, and so is plain http where it counts', async () => {
    const team = await newTeam()
    const put = (address: string) =>
      operator('PUT', `/orgs/${team.slug}/identity-provider`, {
        issuer: address,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
      })
    for (const address of [`${issuer}/nothing-here`, 'http://idp.example', 'ftp://idp.example', 'no address']) {
      const refused = await put(address)
      expect(refused.status).toBe(400)
      expect(refused.body.errors).toMatchObject([{ path: '/issuer' }])
    }
  })

  it('N11 calls none of the addresses that the provider names where outbound calls may not go', async () => {
    const production = { ...env, ENVIRONMENT: 'production' as const }
    await expect(discover(production, issuer)).rejects.toThrow(ProviderFailure)
    const flow = {
      state: 's',
      nonce: 'n',
      codeVerifier: 'v'.repeat(43),
      callbackUrl: `${ORIGIN}/api/auth/sso/callback/org`,
    }
    const provider = { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
    expect(await authorizationUrl(env, provider, flow)).toContain(issuer)
    await expect(authorizationUrl(production, provider, flow)).rejects.toThrow()
  })

  it('N11 knows a person by what the provider calls them: an email that has passed on is not the member', async () => {
    const team = await newSsoTeam()
    const { email } = team.admin
    const first = await travel(team.slug, email)
    expect((await fetchSession(first.code, first.verifier)).status).toBe(200)
    const other = await travel(team.slug, `somebody-else|${email}`)
    expect([other.code, other.error]).toEqual(['', 'access_denied'])
    expect(other.end.searchParams.get('error_description')).toContain('Somebody else has signed in with your email')
    const again = await travel(team.slug, email)
    expect((await fetchSession(again.code, again.verifier)).body.user.id).toBe(team.admin.id)
  })

  it('N11 lets the new owner of an email in once an admin has removed the member before and invited them', async () => {
    const team = await newSsoTeam()
    const email = newEmail('shared')
    await team.admin.post('/invitations', { email, role: 'member' })
    const first = await travel(team.slug, email)
    const { user } = (await fetchSession(first.code, first.verifier)).body
    const newOwner = `new-owner|${email}`
    expect((await travel(team.slug, newOwner)).error).toBe('access_denied')
    expect((await team.admin.delete(`/users/${user.id}`)).status).toBe(204)
    await team.admin.post('/invitations', { email, role: 'member' })
    const second = await travel(team.slug, newOwner)
    expect((await fetchSession(second.code, second.verifier)).status).toBe(200)
    expect((await travel(team.slug, email)).error).toBe('access_denied')
  })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import * as passwords from '../../../src/features/auth/password.ts'
import { env, operator } from '../api.ts'
import { holdClock } from '../clock.ts'
import { Caller, newEmail, newTeam, PASSWORD, type Session, signIn, stranger } from './team.ts'

afterEach(() => vi.restoreAllMocks())

describe('signing in', () => {
  it('N10 answers with a token, its end and the user; the token works, and me says who it is', async () => {
    const team = await newTeam()
    const answer = await stranger().post<Session>('/auth/login', {
      email: ` ${team.admin.email.toUpperCase()} `,
      password: PASSWORD,
      orgSlug: team.slug,
    })
    expect(answer.status).toBe(200)
    expect(answer.body.user).toEqual({ id: team.admin.id, email: team.admin.email, role: 'admin' })
    const hours = (Date.parse(answer.body.expiresOn) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(11.9)
    expect(hours).toBeLessThanOrEqual(12)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    const me = await team.admin.get('/auth/me')
    expect(me.status).toBe(200)
    expect(me.body).toMatchObject({
      credential: { kind: 'session' },
      org: { id: team.id, slug: team.slug },
      user: { email: team.admin.email, role: 'admin' },
      role: 'admin',
      scope: 'write',
    })
  })

  it('N10 me also tells a key who it is', async () => {
    const team = await newTeam()
    const key = await team.appKey()
    expect((await key.get('/auth/me')).body).toMatchObject({
      credential: { kind: 'app' },
      org: { slug: team.slug },
      user: null,
      role: null,
      scope: 'write',
      tier: 'internal',
    })
  })

  it('N10 a wrong password, an unknown email, organization or membership give the same answer', async () => {
    const team = await newTeam()
    const other = await newTeam()
    const right = { email: team.admin.email, password: PASSWORD, orgSlug: team.slug }
    const tries = [
      { ...right, password: 'wrong password' },
      { ...right, email: newEmail('nobody') },
      { ...right, orgSlug: 'no-such-org' },
      { ...right, orgSlug: other.slug },
      { ...right, email: other.admin.email },
    ]
    const answers = await Promise.all(tries.map(body => stranger().post('/auth/login', body)))
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401)
      expect(headers.get('WWW-Authenticate')).toContain('Bearer')
      expect({ ...body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' })
    }
  })

  it('N10 no failure is quicker than that of a wrong password: there is a hash to compute for nobody, too', async () => {
    const team = await newTeam()
    const other = await newTeam()
    const right = { email: team.admin.email, password: PASSWORD, orgSlug: team.slug }
    const verify = vi.spyOn(passwords, 'verifyPassword')
    for (const body of [
      { ...right, password: 'wrong password' },
      { ...right, email: newEmail('nobody') },
      { ...right, orgSlug: 'no-such-org' },
      { ...right, orgSlug: other.slug },
    ]) {
      verify.mockClear()
      expect((await stranger().post('/auth/login', body)).status).toBe(401)
      expect(verify).toHaveBeenCalledOnce()
    }
  })

  it('N10 a suspended organization lets nobody sign in, and says so only to who knows the password', async () => {
    const team = await newTeam()
    await operator('PUT', `/orgs/${team.slug}`, { suspended: true })
    const right = { email: team.admin.email, password: PASSWORD, orgSlug: team.slug }
    expect((await stranger().post('/auth/login', right)).body.code).toBe('organization_suspended')
    expect((await stranger().post('/auth/login', { ...right, password: 'wrong' })).status).toBe(401)
  })

  it('refuses bodies that are not a sign-in, and never repeats what was sent', async () => {
    const broken = await stranger().call('POST', '/auth/login', { body: '{"password": "do-not-repeat-me' })
    expect(broken.status).toBe(400)
    expect(JSON.stringify(broken.body)).not.toContain('do-not')
    const missing = await stranger().post('/auth/login', { email: 'no email', password: 'do-not-repeat-me', x: 1 })
    expect(missing.status).toBe(400)
    expect(JSON.stringify(missing.body)).not.toContain('do-not')
    expect((missing.body.errors as { path: string }[]).map(error => error.path).sort()).toEqual([
      '/email',
      '/orgSlug',
      '/x',
    ])
  })

  it('N18 refuses Idempotency-Key where the answer holds a secret', async () => {
    const team = await newTeam()
    const body = { email: team.admin.email, password: PASSWORD, orgSlug: team.slug }
    const refused = await stranger().call('POST', '/auth/login', { body, headers: { 'Idempotency-Key': 'k1' } })
    expect(refused.status).toBe(400)
    const key = await team.admin.call('POST', '/api-keys', {
      body: { name: 'x' },
      headers: { 'Idempotency-Key': 'k1' },
    })
    expect(key.status).toBe(400)
  })
})

describe('sessions', () => {
  it('a signed-out session stops working at once, and only that one', async () => {
    const team = await newTeam()
    const second = await signIn(team.slug, team.admin.email)
    expect((await second.get('/auth/me')).status).toBe(200)
    expect((await second.post('/auth/logout', undefined)).status).toBe(204)
    expect((await second.get('/auth/me')).status).toBe(401)
    expect((await team.admin.get('/auth/me')).status).toBe(200)
    expect((await (await team.appKey()).post('/auth/logout', undefined)).status).toBe(403)
  })

  it('an expired session is refused and swept', async () => {
    const team = await newTeam()
    const { sweepPeople } = await import('../../../src/features/sign-in/sweep.ts')
    const session = await signIn(team.slug, team.admin.email)
    await env.DB.prepare("UPDATE credentials SET expires_on = 1 WHERE kind = 'session' AND start = ?")
      .bind(session.token.slice(0, 6))
      .run()
    expect((await session.get('/auth/me')).status).toBe(401)
    await sweepPeople(env, Date.now())
    const left = await env.DB.prepare(
      "SELECT count(*) AS n FROM credentials WHERE kind = 'session' AND expires_on = 1",
    ).first<{
      n: number
    }>()
    expect(left?.n).toBe(0)
    expect((await team.admin.get('/auth/me')).status).toBe(200)
  })
})

describe('passwords', () => {
  it('N61 changing the password needs the current one and ends the other sessions and keys of the person at once', async () => {
    const team = await newTeam()
    const other = await signIn(team.slug, team.admin.email)
    expect((await other.get('/auth/me')).status).toBe(200)
    const { key } = (await other.post<{ key: string }>('/api-keys', { name: 'laptop', kind: 'user' })).body
    const laptop = new Caller({ 'X-Api-Key': key, 'X-Api-Org': team.slug })
    expect((await laptop.get('/auth/me')).status).toBe(200)
    const wrong = await team.admin.put('/auth/password', { currentPassword: 'wrong', newPassword: 'another password' })
    expect(wrong.status).toBe(403)
    expect(wrong.body.errors).toMatchObject([{ path: '/currentPassword' }])
    const short = await team.admin.put('/auth/password', { currentPassword: PASSWORD, newPassword: 'short' })
    expect(short.body.errors).toMatchObject([{ path: '/newPassword' }])
    const done = await team.admin.put('/auth/password', { currentPassword: PASSWORD, newPassword: 'another password' })
    expect(done.status).toBe(204)
    expect((await other.get('/auth/me')).status).toBe(401)
    expect((await laptop.get('/auth/me')).status).toBe(401)
    expect((await team.admin.get('/auth/me')).status).toBe(200)
    await signIn(team.slug, team.admin.email, 'another password')
    const old = { email: team.admin.email, password: PASSWORD, orgSlug: team.slug }
    expect((await stranger().post('/auth/login', old)).status).toBe(401)
  })

  it('guessing the current password is slowed like signing in', async () => {
    const team = await newTeam()
    holdClock()
    const body = { currentPassword: 'wrong', newPassword: 'another password' }
    for (let failure = 1; failure <= 6; failure++)
      expect((await team.admin.put('/auth/password', body)).status).toBe(403)
    expect((await team.admin.put('/auth/password', body)).status).toBe(429)
  })

  it('N12 the operator makes a one-time reset link; it works once, ends all sessions and opens a closed account', async () => {
    const team = await newTeam()
    const { email } = team.admin
    const { key } = (await team.admin.post<{ key: string }>('/api-keys', { name: 'laptop', kind: 'user' })).body
    const laptop = new Caller({ 'X-Api-Key': key, 'X-Api-Org': team.slug })
    const visitor = stranger()
    for (let failure = 1; failure <= 6; failure++) {
      await visitor.post('/auth/login', { email, password: 'wrong', orgSlug: team.slug })
    }
    const issued = await operator<{ token: string; resetUrl: string; expiresOn: string }>(
      'POST',
      `/orgs/${team.slug}/password-reset`,
      { email },
    )
    expect(issued.status).toBe(201)
    expect(issued.body.resetUrl).toBe(`https://selvedge.test/console/password-reset#token=${issued.body.token}`)
    const use = () =>
      visitor.post('/auth/password-reset', { token: issued.body.token, newPassword: 'brand new password' })
    const uses = await Promise.all([use(), use(), use()])
    expect(uses.map(answer => answer.status).sort()).toEqual([204, 404, 404])
    expect((await team.admin.get('/auth/me')).status).toBe(401)
    expect((await laptop.get('/auth/me')).status).toBe(401)
    const again = { email, password: 'brand new password', orgSlug: team.slug }
    expect((await visitor.post('/auth/login', again)).status).toBe(200)
  })

  it('N12 a later link replaces an earlier one, and none is made for strangers', async () => {
    const team = await newTeam()
    const path = `/orgs/${team.slug}/password-reset`
    const first = await operator<{ token: string }>('POST', path, { email: team.admin.email })
    await operator('POST', path, { email: team.admin.email })
    const late = await stranger().post('/auth/password-reset', { token: first.body.token, newPassword: PASSWORD })
    expect(late.status).toBe(404)
    expect((await operator('POST', path, { email: newEmail('nobody') })).status).toBe(404)
  })
})

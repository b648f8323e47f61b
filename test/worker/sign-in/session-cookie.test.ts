import { describe, expect, inject, it } from 'vitest'
import { beginSession } from '../../../src/features/sign-in/sessions.ts'
import { call, env, ORIGIN, operator, send } from '../api.ts'
import { travel } from './browser.ts'
import { CLIENT_ID, CLIENT_SECRET } from './identity-provider-client.ts'
import { Caller, newEmail, newTeam, PASSWORD, signIn, stranger, type Team } from './team.ts'

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' }
const FOREIGN = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' }

const signInByCookie = (team: Team, headers: Record<string, string> = OWN_PAGE) =>
  stranger().call('POST', '/auth/login', {
    headers,
    body: { email: team.admin.email, password: PASSWORD, orgSlug: team.slug, cookie: true },
  })

const pairOf = (headers: Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? ''

async function cookieOf(team: Team): Promise<string> {
  return pairOf((await signInByCookie(team)).headers)
}

describe('the session of the console', () => {
  it('N45 N83 is a cookie of this host alone that no script can read, and no token is answered beside it', async () => {
    const team = await newTeam()
    const answer = await signInByCookie(team)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ user: { email: team.admin.email }, org: { slug: team.slug } })
    expect(answer.body).not.toHaveProperty('accessToken')
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-selvedge-session=/)
    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=43200',
      'Path=/',
      'SameSite=Strict',
      'Secure',
    ])
    const secret = pairOf(answer.headers).split('=')[1] ?? 'none'
    expect(JSON.stringify(answer.body)).not.toContain(secret)
  })

  it('N45 is no Secure cookie on http, where browsers would not keep one', async () => {
    const team = await newTeam()
    const request = new Request('http://localhost:8787/api/auth/login', {
      method: 'POST',
      headers: { ...OWN_PAGE, 'Content-Type': 'application/json', ...stranger().headers },
      body: JSON.stringify({ email: team.admin.email, password: PASSWORD, orgSlug: team.slug, cookie: true }),
    })
    const response = await send(request).response
    expect(response.headers.getSetCookie()[0]).not.toContain('Secure')
  })

  it('N45 signs in from pages of this service alone; elsewhere the password is not even tried', async () => {
    const team = await newTeam()
    for (const headers of [FOREIGN, {}, { 'Sec-Fetch-Site': 'same-site' }, { Origin: 'https://elsewhere.example' }]) {
      const answer = await signInByCookie(team, headers)
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  it('N45 is taken where the browser says that a page of ours asks, by Sec-Fetch-Site or else by Origin', async () => {
    const team = await newTeam()
    const Cookie = await cookieOf(team)
    const own = [OWN_PAGE, { Origin: ORIGIN }, { ...OWN_PAGE, Origin: ORIGIN, 'X-Api-Org': team.slug }]
    for (const headers of own) {
      const me = await call('GET', '/api/auth/me', { headers: { ...headers, Cookie } })
      expect(me).toMatchObject({ status: 200, body: { user: { email: team.admin.email }, role: 'admin' } })
    }
    const made = await call('POST', '/api/items', { headers: { ...OWN_PAGE, Cookie }, body: { name: 'Mine' } })
    expect(made.status).toBe(201)
  })

  it.each([
    ['a page elsewhere', FOREIGN],
    ['a page of the same site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.selvedge.test' }],
    ['a page elsewhere that claims our Origin', { 'Sec-Fetch-Site': 'cross-site', Origin: ORIGIN }],
    ['an address typed by hand', { 'Sec-Fetch-Site': 'none' }],
    ['an old browser elsewhere', { Origin: 'https://elsewhere.example' }],
    ['an old browser that says nothing', {}],
    ['a sandboxed frame', { Origin: 'null' }],
  ])('N45 to %s it is as if it were not there', async (_, headers: Record<string, string>) => {
    const team = await newTeam()
    const Cookie = await cookieOf(team)
    for (const [method, path, body] of [
      ['GET', '/api/items', undefined],
      ['POST', '/api/items', { name: 'Not mine' }],
      ['POST', '/api/auth/logout', undefined],
    ] as const) {
      const caller = new Caller({ ...headers, Cookie })
      const answer = await call(method, path, { headers: caller.headers, body })
      expect(answer, `${method} ${path}`).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
    const items = await call('GET', '/api/items', { headers: { ...OWN_PAGE, Cookie } })
    expect(items).toMatchObject({ status: 200, body: { results: [] } })
  })

  it('N45 counts only where no other credential is sent', async () => {
    const team = await newTeam()
    const other = await newTeam()
    const Cookie = await cookieOf(team)
    const key = await other.appKey()
    const beside = { ...OWN_PAGE, Cookie }
    const byKey = await call('GET', '/api/auth/me', { headers: { ...beside, ...key.headers } })
    expect(byKey.body).toMatchObject({ org: { slug: other.slug }, credential: { kind: 'app' } })
    for (const wrong of [
      { 'X-Api-Key': 'app:wrong', 'X-Api-Org': team.slug },
      { Authorization: 'Bearer wrong' },
      { Authorization: 'Basic abc' },
      { 'X-Operator-Key': 'wrong' },
    ]) {
      const caller = new Caller({ ...beside, ...wrong })
      expect((await caller.get('/auth/me')).status, JSON.stringify(wrong)).toBe(401)
    }
    const caller = new Caller({ ...beside, 'X-Api-Org': other.slug })
    expect((await caller.get('/auth/me')).status).toBe(401)
  })

  it('N45 no key does as a cookie, and of two cookies none counts', async () => {
    const team = await newTeam()
    const Cookie = await cookieOf(team)
    const key = (await team.appKey()).headers['X-Api-Key']
    const name = Cookie.split('=')[0]
    for (const wrong of [`${name}=${key}`, `${Cookie}; ${Cookie}`, `${name}=`, `x${Cookie}`]) {
      const caller = new Caller({ ...OWN_PAGE, Cookie: wrong })
      expect((await caller.get('/auth/me')).status, wrong).toBe(401)
    }
    const among = new Caller({ ...OWN_PAGE, Cookie: `a=b; ${Cookie}; c=d=e` })
    expect((await among.get('/auth/me')).status).toBe(200)
  })

  it('N45 ends with signing out, which takes the cookie back', async () => {
    const team = await newTeam()
    const Cookie = await cookieOf(team)
    const person = new Caller({ ...OWN_PAGE, Cookie })
    const out = await person.post('/auth/logout', undefined)
    expect(out.status).toBe(204)
    expect(out.headers.getSetCookie()[0]).toContain('__Host-selvedge-session=; Path=/; Max-Age=0')
    expect((await person.get('/auth/me')).status).toBe(401)
  })

  it('N45 comes with an accepted invitation and with single sign-on, too', async () => {
    const team = await newTeam()
    const invited = await team.admin.post<{ token: string }>('/invitations', { email: newEmail() })
    const body = { token: invited.body.token, password: PASSWORD, cookie: true }
    expect((await stranger().call('POST', '/invitations/accept', { body, headers: FOREIGN })).status).toBe(403)
    const accepted = await stranger().call('POST', '/invitations/accept', { body, headers: OWN_PAGE })
    expect(accepted.status).toBe(201)
    expect(accepted.body).not.toHaveProperty('accessToken')
    const member = new Caller({ ...OWN_PAGE, Cookie: pairOf(accepted.headers) })
    expect((await member.get('/auth/me')).body).toMatchObject({ role: 'member' })

    const settings = { issuer: inject('issuer'), clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
    await operator('PUT', `/orgs/${team.slug}/identity-provider`, settings)
    const { verifier, code } = await travel(team.slug, team.admin.email, `${ORIGIN}/console/sso`)
    const fetched = await stranger().call('POST', '/auth/sso/token', {
      body: { code, codeVerifier: verifier, cookie: true },
      headers: OWN_PAGE,
    })
    expect(fetched.status).toBe(200)
    expect(fetched.body).not.toHaveProperty('accessToken')
    const admin = new Caller({ ...OWN_PAGE, Cookie: pairOf(fetched.headers) })
    expect((await admin.get('/auth/me')).body).toMatchObject({ role: 'admin' })
  })
})

describe('open sessions', () => {
  it('N45 are listed to their owner, newest first, with the one that asks marked; ended and foreign ones are not', async () => {
    const team = await newTeam()
    const member = await team.join()
    const again = await signIn(team.slug, member.email)
    const { results = [] } = (await again.get('/auth/sessions')).body
    expect(results.map(({ isCurrent }) => isCurrent)).toEqual([true, false])
    expect(results.map(({ method }) => method)).toEqual(['password', 'invitation'])
    expect(results.every(({ userId }) => userId === member.id)).toBe(true)
    expect(JSON.stringify(results)).not.toContain('digest')
    await member.post('/auth/logout', undefined)
    expect((await again.get('/auth/sessions')).body.results).toHaveLength(1)
    const paged = await team.admin.get(`/auth/sessions?userId=${member.id}&limit=1`)
    expect(paged.body.results?.[0]).toMatchObject({ userId: member.id, isCurrent: false })
  })

  it('N45 those of others are listed and ended by admins alone, and never across organizations', async () => {
    const team = await newTeam()
    const [ann, ben] = [await team.join(), await team.join()]
    const other = await newTeam()
    const [session] = (await ann.get('/auth/sessions')).body.results ?? []
    const path = `/auth/sessions/${session?.id}`
    expect((await ben.get(`/auth/sessions?userId=${ann.id}`)).status).toBe(403)
    expect((await other.admin.get(`/auth/sessions?userId=${ann.id}`)).body.results).toEqual([])
    for (const caller of [ben, other.admin]) expect((await caller.delete(path)).status).toBe(404)
    expect((await ann.get('/auth/me')).status).toBe(200)
    expect((await team.admin.delete(path)).status).toBe(204)
    expect((await ann.get('/auth/me')).status).toBe(401)
    expect((await team.admin.delete(path)).status).toBe(404)
    const own = await ben.get('/auth/sessions')
    expect((await ben.delete(`/auth/sessions/${own.body.results?.[0]?.id}`)).status).toBe(204)
    expect((await ben.get('/auth/me')).status).toBe(401)
  })

  it('N45 a key is no session: it cannot be ended as one', async () => {
    const team = await newTeam()
    const issued = await team.admin.post<{ id: string }>('/api-keys', { name: 'sync', kind: 'app' })
    expect((await team.admin.delete(`/auth/sessions/${issued.body.id}`)).status).toBe(404)
    expect((await (await team.appKey()).get('/auth/sessions')).status).toBe(403)
  })
})

describe('N61 a password that is changed while a sign-in with the old one is checked', () => {
  it('lets nobody in by the old one', async () => {
    const team = await newTeam()
    const context = { env, now: Date.now(), requestId: '', baseUrl: '', defer: () => undefined }
    const { id, email } = team.admin
    const person = { id, email, role: 'admin', org: { id: team.id, slug: team.slug, name: 'Team' } } as const
    const stored = await env.DB.prepare('SELECT password_hash AS hash FROM memberships WHERE user_id = ?')
      .bind(id)
      .first()
    const sessions = async () => (await team.admin.get('/auth/sessions')).body.results?.length
    const before = await sessions()
    const late = beginSession(context, person, 'password', 'the hash of before')
    await expect(late).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await sessions()).toBe(before)
    await beginSession(context, person, 'password', String(stored?.hash))
    expect(await sessions()).toBe(Number(before) + 1)
  })
})

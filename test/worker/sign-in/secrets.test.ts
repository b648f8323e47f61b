// Nothing that lets somebody in lies anywhere in clear: not in the database, not in the logs, and in no answer but the one
// that hands it out. One walk through all flows, then a search for every secret that was seen on the way.
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { env, type Json, operator } from '../api.ts'
import { begin, comeBack, fetchSession, LOOPBACK, signInAtProvider } from './browser.ts'
import { CLIENT_ID, CLIENT_SECRET } from './identity-provider-client.ts'
import { Caller, newEmail, newTeam, PASSWORD, type Session, SignedIn, signIn, stranger } from './team.ts'

/** Every secret by what it is, with the text that must appear nowhere. */
const secrets = new Map<string, string>()
const logged: string[] = []
const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const

const keep = (what: string, secret: unknown): string => {
  expect(String(secret).length, what).toBeGreaterThan(9)
  secrets.set(what, String(secret).replace(/^(app|user):/, ''))
  return String(secret)
}

beforeAll(() => {
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      logged.push(
        parts.map(part => (part instanceof Error ? `${part.stack} ${part.cause}` : JSON.stringify(part))).join(),
      )
    })
  }
})
afterAll(() => vi.restoreAllMocks())

/** Other tests have left rows of their organizations. */
async function wholeDatabase(orgId: string): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name, sql LIKE '%`org_id`%' AS isOwned FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  ).all<{ name: string; isOwned: number }>()
  expect(tables.map(table => table.name)).toEqual(
    expect.arrayContaining([
      'credentials',
      'tickets',
      'invitations',
      'audit',
      'users',
      'identity_providers',
      'attempts',
    ]),
  )
  const rows = await Promise.all(
    tables.map(({ name, isOwned }) =>
      isOwned
        ? env.DB.prepare(`SELECT * FROM "${name}" WHERE org_id = ?`).bind(orgId).all()
        : env.DB.prepare(`SELECT * FROM "${name}"`).all(),
    ),
  )
  return rows.map(({ results }) => JSON.stringify(results)).join('\n')
}

/** What can be read of an organization after the fact. */
async function everyReading(slug: string, admin: Caller): Promise<string> {
  const readings: Json[] = []
  for (const path of ['/auth/me', '/users', '/invitations', '/api-keys', '/audit'])
    readings.push((await admin.get(path)).body)
  for (const path of ['', '/api-keys', '/tokens', '/identity-provider', '/audit']) {
    readings.push((await operator('GET', `/orgs/${slug}${path}`)).body)
  }
  return JSON.stringify(readings)
}

it('no token, key or password lies in clear in the database, in the logs or in a later answer', async () => {
  const team = await newTeam()
  keep('password of the admin', PASSWORD)
  keep('session of the admin', team.admin.token)

  const issued = await team.admin.post('/api-keys', { name: 'app', kind: 'app' })
  keep('app key', issued.body.key)
  keep('rotated key', (await team.admin.post(`/api-keys/${issued.body.id}/rotate`, {})).body.key)
  const userKey = keep('user key', (await team.admin.post('/api-keys', { name: 'mine', kind: 'user' })).body.key)
  await new Caller({ 'X-Api-Key': userKey, 'X-Api-Org': team.slug }).get('/auth/me')
  keep('key of the operator', (await operator('POST', `/orgs/${team.slug}/api-keys`, { name: 'op' })).body.key)
  keep('token', (await operator('POST', `/orgs/${team.slug}/tokens`, { name: 'tok' })).body.accessToken)

  const invited = await team.admin.post('/invitations', { email: newEmail() })
  const invitation = keep('invitation', invited.body.token)
  const password = keep('password of the invited', 'password of the invited')
  const joined = await stranger().post<Session>('/invitations/accept', { token: invitation, password })
  keep('session of the invited', joined.body.accessToken)
  keep('open invitation', (await team.admin.post('/invitations', { email: newEmail() })).body.token)

  const member = new SignedIn(joined.body)
  const changed = keep('changed password', 'changed password of the invited')
  expect((await member.put('/auth/password', { currentPassword: password, newPassword: changed })).status).toBe(204)
  const wrong = keep('wrong password', 'nearly the right password')
  await stranger().post('/auth/login', { email: member.email, password: wrong, orgSlug: team.slug })
  await stranger().post('/auth/login', { email: 'password@mistaken.example', password: wrong, orgSlug: team.slug })
  keep('password in the field of the email', 'password@mistaken.example')

  const failures = async () => (await team.actions()).filter(action => action === 'sign_in_failed').length
  await expect.poll(failures).toBe(2)

  const resetPath = `/orgs/${team.slug}/password-reset`
  const reset = keep('reset', (await operator('POST', resetPath, { email: member.email })).body.token)
  const fresh = keep('password by reset', 'password set by the reset')
  expect((await stranger().post('/auth/password-reset', { token: reset, newPassword: fresh })).status).toBe(204)
  keep('open reset', (await operator('POST', resetPath, { email: member.email })).body.token)
  const again = await signIn(team.slug, member.email, fresh)
  keep('ended session', again.token)
  await again.post('/auth/logout', undefined)

  keep('client secret', CLIENT_SECRET)
  await operator('PUT', `/orgs/${team.slug}/identity-provider`, {
    issuer: inject('issuer'),
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
  })
  const journey = await begin(team.slug)
  const state = new URL(journey.url).searchParams
  keep('state', state.get('state'))
  keep('nonce', state.get('nonce'))
  const callback = await signInAtProvider(journey.url, member.email)
  keep("provider's code", new URL(callback).searchParams.get('code'))
  const end = await comeBack(callback)
  const code = keep('code', end.searchParams.get('code'))
  keep('session by single sign-on', (await fetchSession(code, keep('verifier', journey.verifier))).body.accessToken)
  keep('open state', new URL((await begin(team.slug, LOOPBACK)).url).searchParams.get('state'))

  const broken = await begin(team.slug)
  await comeBack(
    `https://selvedge.test/api/auth/sso/callback/${team.id}?code=wrong&state=${new URL(broken.url).searchParams.get('state')}`,
  )
  await team.admin.call('POST', '/auth/login', { body: `{"password": "${PASSWORD}"` })

  const places = {
    database: await wholeDatabase(team.id),
    logs: logged.join('\n'),
    answers: await everyReading(team.slug, team.admin),
  }
  expect(places.answers).toContain(member.email)
  for (const [place, text] of Object.entries(places)) {
    for (const [what, secret] of secrets) expect(text.includes(secret), `${what} in the ${place}`).toBe(false)
  }
})

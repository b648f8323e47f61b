import { describe, expect, it } from 'vitest'
import { newCredential } from '../../../src/features/auth/key-text.ts'
import { type Answer, call, env, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { holdClock } from '../clock.ts'

type Headers = Record<string, string>

let addresses = 0

/** Wrong keys are counted by address: each call has one of its own. */
const items = (headers: Headers, method = 'GET'): Promise<Answer> =>
  call(method, '/api/items', {
    headers: { ...headers, 'CF-Connecting-IP': `192.0.2.${++addresses}` },
    ...(method === 'POST' && { body: {} }),
  })

async function tokenOf(org: TestOrg, body: Json = {}): Promise<string> {
  const issued = await operator<{ accessToken: string }>('POST', `/orgs/${org.slug}/tokens`, { name: 't', ...body })
  expect(issued.status).toBe(201)
  return issued.body.accessToken
}

async function keyOf(org: TestOrg, body: Json = {}): Promise<{ id: string; key: string }> {
  const issued = await operator<{ id: string; key: string }>('POST', `/orgs/${org.slug}/api-keys`, {
    name: 'k',
    tier: 'internal',
    ...body,
  })
  expect(issued.status, JSON.stringify(issued.body)).toBe(201)
  return issued.body
}

const bearer = (token: string, more: Headers = {}): Headers => ({ Authorization: `bearer ${token}`, ...more })

describe('a credential', () => {
  it('N8 N9 is a key with its organization, with and without the prefix', async () => {
    const org = await newOrg()
    expect((await items(org.headers)).status).toBe(200)
    expect((await items({ ...org.headers, 'X-Api-Key': org.key.slice('app:'.length) })).status).toBe(200)
    expect((await items({ ...org.headers, 'X-Api-Key': ` ${org.key} ` })).status).toBe(200)
  })

  it('N8 is a bearer token in any case, with its organization or without', async () => {
    const org = await newOrg()
    const token = await tokenOf(org)
    for (const word of ['bearer', 'Bearer', 'BEARER', 'bearer  ']) {
      expect((await items({ Authorization: `${word} ${token}` })).status).toBe(200)
    }
    expect((await items(bearer(token, { 'X-Api-Org': org.slug }))).status).toBe(200)
    expect((await items({ ...org.headers, ...bearer(token) })).status).toBe(200)
  })

  it('N8 gives one and the same 401 for every cause, but for the request id', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const token = await tokenOf(org)
    const expired = await keyOf(org)
    const revoked = await keyOf(org)
    await env.DB.prepare('UPDATE credentials SET expires_on = 1 WHERE id = ?').bind(expired.id).run()
    expect((await operator('DELETE', `/orgs/${org.slug}/api-keys/${revoked.id}`)).status).toBe(204)
    const mistyped = org.key.slice(0, -1) + (org.key.endsWith('0') ? '1' : '0')
    const inOrg = (key: string): Headers => ({ 'X-Api-Key': key, 'X-Api-Org': org.slug })
    const causes: Headers[] = [
      {},
      { 'X-Api-Org': org.slug },
      { 'X-Api-Key': org.key },
      inOrg(''),
      inOrg('app:'),
      inOrg(mistyped),
      inOrg(newCredential('app').key),
      inOrg(`user:${org.key.slice('app:'.length)}`),
      inOrg(token),
      inOrg(expired.key),
      inOrg(revoked.key),
      { 'X-Api-Key': org.key, 'X-Api-Org': other.slug },
      { 'X-Api-Key': org.key, 'X-Api-Org': 'nobody' },
      { 'X-Api-Key': org.key, 'X-Api-Org': org.slug.toUpperCase() },
      { 'X-Api-Key': org.key, 'X-Api-Org': '' },
      { 'X-Api-Key': "' OR 1=1 --", 'X-Api-Org': org.slug },
      { Authorization: '' },
      { Authorization: 'bearer' },
      { Authorization: token },
      { Authorization: `Basic ${token}` },
      bearer('x'),
      bearer(`${token} ${token}`),
      bearer(newCredential('token').key),
      bearer(token, { 'X-Api-Org': other.slug }),
      { ...other.headers, ...bearer(token) },
      { ...org.headers, ...bearer('x') },
      { ...org.headers, ...bearer(await tokenOf(other)) },
      { 'X-Operator-Key': 'x' },
    ]
    const bodies = new Set<string>()
    for (const headers of causes) {
      const answer = await items(headers)
      expect([answer.status, JSON.stringify(headers)]).toEqual([401, JSON.stringify(headers)])
      expect(answer.headers.get('WWW-Authenticate')).toBe('ApiKey realm="selvedge", Bearer realm="selvedge"')
      bodies.add(JSON.stringify({ ...answer.body, requestId: '' }))
    }
    expect(bodies.size).toBe(1)
  })

  it('N9 of scope read reads, and writing with it is 403', async () => {
    const org = await newOrg({ scope: 'read' })
    expect((await items(org.headers)).status).toBe(200)
    expect(await items(org.headers, 'POST')).toMatchObject({ status: 403, body: { code: 'read_only_key' } })
    expect((await items(bearer(await tokenOf(org, { scope: 'read' })), 'POST')).status).toBe(403)
    expect((await items(org.headers)).body.results).toEqual([])
  })

  it('N9 ends at its expiry, also when it is remembered', async () => {
    const org = await newOrg()
    const clock = holdClock()
    const { key } = await keyOf(org, { expiresOn: new Date(Date.now() + 5000).toISOString() })
    const headers = { 'X-Api-Key': key, 'X-Api-Org': org.slug }
    expect((await items(headers)).status).toBe(200)
    clock.forward(4999)
    expect((await items(headers)).status).toBe(200)
    clock.forward(1)
    expect((await items(headers)).status).toBe(401)
    const refused = await operator('POST', `/orgs/${org.slug}/api-keys`, {
      name: 'k',
      expiresOn: '2020-01-01T00:00:00Z',
    })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/expiresOn' }] } })
  })

  it('N9 is revoked at once, also when it is remembered, keys and tokens alike', async () => {
    const org = await newOrg()
    const { id, key } = await keyOf(org)
    const headers = { 'X-Api-Key': key, 'X-Api-Org': org.slug }
    expect((await items(headers)).status).toBe(200)
    await operator('DELETE', `/orgs/${org.slug}/api-keys/${id}`)
    expect((await items(headers)).status).toBe(401)
    expect((await operator('DELETE', `/orgs/${org.slug}/api-keys/${id}`)).status).toBe(404)
    const token = await tokenOf(org)
    expect((await items(bearer(token))).status).toBe(200)
    const { body } = await operator('GET', `/orgs/${org.slug}/tokens`)
    await operator('DELETE', `/orgs/${org.slug}/tokens/${body.results?.[0]?.id}`)
    expect((await items(bearer(token))).status).toBe(401)
    expect((await items(org.headers)).status).toBe(200)
  })

  it('of a suspended organization is 403 at once, and works again when it is resumed', async () => {
    const org = await newOrg()
    expect((await items(org.headers)).status).toBe(200)
    await operator('PUT', `/orgs/${org.slug}`, { suspended: true })
    expect(await items(org.headers)).toMatchObject({ status: 403, body: { code: 'organization_suspended' } })
    expect((await items({ ...org.headers, 'X-Api-Key': 'app:x' })).status).toBe(401)
    await operator('PUT', `/orgs/${org.slug}`, { suspended: false })
    expect((await items(org.headers)).status).toBe(200)
  })

  it('N9 lies in the database as a digest only, with its last use kept to the hour', async () => {
    const org = await newOrg()
    const token = await tokenOf(org)
    await items(org.headers)
    await items(bearer(token))
    const { results } = await env.DB.prepare('SELECT * FROM credentials WHERE org_id = ?').bind(org.id).all()
    const text = JSON.stringify(results)
    for (const secret of [org.key.slice('app:'.length), token]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(secret.slice(0, 12))
    }
    expect(results).toHaveLength(2)
    for (const row of results) {
      expect(row.digest).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(Number(row.last_used_on) % 3_600_000).toBe(0)
      expect(Number(row.last_used_on)).toBeGreaterThan(Date.now() - 3_600_001)
    }
  })

  it('takes a bookmark for what it is, and no other word', async () => {
    const org = await newOrg()
    const made = await call('POST', '/api/items', { headers: org.headers, body: {} })
    const bookmark = made.headers.get('x-d1-bookmark')
    for (const sent of [bookmark ?? 'none', 'first-unconstrained', 'garbage', '0', 'x'.repeat(500)]) {
      const answer = await items({ ...org.headers, 'x-d1-bookmark': sent })
      expect(answer.body.results).toHaveLength(1)
    }
  })
})

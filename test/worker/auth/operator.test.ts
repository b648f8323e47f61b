import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createOrganization } from '../../../src/features/operator/service.ts'
import worker from '../../../src/index.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, type Json, newOrg, OPERATOR_KEY, ORIGIN, operator } from '../api.ts'

const slug = () => `op-${crypto.randomUUID().slice(0, 8)}`

describe('the operator API', () => {
  it('N12 is closed, never open, where the deployment has no operator key', async () => {
    const { OPERATOR_KEY: _, ...closed } = env
    for (const headers of [
      {},
      { 'X-Operator-Key': '' },
      { 'X-Operator-Key': 'undefined' },
      { 'X-Operator-Key': OPERATOR_KEY },
    ]) {
      const request = new Request(`${ORIGIN}/api/operator/orgs`, { headers })
      const response = await worker.fetch(request, closed, createExecutionContext())
      expect([response.status, ((await response.json()) as Json).code]).toEqual([403, 'operator_closed'])
    }
    const empty = await worker.fetch(
      new Request(`${ORIGIN}/api/operator/orgs`, { headers: { 'X-Operator-Key': '' } }),
      { ...env, OPERATOR_KEY: '' },
      createExecutionContext(),
    )
    expect(empty.status).toBe(403)
  })

  it('N12 knows several operators by name, and the audit trail names them', async () => {
    const named = { ...env, OPERATOR_KEYS: 'ann=key-of-ann-0123456789012345 bob=short' }
    const as = async (key: string, body?: Json) => {
      const request = new Request(`${ORIGIN}/api/operator/orgs`, {
        method: body ? 'POST' : 'GET',
        headers: { 'X-Operator-Key': key, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return worker.fetch(request, named, createExecutionContext())
    }
    const own = slug()
    expect((await as('key-of-ann-0123456789012345', { slug: own, name: 'By Ann' })).status).toBe(201)
    expect((await as(OPERATOR_KEY)).status).toBe(200)
    for (const wrong of ['short', 'bob=short', 'ann=key-of-ann-0123456789012345', '']) {
      expect((await as(wrong)).status).toBe(401)
    }
    const { body } = await operator('GET', `/orgs/${own}/audit`)
    expect(body.results).toMatchObject([{ action: 'organization_created', actorType: 'operator', actorId: 'ann' }])
  })

  it('N12 creates an organization once, and names every fault of a bad one', async () => {
    const body = { slug: slug(), name: 'Org', admin: { email: 'A@Example.com', password: 'long enough 1' } }
    const made = await operator('POST', '/orgs', body)
    expect(made).toMatchObject({
      status: 201,
      body: { slug: body.slug, name: 'Org', tier: 'standard', suspendedOn: null },
    })
    expect(JSON.stringify(made.body)).not.toContain('long enough')
    expect(await operator('POST', '/orgs', body)).toMatchObject({ status: 409, body: { errors: [{ path: '/slug' }] } })
    const bad = await operator('POST', '/orgs', {
      slug: 'A b',
      name: '',
      more: 1,
      admin: { email: 'x', password: 'short' },
    })
    expect((bad.body.errors as Json[]).map(error => error.path).sort()).toEqual([
      '/admin/email',
      '/admin/password',
      '/more',
      '/name',
      '/slug',
    ])
    const [winner, ...losers] = (
      await Promise.all(
        Array.from({ length: 5 }, () => operator('POST', '/orgs', { slug: `${body.slug}-x`, name: 'x' })),
      )
    )
      .map(answer => answer.status)
      .sort()
    expect([winner, ...losers]).toEqual([201, 409, 409, 409, 409])
  })

  it('N12 lists organizations, keys and tokens page by page, without gap or repeat', async () => {
    const org = await newOrg()
    for (let at = 0; at < 4; at++) {
      await operator('POST', `/orgs/${org.slug}/api-keys`, { name: `k${at}` })
      await operator('POST', `/orgs/${org.slug}/tokens`, { name: `t${at}` })
      await newOrg()
    }
    for (const [path, least] of [
      ['/orgs', 5],
      [`/orgs/${org.slug}/api-keys`, 5],
      [`/orgs/${org.slug}/tokens`, 4],
    ] as const) {
      const pages = async (limit: number) => {
        const found: Json[] = []
        let next: unknown = ''
        do {
          const { body } = await operator('GET', `${path}?limit=${limit}${next ? `&nextPageKey=${next}` : ''}`)
          found.push(...(body.results ?? []))
          next = body.nextPageKey
        } while (next)
        return found
      }
      const whole = await pages(1000)
      expect(whole.length).toBeGreaterThanOrEqual(least)
      const seen = (await pages(Math.ceil(whole.length / 3))).map(row => row.id)
      expect(seen).toEqual(whole.map(row => row.id))
      expect(new Set(seen).size).toBe(seen.length)
      expect(JSON.stringify(whole)).not.toMatch(/digest|secret|"key"/)
    }
    expect((await operator('GET', '/orgs?nextPageKey=x')).status).toBe(400)
  })

  it('N12 answers 404 for an organization that is not there, on every path below it', async () => {
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['DELETE', ''],
      ['GET', '/export'],
      ['PUT', '/tier', { tier: 'high' }],
      ['GET', '/api-keys'],
      ['POST', '/api-keys', { name: 'x' }],
      ['DELETE', '/api-keys/AAAAAAAAAAAAAAAA'],
      ['GET', '/tokens'],
      ['POST', '/tokens', { name: 'x' }],
      ['DELETE', '/tokens/AAAAAAAAAAAAAAAA'],
    ]
    for (const [method, path, body] of calls) {
      expect([method, path, (await operator(method, `/orgs/nobody-here${path}`, body)).status]).toEqual([
        method,
        path,
        404,
      ])
    }
  })

  it('N12 revokes no key through another organization', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const { body } = await operator('GET', `/orgs/${org.slug}/api-keys`)
    expect((await operator('DELETE', `/orgs/${other.slug}/api-keys/${body.results?.[0]?.id}`)).status).toBe(404)
    expect((await org.get('/items')).status).toBe(200)
  })
})

it('N64 a repeat of what made an organization with an admin finds it, whatever died behind the commit', async () => {
  const slug = `again-${crypto.randomUUID().slice(0, 8)}`
  const admin = { email: `${slug}@people.example`, password: 'correct horse battery staple' }
  const context = { env, now: Date.now(), requestId: '', baseUrl: '', defer: () => undefined, repeatId: newId() }
  const make = () => createOrganization(context, { slug, name: 'Again', tier: 'standard', admin })
  const made = await make()
  expect(await make()).toMatchObject({ id: made.id, slug })
  const { body } = await operator('GET', `/orgs/${slug}/audit`)
  expect(body.results?.map(({ action }) => action)).toEqual(['organization_created'])
})

describe('what the operator does to an organization', () => {
  it('is not done where its line of the audit trail cannot be written', async () => {
    const org = await newOrg()
    await operator('GET', `/orgs/${org.slug}/export`)
    const { body: before } = await operator('GET', `/orgs/${org.slug}`)
    await env.DB.exec(
      `CREATE TRIGGER no_line BEFORE INSERT ON audit WHEN NEW.detail LIKE '%${org.slug}%' BEGIN SELECT RAISE(ABORT, 'no line'); END`,
    )
    onTestFinished(async () => {
      await env.DB.exec('DROP TRIGGER no_line')
    })
    expect((await operator('PUT', `/orgs/${org.slug}`, { name: `x ${org.slug}` })).status).toBe(500)
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(500)
    expect((await operator('GET', `/orgs/${org.slug}`)).body).toEqual(before)
  })
})

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { app } from '../../../src/app.ts'
import { QUERY_OBJECT_MAX_LENGTH } from '../../../src/platform/limits.ts'
import { call, env, newOrg } from '../api.ts'

describe('N2 Allow', () => {
  it.each(['/items/batch', '/types/batch', '/operator/orgs', '/webhooks/batch'])(
    'of %s names the methods of that path alone, and the others are 405',
    async path => {
      const org = await newOrg()
      const patch = await org.call('PATCH', path)
      const allowed = patch.headers.get('Allow')?.split(', ') ?? []
      expect(patch.status).toBe(405)
      expect(allowed).toContain('OPTIONS')
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const { status } = await org.call(method, path)
        expect([method, status === 405]).toEqual([method, !allowed.includes(method)])
      }
    },
  )

  it('of a batch does not name GET', async () => {
    const answer = await call('GET', '/api/items/batch')
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST, PUT, DELETE, OPTIONS'])
  })
})

describe('criteria', () => {
  it('N16 take a thousand ids', async () => {
    const org = await newOrg()
    const { body } = await org.post(
      '/items/batch',
      Array.from({ length: 1000 }, (_, n) => ({ n })),
    )
    const ids = (body.results ?? []).map(item => item.id)
    expect(ids).toHaveLength(1000)
    const list = await org.get('/items', { criteria: { id: ids }, limit: 1000 })
    expect(list.status).toBe(200)
    expect(list.body.results?.map(item => item.id)).toEqual(ids)
  })

  it('that are too long are 400 and say so', async () => {
    const org = await newOrg()
    const { status, body } = await org.get('/items', { criteria: { name: 'x'.repeat(QUERY_OBJECT_MAX_LENGTH) } })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path: '/criteria', message: `Longer than ${QUERY_OBJECT_MAX_LENGTH} characters.` }])
  })

  it('N16 on orgId find what is there, and nothing of others', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const { id } = await org.make('/items')
    await other.make('/items')
    const found = async (orgId: unknown) =>
      (await org.get('/items', { criteria: { orgId } })).body.results?.map(item => item.id)
    expect(await found(org.id)).toEqual([id])
    expect(await found([org.id, 'x'])).toEqual([id])
    expect(await found(other.id)).toEqual([])
    expect(await found(null)).toEqual([])
  })
})

describe('every answer', () => {
  it.each(['/health', '/openapi.json', '/docs', '/nothing', '/api/items', '/api/nothing'])(
    '%s forbids to guess its content type and to fall back to http',
    async path => {
      const { headers } = await call('GET', path)
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('Strict-Transport-Security')).toContain('max-age=')
    },
  )
})

describe('links in answers', () => {
  it.each([
    'https://data.example.com/api/',
    'https://data.example.com/api',
    'https://data.example.com',
    'https://data.example.com/',
  ])('begin with PUBLIC_URL where the deployment has one, whatever the caller wrote as host: %s', async PUBLIC_URL => {
    const org = await newOrg()
    const own = { ...env, PUBLIC_URL }
    const request = new Request('https://evil.example.com/api/webhooks', {
      method: 'POST',
      headers: { ...org.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'shop' }),
    })
    const context = createExecutionContext()
    const answer = await app.fetch(request, own, context)
    await waitOnExecutionContext(context)
    const { triggerUrl } = (await answer.json()) as { triggerUrl: string }
    expect(triggerUrl).toMatch(/^https:\/\/data\.example\.com\/api\/trigger-webhooks\//)
  })
})

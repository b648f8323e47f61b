import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addressFault } from '../../../src/features/outbound/address.ts'
import { callEndpoint } from '../../../src/features/outbound/call.ts'
import { configureEndpoint } from '../../../src/features/outbound/service.ts'
import * as store from '../../../src/features/outbound/store.ts'
import { env, type Json, newOrg, operator } from '../api.ts'
import { outside } from '../outside.ts'
import { delivered, header, headersOf, hmac, put, SECRET, URL_OUTSIDE } from './partner.ts'

afterEach(() => vi.restoreAllMocks())

describe('an endpoint of the operator', () => {
  it('N41 is configured, read, listed and removed, its secrets masked', async () => {
    const org = await newOrg()
    const made = await put(org, { auth: hmac })
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ name: 'partner', url: URL_OUTSIDE, events: ['item|*'] })
    expect(JSON.stringify(made.body)).not.toContain(SECRET)
    const path = `/orgs/${org.slug}/endpoints/partner`
    expect((await operator('GET', path)).body).toEqual(made.body)
    expect(made.body.updatedOn).toBe(made.body.createdOn)
    expect((await operator('GET', `/orgs/${org.slug}/endpoints`)).body).toEqual({ results: [made.body] })
    const stored = await env.DB.prepare('SELECT sealed_secret FROM endpoints WHERE org_id = ?').bind(org.id).first()
    expect(stored?.sealed_secret).toMatch(/^v2\./)
    expect((await operator('DELETE', path)).status).toBe(204)
    expect((await operator('GET', path)).status).toBe(404)
    expect((await operator('DELETE', path)).status).toBe(404)
  })

  it('N41 is not removed without a line in the audit trail', async () => {
    const org = await newOrg()
    await put(org, { auth: hmac })
    const remove = vi.spyOn(store, 'removeEndpoint').mockRejectedValue(new Error('away'))
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const path = `/orgs/${org.slug}/endpoints/partner`
    expect((await operator('DELETE', path)).status).toBe(500)
    remove.mockRestore()
    quiet.mockRestore()
    const lines = async () =>
      (
        await env.DB.prepare(`SELECT subject_id FROM audit WHERE org_id = ? AND action = 'endpoint_removed'`)
          .bind(org.id)
          .all()
      ).results
    expect(await lines()).toEqual([{ subject_id: 'partner' }])
    expect((await operator('DELETE', path)).status).toBe(204)
    expect((await operator('DELETE', path)).status).toBe(404)
    expect(await lines()).toHaveLength(2)
  })

  it('N41 signs with the secret before it, too, until the overlap is over', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    const NEW = `whsec_${btoa('a newer secret of thirty-two b..')}`
    await put(org, { auth: hmac })
    const rotated = await put(org, { auth: { kind: 'hmac', secret: NEW } })
    expect(Date.parse(String(rotated.body.oldSecretUntil))).toBeGreaterThan(Date.now())
    await org.make('/items', { name: 'A' })
    await delivered(org, 'delivered')
    const [call] = world.calls
    for (const known of [SECRET, NEW]) new Webhook(known).verify(call?.body ?? '', headersOf(call))
    const kept = await put(org, { auth: { kind: 'hmac', secret: '********' } })
    expect(kept.body.oldSecretUntil).toBe(rotated.body.oldSecretUntil)
    const ended = await put(org, { auth: { kind: 'hmac', secret: SECRET, overlapSeconds: 0 } })
    expect(ended.body.oldSecretUntil).toBeNull()
    await org.make('/items', { name: 'B' })
    await delivered(org, 'delivered', 2)
    const last = world.calls[1]
    expect(() => new Webhook(NEW).verify(last?.body ?? '', headersOf(last))).toThrow()
  })

  it('N41 keeps the overlap when the new secret is sent once more', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    const NEW = `whsec_${btoa('a newer secret of thirty-two b..')}`
    await put(org, { auth: hmac })
    const rotated = await put(org, { auth: { kind: 'hmac', secret: NEW } })
    const repeated = await put(org, { auth: { kind: 'hmac', secret: NEW } })
    expect(repeated.body.oldSecretUntil).toBe(rotated.body.oldSecretUntil)
    await org.make('/items', { name: 'A' })
    await delivered(org, 'delivered')
    const [call] = world.calls
    for (const known of [SECRET, NEW]) new Webhook(known).verify(call?.body ?? '', headersOf(call))
    const ended = await put(org, { auth: { kind: 'hmac', secret: NEW, overlapSeconds: 0 } })
    expect(ended.body.oldSecretUntil).toBeNull()
  })

  it('N41 takes a new secret where no key opens the one before it', async () => {
    const org = await newOrg()
    await put(org, { auth: hmac })
    const lost = "UPDATE endpoints SET sealed_secret = 'v2.unknown.AAAA.AAAA' WHERE org_id = ?"
    await env.DB.prepare(lost).bind(org.id).run()
    expect((await put(org, { auth: hmac })).status).toBe(200)
  })

  it('N41 tells an endpoint that is for workflows alone of no events', async () => {
    const org = await newOrg()
    const refused = await put(org, { auth: hmac, allowedFor: 'workflows' })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([{ path: '/events', message: expect.stringContaining('receives no events') }])
    expect((await put(org, { auth: hmac, allowedFor: 'workflows', events: [] })).body.allowedFor).toBe('workflows')
  })

  it('N41 keeps its secret when the masked one is sent back', async () => {
    const org = await newOrg()
    const made = await put(org, { auth: header })
    const sealed = () => env.DB.prepare('SELECT sealed_secret FROM endpoints WHERE org_id = ?').bind(org.id).first()
    const before = await sealed()
    const { url, events, includeLoads, auth } = made.body
    const again = await operator('PUT', `/orgs/${org.slug}/endpoints/partner`, { url, events, includeLoads, auth })
    expect(again.status).toBe(200)
    expect(await sealed()).toEqual(before)
    expect((await put(org, { auth: { ...hmac, secret: '********' } })).status).toBe(400)
  })

  it('N41 is refused with a bad url, name, event, secret or header, and an allowlist without its binding', async () => {
    const org = await newOrg()
    const path = async (body: Json, name?: string) => {
      const { status, body: problem } = await put(org, body, name)
      expect(status).toBe(400)
      return (problem.errors as { path: string }[]).map(error => error.path)
    }
    expect(await path({ url: 'ftp://x.example.com', auth: hmac })).toEqual(['/url'])
    expect(await path({ url: 'https://u:p@x.example.com', auth: hmac })).toEqual(['/url'])
    expect(await path({ auth: { kind: 'hmac', secret: 'short' } })).toEqual(['/auth/secret'])
    expect(await path({ auth: { ...header, name: 'Host' } })).toEqual(['/auth/name'])
    expect(await path({ auth: { ...header, value: 'a\r\nb' } })).toEqual(['/auth/value'])
    expect(await path({ auth: { kind: 'allowlist' } })).toEqual(['/auth/kind'])
    expect(await path({ auth: hmac, events: ['nonsense'] })).toEqual(['/events/0'])
    const events = ['item|create', 'items|create', 'item|publish', 'file|create', 'assortment|publish', '*', 'color|*']
    expect(await path({ auth: hmac, events })).toEqual(['/events/1', '/events/2', '/events/3'])
    expect(await path({ auth: hmac }, 'Bad%20Name')).toEqual([''])
    expect(await path({ auth: hmac, extra: 1 })).toEqual(['/extra'])
    expect((await operator('PUT', '/orgs/no-such-org/endpoints/x', { url: URL_OUTSIDE, auth: hmac })).status).toBe(404)
  })

  it('N41 refuses private addresses and plain http where the deployment is not local', async () => {
    const org = await newOrg()
    const context = {
      env: { ...env, ENVIRONMENT: 'production' as const },
      now: Date.now(),
      requestId: 'x',
      baseUrl: 'https://selvedge.test/api',
      defer: () => undefined,
    }
    const body = {
      events: [],
      includeLoads: false,
      allowedFor: 'both' as const,
      auth: { kind: 'hmac' as const, secret: SECRET },
    }
    for (const url of ['http://partner.example.com/', 'https://127.0.0.1/', 'https://[::1]/', 'https://localhost/']) {
      expect(addressFault(url, { isLocal: false })).toBeDefined()
      await expect(configureEndpoint(context, org.slug, 'x', { ...body, url })).rejects.toThrow()
    }
  })

  it('N41 is called through the EGRESS binding where it is secured by an allowlist', async () => {
    const world = outside()
    const through: string[] = []
    const EGRESS = {
      fetch: async (request: Request) => {
        through.push(request.url)
        return new Response('ok')
      },
    }
    const row = {
      orgId: 'o',
      name: 'n',
      url: URL_OUTSIDE,
      events: '[]',
      includeLoads: 0 as const,
      authKind: 'allowlist' as const,
      headerName: null,
      sealedSecret: null,
      sealedOldSecret: null,
      oldSecretUntil: null,
      allowedFor: 'both' as const,
      baseUrl: '',
      createdOn: 0,
      updatedOn: 0,
      loadsAfterSeq: 0,
    }
    const call = { url: URL_OUTSIDE, method: 'POST' as const, id: 'i', body: '{}', timeoutMs: 1000, depth: 0 }
    const outcome = await callEndpoint({ ...env, EGRESS: EGRESS as unknown as Fetcher }, row, call)
    expect(outcome).toMatchObject({ answered: true, status: 200 })
    expect(through).toEqual([URL_OUTSIDE])
    expect(world.calls).toEqual([])
  })
})

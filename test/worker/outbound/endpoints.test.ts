import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { recover } from '../../../src/features/events/recover.ts'
import { addressFault } from '../../../src/features/outbound/address.ts'
import { callEndpoint } from '../../../src/features/outbound/call.ts'
import { configureEndpoint } from '../../../src/features/outbound/outbound.ts'
import { insertDeliveries } from '../../../src/features/outbound/store.ts'
import { env, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { eventually, nothingLeft } from '../eventually.ts'
import { outside, type Sent } from '../outside.ts'

afterEach(() => vi.restoreAllMocks())

const SECRET = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
const hmac = { kind: 'hmac', secret: SECRET }
const header = { kind: 'header', name: 'X-Partner-Key', value: 'k-123' }
const URL_OUTSIDE = 'https://partner.example.com/hook'

const put = (org: TestOrg, body: Json, name = 'partner') =>
  operator('PUT', `/orgs/${org.slug}/endpoints/${name}`, { url: URL_OUTSIDE, events: ['item|*'], ...body })

type Delivery = Json & { id: string; status: string; attempts: number }

async function deliveries(org: TestOrg, query = ''): Promise<Delivery[]> {
  const { body } = await operator(`GET`, `/orgs/${org.slug}/endpoints/partner/deliveries${query}`)
  return (body.results ?? []) as Delivery[]
}

const headersOf = (sent?: Sent) => Object.fromEntries(sent?.headers ?? [])

const delivered = (org: TestOrg, status: string, count = 1) =>
  eventually(
    () => deliveries(org),
    found => found.length === count && found.every(delivery => delivery.status === status),
  )

describe('an endpoint of the operator', () => {
  it('N41 is configured, read, listed and removed, its secrets masked', async () => {
    const org = await newOrg()
    const made = await put(org, { auth: hmac })
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ name: 'partner', url: URL_OUTSIDE, events: ['item|*'] })
    expect(JSON.stringify(made.body)).not.toContain(SECRET)
    const path = `/orgs/${org.slug}/endpoints/partner`
    expect((await operator('GET', path)).body).toEqual(made.body)
    expect((await operator('GET', `/orgs/${org.slug}/endpoints`)).body).toEqual({ results: [made.body] })
    const stored = await env.DB.prepare('SELECT sealed_secret FROM endpoints WHERE org_id = ?').bind(org.id).first()
    expect(stored?.sealed_secret).toMatch(/^v2\./)
    expect((await operator('DELETE', path)).status).toBe(204)
    expect((await operator('GET', path)).status).toBe(404)
    expect((await operator('DELETE', path)).status).toBe(404)
  })

  it('N41 signs with the secret before it, too, until the overlap is over', async () => {
    const org = await newOrg()
    const world = outside()
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

  it('N41 tells an endpoint that is for workflows alone of no events', async () => {
    const org = await newOrg()
    const refused = await put(org, { auth: hmac, allowedFor: 'workflows' })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([{ path: '/events', message: expect.stringContaining('workflows alone') }])
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

describe('a delivery', () => {
  it('N41 that fails twice arrives at the third try with a valid signature and the same webhook-id', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    world.answer((_, count) => new Response(null, { status: count < 3 ? 500 : 204 }))
    await put(org, { auth: hmac })
    const item = await org.make('/items', { name: 'Scarf' })
    const [delivery] = await delivered(org, 'delivered')
    expect(delivery).toMatchObject({ attempts: 3, triggerKey: 'item|create', responseStatus: 204, error: null })
    expect(world.calls).toHaveLength(3)
    for (const sent of world.calls) {
      const verified = new Webhook(SECRET).verify(sent.body, Object.fromEntries(sent.headers)) as Json
      expect(verified).toMatchObject({ type: 'item|create', data: { newData: { id: item.id, name: 'Scarf' } } })
      expect(sent.headers.get('webhook-id')).toBe(delivery?.id)
    }
    const tampered = { ...Object.fromEntries(world.calls[0]?.headers ?? []), 'webhook-id': 'other' }
    expect(() => new Webhook(SECRET).verify(world.calls[0]?.body ?? '', tampered)).toThrow()
  })

  it('N41 carries the configured header, and goes only to endpoints that asked for the event', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    await put(org, { auth: header, events: ['color|update'] })
    await org.make('/items', { name: 'no' })
    const { id } = await org.make('/colors', { name: 'no' })
    await org.put(`/colors/${id}`, { name: 'yes' })
    await delivered(org, 'delivered')
    await nothingLeft(org)
    expect(world.calls).toHaveLength(1)
    expect(world.calls[0]?.headers.get('X-Partner-Key')).toBe('k-123')
    expect(world.calls[0]?.json()).toMatchObject({ type: 'color|update', data: { newData: { name: 'yes' } } })
  })

  it('N41 follows no redirect, gives up after its time, is listed as failed, and can be sent again', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    world.answer(() => new Response(null, { status: 302, headers: { Location: 'https://elsewhere.example.com/' } }))
    await put(org, { auth: hmac })
    await org.make('/items', { name: 'x' })
    await eventually(
      () => deliveries(org),
      found => (found[0]?.attempts ?? 0) >= 1,
    )
    await env.DB.prepare('UPDATE deliveries SET ends_on = 0 WHERE org_id = ?').bind(org.id).run()
    const [failed] = await delivered(org, 'failed')
    expect(failed).toMatchObject({ responseStatus: 302, error: expect.stringContaining('redirects') })
    expect(world.calls.every(sent => sent.url === URL_OUTSIDE)).toBe(true)
    expect(await deliveries(org, '?status=delivered')).toEqual([])
    expect(await deliveries(org, '?status=failed')).toHaveLength(1)
    world.answer(() => new Response('ok'))
    const path = `/orgs/${org.slug}/endpoints/partner/deliveries`
    const resent = await operator('POST', `${path}/${failed?.id}/resend`)
    expect(resent.status).toBe(202)
    const [again] = await delivered(org, 'delivered')
    expect(again).toMatchObject({ id: failed?.id, attempts: 1 })
    expect(world.calls.at(-1)?.headers.get('webhook-id')).toBe(failed?.id)
    expect((await operator('POST', `${path}/nothing/resend`)).status).toBe(404)
  })

  it('N41 reads no more than a bounded part of an endless answer', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    let pulled = 0
    world.answer(() => {
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled++
          controller.enqueue(new Uint8Array(16 * 1024))
        },
      })
      return new Response(endless)
    })
    await put(org, { auth: hmac })
    await org.make('/items', { name: 'x' })
    await delivered(org, 'delivered')
    expect(pulled).toBeLessThan(10)
  })

  it('N41 is not lost when its message is: recovery finds what is due', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    world.answer(() => new Response('', { status: 500 }))
    await put(org, { auth: hmac })
    await org.make('/items', { name: 'x' })
    await delivered(org, 'pending')
    await eventually(
      () => deliveries(org),
      found => (found[0]?.attempts ?? 0) >= 1,
    )
    world.answer(() => new Response('ok'))
    await env.DB.prepare('UPDATE deliveries SET due_on = 1, attempts = 1 WHERE org_id = ?').bind(org.id).run()
    await recover(env, org.id)
    await delivered(org, 'delivered')
  })

  it('N41 fails at once when its endpoint has been removed', async () => {
    const org = await newOrg()
    const world = outside(org.id)
    world.answer(() => new Response('', { status: 500 }))
    await put(org, { auth: hmac })
    await org.make('/items', { name: 'x' })
    await eventually(
      () => deliveries(org),
      found => (found[0]?.attempts ?? 0) >= 1,
    )
    await operator('DELETE', `/orgs/${org.slug}/endpoints/partner`)
    const [failed] = await delivered(org, 'failed')
    expect(failed?.error).toContain('no longer configured')
  })

  it('N41 pages through the log, newest first', async () => {
    const org = await newOrg()
    outside()
    await put(org, { auth: hmac })
    for (const name of ['a', 'b', 'c']) await org.make('/items', { name })
    const all = await delivered(org, 'delivered', 3)
    const path = `/orgs/${org.slug}/endpoints/partner/deliveries`
    const first = await operator<{ results: Delivery[]; nextPageKey: string }>('GET', `${path}?limit=2`)
    const second = await operator<{ results: Delivery[]; nextPageKey: null }>(
      'GET',
      `${path}?limit=2&nextPageKey=${first.body.nextPageKey}`,
    )
    expect([...first.body.results, ...second.body.results].map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(second.body.nextPageKey).toBeNull()
  })

  it('N60 ends a page of the log at its bytes', async () => {
    const org = await newOrg()
    const payload = JSON.stringify({ text: 'x'.repeat(120_000) })
    const rows = Array.from({ length: 80 }, (_, at) => ({
      id: `${org.id} ${at}`,
      endpointName: 'partner',
      triggerKey: 'item|create',
      payload,
      depth: 0,
    }))
    for (const statement of insertDeliveries(org.id, rows, 0, 0)) {
      await env.DB.prepare(statement.sql)
        .bind(...statement.params)
        .run()
    }
    await env.DB.prepare("UPDATE deliveries SET status = 'delivered' WHERE org_id = ?").bind(org.id).run()
    const path = `/orgs/${org.slug}/endpoints/partner/deliveries?limit=1000`
    type Page = { results: Delivery[]; nextPageKey: string | null }
    const first = await operator<Page>('GET', path)
    const second = await operator<Page>('GET', `${path}&nextPageKey=${first.body.nextPageKey}`)
    expect(first.body.results.length).toBeLessThan(80)
    expect([...first.body.results, ...second.body.results].map(({ id }) => id)).toEqual(
      rows.map(({ id }) => id).reverse(),
    )
    expect(second.body.nextPageKey).toBeNull()
  })
})

import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { Env } from '../../../src/env.ts'
import { ownerOfTaskToken, taskToken } from '../../../src/features/auth/task-token.ts'
import { createEntity } from '../../../src/features/entities/entities.ts'
import { secretsByKey } from '../../../src/features/operator/secrets.ts'
import { sweepDeletedOrganizations } from '../../../src/features/operator/sweep.ts'
import { secretOwner } from '../../../src/features/outbound/call.ts'
import { resealEndpoints } from '../../../src/features/outbound/reseal.ts'
import { selectEndpoints } from '../../../src/features/outbound/store.ts'
import { taskObject } from '../../../src/features/workflows/task/objects.ts'
import worker from '../../../src/index.ts'
import { background } from '../../../src/platform/background.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import { kindNamed } from '../../../src/platform/kind.ts'
import { decryptSecret, encryptSecret, sealedNow } from '../../../src/platform/secrets.ts'
import { env, fetchWorker, type Json, newOrg, OPERATOR_KEY, ORIGIN, operator, type TestOrg } from '../api.ts'

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

describe('export and deletion', () => {
  it('N12 an export is a stream of all entities and change records, and of no secret', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    await other.make('/items', { name: 'not yours' })
    const results =
      (
        await org.post(
          '/items/batch',
          Array.from({ length: 620 }, (_, n) => ({ n })),
        )
      ).body.results ?? []
    await org.make('/colors', { text: 'ä"\n' })
    await org.put(`/items/${results[0]?.id}`, { name: 'changed' })
    await org.delete(`/items/${results[1]?.id}`)
    const response = await fetchWorker(`/api/operator/orgs/${org.slug}/export`, {
      headers: { 'X-Operator-Key': OPERATOR_KEY },
    })
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson')
    const text = new TextDecoder().decode(await response.arrayBuffer())
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Json)
    const ofTable = (table: string) => lines.filter(line => line.table === table)
    expect(ofTable('org')).toMatchObject([{ slug: org.slug }])
    expect(new Set(ofTable('entities').map(line => line.id)).size).toBe(620)
    expect(ofTable('changes')).toHaveLength(623)
    expect(ofTable('credentials')).toMatchObject([{ kind: 'app', name: 'test' }])
    expect(ofTable('credentials')[0]).not.toHaveProperty('digest')
    expect(text).not.toContain('not yours')
    expect(text).not.toContain(org.key.slice('app:'.length))
  })

  it('N12 an organization is deleted only after an export, at once for its keys, and nothing is left of it', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'a' })
    await env.FILES.put(`${org.id}/file`, 'x')
    expect(await operator('DELETE', `/orgs/${org.slug}`)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await org.get('/items')).body.results).toHaveLength(1)
    const exported = await fetchWorker(`/api/operator/orgs/${org.slug}/export`, {
      headers: { 'X-Operator-Key': OPERATOR_KEY },
    })
    await exported.arrayBuffer()
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
    expect((await org.get('/items')).status).toBe(401)
    expect((await operator('GET', `/orgs/${org.slug}`)).status).toBe(404)
    const tables = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`org_id`%'",
    ).all<{ name: string }>()
    for (const { name } of tables.results) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${name} WHERE org_id = ?`).bind(org.id).all()
      expect([name, results]).toEqual([name, []])
    }
    expect(await env.DB.prepare('SELECT * FROM orgs WHERE id = ?').bind(org.id).first()).toBeNull()
    expect((await env.FILES.list({ prefix: org.id })).objects).toEqual([])
    expect((await operator('POST', '/orgs', { slug: org.slug, name: 'again' })).status).toBe(201)
    const { body } = await operator('GET', '/audit?limit=1000')
    expect(body.results).toContainEqual(
      expect.objectContaining({
        action: 'organization_deleted',
        subjectId: org.id,
        detail: { slug: org.slug, name: org.slug },
      }),
    )
  })

  const exportOf = async (org: TestOrg) => {
    const headers = { 'X-Operator-Key': OPERATOR_KEY }
    await (await fetchWorker(`/api/operator/orgs/${org.slug}/export`, { headers })).arrayBuffer()
  }

  it('N70 takes an export that is newer than the last change', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'a' })
    await exportOf(org)
    await env.DB.prepare('UPDATE orgs SET exported_on = exported_on - 1000 WHERE id = ?').bind(org.id).run()
    await org.put(`/items/${item.id}`, { name: 'b' })
    const refused = await operator('DELETE', `/orgs/${org.slug}`)
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('since its last export') } })
    await exportOf(org)
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
  })

  it('N70 leaves nothing of what was under way: uploads, objects of tasks, what is written after the deletion', async () => {
    const org = await newOrg()
    const file = await org.make('/files', { fileName: 'a.csv' })
    const part = await org.call('POST', `/files/${file.id}/parts?partNumber=1`, {
      body: 'x',
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    expect(part.status).toBe(200)
    const task = await org.make('/event-workflow-tasks', { name: 't', async: true })
    await exportOf(org)
    // As a sweep leaves it that died between giving up the upload and removing its row.
    const held = 'INSERT INTO file_uploads (file_id, org_id, upload_id, created_on) VALUES (?, ?, ?, 0)'
    await env.DB.prepare(held).bind(newId(), org.id, 'no such upload').run()
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
    const answer = await taskObject(env, org.id, task.id).cancel('nobody')
    expect(answer.verdict).toBe('unknown')
    const late = background(env, { id: org.id, slug: org.slug }, { id: 'late', type: 'loader' })
    await createEntity(late, kindNamed('item'), { name: 'late' })
    await env.FILES.put(`${org.id}/files/late`, 'x')
    await sweepDeletedOrganizations(env, Date.now())
    const rows = await env.DB.prepare('SELECT * FROM entities WHERE org_id = ?').bind(org.id).all()
    expect(rows.results).toEqual([])
    expect((await env.FILES.list({ prefix: org.id })).objects).toEqual([])
    const tombstone = () => env.DB.prepare('SELECT * FROM tombstones WHERE id = ?').bind(org.id).first()
    expect(await tombstone()).not.toBeNull()
    await sweepDeletedOrganizations(env, Date.now() + 15 * 24 * 3600 * 1000)
    expect(await tombstone()).toBeNull()
  })
})

describe('secrets that must be recovered', () => {
  it('N12 are encrypted differently each time and come back only with their key and their owner', async () => {
    const [key, other] = [{ SECRETS_KEY: 'key' }, { SECRETS_KEY: 'other' }]
    const one = await encryptSecret(key, 'org 1', 'whsec_ä')
    const two = await encryptSecret(key, 'org 1', 'whsec_ä')
    expect(one).not.toBe(two)
    expect(one).not.toContain('whsec')
    expect(await decryptSecret(key, 'org 1', one)).toBe('whsec_ä')
    await expect(decryptSecret(other, 'org 1', one)).rejects.toThrow()
    await expect(decryptSecret(key, 'org 2', one)).rejects.toThrow()
    for (const broken of ['', 'v1', 'v2.a.b', one.slice(0, -2), one.replace('v2.', 'v2.A'), 'v1.!.!']) {
      await expect(decryptSecret(key, 'org 1', broken)).rejects.toThrow()
    }
  })

  it('N12 name their key, so that it can be changed: those before it still open, and are replaced by the cron', async () => {
    const [old, now] = [{ SECRETS_KEY: 'old' }, { SECRETS_KEY: 'new', SECRETS_KEYS_OLD: 'older old' }]
    const sealed = await encryptSecret(old, 'org 1', 'secret')
    expect(await decryptSecret(now, 'org 1', sealed)).toBe('secret')
    expect(sealed.startsWith(await sealedNow(now))).toBe(false)
    expect((await encryptSecret(now, 'org 1', 'secret')).startsWith(await sealedNow(now))).toBe(true)
    // As the first release wrote it.
    const [, , iv, text] = sealed.split('.')
    expect(await decryptSecret(now, 'org 1', `v1.${iv}.${text}`)).toBe('secret')
    const token = await taskToken(old, { orgId: 'a'.repeat(16), taskId: 'b'.repeat(16) })
    expect(await ownerOfTaskToken(now, token)).toBeDefined()
    expect(await ownerOfTaskToken({ SECRETS_KEY: 'new' }, token)).toBeUndefined()
  })

  it('N12 are sealed anew by the cron, after which the key before is not needed', async () => {
    const org = await newOrg()
    const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
    const set = { url: 'https://shop.example.com/', auth: { kind: 'hmac', secret } }
    await operator('PUT', `/orgs/${org.slug}/endpoints/shop`, set)
    const next = { ...env, SECRETS_KEY: 'a key of the tests that comes after', SECRETS_KEYS_OLD: env.SECRETS_KEY ?? '' }
    const resealAll = async (to: Env) => {
      for (let at = 0; at < 3; at++) await resealEndpoints(to)
    }
    await resealAll(next)
    const [row] = await selectEndpoints(databaseFor(env, org.id), org.id)
    const { SECRETS_KEYS_OLD: _, ...alone } = next
    const sealed = row?.sealedSecret ?? ''
    expect(await decryptSecret(alone, secretOwner(org.id, 'shop'), sealed)).toBe(secret)
    const { results } = await secretsByKey({ env: alone })
    expect(results.find(({ isInForce }) => isInForce)?.secrets).toBeGreaterThanOrEqual(1)
    // For the other tests of this runtime.
    await resealAll({ ...env, SECRETS_KEYS_OLD: next.SECRETS_KEY })
  })
})

// An organization with everything it can have, taken out and brought back: every answer is the same (N63).
import { describe, expect, it } from 'vitest'
import { KINDS } from '../../../src/kinds.ts'
import { call, env, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { answersOf, deleteOrg, linesOf, restore, takeArchive } from './archive.ts'

const SECRET = `whsec_${btoa('a secret of at least 24 bytes')}`

async function furnished(): Promise<TestOrg> {
  const org = await newOrg()
  await org.make('/types', {
    typePath: 'item:shoe',
    label: 'Shoe',
    properties: [{ slug: 'size', propertyType: 'number', indexed: true }],
  })
  const items = (
    await org.post(
      '/items/batch',
      Array.from({ length: 8 }, (_, n) => ({ name: `Item ${n}`, federatedId: `f${n}` })),
    )
  ).body.results as Json[]
  const [first, second, third] = items
  await org.put(`/items/${first?.id}`, { name: 'changed "ä\u2028', price: 12.5, nested: { a: [1, null] } })
  await org.delete(`/items/${second?.id}`)
  const project = await org.make('/projects', { name: 'SS27' })
  await org.make('/project-items', { itemId: String(third?.id), projectId: project.id })
  const assortment = await org.make('/assortments', { name: 'Line', identifier: 'line' })
  await org.make('/assortment-items', { itemId: String(third?.id), assortmentId: assortment.id })
  await org.post(`/assortments/${assortment.id}/publish`, {})
  await org.make('/colors', { name: 'Navy', hex: '#000080' })
  await org.call('POST', '/files?fileName=a.txt', { body: 'the content', headers: { 'Content-Type': 'text/plain' } })
  await org.make('/files', { fileName: 'pending.csv' })
  await org.make('/event-workflows', { name: 'w', triggerKey: 'item|delete', isActive: true, paths: [] })
  await org.make('/webhooks', { name: 'in' })
  await org.make('/event-workflow-tasks', { name: 'waits', async: true, timeoutSeconds: 5000 })
  await operator('PUT', `/orgs/${org.slug}/endpoints/erp`, {
    url: 'https://erp.example.com/in',
    events: [],
    auth: { kind: 'hmac', secret: SECRET },
  })
  await operator('PUT', `/orgs/${org.slug}/quotas`, { types: 77 })
  await operator('PUT', `/orgs/${org.slug}`, { historyRetentionDays: 3000 })
  return org
}

const pathsOf = ({ slug }: TestOrg) => [
  ...KINDS.filter(({ path }) => path !== 'types').map(({ path }) => `/api/${path}?limit=3`),
  '/api/types',
  '/api/change-history?limit=3',
  '/api/change-history?limit=3&after=',
  '/api/auth/me',
  `/api/operator/orgs/${slug}/api-keys?limit=3`,
  `/api/operator/orgs/${slug}/endpoints`,
  `/api/operator/orgs/${slug}/quotas`,
]

describe('N63 a restored organization', () => {
  it('gives the same answers, page keys and syncKeys included, and can go on', async () => {
    const org = await furnished()
    const other = await newOrg()
    await other.make('/items', { name: 'of a neighbour' })
    const before = await answersOf(org, pathsOf(org))
    const orgBefore = (await operator('GET', `/orgs/${org.slug}`)).body
    const archive = await takeArchive(org.slug)
    expect(archive.pages.join('')).not.toContain('of a neighbour')
    const [task] = (await org.get('/event-workflow-tasks')).body.results ?? []
    const [file] = (await org.get('/files', { criteria: { fileName: 'a.txt' } })).body.results ?? []
    const { syncKey } = (await org.get('/change-history')).body
    await deleteOrg(org)
    await other.make('/items', { name: 'later' })

    expect(await restore(archive)).toMatchObject({ status: 200, body: { state: 'complete', isShifted: false } })
    expect((await operator('GET', `/orgs/${org.slug}`)).body).toEqual(orgBefore)
    expect(await answersOf(org, pathsOf(org))).toEqual(before)
    expect((await org.get('/change-history', { after: syncKey })).body.results).toEqual([])

    expect((await org.get(`/files/${file?.id}/content`)).body).toBe('the content')
    const callback = await org.post('/external-events/callback/', { taskId: task?.id, status: 'SUCCESS' })
    expect(callback).toMatchObject({ status: 200, body: { status: 'complete' } })
    const made = await org.make('/items', { name: 'new' })
    const { results } = (await org.get('/change-history', { after: syncKey })).body
    expect(results).toMatchObject([{ entityReference: `item:${made.id}` }])
    await eventually(
      () => org.get('/search', { q: 'navy' }),
      ({ body }) => body.results?.length === 1,
    )
    const bySize = await eventually(
      () => org.get('/items', { order: { orderField: 'size' } }),
      ({ status }) => status === 200,
    )
    expect(bySize.body.results).toHaveLength(8)
    expect((await other.get('/items')).body.results).toHaveLength(2)
    const secrets = await env.DB.prepare('SELECT sealed_secret FROM endpoints WHERE org_id = ?').bind(org.id).first()
    expect(secrets).toEqual({ sealed_secret: expect.stringMatching(/^v2\./) })
    const { body: audit } = await operator('GET', `/orgs/${org.slug}/audit`)
    expect(audit.results?.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['organization_created', 'organization_restored']),
    )
  })

  it('is called something else where that is asked for, and 409 while it is still there', async () => {
    const org = await newOrg()
    const properties = [{ slug: 'rank', propertyType: 'number', indexed: true }]
    await org.make('/types', { typePath: 'item', label: 'Item', properties })
    await org.make('/items', { name: 'a', rank: 3 })
    const archive = await takeArchive(org.slug)
    expect(await restore(archive)).toMatchObject({ status: 409, body: { code: 'duplicate' } })
    expect((await org.get('/items')).body.results).toHaveLength(1)
    await deleteOrg(org)
    const taken = await newOrg()
    expect(await restore(archive, { slug: taken.slug })).toMatchObject({
      status: 409,
      body: { errors: [{ path: '/slug' }] },
    })
    const slug = `${org.slug}-again`
    expect(await restore(archive, { slug, suspended: true })).toMatchObject({ status: 200, body: { slug } })
    const headers = { ...org.headers, 'X-Api-Org': slug }
    expect((await call('GET', '/api/items', { headers })).body).toMatchObject({ code: 'organization_suspended' })
    await operator('PUT', `/orgs/${slug}`, { suspended: false })
    expect((await call('GET', '/api/items', { headers })).body.results).toHaveLength(1)
    // What a type marks is indexed again.
    const stateOf = () => env.DB.prepare('SELECT state FROM property_indexes WHERE org_id = ?').bind(org.id).first()
    await eventually(stateOf, index => index?.state === 'ready')
  })

  it('has no secrets of an archive without, and says which', async () => {
    const org = await furnished()
    const archive = await takeArchive(org.slug, 'without')
    const text = archive.pages.join('')
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain('"sealedSecret":"')
    expect(text).not.toContain(org.key.slice('app:'.length))
    expect(linesOf(archive.pages[0] ?? '')[0]).toMatchObject({ table: 'archive', secrets: 'without' })
    await deleteOrg(org)
    const restored = await restore(archive)
    expect(restored.body.leftOut).toEqual({ passwords: 0, endpoints: ['erp'], identityProvider: false })
    expect((await org.get('/items')).status).toBe(200)
  })

  it('is of one moment, whatever is written while it is read', async () => {
    const org = await newOrg()
    const items: Json[] = []
    for (let batch = 0; batch < 2; batch++) {
      const body = Array.from({ length: 14 }, (_, n) => ({ federatedId: `k${batch}-${n}`, text: 'x'.repeat(300_000) }))
      items.push(...((await org.post('/items/batch', body)).body.results ?? []))
    }
    const [first, second, third, fourth] = items
    let calls = 0
    const archive = await takeArchive(org.slug, 'open', async () => {
      calls++
      if (calls > 2) return
      // A key changes hands, twice; what was read is deleted, and comes back; something is new.
      await org.put(`/items/${first?.id}`, { federatedId: `moved-${calls}` })
      await org.put(`/items/${second?.id}`, { federatedId: calls === 1 ? 'k0-0' : 'moved-1' })
      if (calls === 1) await org.delete(`/items/${third?.id}`)
      if (calls === 1) await org.delete(`/items/${fourth?.id}`)
      if (calls === 2) await org.post(`/items/${fourth?.id}/restore`, { version: 1 })
      await org.make('/colors', { name: `made ${calls}` })
    })
    expect(calls).toBeGreaterThan(2)
    const before = await answersOf(org, pathsOf(org))
    await deleteOrg(org)
    expect(await restore(archive)).toMatchObject({ status: 200 })
    expect(await answersOf(org, pathsOf(org))).toEqual(before)
    expect((await org.get(`/items/${third?.id}`)).status).toBe(404)
    expect((await org.get(`/items/${fourth?.id}`)).status).toBe(200)
  })
})

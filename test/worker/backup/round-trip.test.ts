// An organization with everything it can have, taken out and brought back: every answer is the same (N63).
import { describe, expect, it } from 'vitest'
import { PAGE_ROWS } from '../../../src/features/backup/store/read.ts'
import { call, env, type Json, newOrg, operator } from '../api.ts'
import { eventually } from '../eventually.ts'
import { answersOf, deleteOrg, linesOf, restore, takeArchive } from './archive.ts'
import { furnished, pathsOf, SECRET } from './furnished.ts'

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

  it('comes back also where a release that did not count entities has written since', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'counted' })
    await org.make('/items', { name: 'not counted' })
    await env.DB.prepare('UPDATE clocks SET entities = 1 WHERE org_id = ?').bind(org.id).run()
    const archive = await takeArchive(org.slug)
    const { body } = await operator('GET', `/orgs/${org.slug}/quotas`)
    expect(body.entities).toMatchObject({ used: 2 })
    await deleteOrg(org)
    expect(await restore(archive)).toMatchObject({ status: 200, body: { state: 'complete' } })
    expect((await org.get('/items')).body.results).toHaveLength(2)
  })

  it('has all of its entities and records, also where a page of them is full', async () => {
    const org = await newOrg()
    for (let at = 0; at < 2; at++) {
      const items = Array.from({ length: PAGE_ROWS / 2 + at }, (_, n) => ({ name: `${at}-${n}` }))
      expect((await org.post('/items/batch', items)).status).toBe(201)
    }
    const archive = await takeArchive(org.slug)
    const linesIn = (table: string) =>
      archive.pages.flatMap(linesOf).filter(line => line.table === table && line.orgId !== null).length
    expect([linesIn('entities'), linesIn('changes')]).toEqual([PAGE_ROWS + 1, PAGE_ROWS + 1])
    await deleteOrg(org)
    expect(await restore(archive)).toMatchObject({ status: 200, body: { state: 'complete' } })
    expect((await org.get('/items/count')).body).toMatchObject({ count: PAGE_ROWS + 1 })
  })

  it.each(['keep', 'shift'])(
    'is polled without a gap where the archive is older than a key (N25), positions: %s',
    async positions => {
      const org = await newOrg()
      await org.make('/items', { name: 'a' })
      const archive = await takeArchive(org.slug)
      // Others write a lot meanwhile.
      await env.DB.prepare(`UPDATE sqlite_sequence SET seq = seq + 20000 WHERE name = 'changes'`).run()
      await org.make('/items', { name: 'lost' })
      const { syncKey } = (await org.get('/change-history', { limit: 1 })).body
      await takeArchive(org.slug)
      await deleteOrg(org)
      // Another deployment has given out fewer positions than the one that it comes from.
      await env.DB.prepare(
        `UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM changes) WHERE name = 'changes'`,
      ).run()
      expect(await restore(archive, positions === 'shift' ? { positions } : {})).toMatchObject({ status: 200 })
      const made = await org.make('/items', { name: 'new' })
      const { status, body } = await org.get('/change-history', { after: syncKey })
      if (positions === 'shift') expect(status).toBe(410)
      else expect(body.results).toMatchObject([{ entityReference: `item:${made.id}` }])
    },
  )

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

// Keys that are limited to entity types and to addresses.
import { describe, expect, it } from 'vitest'
import { call, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { newTeam } from '../sign-in/team.ts'

async function limited(org: TestOrg, limits: Json) {
  const issued = await operator('POST', `/orgs/${org.slug}/api-keys`, { name: 'limited', tier: 'internal', ...limits })
  expect(issued.status, JSON.stringify(issued.body)).toBe(201)
  const headers = { 'X-Api-Key': String(issued.body.key), 'X-Api-Org': org.slug }
  const as = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    call(method, `/api${path}`, { body, headers: { ...headers, ...more } })
  return { as, issued: issued.body }
}

describe('N9 a key that is limited to entity types', () => {
  it('reads and writes these, and nothing else', async () => {
    const org = await newOrg()
    const color = await org.make('/colors', { name: 'red' })
    const { as, issued } = await limited(org, { entityTypes: ['item'] })
    expect(issued).toMatchObject({ entityTypes: ['item'], addresses: null })
    const item = await as('POST', '/items', { name: 'a' })
    expect(item.status).toBe(201)
    expect((await as('GET', '/items')).body.results).toHaveLength(1)
    expect((await as('POST', '/items/batch', [{ name: 'b' }])).status).toBe(201)
    expect((await as('GET', '/types')).status).toBe(200)
    expect((await as('GET', '/auth/me')).status).toBe(200)
    const refused = [
      await as('GET', '/colors'),
      await as('GET', `/colors/${color.id}`),
      await as('POST', '/colors', { name: 'x' }),
      await as('DELETE', '/colors/batch', [color.id]),
      await as('POST', '/types', { typePath: 'item:x' }),
      await as('POST', '/files', { fileName: 'a' }),
      await as('POST', '/event-workflow-requests', { triggerKey: 'a', event: {} }),
      await as('POST', '/loader-processes', {}),
    ]
    for (const { status, body } of refused) {
      expect([status, body.code, body.detail]).toEqual([403, 'forbidden', expect.stringContaining('item')])
    }
  })

  it('sees the history of these alone, and no relation to others', async () => {
    const org = await newOrg()
    const project = await org.make('/projects', { name: 'p' })
    const item = await org.make('/items', { name: 'i' })
    await org.make('/project-items', { itemId: item.id, projectId: project.id })
    const { as } = await limited(org, { entityTypes: ['item', 'project-item'] })
    const seen = await as('GET', '/change-history')
    expect(new Set(seen.body.results?.map(record => record.entityType))).toEqual(new Set(['item', 'project-item']))
    expect((await as('GET', '/change-history?after=')).body.results).toHaveLength(2)
    expect((await as('GET', '/change-history?entityType=project')).status).toBe(403)
    const reference = encodeURIComponent(JSON.stringify({ entityReference: `project:${project.id}` }))
    expect((await as('GET', `/change-history?criteria=${reference}`)).status).toBe(403)
    expect((await as('GET', '/project-items?relations=item')).status).toBe(200)
    expect((await as('GET', '/project-items?relations=project')).status).toBe(403)
  })

  it('writes no workflow that reaches others, alone, in batches or by restoring one', async () => {
    const org = await newOrg()
    const { as } = await limited(org, { entityTypes: ['event-workflow', 'color'] })
    const paths = (...tasks: Json[]) => [{ tasks: tasks.map((task, at) => ({ name: `t${at}`, ...task })) }]
    const entity = (entityName: string) => ({ action: 'entity', config: { operation: 'get', entityName, id: 'x' } })
    const own = paths(entity('color'), { action: 'expression', config: { output: 1 } }, { action: 'wait', async: true })
    const made = await as('POST', '/event-workflows', { name: 'w', paths: own })
    expect(made.status).toBe(201)
    const beyond = [
      paths(entity('color'), entity('item')),
      paths({ action: 'http', config: { endpoint: 'e' } }),
      paths({ action: 'load', config: { loadType: ['COLOR'], fileLocation: 'f' } }),
    ]
    const path = `/event-workflows/${made.body.id}`
    for (const wide of beyond) {
      const refused = [
        await as('POST', '/event-workflows', { name: 'x', paths: wide }),
        await as('POST', '/event-workflows/batch', [{ name: 'x', paths: wide }]),
        await as('PUT', path, { paths: wide }),
        await as('PUT', '/event-workflows/batch', [{ id: made.body.id, paths: wide }]),
      ]
      for (const { status, body } of refused) expect([status, body.code]).toEqual([403, 'forbidden'])
      expect((await org.put(path, { paths: wide })).status).toBe(200)
      expect((await as('PUT', path, { paths: own })).status).toBe(200)
    }
    expect((await as('POST', `${path}/restore`, { version: 2 })).status).toBe(403)
    expect((await as('POST', `${path}/restore`, { version: 1 })).status).toBe(200)
  })

  it('N80 is judged by the workflow that its write results in, not by the patch alone', async () => {
    const org = await newOrg()
    const { as } = await limited(org, { entityTypes: ['event-workflow', 'color'] })
    const paths = [{ tasks: [{ name: 't', action: 'http', config: { endpoint: 'e' } }] }]
    const first = { name: 'w', triggerKey: 'a', isActive: false }
    const { id } = await org.make('/event-workflows', { ...first, paths: [] })
    expect((await org.put(`/event-workflows/${id}`, { paths })).status).toBe(200)
    const path = `/event-workflows/${id}`
    const aimed = { triggerKey: 'mine', isActive: true }
    const refused = [
      await as('PUT', path, aimed),
      await as('PUT', '/event-workflows/batch', [{ id, ...aimed }]),
      await as('PUT', path, { name: 'x' }),
    ]
    for (const { status, body } of refused) expect([status, body.code]).toEqual([403, 'forbidden'])
    await org.put(path, { name: 'later' })
    expect((await as('POST', `${path}/restore`, { version: 2 })).status).toBe(403)
    expect((await org.get(path)).body).toMatchObject({ triggerKey: 'a', isActive: false, version: 3 })
    expect((await as('PUT', path, { paths: [], ...aimed })).status).toBe(200)
    const racing = await Promise.all([1, 2, 3].map(at => as('PUT', path, { [`p${at}`]: at })))
    expect(racing.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('holds planned types against entities of these alone', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'secret' })
    const types = (...paths: string[]) => ({
      types: paths.map(typePath => ({ typePath, properties: [{ slug: 'a', propertyType: 'string', required: true }] })),
    })
    const { as } = await limited(org, { entityTypes: ['type', 'color'] })
    expect((await as('POST', '/types/check', types('color', 'item'))).status).toBe(403)
    expect((await as('POST', '/types/check', types('item:x'))).status).toBe(403)
    expect((await as('POST', '/types/check', types('color'))).status).toBe(200)
  })

  it('stays limited when it is rotated', async () => {
    const team = await newTeam()
    const limits = { entityTypes: ['item'], addresses: ['192.0.2.0/24'] }
    const made = await team.admin.post('/api-keys', { name: 'k', kind: 'app', ...limits })
    expect(made.body).toMatchObject(limits)
    const rotated = await team.admin.post(`/api-keys/${made.body.id}/rotate`, {})
    expect(rotated.body).toMatchObject(limits)
    const headers = { 'X-Api-Key': String(rotated.body.key), 'X-Api-Org': team.slug, 'CF-Connecting-IP': '192.0.2.1' }
    const status = async (path: string, more = {}) =>
      (await call('GET', `/api${path}`, { headers: { ...headers, ...more } })).status
    expect([await status('/items'), await status('/colors')]).toEqual([200, 403])
    expect(await status('/items', { 'CF-Connecting-IP': '198.51.100.1' })).toBe(403)
  })

  it('is refused for entity types that do not exist', async () => {
    const org = await newOrg()
    const answer = await operator('POST', `/orgs/${org.slug}/api-keys`, { name: 'x', entityTypes: ['itme'] })
    expect(answer.body.errors).toMatchObject([{ path: '/entityTypes/0' }])
  })
})

describe('N9 a key that is limited to addresses', () => {
  it('is of use from these alone', async () => {
    const org = await newOrg()
    const { as } = await limited(org, { addresses: ['192.0.2.0/24', '2001:db8::7'] })
    const from = async (address: string) =>
      (await as('GET', '/items', undefined, { 'CF-Connecting-IP': address })).status
    for (const inside of ['192.0.2.1', '192.0.2.255', '::ffff:192.0.2.9', '2001:db8::7']) {
      expect([inside, await from(inside)]).toEqual([inside, 200])
    }
    for (const outside of ['192.0.3.1', '2001:db8::8', '::1', 'nonsense']) {
      expect([outside, await from(outside)]).toEqual([outside, 403])
    }
    expect((await as('GET', '/items')).status).toBe(403)
  })

  it('takes addresses and blocks of them only', async () => {
    const org = await newOrg()
    const answer = await operator('POST', `/orgs/${org.slug}/api-keys`, { name: 'x', addresses: ['10.0.0.0/33', 'a'] })
    expect(answer.body.errors).toMatchObject([{ path: '/addresses/0' }, { path: '/addresses/1' }])
  })
})

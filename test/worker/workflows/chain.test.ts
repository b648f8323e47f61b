// Chains of workflows that go through our own outbound calls and come back, by a webhook or as any other call of the API.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CHAIN_HEADER, chainHeader } from '../../../src/platform/chain.ts'
import { call, env, type Json, newOrg, ORIGIN, operator, send, type TestOrg } from '../api.ts'
import { eventually, nothingLeft } from '../eventually.ts'
import { outside } from '../outside.ts'
import { type Found, processesOf } from './runs.ts'

afterEach(() => vi.restoreAllMocks())

const HOST = 'https://partner.example.com'

/** An outside that hands every call on to the service itself. */
function comingBack() {
  const world = outside()
  world.answer(async ({ url, method, headers, body }) => {
    const { response, settled } = send(new Request(ORIGIN + url.slice(HOST.length), { method, headers, body }))
    const answer = await response
    // It is called in the midst of a queue message, which takes along whatever is not done when it ends.
    await settled()
    return answer
  })
  return world
}

async function webhookEndpoint(org: TestOrg, events: string[]): Promise<{ key: string; path: string }> {
  const webhook = await org.make('/webhooks', { name: 'own' })
  const path = new URL(String(webhook.triggerUrl)).pathname
  const auth = { kind: 'header', name: 'X-Partner-Key', value: 'k-123' }
  await operator('PUT', `/orgs/${org.slug}/endpoints/own`, { url: HOST + path, events, auth })
  return { key: `webhookId:${webhook.id}`, path }
}

const isLoop = (found: Found[]) => found.some(({ error }) => (error as Json | undefined)?.code === 'workflow_loop')

async function depthsOf(org: TestOrg, workflowId: string): Promise<unknown[]> {
  await eventually(() => processesOf(org, workflowId), isLoop)
  await nothingLeft(org)
  return (await processesOf(org, workflowId)).map(({ depth }) => depth)
}

describe('a chain through our own webhook', () => {
  it('N68 ends where its tasks call it', async () => {
    const org = await newOrg()
    comingBack()
    const { key, path } = await webhookEndpoint(org, [])
    const tasks = [{ name: 'call', action: 'http', config: { endpoint: 'own' } }]
    const { id } = await org.make('/event-workflows', { triggerKey: key, paths: [{ tasks }] })
    await call('POST', path, { body: {} })
    expect(await depthsOf(org, id)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('N84 is dispatched inside the Worker where the endpoint is at the own address, and ends there, too', async () => {
    const org = await newOrg()
    const world = outside(org.slug)
    const webhook = await org.make('/webhooks', { name: 'own' })
    const auth = { kind: 'header', name: 'X-Partner-Key', value: 'k-123' }
    await operator('PUT', `/orgs/${org.slug}/endpoints/own`, { url: webhook.triggerUrl, events: [], auth })
    const tasks = [{ name: 'call', action: 'http', config: { endpoint: 'own' } }]
    const { id } = await org.make('/event-workflows', { triggerKey: `webhookId:${webhook.id}`, paths: [{ tasks }] })
    await call('POST', new URL(String(webhook.triggerUrl)).pathname, { body: {} })
    expect(await depthsOf(org, id)).toEqual([1, 2, 3, 4, 5, 6])
    expect(world.calls).toEqual([])
  })

  it('N68 ends where what its tasks write is delivered to it', async () => {
    const org = await newOrg()
    comingBack()
    const { key } = await webhookEndpoint(org, ['item|create'])
    const config = { operation: 'create', entityName: 'item', object: { name: 'again' } }
    const tasks = [{ name: 'make', action: 'entity', config }]
    const { id } = await org.make('/event-workflows', { triggerKey: key, paths: [{ tasks }] })
    await org.make('/items', { name: 'first' })
    expect(await depthsOf(org, id)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('N68 cannot be made up: a depth that we have not signed counts for nothing, and no event shows the header', async () => {
    const org = await newOrg()
    const { key, path } = await webhookEndpoint(org, [])
    const { id } = await org.make('/event-workflows', {
      triggerKey: key,
      paths: [{ tasks: [{ name: 'w', action: 'wait' }] }],
    })
    await call('POST', path, { body: {}, headers: { [CHAIN_HEADER]: `5.${'A'.repeat(43)}` } })
    await nothingLeft(org)
    const [process] = await processesOf(org, id)
    expect(process).toMatchObject({ depth: 1, status: 'complete' })
    expect(JSON.stringify(process?.triggerEvent).toLowerCase()).not.toContain(CHAIN_HEADER.toLowerCase())
  })
})

describe('a chain through our own entity API', () => {
  it('N68 ends where a task updates the item that started it, with a token of its own', async () => {
    const org = await newOrg()
    comingBack()
    const { body } = await operator<{ accessToken: string }>('POST', `/orgs/${org.slug}/tokens`, { name: 'own' })
    const auth = { kind: 'header', name: 'Authorization', value: `bearer ${body.accessToken}` }
    await operator('PUT', `/orgs/${org.slug}/endpoints/api`, { url: `${HOST}/api`, events: [], auth })
    const config = { endpoint: 'api', method: 'PUT', path: '/items/{newData.id}', body: { name: '{newData.name}+' } }
    const tasks = [{ name: 'write', action: 'http', config }]
    const { id } = await org.make('/event-workflows', { triggerKey: 'item|update', paths: [{ tasks }] })
    const item = await org.make('/items', { name: 'a' })
    await org.put(`/items/${item.id}`, { name: 'b' })
    expect(await depthsOf(org, id)).toEqual([1, 2, 3, 4, 5, 6])
    expect((await org.get(`/items/${item.id}`)).body).toMatchObject({ name: 'b+++++', version: 7 })
  })

  it('N68 goes on through everything that such a call writes: batches, deletions, publishes, loads and reverts', async () => {
    const org = await newOrg()
    const headers = { ...org.headers, ...(await chainHeader(env, 3)) }
    const chained = async (method: string, path: string, body?: unknown) => {
      const answer = await call(method, `/api${path}`, { body, headers })
      expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
      return answer.body
    }
    const done = (path: string, id: unknown) =>
      eventually(
        () => org.get(`${path}/${id}`),
        ({ body }) => body.status === 'completed',
      )
    const project = await org.make('/projects', { name: 'p' })
    const workspace = await org.make('/workspaces', { name: 'w', identifier: 'w', projectId: project.id })
    const assortment = await org.make('/assortments', { name: 's', workspaceId: workspace.id })
    const tasks = [{ name: 'w', action: 'wait' }]
    const { id } = await org.make('/event-workflows', { triggerKey: 'assortment|publish', paths: [{ tasks }] })
    const { results } = await chained('POST', '/items/batch', [{ name: 'a' }, { name: 'b' }])
    await chained('DELETE', `/items/${results?.[0]?.id}`)
    const file = await org.call('POST', '/files?fileName=a.csv', {
      body: 'federatedId,name\nA,a\n',
      headers: { 'Content-Type': 'text/csv' },
    })
    const load = await chained('POST', '/loader-processes', { loadType: ['COLOR'], fileLocation: file.body.id })
    await done('/loader-processes', load.id)
    const revert = await chained('POST', `/loader-processes/${load.id}/revert`, {})
    await done('/revert-processes', revert.id)
    await chained('POST', `/assortments/${assortment.id}/publish`)
    await eventually(
      () => processesOf(org, id),
      found => found.length === 1,
    )
    const rows = await env.DB.prepare(
      'SELECT entity_type AS type, change_type AS change, chain_depth AS depth FROM changes WHERE org_id = ? ORDER BY seq',
    )
      .bind(org.id)
      .all()
    const of = (depth: number | null) =>
      rows.results.filter(row => row.depth === depth).map(({ type, change }) => `${type}|${change}`)
    expect(new Set(of(3))).toEqual(
      new Set(['item|create', 'item|delete', 'color|create', 'color|delete', 'assortment|update']),
    )
    expect(of(null)).not.toContain('item|create')
    expect(await processesOf(org, id)).toMatchObject([{ depth: 4 }])
  })
})

// Chains of workflows that go through our own outbound calls and come back by a webhook.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CHAIN_HEADER } from '../../../src/platform/chain.ts'
import { call, fetchWorker, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { eventually, nothingLeft } from '../eventually.ts'
import { outside } from '../outside.ts'
import { type Found, processesOf } from './runs.ts'

afterEach(() => vi.restoreAllMocks())

const HOST = 'https://partner.example.com'

/** An outside that hands every call on to the service itself. */
function comingBack() {
  const world = outside()
  world.answer(({ url, method, headers, body }) => fetchWorker(url.slice(HOST.length), { method, headers, body }))
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

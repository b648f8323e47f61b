// Exports, restores and reverts through the TypeScript client (N51, N52).
import { describe, expect, it } from 'vitest'
import { connect, RevertError } from '../../src/clients/typescript/index.ts'
import { fakeServer, inOrder, type Script } from './fake-server.ts'

async function recording(script: Script) {
  const server = await fakeServer(script)
  const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o', maxRetries: 0 })
  return { server, client }
}

describe('exports (N51)', () => {
  it('are asked for by singular name, with criteria and order', async () => {
    const { server, client } = await recording(() => ({ text: 'a,b\r\n' }))
    const order = { orderField: 'name', order: 'desc' } as const
    const args = { entityName: 'custom-entity', criteria: { name: ['A'] }, order, properties: ['a', 'b'] }
    expect(await (await client.exports.stream(args)).text()).toBe('a,b\r\n')
    expect(server.asked[0]).toMatchObject({
      path: '/api/custom-entities/export',
      query: { criteria: '{"name":["A"]}', order: JSON.stringify(order), properties: 'a,b', format: 'csv' },
    })
  })

  it('in the form that loads back are CSV, and fail where they broke off (N75)', async () => {
    const { server, client } = await recording(() => ({ text: 'id\r\n1\r\n(broken off),(broken off)\r\n' }))
    const response = await client.exports.stream({ entityName: 'item', format: 'csv-load' })
    expect(server.asked[0]?.query).toEqual({ format: 'csv-load' })
    await expect(response.text()).rejects.toMatchObject({ code: 'broken_off' })
  })

  it('come as entities, one after the other, whatever the pieces', async () => {
    const { server, client } = await recording(() => ({ text: '{"id":"1","name":"é"}\n{"id":"2"}\n' }))
    const ids: string[] = []
    for await (const { id } of client.exports.entities({ entityName: 'item' })) ids.push(id)
    expect(ids).toEqual(['1', '2'])
    expect(server.asked[0]?.query).toEqual({ format: 'jsonl' })
  })

  it('that break off throw', async () => {
    const { client } = await recording(() => ({ text: '{"id":"1"}\n', headers: { 'content-length': '999' } }))
    const read = async () => {
      for await (const _ of client.exports.entities({ entityName: 'item', timeoutMs: 500 }));
    }
    await expect(read()).rejects.toThrow()
  })

  it.each([
    ['jsonl', '{"id":"1"}\n{"problem":"It broke off here."}\n'],
    ['csv', 'id,"a\n,b"\r\n1,"x,\ny"\r\n(broken off),(broken off),(broken off)\r\n'],
    ['csv', 'id\r\n1\r\n(broken off),(broken off)\r\n'],
    ['csv', 'id,name\r\n1,one\r\n2,t'],
    ['csv', 'id,name\r\n1,one\r\n2,"t\n'],
    ['jsonl', '{"id":"1"}\n{"id":"2","na'],
    ['jsonl', '{"id":"1"}'],
  ] as const)(
    'that say that they broke off, or end inside a line, throw, though the answer ends: %s %j',
    async (format, text) => {
      const { client } = await recording(() => ({ text, headers: { 'x-request-id': 'r-1' } }))
      const response = await client.exports.stream({ entityName: 'item', format })
      await expect(response.text()).rejects.toMatchObject({ code: 'broken_off', status: 200, requestId: 'r-1' })
    },
  )

  it.each([
    ['jsonl', '{"id":"{\\"problem\\":","problem":"a property"}\n'],
    ['csv', 'problem,b\r\n(broken off),"(broken off),(broken off)\n(broken off)"\r\n"""",\r\n'],
    ['csv', ''],
    ['jsonl', ''],
  ] as const)('that hold such texts are whole: %s %j', async (format, text) => {
    const { client } = await recording(() => ({ text }))
    expect(await (await client.exports.stream({ entityName: 'item', format })).text()).toBe(text)
  })

  it('that say that they broke off give no entity of it', async () => {
    const { client } = await recording(() => ({ text: '{"id":"1"}\n{"problem":"It broke off here."}\n' }))
    const read = async () => {
      for await (const { id } of client.exports.entities({ entityName: 'item' })) expect(id).toBe('1')
    }
    await expect(read()).rejects.toMatchObject({ code: 'broken_off' })
  })

  it('have a configuration', async () => {
    const { server, client } = await recording(() => ({ json: { loadType: ['ITEM'] } }))
    expect(await client.exports.configuration({ entityName: 'item' })).toEqual({ loadType: ['ITEM'] })
    expect(server.asked[0]?.query).toEqual({ format: 'configuration' })
  })
})

describe('restores and reverts (N52)', () => {
  it('restore a version, under a condition and a key', async () => {
    const { server, client } = await recording(() => ({ json: { id: 'x', version: 4 } }))
    const args = { entityName: 'item', id: 'x', version: 2, properties: ['name'], ifMatch: 3, idempotencyKey: 'k1' }
    expect(await client.entities.restore(args)).toMatchObject({ version: 4 })
    expect(server.asked[0]).toMatchObject({ path: '/api/items/x/restore', json: { version: 2, properties: ['name'] } })
    expect(server.asked[0]?.headers).toMatchObject({ 'if-match': '"3"', 'idempotency-key': 'k1' })
  })

  it('start a revert and wait for its end', async () => {
    const running = { json: { id: 'r', status: 'running' } }
    const { server, client } = await recording(inOrder(running, running, { json: { id: 'r', status: 'completed' } }))
    const { id } = await client.reverts.startForLoad({ id: 'l', dryRun: true })
    const seen: string[] = []
    expect(await client.reverts.wait({ id, onProgress: ({ status }) => seen.push(status) })).toMatchObject({ id: 'r' })
    expect(seen).toEqual(['running', 'completed'])
    expect(server.asked[0]).toMatchObject({ path: '/api/loader-processes/l/revert', json: { dryRun: true } })
    expect(server.asked[1]?.path).toBe('/api/revert-processes/r')
  })

  it('throw where a revert fails, and tell why', async () => {
    const { client } = await recording(() => ({ json: { id: 'r', status: 'failed', failure: 'why' } }))
    await expect(client.reverts.wait({ id: 'r' })).rejects.toThrow(RevertError)
    await expect(client.reverts.wait({ id: 'r' })).rejects.toThrow('why')
  })

  it('take changes back by who made them', async () => {
    const { server, client } = await recording(() => ({ json: { id: 'r' } }))
    const changes = { criteria: { createdById: 'k' }, since: '2026-01-01' }
    await client.reverts.startForChanges({ changes })
    await client.reverts.cancel({ id: 'r' })
    expect(server.asked.map(({ path, json }) => [path, json])).toEqual([
      ['/api/change-history/restore', changes],
      ['/api/revert-processes/r/cancel', undefined],
    ])
  })
})

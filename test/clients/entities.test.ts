import { describe, expect, it } from 'vitest'
import { type Criteria, connect } from '../../src/clients/typescript/index.ts'
import { fakeServer } from './fake-server.ts'

async function recording(json: unknown = { id: 'x' }) {
  const server = await fakeServer(() => ({ json }))
  return { server, client: connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' }) }
}

describe('the entity client', () => {
  it('takes singular names and calls plural paths', async () => {
    const { server, client } = await recording()
    for (const entityName of ['item', 'custom-entity', 'event-workflow-process', 'size-range-template', 'items']) {
      await client.entities.get({ entityName, id: 'a b/c' })
    }
    expect(server.asked.map(each => each.path)).toEqual([
      '/api/items/a%20b%2Fc',
      '/api/custom-entities/a%20b%2Fc',
      '/api/event-workflow-processes/a%20b%2Fc',
      '/api/size-range-templates/a%20b%2Fc',
      '/api/items/a%20b%2Fc',
    ])
  })

  it('refuses an empty id and dots, which would address something else', async () => {
    const { server, client } = await recording()
    for (const id of ['', '.', '..']) {
      await expect(client.entities.get({ entityName: 'item', id })).rejects.toThrow(TypeError)
      await expect(client.entities.delete({ entityName: 'item', id })).rejects.toThrow(TypeError)
    }
    expect(server.asked).toHaveLength(0)
  })

  it('sends criteria and order as URL-encoded JSON and relations as a comma list', async () => {
    const { server, client } = await recording({ results: [], nextPageKey: null })
    await client.entities.list({
      entityName: 'item',
      queryParams: {
        limit: 5,
        criteria: { name: 'A & B', createdOn: 'BETWEEN 2026-01-01 and 2026-02-01', color: null },
        order: { orderField: 'name', order: 'desc' },
        relations: ['item', 'item.itemFamily'],
        nextPageKey: null,
      },
    })
    expect(server.asked[0]?.query).toEqual({
      limit: '5',
      criteria: '{"name":"A & B","createdOn":"BETWEEN 2026-01-01 and 2026-02-01","color":null}',
      order: '{"orderField":"name","order":"desc"}',
      relations: 'item,item.itemFamily',
    })
  })

  it('N48 N50 sends operators and alternatives, and counts by them', async () => {
    const { server, client } = await recording({ count: 3, isExact: true })
    const criteria: Criteria = {
      price: { gte: 20, lt: 50 },
      name: { contains: 'shirt' },
      or: [{ season: { in: ['SS27', 'AW27'] } }, { tags: { exists: false } }],
    }
    expect(await client.entities.count({ entityName: 'item', queryParams: { criteria } })).toEqual({
      count: 3,
      isExact: true,
    })
    expect(server.asked[0]).toMatchObject({ path: '/api/items/count', query: { criteria: JSON.stringify(criteria) } })
  })

  it('N50 N71 searches over all types and in a list, and reads on by itself', async () => {
    const server = await fakeServer(({ query }) => ({
      json: query.nextPageKey
        ? { results: [{ id: 'b' }], nextPageKey: null }
        : { results: [{ id: 'a' }], nextPageKey: 'more', isPartial: true },
    }))
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const found = await client.entities.search({ q: 'linen', entityType: 'item', limit: 5 })
    expect(found).toEqual({ results: [{ id: 'a' }, { id: 'b' }], nextPageKey: null })
    expect(server.asked.map(({ path, query }) => [path, query])).toEqual([
      ['/api/search', { q: 'linen', entityType: 'item', limit: '5' }],
      ['/api/search', { q: 'linen', entityType: 'item', limit: '4', nextPageKey: 'more' }],
    ])
    await client.entities.list({ entityName: 'item', queryParams: { q: 'linen', limit: 1 } })
    expect(server.asked.at(-1)).toMatchObject({ path: '/api/items', query: { q: 'linen', limit: '1' } })
  })

  it('updates with body or object, creates with object, deletes', async () => {
    const { server, client } = await recording()
    await client.entities.update({ entityName: 'item', id: 'x', body: { name: 'A' } })
    await client.entities.update({ entityName: 'item', id: 'x', object: { name: null } })
    await client.entities.create({ entityName: 'item', object: { name: 'B', typePath: 'item:material' } })
    await client.entities.delete({ entityName: 'item', id: 'x' })
    expect(server.asked.map(each => [each.method, each.path, each.json])).toEqual([
      ['PUT', '/api/items/x', { name: 'A' }],
      ['PUT', '/api/items/x', { name: null }],
      ['POST', '/api/items', { name: 'B', typePath: 'item:material' }],
      ['DELETE', '/api/items/x', undefined],
    ])
  })

  it('sends batches as bare lists', async () => {
    const { server, client } = await recording({ results: [] })
    await client.entities.createBatch({ entityName: 'color', objects: [{ name: 'Red' }] })
    await client.entities.upsertBatch({ entityName: 'color', objects: [{ federatedId: 'r' }] })
    await client.entities.updateBatch({ entityName: 'color', objects: [{ id: 'c1', name: 'Red' }] })
    await client.entities.deleteBatch({ entityName: 'color', ids: ['c1', 'c2'] })
    expect(server.asked.map(each => [each.method, each.path, each.query, each.json])).toEqual([
      ['POST', '/api/colors/batch', {}, [{ name: 'Red' }]],
      ['POST', '/api/colors/batch', { upsertBy: 'federatedId' }, [{ federatedId: 'r' }]],
      ['PUT', '/api/colors/batch', {}, [{ id: 'c1', name: 'Red' }]],
      ['DELETE', '/api/colors/batch', {}, ['c1', 'c2']],
    ])
  })

  it('lists all, page by page, also past a short and an empty page', async () => {
    const pages: Record<string, { results: { id: string }[]; nextPageKey: string | null }> = {
      '': { results: [{ id: '1' }, { id: '2' }], nextPageKey: 'p2' },
      p2: { results: [], nextPageKey: 'p3' },
      p3: { results: [{ id: '3' }], nextPageKey: null },
    }
    const server = await fakeServer(asked => ({ json: pages[asked.query.nextPageKey ?? ''] }))
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const seen: string[] = []
    const criteria = { roles: 'option' }
    for await (const each of client.entities.listAll({ entityName: 'item', queryParams: { limit: 2, criteria } })) {
      seen.push(each.id)
    }
    expect(seen).toEqual(['1', '2', '3'])
    for (const each of server.asked) expect(each.query).toMatchObject({ limit: '2', criteria: '{"roles":"option"}' })
  })

  it('N71 reads on past pages that the service could not fill, up to the limit and no further', async () => {
    const pages: Record<string, object> = {
      '': { results: [{ id: '1' }], nextPageKey: 'p2', isPartial: true },
      p2: { results: [], nextPageKey: 'p3', isPartial: true },
      p3: { results: [{ id: '2' }, { id: '3' }], nextPageKey: 'p4' },
    }
    const server = await fakeServer(asked => ({ json: pages[asked.query.nextPageKey ?? ''] }))
    const { entities } = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const queryParams = { limit: 3, criteria: { price: 5 } }
    expect(await entities.list({ entityName: 'item', queryParams })).toEqual({
      results: [{ id: '1' }, { id: '2' }, { id: '3' }],
      nextPageKey: 'p4',
    })
    expect(server.asked.map(each => each.query.limit)).toEqual(['3', '2', '2'])
    for (const each of server.asked) expect(each.query.criteria).toBe('{"price":5}')
  })

  it('N71 leaves a full page, and one at the end, as they are', async () => {
    const server = await fakeServer(() => ({ json: { results: [{ id: '1' }], nextPageKey: 'p2' } }))
    const { entities } = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    expect((await entities.list({ entityName: 'item', queryParams: { limit: 1 } })).nextPageKey).toBe('p2')
    expect(server.asked).toHaveLength(1)
  })

  it('asks for no further page once the caller has left the loop', async () => {
    const server = await fakeServer(() => ({ json: { results: [{ id: '1' }], nextPageKey: 'more' } }))
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    for await (const _each of client.entities.listAll({ entityName: 'item' })) break
    expect(server.asked).toHaveLength(1)
  })
})

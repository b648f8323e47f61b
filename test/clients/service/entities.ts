// Entities, history, types and the operator through the client, against the real service.

import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError, type Client, login, Operator } from '../../../src/clients/typescript/index.ts'
import { newOrg, type Service } from './start.ts'

export function entities(started: () => Service): void {
  let service: Service
  let client: Client
  beforeAll(async () => {
    service = started()
    client = await newOrg(service, 'entities')
  })

  describe('the client against the service', () => {
    it('refuses a wrong key at login with 401', async () => {
      const wrong = login({ ...service.key, apiKey: 'app:wrong' })
      await expect(wrong).rejects.toMatchObject({ status: 401, code: 'unauthorized' })
      await expect(wrong).rejects.toBeInstanceOf(ApiError)
      await expect(login({ ...service.key, orgSlug: 'other' })).rejects.toMatchObject({ status: 401 })
    })

    it('creates, gets, lists, updates and deletes', async () => {
      const entityName = 'color'
      const made = await client.entities.create({
        entityName,
        object: { name: 'Rust', federatedId: 'rust', tone: 'warm' },
      })
      expect(made).toMatchObject({ name: 'Rust', typePath: 'color', version: 1, tone: 'warm' })
      expect(await client.entities.get({ entityName, id: made.id })).toEqual(made)
      const changed = await client.entities.update({ entityName, id: made.id, body: { tone: null }, ifMatch: 1 })
      expect(changed.version).toBe(2)
      await expect(
        client.entities.update({ entityName, id: made.id, body: { tone: 'cold' }, ifMatch: 1 }),
      ).rejects.toMatchObject({ status: 412 })
      const page = await client.entities.list({ entityName, queryParams: { criteria: { federatedId: 'rust' } } })
      expect(page.results.map(each => each.id)).toEqual([made.id])
      await client.entities.delete({ entityName, id: made.id })
      await expect(client.entities.get({ entityName, id: made.id })).rejects.toMatchObject({
        status: 404,
        code: 'not_found',
      })
    })

    it('lists all over several pages, in the order asked for', async () => {
      for (let n = 0; n < 5; n++) {
        await client.entities.create({
          entityName: 'custom-entity',
          object: { name: `Page ${n}`, typePath: 'custom-entity:p' },
        })
      }
      const names: unknown[] = []
      const order = { orderField: 'name', order: 'desc' } as const
      const criteria = { typePath: 'custom-entity:p' }
      for await (const each of client.entities.listAll({
        entityName: 'custom-entity',
        queryParams: { limit: 2, order, criteria },
      })) {
        names.push(each.name)
      }
      expect(names).toEqual(['Page 4', 'Page 3', 'Page 2', 'Page 1', 'Page 0'])
    })

    it('names every fault of an invalid input', async () => {
      const bad = client.entities.create({
        entityName: 'item',
        object: { name: 'x'.repeat(5000), typePath: 'color:x' },
      })
      const error = await bad.catch(reason => reason)
      expect(error).toMatchObject({ status: 400, code: 'invalid_input' })
      expect(error.errors.map((each: { path: string }) => each.path).sort()).toEqual(['/name', '/typePath'])
      expect(error.requestId).toBeTruthy()
    })

    it('writes batches whole or not at all', async () => {
      const objects = Array.from({ length: 300 }, (_, n) => ({ name: `Batch ${n}`, federatedId: `batch-${n}` }))
      const { results } = await client.entities.createBatch({ entityName: 'item', objects })
      expect(results).toHaveLength(300)
      const [first] = results
      const again = await client.entities.upsertBatch({
        entityName: 'item',
        objects: [{ federatedId: 'batch-0', name: 'Renamed' }, { federatedId: 'batch-300' }],
      })
      expect(again.results[0]).toMatchObject({ id: first?.id, name: 'Renamed', version: 2 })
      const twice = client.entities.createBatch({
        entityName: 'item',
        objects: [{ name: 'new' }, { federatedId: 'batch-1' }],
      })
      await expect(twice).rejects.toMatchObject({ status: 409, errors: [{ path: '/1/federatedId' }] })
      const changes = results.slice(0, 2).map(({ id }) => ({ id, season: 'SS27' }))
      await client.entities.updateBatch({ entityName: 'item', objects: changes })
      await client.entities.deleteBatch({ entityName: 'item', ids: results.map(each => each.id) })
      const rest = await client.entities.list({ entityName: 'item', queryParams: { criteria: { season: 'SS27' } } })
      expect(rest.results).toEqual([])
    })

    it('repeats a create under the same idempotency key without a second entity', async () => {
      const create = () =>
        client.entities.create({ entityName: 'color', object: { name: 'Once' }, idempotencyKey: 'key-of-this-test' })
      const [one, two] = [await create(), await create()]
      expect(two).toEqual(one)
    })

    it('polls changes from now on, each once, also while others write (N25)', async () => {
      const seen: string[] = []
      const keys: string[] = []
      const write = async () => {
        for (let n = 0; n < 20; n++)
          await client.entities.create({ entityName: 'color', object: { name: `Poll ${n}` } })
      }
      let writing: Promise<void> | undefined
      const onSyncKey = (key: string) => {
        keys.push(key)
        writing ??= write()
      }
      const poll = client.changes.poll({ criteria: { entityType: 'color' }, onSyncKey, intervalMs: 50, limit: 3 })
      for await (const change of poll) {
        seen.push(String(change.changes.name?.newValue))
        if (seen.length === 20) break
      }
      await writing
      expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => `Poll ${n}`))
      const { results } = await client.changes.list({ after: keys.at(-1) ?? '', criteria: { entityType: 'color' } })
      expect(results.length).toBeLessThan(20)
      const all = client.changes.listAll({ criteria: { entityType: ['color'] }, limit: 7 })
      const references = []
      for await (const each of all) references.push(each.id)
      expect(new Set(references).size).toBe(references.length)
    })

    it('describes types and shows what they inherit', async () => {
      const properties = [{ slug: 'price', label: 'Price', propertyType: 'currency' }]
      await client.entities.create({ entityName: 'type', object: { typePath: 'item', label: 'Item', properties } })
      await client.entities.create({
        entityName: 'type',
        object: { typePath: 'item:shoe', label: 'Shoe', properties: [] },
      })
      const type = await client.types.get({ typePath: 'item:shoe' })
      expect(type.properties).toMatchObject([{ slug: 'price', inheritedFrom: 'item' }])
      expect((await client.types.list()).entityTypes.map(each => each.rootTypePath)).toContain('color')
      const wrong = client.entities.create({ entityName: 'item', object: { typePath: 'item:shoe', price: 'dear' } })
      await expect(wrong).rejects.toMatchObject({ status: 400, errors: [{ path: '/price' }] })
    })

    it('lets the operator make an organization, keys and tokens, and shut it', async () => {
      const operator = new Operator(service.operator)
      await operator.createOrg({
        slug: 'acme',
        name: 'Acme',
        admin: { email: 'a@acme.example', password: 'long enough 1' },
      })
      const { key, id } = await operator.createKey({ slug: 'acme', name: 'erp', scope: 'read' })
      const acme = await login({ ...service.key, orgSlug: 'acme', apiKey: key })
      await expect(acme.entities.create({ entityName: 'item', object: {} })).rejects.toMatchObject({ status: 403 })
      expect((await operator.listKeys({ slug: 'acme' })).results).toMatchObject([{ id, name: 'erp', scope: 'read' }])
      const { accessToken } = await operator.createToken({ slug: 'acme', name: 'callback', ttlSeconds: 60 })
      await login({ baseUrl: service.key.baseUrl, accessToken })
      await operator.updateOrg({ slug: 'acme', change: { suspended: true } })
      await expect(login({ ...service.key, orgSlug: 'acme', apiKey: key })).rejects.toMatchObject({ status: 403 })
      const lines = (await operator.backups.pages({ slug: 'acme' })).trim().split('\n')
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ slug: 'acme' })
      await operator.deleteOrg({ slug: 'acme' })
      await expect(operator.getOrg({ slug: 'acme' })).rejects.toMatchObject({ status: 404 })
      await expect(new Operator({ ...service.operator, operatorKey: 'wrong' }).listOrgs()).rejects.toMatchObject({
        status: 401,
      })
    })
  })
}

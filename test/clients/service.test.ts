import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError, type Client, login, Operator } from '../../src/clients/typescript/index.ts'
import { type Service, startService } from './service.ts'

let service: Service
let client: Client

beforeAll(async () => {
  service = await startService(9701)
  client = await login(service.key)
}, 120_000)

afterAll(() => service?.stop())

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
    const bad = client.entities.create({ entityName: 'item', object: { name: 'x'.repeat(5000), typePath: 'color:x' } })
    const error = await bad.catch(reason => reason)
    expect(error).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(error.errors.map((each: { path: string }) => each.path).sort()).toEqual(['/name', '/typePath'])
    expect(error.requestId).toBeTruthy()
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
    const lines = (await (await operator.exportOrg({ slug: 'acme' })).text()).trim().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ slug: 'acme' })
    await operator.deleteOrg({ slug: 'acme' })
    await expect(operator.getOrg({ slug: 'acme' })).rejects.toMatchObject({ status: 404 })
    await expect(new Operator({ ...service.operator, operatorKey: 'wrong' }).listOrgs()).rejects.toMatchObject({
      status: 401,
    })
  })
})

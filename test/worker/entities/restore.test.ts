// An earlier version comes back as an ordinary write (N52), under the same checks as every other (N65).
import { describe, expect, it, vi } from 'vitest'
import * as entities from '../../../src/features/entities/service.ts'
import { env, type Json, newOrg, operator, recordsOf, type TestOrg } from '../api.ts'

const restore = (org: TestOrg, path: string, body: Json, headers: Record<string, string> = {}) =>
  org.call('POST', `${path}/restore`, { body, headers })

async function changed(org: TestOrg) {
  const item = await org.make('/items', { name: 'One', price: 1, tags: ['a'], nested: { b: 2, a: [null] } })
  const path = `/items/${item.id}`
  await org.put(path, { name: 'Two', price: null, size: 'L' })
  await org.put(path, { name: 'Three', nested: { a: 1 } })
  return { item, path }
}

const own = ({ id: _, orgId: __, createdOn: ___, updatedOn: ____, createdById, updatedById, version, ...rest }: Json) =>
  rest

describe('a living entity (N52)', () => {
  it('gets back every version exactly, each as a new one with its record', async () => {
    const org = await newOrg()
    const { item, path } = await changed(org)
    const back = await restore(org, path, { version: 1 })
    expect(back.status).toBe(200)
    expect(own(back.body)).toEqual(own(item))
    expect(back.body).toMatchObject({ id: item.id, version: 4, createdOn: item.createdOn })
    expect(back.headers.get('ETag')).toBe('"4"')
    expect((await recordsOf(item.id)).at(-1)).toMatchObject({
      change_type: 'update',
      version: 4,
      detail: { name: { oldValue: 'Three', newValue: 'One' }, size: { oldValue: 'L', newValue: null } },
    })
    expect(own((await restore(org, path, { version: 2 })).body)).toMatchObject({ name: 'Two', size: 'L', tags: ['a'] })
    expect((await org.get(path)).body.price).toBeUndefined()
    expect(own((await restore(org, path, { version: 3 })).body)).toMatchObject({ name: 'Three', nested: { a: 1 } })
  })

  it('changes nothing where it has that state already', async () => {
    const org = await newOrg()
    const { path } = await changed(org)
    expect(await restore(org, path, { version: 3 })).toMatchObject({ status: 200, body: { version: 3 } })
    await restore(org, path, { version: 1 })
    expect(await restore(org, path, { version: 1 })).toMatchObject({ status: 200, body: { version: 4 } })
  })

  it('gets back single properties, and says which there are not', async () => {
    const org = await newOrg()
    const { path } = await changed(org)
    const back = await restore(org, path, { version: 1, properties: ['price', 'size'] })
    expect(back.body).toMatchObject({ name: 'Three', price: 1, nested: { a: 1 } })
    expect(back.body.size).toBeUndefined()
    const wrong = await restore(org, path, { version: 1, properties: ['prize', 'id'] })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect((wrong.body.errors as Json[]).map(error => error.path)).toEqual(['/properties/0', '/properties/1'])
  })

  it('heeds If-Match, and a repeat under one key is answered once', async () => {
    const org = await newOrg()
    const { item, path } = await changed(org)
    expect(await restore(org, path, { version: 1 }, { 'If-Match': '"2"' })).toMatchObject({ status: 412 })
    const headers = { 'If-Match': '"3"', 'Idempotency-Key': 'again' }
    const first = await restore(org, path, { version: 1 }, headers)
    expect(first.status).toBe(200)
    await org.put(path, { name: 'Later' })
    expect((await restore(org, path, { version: 1 }, headers)).body).toEqual(first.body)
    expect((await restore(org, path, { version: 2 }, headers)).body.code).toBe('idempotency_key_reused')
    expect(await recordsOf(item.id)).toHaveLength(5)
  })

  it('survives others who write at the same time', async () => {
    const org = await newOrg()
    const { path } = await changed(org)
    const puts = Array.from({ length: 5 }, (_, at) => org.put(path, { [`by${at}`]: at }))
    const [back] = await Promise.all([restore(org, path, { version: 1, properties: ['name'] }), ...puts])
    expect(back?.status).toBe(200)
    expect((await org.get(path)).body).toMatchObject({ name: 'One', by0: 0, by4: 4 })
  })

  it('takes back what another writes between its look at the entity and its commit', async () => {
    const org = await newOrg()
    const { item, path } = await changed(org)
    const { updateEntity } = entities
    const meanwhile = vi.spyOn(entities, 'updateEntity').mockImplementationOnce(async (...given) => {
      await org.put(path, { late: true, price: 9 })
      return updateEntity(...given)
    })
    const back = await restore(org, path, { version: 1 })
    meanwhile.mockRestore()
    expect(back).toMatchObject({ status: 200, body: { version: 5, price: 1 } })
    expect(own(back.body)).toEqual(own(item))
    expect(own((await org.get(path)).body)).toEqual(own(item))
  })

  it.each([
    [{ version: 9 }, 404],
    [{ version: 0 }, 400],
    [{}, 400],
    [{ version: 1, extra: true }, 400],
    [{ version: 1, properties: [] }, 400],
  ])('refuses %j with %i', async (body, status) => {
    const org = await newOrg()
    const { path } = await changed(org)
    expect((await restore(org, path, body)).status).toBe(status)
  })
})

describe('a deleted entity (N52)', () => {
  it('returns under its id with its references, and counts on', async () => {
    const org = await newOrg()
    const family = await org.make('/items', { name: 'Family', roles: ['family'] })
    const option = await org.make('/items', { itemFamilyId: family.id, federatedId: 'O-1', optionName: 'red' })
    await org.delete(`/items/${option.id}`)
    expect((await restore(org, `/items/${option.id}`, { version: 2 })).status).toBe(404)
    expect((await restore(org, `/items/${option.id}`, { version: 1 }, { 'If-Match': '"1"' })).status).toBe(412)
    expect((await restore(org, `/items/${option.id}`, { version: 1, properties: ['name'] })).status).toBe(400)
    const back = await restore(org, `/items/${option.id}`, { version: 1 })
    expect(back).toMatchObject({ status: 200, body: { id: option.id, version: 3, itemFamilyId: family.id } })
    expect(own(back.body)).toEqual(own(option))
    expect((await recordsOf(option.id)).map(({ change_type, version }) => [change_type, version])).toEqual([
      ['create', 1],
      ['delete', 2],
      ['create', 3],
    ])
    expect((await org.get('/items', { criteria: { itemFamilyId: family.id } })).body.results).toHaveLength(1)
    expect((await org.delete(`/items/${family.id}`)).body.code).toBe('in_use')
  })

  it('returns as any of its versions, after it has returned before as well', async () => {
    const org = await newOrg()
    const { item, path } = await changed(org)
    await org.delete(path)
    expect((await restore(org, path, { version: 2 })).body).toMatchObject({ name: 'Two', version: 5 })
    expect((await restore(org, path, { version: 3 })).body).toMatchObject({ name: 'Three', version: 6 })
    await org.delete(path)
    expect(own((await restore(org, path, { version: 1 })).body)).toEqual(own(item))
    expect((await restore(org, path, { version: 7 })).body).toMatchObject({ status: 404 })
  })

  it('is refused where its key is taken, and says by whom', async () => {
    const org = await newOrg()
    const was = await org.make('/items', { name: 'Was', federatedId: 'F-1' })
    await org.delete(`/items/${was.id}`)
    const is = await org.make('/items', { name: 'Is', federatedId: 'F-1' })
    const taken = await restore(org, `/items/${was.id}`, { version: 1 })
    expect(taken).toMatchObject({ status: 409, body: { code: 'duplicate', heldBy: is.id } })
    expect(taken.body.detail).toContain(is.id)
    await org.put(`/items/${is.id}`, { federatedId: 'F-2' })
    expect((await restore(org, `/items/${was.id}`, { version: 1 })).status).toBe(200)
    expect((await restore(org, `/items/${is.id}`, { version: 1 })).body).toMatchObject({ heldBy: was.id })
  })

  it('is refused where the pair that it stands for is there again', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'I' })
    const project = await org.make('/projects', { name: 'P' })
    const pair = { itemId: item.id, projectId: project.id }
    const was = await org.make('/project-items', pair)
    await org.delete(`/project-items/${was.id}`)
    const is = await org.make('/project-items', pair)
    expect(await restore(org, `/project-items/${was.id}`, { version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'duplicate', heldBy: is.id },
    })
  })

  it('is refused where what it refers to is gone, and names it', async () => {
    const org = await newOrg()
    const family = await org.make('/items', { name: 'Family' })
    const option = await org.make('/items', { itemFamilyId: family.id })
    await org.delete(`/items/${option.id}`)
    await org.delete(`/items/${family.id}`)
    const refused = await restore(org, `/items/${option.id}`, { version: 1 })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(refused.body.errors).toEqual([
      { path: '/itemFamilyId', message: expect.stringContaining(family.id) as string },
    ])
    await restore(org, `/items/${family.id}`, { version: 1 })
    expect((await restore(org, `/items/${option.id}`, { version: 1 })).status).toBe(200)
  })
})

describe('what an earlier version is held against (N65)', () => {
  it('the types as they are now: 400 that names the properties', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'I', size: 'large', season: 'old' })
    await org.put(`/items/${item.id}`, { size: null, season: null })
    await org.make('/types', {
      typePath: 'item',
      properties: [
        { slug: 'size', propertyType: 'number' },
        { slug: 'season', propertyType: 'choice', options: ['SS27'] },
      ],
    })
    const refused = await restore(org, `/items/${item.id}`, { version: 1 })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect((refused.body.errors as Json[]).map(({ path }) => path).sort()).toEqual(['/season', '/size'])
    await org.delete(`/items/${item.id}`)
    expect((await restore(org, `/items/${item.id}`, { version: 1 })).status).toBe(400)
    expect((await restore(org, `/items/${item.id}`, { version: 2 })).status).toBe(200)
  })

  it('types themselves, by path and, once deleted, by id', async () => {
    const org = await newOrg()
    const type = await org.make('/types', { typePath: 'item:shirt', label: 'Shirt', properties: [] })
    await org.put('/types/item:shirt', { label: 'Blouse' })
    expect((await restore(org, '/types/item:shirt', { version: 1 })).body).toMatchObject({ label: 'Shirt' })
    await org.delete('/types/item:shirt')
    expect((await restore(org, `/types/${type.id}`, { version: 2 })).body).toMatchObject({ label: 'Blouse' })
  })

  it('a webhook changes back but does not return: its secret is not in the history', async () => {
    const org = await newOrg()
    const { body: webhook } = await org.post('/webhooks', { name: 'Orders' })
    await org.put(`/webhooks/${webhook.id}`, { name: 'Returns' })
    expect((await restore(org, `/webhooks/${webhook.id}`, { version: 1 })).body.name).toBe('Orders')
    await org.delete(`/webhooks/${webhook.id}`)
    expect(await restore(org, `/webhooks/${webhook.id}`, { version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })

  it('versions that the retention has swept are not kept, and it says so', async () => {
    const org = await newOrg()
    const { item, path } = await changed(org)
    await env.DB.prepare('DELETE FROM changes WHERE entity_id = ? AND version < 3').bind(item.id).run()
    expect((await restore(org, path, { version: 1 })).body.detail).toContain('without a change record')
    await env.DB.prepare('UPDATE clocks SET history_floor = 1 WHERE org_id = ?').bind(org.id).run()
    const gone = await restore(org, path, { version: 1 })
    expect(gone).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(gone.body.detail).toContain('limited time')
    expect((await restore(org, path, { version: 2 })).status).toBe(200)
  })

  it('organizations are walls, and a read key reads', async () => {
    const org = await newOrg()
    const { path } = await changed(org)
    const stranger = await newOrg()
    expect((await restore(stranger, path, { version: 1 })).status).toBe(404)
    const issued = await operator<{ key: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'r', scope: 'read' })
    const headers = { 'X-Api-Key': issued.body.key }
    expect((await restore(org, path, { version: 1 }, headers)).status).toBe(403)
  })
})

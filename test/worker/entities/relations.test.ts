import { beforeAll, describe, expect, it } from 'vitest'
import { planOf } from '../../../src/features/entities/criteria.ts'
import { parseRelations } from '../../../src/features/entities/relations.ts'
import { readPage } from '../../../src/features/entities/store.ts'
import { kindNamed } from '../../../src/kinds.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'

type Made = Json & { id: string }
let org: TestOrg
let family: Made
let option: Made
let project: Made
let projectItem: Made
let assortment: Made
let composite: Made
let member: Made

beforeAll(async () => {
  org = await newOrg()
  family = await org.make('/items', { name: 'family' })
  option = await org.make('/items', { name: 'option', itemFamilyId: family.id })
  project = await org.make('/projects', { name: 'project' })
  const workspace = await org.make('/workspaces', { projectId: project.id })
  projectItem = await org.make('/project-items', { itemId: option.id, projectId: project.id })
  assortment = await org.make('/assortments', { workspaceId: workspace.id })
  composite = await org.make('/assortments', { memberAssortmentIds: [assortment.id] })
  member = await org.make('/assortment-items', {
    itemId: option.id,
    assortmentId: assortment.id,
    projectItemId: projectItem.id,
  })
})

describe('relations', () => {
  it('N16 add the entity beside its id, one to three deep', async () => {
    const relations = 'item,item.itemFamily,assortment.workspace.project,projectItem.item.itemFamily'
    const { body } = await org.get(`/assortment-items/${member.id}`, { relations })
    expect(body).toMatchObject({
      ...member,
      item: { ...option, itemFamily: family },
      assortment: { id: assortment.id, workspace: { project } },
      projectItem: { id: projectItem.id, item: { id: option.id, itemFamily: family } },
    })
    const list = await org.get('/assortment-items', { relations })
    expect(list.body.results).toEqual([body])
  })

  it('N16 follow lists of ids', async () => {
    const { body } = await org.get('/assortments', { relations: 'memberAssortments.workspace' })
    const found = body.results?.find(entity => entity.id === composite.id)
    expect(found?.memberAssortments).toMatchObject([{ id: assortment.id, workspace: { projectId: project.id } }])
  })

  it('N16 are null where the reference is absent or its entity is gone', async () => {
    const { body } = await org.get(`/items/${family.id}`, { relations: 'itemFamily' })
    expect(body.itemFamily).toBeNull()
    const gone = await org.make('/items', { itemFamilyId: family.id })
    await env.DB.prepare(`UPDATE entities SET data = json_set(data, '$.itemFamilyId', 'gone') WHERE id = ?`)
      .bind(gone.id)
      .run()
    expect((await org.get(`/items/${gone.id}`, { relations: 'itemFamily.itemFamily' })).body.itemFamily).toBeNull()
    await org.delete(`/items/${gone.id}`)
  })

  it('never reach into another organization', async () => {
    const other = await newOrg()
    const foreign = await other.make('/items', { name: 'secret' })
    const mine = await org.make('/items', { itemFamilyId: family.id })
    await env.DB.prepare(`UPDATE entities SET data = json_set(data, '$.itemFamilyId', ?) WHERE id = ?`)
      .bind(foreign.id, mine.id)
      .run()
    const { body } = await org.get(`/items/${mine.id}`, { relations: 'itemFamily' })
    expect(body.itemFamily).toBeNull()
    await org.delete(`/items/${mine.id}`)
  })

  it('sent back in a body are ignored', async () => {
    const { body } = await org.get(`/assortment-items/${member.id}`, { relations: 'item' })
    const sent = await org.put(`/assortment-items/${member.id}`, body)
    expect(sent.body).toEqual(member)
  })

  it('N15 have no 304, because what stands beside an entity changes without its version', async () => {
    const headers = { 'If-None-Match': '"1"' }
    expect((await org.call('GET', `/items/${option.id}`, { headers })).status).toBe(304)
    expect((await org.call('GET', `/items/${option.id}?relations=itemFamily`, { headers })).status).toBe(200)
  })

  it.each(['item,', ' item , item.itemFamily '])('take %j with its spaces', async relations => {
    expect((await org.get('/assortment-items', { relations })).status).toBe(200)
  })

  it('are bounded in number and in what they add up to', async () => {
    const many = [
      'item',
      'assortment',
      'projectItem',
      'item.itemFamily',
      'item.itemFamily.itemFamily',
      'assortment.workspace',
      'assortment.workspace.project',
      'projectItem.item',
      'projectItem.project',
      'projectItem.item.itemFamily',
      'assortment.memberAssortments',
    ]
    expect((await org.get('/assortment-items', { relations: many.join(',') })).status).toBe(400)

    const wide = await newOrg()
    let members: unknown[] = []
    for (const name of ['d', 'c', 'b', 'a']) {
      const layer = Array.from({ length: 40 }, () => ({ name, memberAssortmentIds: members }))
      const made = await wide.post('/assortments/batch', layer)
      expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(201)
      members = made.body.results?.map(entity => entity.id) ?? []
    }
    const relations = 'memberAssortments.memberAssortments.memberAssortments'
    const answer = await wide.get('/assortments', { criteria: '{"name":"a"}', relations, limit: 40 })
    expect([answer.status, answer.body.code]).toEqual([413, 'too_large'])
    expect((await wide.get('/assortments', { relations: 'memberAssortments', limit: 10 })).status).toBe(200)
  })

  it('N77 read sizes before values, with one bound over all relations together', async () => {
    const org = await newOrg()
    const text = 'x'.repeat(500_000)
    const make = async (path: string, bodies: Json[]) =>
      ((await org.post(`/${path}/batch`, bodies)).body.results ?? []) as Made[]
    const large = (count: number, body: (at: number) => Json = () => ({})) =>
      Array.from({ length: count }, (_, at) => ({ ...body(at), text }))
    const items: Made[] = []
    for (let family = 0; family < 4; family++) {
      const [made] = await make('items', large(1))
      items.push(
        ...(await make(
          'items',
          large(3, () => ({ itemFamilyId: made?.id })),
        )),
      )
    }
    const [project] = await make('projects', large(1))
    const projectItems = (
      await Promise.all(
        items.map(item =>
          make(
            'project-items',
            large(1, () => ({ itemId: item.id, projectId: project?.id })),
          ),
        ),
      )
    ).flat()
    const [assortment] = await make('assortments', large(1))
    await make(
      'assortment-items',
      projectItems.map(({ id, itemId }) => ({ itemId, assortmentId: assortment?.id, projectItemId: id })),
    )
    const all = ['item', 'item.itemFamily', 'assortment', 'projectItem', 'projectItem.item', 'projectItem.project']
    const db = databaseFor(env, org.id)
    const batch = db.batch.bind(db)
    const bytes: number[] = []
    db.batch = async statements => {
      const results = await batch(statements)
      bytes.push(JSON.stringify(results).length)
      return results
    }
    const kind = kindNamed('assortment-item')
    const query = { orgId: org.id, kind, plan: planOf(kind, {}), after: undefined, limit: 100 }
    await expect(readPage(db, query, parseRelations(kind, all.join()))).rejects.toMatchObject({ code: 'too_large' })
    expect(Math.max(...bytes)).toBeLessThan(1_000_000)
    expect((await org.get('/assortment-items', { relations: all.join() })).status).toBe(413)
    const few = await org.get('/assortment-items', { relations: all.join(), limit: 2 })
    expect(few.status).toBe(200)
    expect(few.body.results?.[0]).toMatchObject({ item: { itemFamily: { text } }, projectItem: { project: { text } } })
  })
})

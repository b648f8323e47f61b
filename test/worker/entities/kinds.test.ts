// Every entity type of the table through every operation that it has.
import { describe, expect, it } from 'vitest'
import { shapes } from '../../../src/features/entities/shapes.ts'
import { KINDS } from '../../../src/kinds.ts'
import { type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'

/** What a create of the type needs, made in the organization; the rest of the types need nothing. */
const REQUIRED: Record<string, (org: TestOrg) => Promise<Json>> = {
  'project-item': async org => ({
    itemId: (await org.make('/items')).id,
    projectId: (await org.make('/projects')).id,
  }),
  'assortment-item': async org => ({
    itemId: (await org.make('/items')).id,
    assortmentId: (await org.make('/assortments')).id,
  }),
  type: async () => ({ typePath: `item:${crypto.randomUUID().slice(0, 8)}` }),
}

const requiredOf = async (org: TestOrg, name: string): Promise<Json> => (await REQUIRED[name]?.(org)) ?? {}

const writable = KINDS.filter(kind => kind.operations.includes('create') && kind.operations.includes('delete'))

describe.each(writable.map(kind => [kind.name, kind] as const))('%s', (name, kind) => {
  it('is created, read, listed, changed and deleted, each with its change record', async () => {
    const org = await newOrg()
    const required = await requiredOf(org, name)
    const created = await org.post(`/${kind.path}`, {
      ...required,
      name: 'Größe "1"',
      federatedId: 'F 1',
      own: { a: [1] },
    })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const { id } = created.body as { id: string }
    expect(id).toMatch(/^[A-Za-z0-9_-]{16}$/)
    expect(created.body).toMatchObject({
      ...required,
      orgId: org.id,
      name: 'Größe "1"',
      federatedId: 'F 1',
      own: { a: [1] },
      version: 1,
      typePath: required.typePath ?? name,
    })
    expect(created.body.createdOn).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(created.body.createdById).toBe(created.body.updatedById)

    const got = await org.get(`/${kind.path}/${id}`)
    expect(got.status).toBe(200)
    expect(got.body).toMatchObject(created.body)
    // A resolved type also changes with its parents (N67).
    expect(got.headers.get('ETag')).toMatch(/^"1(-[\w-]+)?"$/)

    const listed = await org.get(`/${kind.path}`)
    expect(listed.body).toMatchObject({ results: [created.body], nextPageKey: null })

    const changed = await org.put(`/${kind.path}/${id}`, { name: 'b', own: null })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect(changed.headers.get('ETag')).toBe('"2"')
    expect(changed.body).toMatchObject({ ...required, name: 'b', version: 2 })
    expect(changed.body).not.toHaveProperty('own')

    const deleted = await org.delete(`/${kind.path}/${id}`)
    expect([deleted.status, deleted.body]).toEqual([204, ''])
    expect((await org.get(`/${kind.path}/${id}`)).status).toBe(404)
    expect((await org.get(`/${kind.path}`)).body.results).toEqual([])
    expect((await org.delete(`/${kind.path}/${id}`)).status).toBe(404)

    const records = await recordsOf(id)
    expect(records.map(record => [record.change_type, record.version])).toEqual(
      kind.recorded
        ? [
            ['create', 1],
            ['update', 2],
            ['delete', 3],
          ]
        : [],
    )
  })

  it('takes an empty body where nothing is required, and names everything that is missing', async () => {
    const org = await newOrg()
    const answer = await org.post(`/${kind.path}`, {})
    const missing = Object.keys(await requiredOf(org, name))
    if (missing.length === 0) expect(answer.status).toBe(201)
    else {
      expect(answer.status).toBe(400)
      expect((answer.body.errors as Json[]).map(error => error.path).sort()).toEqual(
        missing.map(field => `/${field}`).sort(),
      )
    }
  })

  it('keeps its shape and its one entity when an upsert sends null for each field that may be null', async () => {
    const org = await newOrg()
    const body = { ...(await requiredOf(org, name)), federatedId: 'F', ...(name !== 'type' && { typePath: null }) }
    const first = await org.post(`/${kind.path}/batch?upsertBy=federatedId`, [body])
    expect(first.status, JSON.stringify(first.body)).toBe(201)
    const nulls = Object.fromEntries(['name', 'identifier', ...Object.keys(kind.fields)].map(field => [field, null]))
    const again = await org.post(`/${kind.path}/batch?upsertBy=federatedId`, [{ ...nulls, ...body }])
    expect(again.status, JSON.stringify(again.body)).toBe(201)
    for (const { body } of [first, again]) shapes(kind).written.parse(body)
    const { results } = (await org.get(`/${kind.path}`)).body
    expect(results).toHaveLength(1)
    expect(results).toMatchObject([{ typePath: first.body.results?.[0]?.typePath }])
  })

  it('N2 answers under its singular name and with a trailing slash', async () => {
    const org = await newOrg()
    const { id } = await org.make(`/${kind.name}/`, { ...(await requiredOf(org, name)) })
    expect((await org.get(`/${kind.name}/${id}`)).body.id).toBe(id)
    expect((await org.get(`/${kind.name}/${id}/`)).body.id).toBe(id)
    expect((await org.get(`/${kind.path}/${id}/`)).body.id).toBe(id)
    expect((await org.get(`/${kind.name}`)).body.results).toHaveLength(1)
  })

  it('gives one 404 for missing, foreign and wrong-type entities, and changes nothing', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const foreign = await other.make(`/${kind.path}`, { ...(await requiredOf(other, name)) })
    const wrongPath = kind.path === 'projects' ? '/colors' : '/projects'
    const wrongType = await org.make(wrongPath, { name: 'wrong' })
    for (const id of [foreign.id, wrongType.id, 'AAAAAAAAAAAAAAAA', 'x', `${'y'.repeat(2000)}`, "';--", '%00', '%ff']) {
      const path = `/${kind.path}/${id.startsWith('%') ? id : encodeURIComponent(id)}`
      const answers = [await org.get(path), await org.put(path, { name: 'mine' }), await org.delete(path)]
      for (const answer of answers) {
        expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
          404,
          'not_found',
          'There is no such entity.',
        ])
        expect(answer.body).not.toHaveProperty('errors')
      }
    }
    expect((await other.get(`/${kind.path}/${foreign.id}`)).body).toMatchObject(foreign)
    expect((await org.get(`${wrongPath}/${wrongType.id}`)).body).toEqual(wrongType)
  })
})

describe('types that only a feature writes', () => {
  it.each(KINDS.filter(kind => !kind.operations.includes('create')).map(kind => kind.path))(
    '%s can be listed, and a missing one is 404',
    async path => {
      const org = await newOrg()
      expect((await org.get(`/${path}`)).body).toEqual({ results: [], nextPageKey: null })
      expect((await org.get(`/${path}/AAAAAAAAAAAAAAAA`)).status).toBe(404)
    },
  )
})

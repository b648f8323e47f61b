// Views of lists that are saved for everybody of an organization.
import { expect, it } from 'vitest'
import { VIEW_MAX_LENGTH } from '../../../src/platform/limits.ts'
import { newOrg } from '../api.ts'

const view = { entityName: 'item', name: 'Open', criteria: '{"season":"SS27"}', order: 'name.asc', columns: 'name' }

it('N46 a view is saved for all under its name, renewed under the same, and kept from other organizations', async () => {
  const [org, other] = [await newOrg(), await newOrg()]
  const save = (more: object) =>
    org.post<{ results: { id: string }[] }>('/saved-views/batch?upsertBy=federatedId', [
      { ...view, federatedId: 'items/Open', ...more },
    ])
  const first = await save({})
  expect(first.status).toBe(201)
  const again = await save({ order: 'name.desc' })
  const id = again.body.results[0]?.id
  expect(id).toBe(first.body.results[0]?.id)
  const listed = await org.get('/saved-views', { criteria: { entityName: 'item' } })
  expect(listed.body.results).toMatchObject([{ ...view, order: 'name.desc', version: 2 }])
  expect((await other.get('/saved-views')).body.results).toEqual([])
  expect((await other.get(`/saved-views/${id}`)).status).toBe(404)
})

it('N46 a view holds texts of a bounded length', async () => {
  const org = await newOrg()
  for (const name of ['criteria', 'columns']) {
    const long = await org.post('/saved-views', { ...view, [name]: 'x'.repeat(VIEW_MAX_LENGTH + 1) })
    expect(long.status).toBe(400)
    expect(long.body).toMatchObject({ errors: [{ path: `/${name}` }] })
  }
  expect((await org.post('/saved-views', { ...view, order: { field: 'name' } })).status).toBe(400)
})

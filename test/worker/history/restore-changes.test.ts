// Whatever changes fit are taken back (N52): "everything that this key changed since ten o'clock".
import { describe, expect, it } from 'vitest'
import { env, type Json, newOrg, operator, TestOrg } from '../api.ts'
import { type Revert, reasons, revertEnded, stateOf } from '../reverts/reverting.ts'

/** Another key of the organization, and who it is in the history. */
async function colleague(org: TestOrg): Promise<{ by: TestOrg; id: string }> {
  const issued = await operator<{ key: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'b', tier: 'internal' })
  const by = new TestOrg(org.slug, org.id, issued.body.key)
  const probe = await by.make('/colors', { name: 'probe' })
  await by.delete(`/colors/${probe.id}`)
  return { by, id: String(probe.createdById) }
}

const restore = (org: TestOrg, body: Json) => org.post<Revert>('/change-history/restore', body)

async function restored(org: TestOrg, body: Json): Promise<Revert> {
  const { status, body: process } = await restore(org, body)
  expect(status, JSON.stringify(process)).toBe(202)
  return revertEnded(org, process.id)
}

/** Later than everything so far, earlier than everything to come. */
async function now(org: TestOrg): Promise<string> {
  const { body } = await org.get('/change-history', { limit: 1 })
  return new Date(Date.parse(String(body.results?.[0]?.createdOn)) + 1).toISOString()
}

async function aMoment(org: TestOrg): Promise<string> {
  const since = await now(org)
  while (Date.now() <= Date.parse(since)) await scheduler.wait(1)
  return since
}

describe('changes taken back (N52)', () => {
  it('all that one key has made since a time: creates, updates, deletes, in any order', async () => {
    const org = await newOrg()
    const { by, id } = await colleague(org)
    const family = await org.make('/items', { name: 'Family', federatedId: 'F', price: 1 })
    const option = await org.make('/items', { name: 'Option', itemFamilyId: family.id })
    const color = await org.make('/colors', { name: 'Red' })
    const before = await stateOf(org)
    const since = await aMoment(org)
    await by.delete(`/items/${option.id}`)
    await by.delete(`/items/${family.id}`)
    const other = await by.make('/items', { name: 'Again', federatedId: 'F' })
    await by.make('/items', { name: 'Child', itemFamilyId: other.id })
    await by.put(`/colors/${color.id}`, { name: 'Blue' })
    await by.put(`/colors/${color.id}`, { name: 'Green', hex: '00ff00' })
    const criteria = { createdById: id }
    const tried = await restored(org, { criteria, since, dryRun: true })
    expect(tried.results.item).toMatchObject({ restored: 2, deleted: 2 })
    const done = await restored(org, { criteria, since })
    expect(done).toMatchObject({ status: 'completed', issueCount: 0, criteria })
    expect(done.results).toMatchObject({ item: { restored: 2, deleted: 2 }, color: { updated: 1 } })
    expect(await stateOf(org)).toEqual(before)
    expect((await restored(org, { criteria, since })).results.item).toMatchObject({ restored: 0, deleted: 0 })
    expect(await stateOf(org)).toEqual(before)
  })

  it('tells before and after of keys that others have taken since', async () => {
    const org = await newOrg()
    const { by, id } = await colleague(org)
    const deleted = await org.make('/items', { name: 'Deleted', federatedId: 'F' })
    const renamed = await org.make('/workspaces', { name: 'Renamed', identifier: 'spring' })
    const vendor = await org.make('/custom-entities', { typePath: 'custom-entity:vendor', federatedId: 'V' })
    const mill = await org.make('/custom-entities', { typePath: 'custom-entity:mill', federatedId: 'M' })
    const since = await aMoment(org)
    for (const path of [`/items/${deleted.id}`, `/custom-entities/${vendor.id}`, `/custom-entities/${mill.id}`])
      await by.delete(path)
    await by.put(`/workspaces/${renamed.id}`, { identifier: 'summer' })
    await org.make('/items', { name: 'Mine', federatedId: 'F' })
    await org.make('/workspaces', { name: 'Mine', identifier: 'spring' })
    await org.make('/custom-entities', { typePath: 'custom-entity:vendor', federatedId: 'V' })
    await org.make('/custom-entities', { typePath: 'custom-entity:vendor', federatedId: 'M' })
    const criteria = { createdById: id }
    const tried = await restored(org, { criteria, since, dryRun: true })
    expect(reasons(tried)).toEqual(['custom-entity', 'item', 'workspace'].map(type => `${type} null duplicate`))
    const done = await restored(org, { criteria, since })
    expect(reasons(done)).toEqual(reasons(tried))
    expect(done.results).toEqual(tried.results)
    expect(done.results['custom-entity']).toMatchObject({ restored: 1, kept: 1 })
  })

  it('leaves others their work, and takes back only what fits', async () => {
    const org = await newOrg()
    const { by, id } = await colleague(org)
    const one = await org.make('/items', { name: 'One', price: 1, size: 'S' })
    const two = await org.make('/colors', { name: 'Two' })
    const since = await aMoment(org)
    await by.put(`/items/${one.id}`, { price: 2, size: 'M' })
    await by.put(`/colors/${two.id}`, { name: 'Changed' })
    await org.put(`/items/${one.id}`, { price: 3 })
    const made = await by.make('/items', { name: 'Made' })
    await org.put(`/items/${made.id}`, { note: 'mine' })
    const done = await restored(org, { criteria: { createdById: id, entityType: 'item' }, since })
    expect(reasons(done)).toEqual(['item null changed_since', 'item price changed_since'])
    expect((await org.get(`/items/${one.id}`)).body).toMatchObject({ price: 3, size: 'S' })
    expect((await org.get(`/colors/${two.id}`)).body.name).toBe('Changed')
    expect((await org.get(`/items/${made.id}`)).body).toMatchObject({ name: 'Made', note: 'mine' })
    const reference = { entityReference: `color:${two.id}` }
    await restored(org, { criteria: reference, since })
    expect((await org.get(`/colors/${two.id}`)).body.name).toBe('Two')
  })

  it('leaves deleted what a restore would not bring back either, and says so before and after (N65)', async () => {
    const org = await newOrg()
    const hook = await org.make('/webhooks', { name: 'Orders' })
    const color = await org.make('/colors', { name: 'Red' })
    const since = await aMoment(org)
    await org.delete(`/webhooks/${hook.id}`)
    await org.delete(`/colors/${color.id}`)
    const tried = await restored(org, { criteria: {}, since, dryRun: true })
    const done = await restored(org, { criteria: {}, since })
    expect(done.results).toEqual(tried.results)
    expect(done.results).toMatchObject({ webhook: { restored: 0, kept: 1 }, color: { restored: 1 } })
    expect([reasons(tried), reasons(done)]).toEqual([['webhook null does_not_fit'], ['webhook null does_not_fit']])
    expect(done.issues[0]?.message).toBe('A deleted webhook cannot return: what made it work is not in its history.')
    expect((await org.get(`/webhooks/${hook.id}`)).status).toBe(404)
  })

  it('leaves alone what would break a rule of the entity type, and says so before and after (N65, N73)', async () => {
    const org = await newOrg()
    const { by, id } = await colleague(org)
    const family = await org.make('/items', { name: 'Family' })
    const item = await org.make('/items', { name: 'Option', itemFamilyId: family.id, roles: ['option'] })
    const since = await aMoment(org)
    await by.put(`/items/${item.id}`, { itemFamilyId: null })
    await org.put(`/items/${item.id}`, { roles: ['family'] })
    await by.put(`/items/${item.id}`, { roles: ['option'] })
    const criteria = { createdById: id }
    const tried = await restored(org, { criteria, since, dryRun: true })
    const done = await restored(org, { criteria, since })
    expect([reasons(tried), reasons(done)]).toEqual([['item null does_not_fit'], ['item null does_not_fit']])
    expect((await org.get(`/items/${item.id}`)).body.roles).toEqual(['option'])
  })

  it('takes back everything since a time, a revert included', async () => {
    const org = await newOrg()
    const { by, id } = await colleague(org)
    const item = await org.make('/items', { name: 'One' })
    await org.put(`/items/${item.id}`, { name: 'Two' })
    const before = await stateOf(org)
    const since = await aMoment(org)
    await by.put(`/items/${item.id}`, { name: 'Three' })
    await org.make('/types', { typePath: 'item:shirt', properties: [] })
    await restored(org, { criteria: { createdById: id }, since })
    await by.make('/items', { name: 'New', typePath: 'item:shirt' })
    expect(await restored(org, { criteria: {}, since })).toMatchObject({ issueCount: 0 })
    expect(await stateOf(org)).toEqual(before)
    expect((await org.get('/types/item:shirt')).status).toBe(404)
  })

  it('takes back nothing where nothing has changed since, and refuses times to come', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'One' })
    const before = await stateOf(org)
    const since = await aMoment(org)
    for (const dryRun of [true, false]) {
      const done = await restored(org, { criteria: {}, since, dryRun })
      expect(done).toMatchObject({ status: 'completed', results: {}, progress: { changesDone: 0 } })
    }
    expect(await stateOf(org)).toEqual(before)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const refused = await restore(org, { criteria: {}, since: tomorrow })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/since' }] } })
    expect(JSON.stringify(refused.body)).toContain('UTC')
  })

  it.each([
    [{ since: '2026-01-01' }, '/criteria'],
    [{ criteria: {} }, '/since'],
    [{ criteria: {}, since: 'yesterday' }, '/since'],
    [{ criteria: {}, since: '2026-02-01', until: '2026-01-01' }, '/until'],
    [{ criteria: { entityType: 'nothing' }, since: '2026-01-01' }, '/criteria/entityType'],
    [{ criteria: { entityType: 'file' }, since: '2026-01-01' }, '/criteria/entityType'],
    [{ criteria: { entityReference: 'item' }, since: '2026-01-01' }, '/criteria/entityReference'],
    [{ criteria: { price: 1 }, since: '2026-01-01' }, '/criteria/price'],
  ])('refuses %j', async (body, path) => {
    const org = await newOrg()
    const refused = await org.post('/change-history/restore', body)
    expect(refused.status).toBe(400)
    expect((refused.body.errors as Json[]).map(error => error.path)).toContain(path)
  })

  it('refuses what the retention has swept', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'One' })
    await env.DB.prepare('UPDATE clocks SET history_floor = 1 WHERE org_id = ?').bind(org.id).run()
    const refused = await restore(org, { criteria: {}, since: '2020-01-01' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

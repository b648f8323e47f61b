// A whole load taken back (N52): what it created, changed and removed is as before; what others did since stays.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Database } from '../../../src/platform/db/client.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { all, holdLoads, load, one, SMALL, start, text, worked } from '../loads/loading.ts'
import { members, SEASON_HEAD, season } from '../loads/season.ts'
import { reasons, revert, revertEnded, stateOf, workedBack, workedOn } from './reverting.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'

async function loaded(org: TestOrg) {
  await load(org, `${HEAD},name,price\nF1,,First,1\nF1,O1,First,2\nF2,,Second,3\n`)
  const before = await stateOf(org)
  const wrong = await load(org, `${HEAD},name,price,extra\nF1,,Wrong,9,x\nF1,O2,Wrong,8,x\nF3,,Third,7,x\n`)
  expect(wrong.status).toBe('completed')
  expect(await stateOf(org)).not.toEqual(before)
  return { before, wrong }
}

describe('a revert of a load (N52)', () => {
  it('gives back the state before, says what it did, and records it', async () => {
    const org = await newOrg()
    const { before, wrong } = await loaded(org)
    const done = await revert(org, wrong.id)
    expect(done).toMatchObject({ status: 'completed', issueCount: 0, dryRun: false, progress: { percent: 100 } })
    expect(done.results.item).toMatchObject({ deleted: 2, updated: 1, restored: 0, kept: 0 })
    expect(await stateOf(org)).toEqual(before)
    const { body } = await org.get('/change-history', { criteria: { entityType: 'item' }, limit: 3 })
    expect(new Set(body.results?.map(record => record.createdById))).toEqual(new Set([done.id]))
  })

  it('changes nothing a second time', async () => {
    const org = await newOrg()
    const { before, wrong } = await loaded(org)
    await revert(org, wrong.id)
    const again = await revert(org, wrong.id)
    expect(again).toMatchObject({ status: 'completed', issueCount: 0 })
    expect(again.results.item).toEqual({ deleted: 0, updated: 0, restored: 0, kept: 0, unchanged: 3 })
    expect(await stateOf(org)).toEqual(before)
  })

  it('as a dry run writes nothing and counts the same', async () => {
    const org = await newOrg()
    const { wrong } = await loaded(org)
    const after = await stateOf(org)
    const tried = await revert(org, wrong.id, { dryRun: true })
    expect(tried).toMatchObject({ status: 'completed', dryRun: true })
    expect(await stateOf(org)).toEqual(after)
    expect((await revert(org, wrong.id)).results).toEqual(tried.results)
  })

  it('of the newest load and then of the one before ends in the state before both', async () => {
    const org = await newOrg()
    const { before, wrong } = await loaded(org)
    const second = await load(org, `${HEAD},name,price\nF1,,Again,10\nF1,O2,Again,11\nF3,O5,Again,1\nF4,,New,1\n`)
    const early = await revert(org, wrong.id)
    expect(reasons(early)).toEqual([
      'item name changed_since',
      'item null changed_since',
      'item null changed_since',
      'item price changed_since',
    ])
    await revert(org, second.id)
    await revert(org, wrong.id)
    expect(await stateOf(org)).toEqual(before)
  })

  it('leaves alone what others have changed since, property by property, and lists it', async () => {
    const org = await newOrg()
    const { before, wrong } = await loaded(org)
    const [f1, o2] = [await one(org, '/items', 'F1'), await one(org, '/items', 'O2')]
    await org.put(`/items/${f1.id}`, { name: 'Mine', note: 'kept' })
    await org.put(`/items/${o2.id}`, { note: 'mine' })
    const done = await revert(org, wrong.id)
    expect(reasons(done)).toEqual(['item name changed_since', 'item null changed_since'])
    expect(done.results.item).toMatchObject({ deleted: 1, updated: 1, kept: 1 })
    const is = await stateOf(org)
    expect(is[`/items ${f1.id}`]).toEqual({ ...before[`/items ${f1.id}`], name: 'Mine', note: 'kept' })
    expect(is[`/items ${o2.id}`]).toMatchObject({ note: 'mine', price: '8' })
    const report = await text(org, done.issuesFileId)
    expect(report.split('\r\n')).toHaveLength(4)
    expect(report).toContain(`item:${f1.id},name,changed_since`)
  })

  it('leaves alone what others refer to, and what is deleted already', async () => {
    const org = await newOrg()
    const { wrong } = await loaded(org)
    const [f3, o2, f1] = await Promise.all(['F3', 'O2', 'F1'].map(key => one(org, '/items', key)))
    await org.make('/items', { name: 'mine', itemFamilyId: f3?.id })
    await org.delete(`/items/${o2?.id}`)
    const tried = await revert(org, wrong.id, { dryRun: true })
    const done = await revert(org, wrong.id)
    expect(reasons(done)).toEqual(['item null in_use'])
    expect(reasons(tried)).toEqual(reasons(done))
    expect((await org.get(`/items/${f3?.id}`)).status).toBe(200)
    expect((await org.get(`/items/${f1?.id}`)).body.name).toBe('First')
  })

  it('as a dry run counts the same after a later load of its entities was reverted', async () => {
    const org = await newOrg()
    const first = await load(org, `${HEAD},name,price\nF1,O1,First,2\nF1,O2,First,2\n`)
    const later = await load(org, `${HEAD},name,price\nF1,O1,First,3\nF1,O2,First,3\n`)
    await revert(org, later.id)
    const tried = await revert(org, first.id, { dryRun: true })
    expect(tried.issues).toEqual([])
    const done = await revert(org, first.id)
    expect(done.results.item).toMatchObject({ deleted: 3, kept: 0 })
    expect(done.results).toEqual(tried.results)
  })

  it('goes through all changes again where an older change stands against a deletion', async () => {
    const org = await newOrg()
    const before = await stateOf(org)
    const start = new Date().toISOString()
    const option = await org.make('/items', { name: 'made before its family' })
    const family = await org.make('/items', { name: 'family' })
    await org.put(`/items/${option.id}`, { itemFamilyId: family.id })
    holdLoads()
    const { body } = await org.post('/change-history/restore', { since: start, criteria: { entityType: 'item' } })
    const done = await workedOn(org, String(body.id), { ...SMALL, chunkMaxRows: 1, commitMaxEntities: 1 })
    expect(done.issues).toEqual([])
    expect(done.results.item).toMatchObject({ deleted: 2, kept: 0 })
    expect(await stateOf(org)).toEqual(before)
  })

  it('leaves an entity alone that is changed just before its deletion commits', async () => {
    const org = await newOrg()
    const made = await load(org, 'federatedId,name\nC1,One\nC2,Two\n', { loadType: ['COLOR'] })
    const color = await one(org, '/colors', 'C1')
    const batch = Database.prototype.batch
    let edits = 1
    const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
      const deletes = statements.some(({ sql }) => /^DELETE FROM "?entities/i.test(sql.trim()))
      if (deletes && edits-- > 0) {
        expect((await org.put(`/colors/${color.id}`, { name: 'Edited' })).status).toBe(200)
      }
      return batch.call(this, statements)
    } as typeof batch)
    onTestFinished(() => spy.mockRestore())
    const done = await revert(org, made.id)
    expect(edits).toBeLessThan(1)
    expect(reasons(done)).toEqual(['color null changed_since'])
    expect(done.results.color).toMatchObject({ deleted: 1, kept: 1 })
    expect((await org.get(`/colors/${color.id}`)).body.name).toBe('Edited')
  })

  it('refuses loads that run, dry runs and those that are not there', async () => {
    const org = await newOrg()
    const dry = await load(org, `${HEAD}\nF1,O1\n`, { dryRun: true })
    expect((await org.post(`/loader-processes/${dry.id}/revert`, {})).body).toMatchObject({ status: 409 })
    holdLoads()
    const { id } = await start(org, `${HEAD}\nF1,O1\n`, { loadType: ['ITEM'] })
    const running = await org.post(`/loader-processes/${id}/revert`, {})
    expect(running).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(running.body.detail).toContain('pending')
    expect((await org.post('/loader-processes/AAAAAAAAAAAAAAAA/revert', {})).status).toBe(404)
    expect((await org.post(`/loader-processes/${dry.id}/revert`, { dry: 1 })).status).toBe(400)
  })

  it('takes back what a cancelled load had written', async () => {
    const org = await newOrg()
    holdLoads()
    const rows = Array.from({ length: 12 }, (_, at) => `F${at},`).join('\n')
    const { id } = await start(org, `${HEAD}\n${rows}\n`, { loadType: ['ITEM'] })
    const before = await stateOf(org)
    await worked(org, id, SMALL)
    expect(Object.keys(await stateOf(org))).toHaveLength(12)
    expect(await workedBack(org, id, SMALL)).toMatchObject({ results: { item: { deleted: 12 } } })
    expect(await stateOf(org)).toEqual(before)
  })

  it('is done once under one Idempotency-Key, and can be cancelled', async () => {
    const org = await newOrg()
    const { before, wrong } = await loaded(org)
    holdLoads()
    const headers = { 'Idempotency-Key': 'k' }
    const call = () => org.call('POST', `/loader-processes/${wrong.id}/revert`, { body: {}, headers })
    const [first, second] = [await call(), await call()]
    expect(second.body).toEqual(first.body)
    const cancelled = await org.post(`/revert-processes/${first.body.id}/cancel`, undefined)
    expect(cancelled.status).toBe(202)
    const last = await workedBack(org, wrong.id)
    const half = await revertEnded(org, String(first.body.id))
    expect([half.status, last.status]).toEqual(['cancelled', 'completed'])
    // Whatever the first had done when it was cancelled, the second did the rest.
    expect((half.results.item?.deleted ?? 0) + (last.results.item?.deleted ?? 0)).toBe(2)
    expect(await stateOf(org)).toEqual(before)
    expect((await org.post(`/revert-processes/${last.id}/cancel`, undefined)).status).toBe(409)
  })
})

describe('a revert of an assortment load (N52)', () => {
  it.each([false, true])(
    'brings memberships back and publishes; without publish: %s',
    async shouldSkipAssortmentPublish => {
      const org = await newOrg()
      const { a, configuration } = await season(org)
      const more = { shouldSkipAssortmentPublish }
      await load(org, `${SEASON_HEAD}\nF1,O1,M\nF1,O2,M\nF2,O3,M\n`, { ...configuration(), ...more })
      const before = await stateOf(org)
      const summary = (await org.get(`/assortments/${a.id}`)).body.summary
      const wrong = await load(org, `${SEASON_HEAD}\nF1,O1,M\nF3,O4,M\n`, { ...configuration(), ...more })
      expect(wrong.results['assortment-item']).toMatchObject({ created: 2, removed: 3 })
      const done = await revert(org, wrong.id)
      expect(done).toMatchObject({ status: 'completed', issueCount: 0 })
      expect(done.results['assortment-item']).toMatchObject({ restored: 3, deleted: 2 })
      expect(await stateOf(org)).toEqual(before)
      expect(await members(org, a.id)).toHaveLength(5)
      expect((await org.get(`/assortments/${a.id}`)).body.summary).toEqual(summary)
      const kept = env.DB.prepare('SELECT count(*) AS n FROM load_members WHERE load_id = ?').bind(done.id)
      await eventually(
        () => kept.first<number>('n'),
        n => n === 0,
      )
      const publishes = done.assortmentPublishChangeIds as string[]
      expect(publishes).toHaveLength(shouldSkipAssortmentPublish ? 0 : 1)
      const again = await revert(org, wrong.id)
      expect(again).toMatchObject({ issueCount: 0, assortmentPublishChangeIds: [] })
      expect(await stateOf(org)).toEqual(before)
      if (shouldSkipAssortmentPublish) return
      const publish = await org.get(`/assortments/${a.id}/history/${publishes[0]}`)
      expect(publish.body).toMatchObject({ createdById: done.id, detail: { adds: 3, deletes: 2 } })
    },
  )

  it('leaves a membership alone that somebody has made again', async () => {
    const org = await newOrg()
    const { a, configuration } = await season(org)
    await load(org, `${SEASON_HEAD}\nF1,O1,M\nF2,O3,M\n`, configuration())
    const wrong = await load(org, `${SEASON_HEAD}\nF1,O1,M\n`, configuration())
    const o3 = await one(org, '/items', 'O3')
    await org.make('/assortment-items', { itemId: o3.id, assortmentId: a.id })
    const tried = await revert(org, wrong.id, { dryRun: true })
    const done = await revert(org, wrong.id)
    expect(reasons(done)).toEqual(['assortment-item null duplicate'])
    expect(reasons(tried)).toEqual(reasons(done))
    expect(await members(org, a.id)).toHaveLength(4)
  })
})

describe('every other load type (N52)', () => {
  it.each([
    [
      'COLOR',
      '/colors',
      'federatedId,name,hex\nC1,Red,ff0000\n',
      'federatedId,name,hex\nC1,Blue,0000ff\nC2,X,00ff00\n',
    ],
    [
      'CUSTOM_ENTITY',
      '/custom-entities',
      'federatedId,name,typePath\nS1,Mill,custom-entity:s\n',
      'federatedId,name,typePath\nS1,Other,custom-entity:s\nS2,New,custom-entity:s\n',
    ],
    [
      'SIZE_RANGE_TEMPLATE',
      '/size-range-templates',
      'federatedId,name,sizes\nR1,Letters,S|M\n',
      'federatedId,name,sizes\nR1,Letters,S|M|L\nR2,Numbers,1|2\n',
    ],
  ])('%s', async (loadType, path, first, second) => {
    const org = await newOrg()
    await load(org, first, { loadType: [loadType] })
    const before = await stateOf(org)
    const wrong = await load(org, second, { loadType: [loadType] })
    expect(await all(org, path)).toHaveLength(2)
    expect(await revert(org, wrong.id)).toMatchObject({ status: 'completed', issueCount: 0 })
    expect(await stateOf(org)).toEqual(before)
  })
})

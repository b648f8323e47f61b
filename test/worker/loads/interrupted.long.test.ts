// Loads that something comes between: they end as an undisturbed one would, or say why not (N29, N34).
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Database } from '../../../src/platform/db/client.ts'
import { CREDENTIAL_CACHE_MS } from '../../../src/platform/limits.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
import { all, brief, ended, holdLoads, load, SMALL, start, worked, workOnLoads } from './loading.ts'
import { members, SEASON_HEAD, season } from './season.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'

/** After the n-th commit of the organization's loads that writes entities of this type, once. */
function afterCommit(org: TestOrg, entityType: string, nth: number, then: () => Promise<unknown>): void {
  const { batch } = Database.prototype
  let commits = 0
  const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
    const results = await batch.call(this, statements)
    const isOurs = statements.some(
      ({ sql, params }) =>
        sql.includes('INSERT INTO "entities"') && params.includes(org.id) && params.includes(entityType),
    )
    if (isOurs && ++commits === nth) await then()
    return results
  })
  onTestFinished(() => spy.mockRestore())
}

describe('a load that is cancelled and loaded again (N29)', () => {
  it.each([1, 2, 3])('completes an assortment: members, summary and publish, after %i commits', async nth => {
    const org = await newOrg()
    const { a, configuration } = await season(org)
    holdLoads()
    const rows = Array.from({ length: 9 }, (_, at) => `F${at % 3},O${at},M`).join('\n')
    const csv = `${SEASON_HEAD}\n${rows}\n`
    const first = await start(org, csv, configuration())
    afterCommit(org, 'assortment-item', nth, () => org.post(`/loader-processes/${first.id}/cancel`, undefined))
    expect(await worked(org, first.id, SMALL)).toMatchObject({ status: 'cancelled' })
    expect((await members(org, a.id)).length).toBeGreaterThan(0)
    const again = await worked(org, (await start(org, csv, configuration())).id, SMALL)
    expect(again.status).toBe('completed')
    expect(await members(org, a.id)).toHaveLength(12)
    expect((await org.get(`/assortments/${a.id}`)).body.summary).toMatchObject({ itemCount: 12 })
    const [publishId] = again.assortmentPublishChangeIds as string[]
    const publish = await org.get(`/assortments/${a.id}/history/${publishId}`)
    expect(publish.body.detail).toMatchObject({ adds: 12, updates: 0, deletes: 0 })
    const third = await worked(org, (await start(org, csv, configuration())).id, SMALL)
    expect(third.assortmentPublishChangeIds).toEqual([])
  })

  it('completes what options have from their families', async () => {
    const org = await newOrg()
    const properties = [{ slug: 'price', propertyType: 'number', level: 'override' }]
    await org.make('/types', { typePath: 'item', properties })
    holdLoads()
    const run = async (csv: string) => worked(org, (await start(org, csv, { loadType: ['ITEM'] })).id, SMALL)
    await run(`${HEAD},price\nF1,,5\nF1,O1,\nF1,O2,7\nF2,,1\n`)
    const csv = `${HEAD},price\nF1,,9\nF3,,1\nF4,,1\nF5,,1\nF6,,1\nF7,,1\nF8,,1\n`
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    afterCommit(org, 'item', 1, () => org.post(`/loader-processes/${id}/cancel`, undefined))
    expect((await worked(org, id, SMALL)).status).toBe('cancelled')
    await run(csv)
    const prices = Object.fromEntries((await all(org, '/items')).map(({ federatedId, price }) => [federatedId, price]))
    expect(prices).toMatchObject({ F1: 9, O1: 9, O2: 7 })
  })
})

describe('types that change during a load (N65)', () => {
  const csv = `itemFamilyFederatedId,size\n${Array.from({ length: 12 }, (_, at) => `F${at},large`).join('\n')}\n`

  it('stop it before it writes what no longer fits, and it says so', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    const properties = [{ slug: 'size', propertyType: 'number' }]
    afterCommit(org, 'item', 1, () => org.make('/types', { typePath: 'item', properties }))
    const failed = await worked(org, id, SMALL)
    expect(failed).toMatchObject({ status: 'failed', failureArea: 'TRANSFORMING_DATA' })
    expect(brief(failed)).toEqual(['error 0 null VALIDATION_ERROR'])
    expect(await all(org, '/items')).toHaveLength(4)
    expect(failed.results.item?.created).toBe(4)
  })

  it('do not stop it where they have nothing to do with it', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    const properties = [{ slug: 'size', propertyType: 'number' }]
    afterCommit(org, 'item', 1, () => org.make('/types', { typePath: 'color', properties }))
    expect(await worked(org, id, SMALL)).toMatchObject({ status: 'completed', results: { item: { created: 12 } } })
  })
})

describe('a starter that dies (N34)', () => {
  it('between commit and message: the watch is armed already, and the load runs', async () => {
    const org = await newOrg()
    const send = vi.spyOn(env.LOAD_QUEUE, 'send').mockRejectedValueOnce(new Error('died'))
    const watch = vi.spyOn(env.WATCH, 'getByName')
    onTestFinished(() => watch.mockRestore())
    const { fileLocation } = await load(org, 'itemFamilyFederatedId\nF1\n').catch(() => ({ fileLocation: '' }))
    expect(fileLocation).toBe('')
    send.mockRestore()
    const [process] = await all(org, '/loader-processes')
    expect(await ended(org, String(process?.id))).toMatchObject({ status: 'completed' })
  })
})

describe('a load of a suspended organization', () => {
  it('stands still, and goes on when it is resumed', async () => {
    const org = await newOrg()
    holdLoads()
    const clock = holdClock()
    const { id } = await start(org, `${HEAD}\nF1,O1\n`, { loadType: ['ITEM'] })
    const stored = () =>
      env.DB.prepare('SELECT count(*) AS n FROM entities WHERE org_id = ? AND kind = ?').bind(org.id, 'item').first('n')
    await operator('PUT', `/orgs/${org.slug}`, { suspended: true })
    for (let wakeUp = 0; wakeUp < 3; wakeUp++) await workOnLoads(env, org.id, SMALL)
    expect(await stored()).toBe(0)
    await operator('PUT', `/orgs/${org.slug}`, { suspended: false })
    clock.forward(CREDENTIAL_CACHE_MS + 1)
    expect(await worked(org, id, SMALL)).toMatchObject({ status: 'completed' })
    expect(await stored()).toBe(2)
  })
})

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { newState } from '../../../src/features/loads/state.ts'
import { laneNamed } from '../../../src/jobs.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { JOB_MAX_FAILURES } from '../../../src/platform/jobs/limits.ts'
import { giveUpFirst } from '../../../src/platform/jobs/run.ts'
import { BACKGROUND_COMMIT_MAX_ENTITIES } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { all, ended, holdLoads, type Load, load, one, start, worked, workOnLoads } from './loading.ts'

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `F${from + i},Name,${from + i}`).join('\n')
const csv = (count: number) => `itemFamilyFederatedId,name,n\n${rows(0, count)}\n`

async function counts(org: TestOrg) {
  const of = async (sql: string) => Number((await env.DB.prepare(sql).bind(org.id).first<{ n: number }>())?.n)
  return {
    items: await of(`SELECT count(*) AS n FROM entities WHERE org_id = ? AND kind = 'item'`),
    records: await of(`SELECT count(*) AS n FROM changes WHERE org_id = ? AND entity_type = 'item'`),
    loads: await of('SELECT count(*) AS n FROM jobs WHERE org_id = ?'),
    claims: await of(
      'SELECT count(*) AS n FROM load_claims WHERE load_id IN (SELECT id FROM entities WHERE org_id = ?)',
    ),
  }
}

const forgotten = (org: TestOrg) =>
  eventually(
    () => counts(org),
    ({ loads, claims }) => loads === 0 && claims === 0,
  )

/** Once, as soon as a commit has brought the organization items. */
function whenItemsCame(org: TestOrg, then: () => Promise<unknown>): void {
  const { batch } = Database.prototype
  let isDone = false
  const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
    const results = await batch.call(this, statements)
    const hasItems = !isDone && (await counts(org)).items > 0
    // Another batch may have been answered while this one counted.
    if (isDone || !hasItems) return results
    isDone = true
    await then()
    return results
  })
  onTestFinished(() => spy.mockRestore())
}

describe('running loads (N34)', () => {
  it('counts a step once, however many wake-ups come at once', async () => {
    const org = await newOrg()
    const { id } = await start(org, csv(5000), { loadType: ['ITEM'] })
    await Promise.all(Array.from({ length: 6 }, () => workOnLoads(env, org.id)))
    const done = await ended(org, id)
    expect(done).toMatchObject({
      status: 'completed',
      results: { item: { created: 5000 } },
      progress: { rowsDone: 5000 },
    })
    expect(await counts(org)).toMatchObject({ items: 5000, records: 5000 })
    await forgotten(org)
    const staged = await env.FILES.list({ prefix: `${org.id}/loads/` })
    expect(staged.objects).toEqual([])
  })

  it('is revived by its watch when the message is lost', async () => {
    const org = await newOrg()
    const send = vi.spyOn(env.LOAD_QUEUE, 'send').mockResolvedValueOnce(undefined as never)
    const { id } = await start(org, csv(10), { loadType: ['ITEM'] })
    send.mockRestore()
    expect((await ended(org, id)).status).toBe('completed')
  })

  it('runs the loads of an organization one after the other, in order', async () => {
    const org = await newOrg()
    const loads: Load[] = []
    for (const name of ['first', 'second', 'third']) {
      loads.push(await start(org, `itemFamilyFederatedId,name\nF1,${name}\n`, { loadType: ['ITEM'] }))
    }
    const done = await Promise.all(loads.map(({ id }) => ended(org, id)))
    expect(done.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
    for (const [at, later] of done.slice(1).entries()) {
      expect(String(later.startedOn) >= String(done[at]?.endedOn)).toBe(true)
    }
    const item = await one(org, '/items', 'F1')
    expect(item.name).toBe('third')
    const names = (await recordsOf(String(item.id))).map(({ detail }) => (detail.name as Json)?.newValue ?? detail.name)
    expect(names).toEqual(['first', 'second', 'third'])
  })

  it('N76 keeps what its one small commit wrote when it is cancelled, and loading again completes it', async () => {
    const org = await newOrg()
    const letGo = holdLoads()
    const { id } = await start(org, csv(5000), { loadType: ['ITEM'] })
    const statuses: number[] = []
    const cancel = async () => statuses.push((await org.post(`/loader-processes/${id}/cancel`, undefined)).status)
    whenItemsCame(org, cancel)
    const cancelled = await worked(org, id)
    expect(cancelled.status).toBe('cancelled')
    const { items } = await counts(org)
    expect(items).toBe(BACKGROUND_COMMIT_MAX_ENTITIES)
    expect(cancelled.results.item?.created).toBe(items)
    await cancel()
    expect(statuses).toEqual([202, 409])
    letGo()
    const again = await load(org, csv(5000))
    expect(again.results.item).toEqual({ created: 5000 - items, updated: 0, unchanged: items, removed: 0 })
    expect(await counts(org)).toMatchObject({ items: 5000, records: 5000 })
  })

  it('cancels a load that waits for its turn at once', async () => {
    const org = await newOrg()
    const letGo = holdLoads()
    const first = await start(org, csv(5), { loadType: ['ITEM'] })
    const second = await start(org, 'itemFamilyFederatedId\nX\n', { loadType: ['ITEM'] })
    const answer = await org.post<Load>(`/loader-processes/${second.id}/cancel`, undefined)
    expect(answer.body.status).toBe('cancelled')
    letGo()
    await workOnLoads(env, org.id)
    expect((await ended(org, first.id)).status).toBe('completed')
    expect(await all(org, '/items', { federatedId: 'X' })).toEqual([])
    expect((await org.post('/loader-processes/AAAAAAAAAAAAAAAA/cancel', undefined)).status).toBe(404)
  })

  it('gives up a load that can never go on, and the next one runs', async () => {
    const org = await newOrg()
    const broken = await org.post<Load>('/loader-processes', {
      loadType: ['ITEM'],
      fileLocation: (await start(org, csv(1), { loadType: ['ITEM'] })).fileLocation,
    })
    const state = {
      ...newState(
        { loadType: ['ITEM'], fileLocation: 'x' },
        { fileSize: 9, projectId: null, projectRank: null, startWarnings: [], targets: [] },
      ),
      phase: 'validating',
    }
    await env.DB.prepare('UPDATE jobs SET state = ?, attempts = 20, touched_on = 0 WHERE id = ?')
      .bind(JSON.stringify(state), broken.body.id)
      .run()
    const next = await start(org, csv(2), { loadType: ['ITEM'] })
    expect((await ended(org, next.id)).status).toBe('completed')
    const failed = await ended(org, broken.body.id)
    expect(failed).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA' })
    expect(failed.issues[0]).toMatchObject({ issueType: 'SYSTEM_ERROR', severity: 'error' })
  })

  it('marks a load failed whose message died, unless it has moved since', async () => {
    const org = await newOrg()
    const letGo = holdLoads()
    const { id } = await start(org, csv(2), { loadType: ['ITEM'] })
    await giveUpFirst(env, laneNamed('load'), org.id)
    expect((await org.get(`/loader-processes/${id}`)).body.status).toBe('pending')
    await env.DB.prepare('UPDATE jobs SET failures = 1 WHERE id = ?').bind(id).run()
    await giveUpFirst(env, laneNamed('load'), org.id)
    letGo()
    await workOnLoads(env, org.id)
    expect(await ended(org, id)).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA' })
    expect(await counts(org)).toMatchObject({ items: 0, records: 0 })
  })

  it('goes on after a disturbance, however often it was tried meanwhile', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, csv(2), { loadType: ['ITEM'] })
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const away = vi
      .spyOn(env.FILES, 'get')
      .mockRejectedValue(new Error('get: We encountered an internal error. (10001)'))
    for (let time = 0; time < 2 * JOB_MAX_FAILURES; time++) {
      await expect(workOnLoads(env, org.id)).rejects.toThrow('10001')
    }
    await giveUpFirst(env, laneNamed('load'), org.id)
    away.mockRestore()
    quiet.mockRestore()
    expect(await worked(org, id)).toMatchObject({ status: 'completed', issues: [] })
  })

  it('is given up after some failures that are no disturbance', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, csv(2), { loadType: ['ITEM'] })
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const broken = vi.spyOn(env.FILES, 'get').mockRejectedValue(new Error('broken'))
    for (let time = 0; time < JOB_MAX_FAILURES; time++) await expect(workOnLoads(env, org.id)).rejects.toThrow('broken')
    broken.mockRestore()
    quiet.mockRestore()
    expect(await worked(org, id)).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA' })
  })

  it('belongs to its organization, and a read key cannot start one', async () => {
    const [org, other] = [await newOrg(), await newOrg({ scope: 'read' })]
    const done = await load(org, csv(1))
    expect((await other.get(`/loader-processes/${done.id}`)).status).toBe(404)
    expect(
      (await other.post('/loader-processes', { loadType: ['ITEM'], fileLocation: done.fileLocation })).status,
    ).toBe(403)
    const third = await newOrg()
    const refused = await third.post<{ errors: Json[] }>('/loader-processes', {
      loadType: ['ITEM'],
      fileLocation: done.fileLocation,
    })
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [
        {
          path: '/fileLocation',
          message: expect.stringContaining(`There is no file with the id "${done.fileLocation}"`),
        },
      ],
    ])
  })
})

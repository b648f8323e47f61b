// Two wake-ups may work on one load at the same time. What the slower one still does must not spoil what the faster one has done (N34).
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as publishing from '../../../src/features/assortments/service.ts'
import { advance } from '../../../src/features/loads/checkpoint.ts'
import { open } from '../../../src/features/loads/phases/open.ts'
import { publishAll } from '../../../src/features/loads/phases/publish.ts'
import { report } from '../../../src/features/loads/phases/report.ts'
import { validate } from '../../../src/features/loads/phases/validate.ts'
import type { Load as StoredLoad } from '../../../src/features/loads/store/loads.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { StepSuperseded } from '../../../src/platform/jobs/commit-step.ts'
import * as jobs from '../../../src/platform/jobs/store.ts'
import { env, newOrg } from '../api.ts'
import { all, holdLoads, SMALL, start, stored, text, worked, workerOf, workOnLoads } from './loading.ts'
import { SEASON_HEAD, season } from './season.ts'

const always = async () => true

describe('N34 a worker that comes late', () => {
  it('cuts the file as the one before it did, however small its own steps are', async () => {
    const org = await newOrg()
    holdLoads()
    const rows = Array.from({ length: 10 }, (_, at) => `F${at}\n`)
    const { id } = await start(org, `itemFamilyFederatedId\n${rows.join('')}`, { loadType: ['ITEM'] })
    const opened = await open(workerOf(org, id), await stored(org, id))
    await validate(workerOf(org, id), opened, always)
    await expect(validate(workerOf(org, id, SMALL), opened, always)).rejects.toThrow(StepSuperseded)
    expect(await worked(org, id)).toMatchObject({ status: 'completed', results: { item: { created: 10 } } })
    expect(await all(org, '/items')).toHaveLength(10)
  })

  it('takes away what it has put away for a load that is over', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, 'itemFamilyFederatedId,itemOptionFederatedId\nF1,O1\n', { loadType: ['ITEM'] })
    const opened = await open(workerOf(org, id), await stored(org, id))
    let isOvertaken = false
    const first = vi.spyOn(jobs, 'takeFirst').mockResolvedValueOnce({ job: opened, before: [] })
    onTestFinished(() => first.mockRestore())
    const { batch } = Database.prototype
    const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
      if (statements.some(({ sql }) => /insert into .?load_claims/i.test(sql))) {
        spy.mockImplementation(batch)
        await worked(org, id)
        isOvertaken = true
      }
      return batch.call(this, statements)
    })
    onTestFinished(() => spy.mockRestore())
    await workOnLoads(env, org.id)
    expect(isOvertaken).toBe(true)
    const claims = await env.DB.prepare('SELECT count(*) AS n FROM load_claims WHERE load_id = ?').bind(id).first()
    expect(claims).toEqual({ n: 0 })
    expect((await env.FILES.list({ prefix: `${org.id}/loads/` })).objects).toEqual([])
  })

  it('does not write over the lists of a publish', async () => {
    const org = await newOrg()
    holdLoads()
    const { a, configuration } = await season(org)
    const { id } = await start(org, `${SEASON_HEAD}\nF1,O1,M\n`, configuration())
    let late: StoredLoad | undefined
    const { publishWork } = publishing
    const spy = vi.spyOn(publishing, 'publishWork').mockImplementation(async (...given) => {
      late ??= await stored(org, id)
      return publishWork(...given)
    })
    onTestFinished(() => spy.mockRestore())
    expect(await worked(org, id)).toMatchObject({ status: 'completed' })
    const item = await org.make('/items')
    await org.make('/assortment-items', { itemId: item.id, assortmentId: a.id })
    await expect(publishAll(workerOf(org, id), late as StoredLoad, always)).rejects.toThrow(StepSuperseded)
    const next = await org.post(`/assortments/${a.id}/publish`, {})
    expect(next.body).toMatchObject({ detail: { adds: 1, updates: 0, deletes: 0 } })
  })

  it('writes no report without the issues that have been cleaned up', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, 'federatedId,hex\nC1,no color\n', { loadType: ['COLOR'] })
    const opened = await open(workerOf(org, id), await stored(org, id))
    const late = await validate(workerOf(org, id), opened, always)
    expect(late.state.phase).toBe('reporting')
    const { issuesFileId, annotatedFileId } = await worked(org, id)
    const [issues, annotated] = [await text(org, issuesFileId), await text(org, annotatedFileId)]
    expect(issues.split('\n').length).toBeGreaterThan(2)
    await expect(report(workerOf(org, id), late)).rejects.toThrow('lost')
    expect([await text(org, issuesFileId), await text(org, annotatedFileId)]).toEqual([issues, annotated])
  })
})

describe('N28 a cancel', () => {
  it('that comes while the load ends says so', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, 'itemFamilyFederatedId\nF1\n', { loadType: ['ITEM'] })
    const opened = await open(workerOf(org, id), await stored(org, id))
    const { batch } = Database.prototype
    const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
      if (statements.some(({ sql }) => /update .*set .?is_cancelled/i.test(sql))) {
        spy.mockImplementation(batch)
        await advance(workerOf(org, id), opened, { ...opened.state, phase: 'reporting', outcome: 'completed' })
      }
      return batch.call(this, statements)
    })
    onTestFinished(() => spy.mockRestore())
    const answer = await org.call('POST', `/loader-processes/${id}/cancel`, { headers: { 'Idempotency-Key': 'k' } })
    expect(answer).toMatchObject({ status: 409, body: { recorded: 'completed' } })
    expect((await stored(org, id)).isCancelled).toBe(false)
  })

  it('of a load that waits wakes the next one: whoever was sent for that may have been about to open this one', async () => {
    const org = await newOrg()
    holdLoads()
    const first = await start(org, 'itemFamilyFederatedId\nF1\n', { loadType: ['ITEM'] })
    await start(org, 'itemFamilyFederatedId\nF2\n', { loadType: ['ITEM'] })
    const send = vi.mocked(env.LOAD_QUEUE.send).mockClear()
    expect((await org.post(`/loader-processes/${first.id}/cancel`, undefined)).status).toBe(202)
    expect(send).toHaveBeenCalledWith({ kind: 'job', lane: 'load', orgId: org.id })
  })
})

// A step of a load goes through once, and only where the load still stands; what came between is planned again.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { advance } from '../../../src/features/loads/checkpoint.ts'
import { BOUNDS } from '../../../src/features/loads/job.ts'
import { readLoad } from '../../../src/features/loads/store/loads.ts'
import { kindNamed } from '../../../src/kinds.ts'
import { background } from '../../../src/platform/background.ts'
import { Database, databaseFor } from '../../../src/platform/db/client.ts'
import type { Write } from '../../../src/platform/db/commit/write.ts'
import { newId } from '../../../src/platform/ids.ts'
import { StepSuperseded } from '../../../src/platform/jobs/commit-step.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { all, holdLoads, start, worked } from './loading.ts'

const item = (name: string): Write => ({
  op: 'create',
  kind: kindNamed('item'),
  id: newId(),
  data: { typePath: 'item', name },
})

const names = async (org: TestOrg) => (await all(org, '/items')).map(({ name }) => name)

async function standing(org: TestOrg) {
  holdLoads()
  const { id } = await start(org, 'itemFamilyFederatedId\nF1\n', { loadType: ['ITEM'] })
  const scope = { ...background(env, org, { id, type: 'loader' }), alive: async () => undefined, bounds: BOUNDS }
  const look = async () => {
    const load = await readLoad(databaseFor(env, org.id), org.id, id)
    if (!load) throw new Error('no load')
    return load
  }
  return { id, scope, look }
}

describe('N34 a step of a load', () => {
  it('counts once: whoever began at the same place writes nothing', async () => {
    const org = await newOrg()
    const { scope, look } = await standing(org)
    const load = await look()
    const next = { ...load.state, rows: 1 }
    expect(await advance(scope, load, next, { writes: [item('first')] })).toMatchObject({ step: load.step + 1 })
    await expect(advance(scope, load, next, { writes: [item('late')] })).rejects.toThrow(StepSuperseded)
    const ahead = { ...load, step: load.step + 2 }
    await expect(advance(scope, ahead, next, { writes: [item('ahead')] })).rejects.toThrow(StepSuperseded)
    expect(await look()).toMatchObject({ step: load.step + 1, attempts: 0, state: { rows: 1 } })
    expect(await names(org)).toEqual(['first'])
  })

  it('does not go through when the load was cancelled, unless it ends the load', async () => {
    const org = await newOrg()
    const { id, scope, look } = await standing(org)
    const load = await look()
    await env.DB.prepare('UPDATE jobs SET is_cancelled = 1 WHERE id = ?').bind(id).run()
    await expect(advance(scope, load, load.state, { writes: [item('late')] })).rejects.toThrow(StepSuperseded)
    await advance(scope, load, load.state, { writes: [item('last')], endsIt: true })
    expect(await names(org)).toEqual(['last'])
  })

  it('is that of its load alone', async () => {
    const org = await newOrg()
    const one = await standing(org)
    const other = await standing(org)
    await advance(one.scope, await one.look(), { ...(await one.look()).state, rows: 7 })
    expect(await other.look()).toMatchObject({ step: 0, state: { rows: 0 } })
  })
})

describe('N64 the cancel of a load that is cancelled already', () => {
  it.each([
    ['its report is being written', { phase: 'reporting' }, 'running'],
    ['its traces are cleaned up', { phase: 'cleaning', endedOn: '2026-01-01T00:00:00.000Z' }, 'cancelled'],
  ] as const)('is answered again under a key while %s', async (_, ending, status) => {
    const org = await newOrg()
    const { id, scope, look } = await standing(org)
    const load = await look()
    const startedOn = '2026-01-01T00:00:00.000Z'
    await advance(scope, load, { ...load.state, startedOn, outcome: 'cancelled', ...ending }, { endsIt: true })
    const cancel = (headers = {}) => org.call('POST', `/loader-processes/${id}/cancel`, { headers })
    expect(await cancel({ 'Idempotency-Key': 'k' })).toMatchObject({ status: 202, body: { id, status } })
    expect(await cancel()).toMatchObject({ status: 409, body: { recorded: 'cancelled' } })
  })
})

/** Before a commit of the load that makes an item goes out, as often as `times`. */
function beforeCommits(times: number, then: (time: number) => Promise<unknown>): void {
  const { batch } = Database.prototype
  let made = 0
  const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
    const makesItem = statements.some(
      ({ sql, params }) => /insert into .?entities/i.test(sql) && params.includes('item'),
    )
    if (makesItem && made < times) {
      made++
      spy.mockImplementation(batch)
      await then(made)
      spy.mockImplementation(again)
    }
    return batch.call(this, statements)
  })
  const again = spy.getMockImplementation() ?? batch
  onTestFinished(() => spy.mockRestore())
}

describe('N34 what somebody else makes between the look and the commit', () => {
  const csv = 'itemFamilyFederatedId,name\nF1,by load\nF2,by load\n'

  it('is found by the next plan: it is updated, and the rest is created', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    beforeCommits(1, () => org.make('/items', { federatedId: 'F1', name: 'by hand' }))
    const done = await worked(org, id)
    expect(done).toMatchObject({ status: 'completed', issues: [] })
    expect(done.results.item).toEqual({ created: 1, updated: 1, unchanged: 0, removed: 0 })
    expect(await names(org)).toEqual(['by load', 'by load'])
  })

  it('fails the load where it happens again and again', async () => {
    const org = await newOrg()
    holdLoads()
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => quiet.mockRestore())
    let last: { id: string } | undefined
    beforeCommits(10, async () => {
      if (last) await org.delete(`/items/${last.id}`)
      last = await org.make('/items', { federatedId: last ? 'F1' : 'F2', name: 'by hand' })
    })
    expect(await worked(org, id)).toMatchObject({ status: 'failed', failureArea: 'TRANSFORMING_DATA' })
  })
})

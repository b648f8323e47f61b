// Every fault point of what runs on messages: loads, reverts, runs, events and deliveries. The n-th call to D1, R2, a queue or a
// Durable Object fails, before and after it took effect, for every n; messages come twice, and once more when all is over; the clock
// goes back an hour on the way. In the end everything is as if nothing had happened (N34, N36). Every day a fifth of the points;
// VITE_FAULTS=all takes all.
import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { dispatch } from '../../../src/features/events/dispatch.ts'
import { deliver } from '../../../src/features/outbound/deliver.ts'
import { stepRun } from '../../../src/features/workflows/run.ts'
import { taskObject } from '../../../src/features/workflows/task/objects.ts'
import type { Env } from '../../../src/platform/env.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { type Clock, holdClock } from '../clock.ts'
import { SMALL, start, workOnLoads } from '../loads/loading.ts'
import { outside } from '../outside.ts'
import { Injector, MOMENTS } from './injector.ts'
import { outcomeOf } from './state.ts'

const HOUR_MS = 3_600_000
/** Longer than any lease. */
const STEP_MS = 50_000
const STEPS_MAX = 40
const POINTS_MAX = 400
const settings = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env
const isWhole = settings?.VITE_FAULTS === 'all'
/** Odd, so that it comes by both moments. */
const STRIDE = 5

let points = 0

interface Work {
  org: TestOrg
  /** What one message brings about. */
  step(env: Env): Promise<unknown>
  isOver(): Promise<boolean>
}

const WORKS: Record<string, () => Promise<Work>> = {
  async 'a load'() {
    const org = await newOrg()
    const csv = 'itemFamilyFederatedId,itemOptionFederatedId,note\nF1,O1,a\nF1,O2,b\nF2,O3,c\nF3,O4,d\nF3,O5,e\n'
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    return loadWork(org, `/loader-processes/${id}`)
  },
  async 'a load that is refused'() {
    const org = await newOrg()
    const { id } = await start(org, 'itemFamilyFederatedId,itemOptionFederatedId\nF1,O1\nF1\n', { loadType: ['ITEM'] })
    return loadWork(org, `/loader-processes/${id}`)
  },
  async 'a revert'() {
    const org = await newOrg()
    const { id } = await start(org, 'federatedId,name\nc1,Red\nc2,Blue\n', { loadType: ['COLOR'] })
    const first = loadWork(org, `/loader-processes/${id}`)
    while (!(await first.isOver())) await first.step(env)
    const { body } = await org.post(`/loader-processes/${id}/revert`, {})
    return loadWork(org, `/revert-processes/${String(body.id)}`)
  },
  async 'a run that calls outside and acts'() {
    const org = await newOrg()
    await operator('PUT', `/orgs/${org.slug}/endpoints/erp`, {
      url: 'https://erp.example.com/',
      auth: { kind: 'header', name: 'X-Key', value: 'v' },
    })
    const object = { name: 'made', typePath: 'color' }
    await org.make('/event-workflows', {
      name: 'flow',
      triggerKey: 'go',
      paths: [
        {
          tasks: [
            { name: 'call', action: 'http', async: true, config: { endpoint: 'erp', body: {} } },
            { name: 'make', action: 'entity', config: { operation: 'create', entityName: 'color', object } },
          ],
        },
      ],
    })
    const { body } = await org.post('/event-workflow-requests', { triggerKey: 'go', event: {} })
    const runId = String(body.results?.[0]?.id)
    const tasks = (await org.get('/event-workflow-tasks', { criteria: { processId: runId } })).body.results ?? []
    const taskId = String(tasks.find(({ name }) => name === 'call')?.id)
    const isOver = async () => (await org.get(`/event-workflow-processes/${runId}`)).body.endedOn !== undefined
    return {
      org,
      isOver,
      step: async used => {
        await stepRun(used, org.id, runId, { mayCall: true })
        await stepRun(used, org.id, runId)
        const task = (await org.get(`/event-workflow-tasks/${taskId}`)).body
        if (task.status === 'awaiting') {
          await org.post('/external-events/callback/', { taskId, status: 'SUCCESS', output: { by: 'erp' } })
        }
        // What the object could not tell at once it tells again.
        await runDurableObjectAlarm(taskObject(env, org.id, taskId))
      },
    }
  },
  async 'an event that starts a run and is delivered'() {
    const org = await newOrg()
    await operator('PUT', `/orgs/${org.slug}/endpoints/log`, {
      url: 'https://log.example.com/',
      events: ['color|create'],
      auth: { kind: 'header', name: 'X-Key', value: 'v' },
    })
    const tasks = [{ name: 'note', action: 'expression', config: { output: { name: '{newData.name}' } } }]
    await org.make('/event-workflows', { name: 'flow', triggerKey: 'color|create', paths: [{ tasks }] })
    await org.make('/colors', { name: 'Red' })
    const rowsOf = async (sql: string) => (await env.DB.prepare(sql).bind(org.id).all<{ id: string }>()).results
    const runs = () =>
      rowsOf(`SELECT id FROM entities WHERE org_id = ? AND kind = 'event-workflow-process' AND status <> 'complete'`)
    const deliveries = () => rowsOf(`SELECT id FROM deliveries WHERE org_id = ? AND status = 'pending'`)
    const unread = () =>
      rowsOf(
        'SELECT c.id FROM changes c JOIN clocks k ON k.org_id = c.org_id WHERE c.org_id = ? AND c.seq > k.heard_seq',
      )
    return {
      org,
      isOver: async () => (await Promise.all([unread(), runs(), deliveries()])).every(rows => rows.length === 0),
      step: async used => {
        await dispatch(used, org.id)
        for (const { id } of await runs()) await stepRun(used, org.id, id)
        for (const { id } of await deliveries()) await deliver(used, org.id, id)
      },
    }
  },
}

function loadWork(org: TestOrg, path: string): Work {
  const rows = () => env.DB.prepare('SELECT count(*) AS n FROM jobs WHERE org_id = ?').bind(org.id).first<number>('n')
  return {
    org,
    step: used => workOnLoads(used, org.id, SMALL),
    isOver: async () => (await org.get(path)).body.endedOn !== undefined && (await rows()) === 0,
  }
}

/** Messages that fail come again; so do those whose work has died. */
async function toTheEnd(used: Env, work: Work, clock: Clock): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    await work.step(used).catch(() => undefined)
    clock.forward(STEP_MS)
    if (await work.isOver()) return
  }
  throw new Error('it does not come to its end')
}

describe.each(Object.entries(WORKS))('%s', (_, begin) => {
  async function setting() {
    const injector = new Injector()
    outside()
    const clock = holdClock()
    const work = await begin()
    await toTheEnd(injector.env, work, clock)
    return { injector, clock, usual: await outcomeOf(work.org) }
  }

  it('ends as always, whatever call fails on the way', async () => {
    const { injector, clock, usual } = await setting()
    for (let n = 1; n <= POINTS_MAX; n += isWhole ? 1 : STRIDE) {
      for (const moment of isWhole ? MOMENTS : ([n % 2 ? 'after' : 'before'] as const)) {
        const work = await begin()
        await injector.during(n, moment, () => toTheEnd(injector.env, work, clock))
        if (injector.hit === undefined) {
          expect(n).toBeGreaterThan(3)
          return vi.restoreAllMocks()
        }
        points++
        expect(await outcomeOf(work.org), `${injector.hit} ${n} ${moment}`).toEqual(usual)
      }
    }
    expect.fail('there is always another call')
  })

  it('ends as always when every message comes twice, at once and once more at the end', async () => {
    const { injector, clock, usual } = await setting()
    const work = await begin()
    const twice = { ...work, step: (used: Env) => Promise.all([work.step(used), work.step(used)]) }
    await toTheEnd(injector.env, twice, clock)
    expect(await outcomeOf(work.org)).toEqual(usual)
    await work.step(injector.env)
    expect(await outcomeOf(work.org)).toEqual(usual)
    vi.restoreAllMocks()
  })

  it('ends as always when the clock goes back an hour', async () => {
    const { injector, clock, usual } = await setting()
    const work = await begin()
    await injector.during(2, 'after', () => work.step(injector.env).catch(() => undefined))
    clock.forward(-HOUR_MS)
    // Whoever holds a lease by the old clock is waited for, no longer than the clock was wrong.
    for (let waited = 0; waited <= HOUR_MS && !(await work.isOver()); waited += STEP_MS) {
      await work.step(injector.env).catch(() => undefined)
      clock.forward(STEP_MS)
    }
    expect(await work.isOver()).toBe(true)
    expect(await outcomeOf(work.org)).toEqual(usual)
    vi.restoreAllMocks()
  })
})

afterAll(() => console.log(`${points} fault points of ${Object.keys(WORKS).length} works`))

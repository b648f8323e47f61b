// How often a request goes to D1, counted by a binding that stands between the service and the database.
import { type Call, Target } from './client.ts'
import { itemOf } from './items.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { type Service, setUp } from './service.ts'

const TIMES = 5

interface Counts {
  roundTrips: number
  objectCalls: number
}

async function made(target: Target, path: string, body: unknown): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < TIMES; n++) ids.push((await target.call<{ id: string }>({ method: 'POST', path, body })).id)
  return ids
}

async function callsOf({ target }: Service): Promise<Record<string, Call[]>> {
  const items = await made(target, '/api/items', itemOf(1))
  const tasks = await made(target, '/api/event-workflow-tasks', { name: 'wait', async: true })
  const repeat = (call: Call) => Array.from({ length: TIMES }, () => call)
  return {
    get: items.map(id => ({ method: 'GET', path: `/api/items/${id}` })),
    list: repeat({ method: 'GET', path: '/api/items' }),
    create: repeat({ method: 'POST', path: '/api/items', body: itemOf(2) }),
    update: items.map((id, n) => ({ method: 'PUT', path: `/api/items/${id}`, body: { price: n + 1000 } })),
    delete: items.map(id => ({ method: 'DELETE', path: `/api/items/${id}` })),
    callback: tasks.map(taskId => ({
      method: 'POST',
      path: '/api/external-events/callback',
      body: { taskId, status: 'SUCCESS', output: { ok: true }, logs: 'done' },
    })),
  }
}

export async function benchRoundTrips(counting: Runtime): Promise<Check[]> {
  const service = await setUp(counting)
  const counter = new Target(counting.url)
  const counted = () => counter.call<Counts>({ method: 'GET', path: '/counts' })
  const checks: Check[] = []
  for (const [name, calls] of Object.entries(await callsOf(service))) {
    // The credential is remembered for ten seconds: looking it up is no part of these requests.
    await service.target.call({ method: 'GET', path: '/api/items?limit=1' })
    await counted()
    const most = { roundTrips: 0, objectCalls: 0 }
    for (const call of calls) {
      await service.target.call(call)
      const { roundTrips, objectCalls } = await counted()
      most.roundTrips = Math.max(most.roundTrips, roundTrips)
      most.objectCalls = Math.max(most.objectCalls, objectCalls)
    }
    checks.push({ name: `D1 round trips: ${name}`, ratio: most.roundTrips, target: 1, isAtLeast: false })
    if (name === 'callback') {
      checks.push({ name: 'object calls: callback', ratio: most.objectCalls, target: 1, isAtLeast: false })
    }
  }
  service.target.close()
  counter.close()
  return checks
}

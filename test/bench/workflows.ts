// Callbacks and events. 1,000 waiting tasks are called back at once and must all end right; an event must cost the same
// in an organization with 100,000 change records as in a new one.
import { median, Target, throughput } from './client.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { setUp } from './service.ts'

const TASKS = 1000
const AT_ONCE = 50
const EVENTS = 40

interface Entity {
  id: string
  status: string
  output: { n?: number }
}

interface Page<T> {
  results: T[]
}

async function inParallel<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) {
        const n = next++
        results[n] = await work(n)
      }
    }),
  )
  return results
}

async function callbacks(target: Target, floor: Target): Promise<Check[]> {
  const body = { name: 'bench', async: true }
  const tasks = await inParallel(TASKS, () =>
    target.call<Entity>({ method: 'POST', path: '/api/event-workflow-tasks', body }),
  )
  const item = await floor.call<Entity>({ method: 'POST', path: '/api/items', body: { name: 'floor' } })
  const update = () => ({ method: 'PUT', path: `/api/items/${item.id}`, body: { price: Math.random() } })
  const bare = await throughput(floor, update, AT_ONCE, 2)
  const began = performance.now()
  const answers = await inParallel(TASKS, n =>
    target.call<Entity>({
      method: 'POST',
      path: '/api/external-events/callback/',
      body: { taskId: tasks[n]?.id, status: n % 2 ? 'SUCCESS' : 'FAILURE', output: { n }, logs: `line ${n}` },
    }),
  )
  const rate = TASKS / ((performance.now() - began) / 1000)
  const isRight = ({ status, output }: Entity, n: number) =>
    status === (n % 2 ? 'complete' : 'failed') && output.n === n
  const page = await target.call<Page<Entity>>({ method: 'GET', path: '/api/event-workflow-tasks?limit=1000' })
  const stored = new Map(page.results.map(task => [task.id, task]))
  const right = answers.filter((task, n) => isRight(task, n) && stored.get(task.id)?.status === task.status)
  return [
    {
      name: '1,000 callbacks at once: share that ended right',
      ratio: right.length / TASKS,
      target: 1,
      isAtLeast: true,
    },
    {
      name: 'callbacks/s against updates of the bare Worker',
      ratio: rate / bare,
      target: 0.3,
      isAtLeast: true,
      note: `${Math.round(rate)}/s`,
    },
  ]
}

/** Milliseconds from the first of some changes until the last of their runs has ended, by the number of changes. */
async function msAnEvent(target: Target, workflowId: string, round: number): Promise<number> {
  const began = performance.now()
  for (let n = 0; n < EVENTS; n++) {
    await target.call({ method: 'POST', path: '/api/colors', body: { name: `color ${n}` } })
  }
  const criteria = encodeURIComponent(JSON.stringify({ eventWorkflowId: workflowId, status: 'complete' }))
  const path = `/api/event-workflow-processes?limit=1000&criteria=${criteria}`
  for (;;) {
    const { results } = await target.call<Page<Entity>>({ method: 'GET', path })
    if (results.length >= EVENTS * round) return (performance.now() - began) / EVENTS
  }
}

async function listening(target: Target): Promise<string> {
  const tasks = [{ name: 'note', action: 'expression', config: { output: { name: '{newData.name}' } } }]
  const body = { triggerKey: 'color|create', paths: [{ tasks }] }
  return (await target.call<Entity>({ method: 'POST', path: '/api/event-workflows', body })).id
}

async function events(runtime: Runtime, isQuick: boolean): Promise<Check[]> {
  const [short, long] = [await setUp(runtime), await setUp(runtime)]
  const ids = [await listening(short.target), await listening(long.target)]
  const records = isQuick ? 20_000 : 100_000
  for (let at = 0; at < records; at += 1000) {
    const body = Array.from({ length: 1000 }, (_, n) => ({ name: `item ${at + n}` }))
    await long.target.call({ method: 'POST', path: '/api/items/batch', body })
  }
  const ratios: number[] = []
  const times: number[] = []
  for (let round = 1; round <= (isQuick ? 3 : 7); round++) {
    const few = await msAnEvent(short.target, ids[0] ?? '', round)
    const many = await msAnEvent(long.target, ids[1] ?? '', round)
    ratios.push(many / few)
    times.push(many)
  }
  short.target.close()
  long.target.close()
  return [
    {
      name: `an event behind ${records} change records against one in a new organization: time`,
      ratio: median(ratios),
      target: 1.3,
      isAtLeast: false,
      note: `${median(times).toFixed(1)} ms an event, run ended`,
    },
  ]
}

export async function benchWorkflows(service: Runtime, floor: Runtime, isQuick: boolean): Promise<Check[]> {
  const { target } = await setUp(service)
  const bare = new Target(floor.url)
  const checks = [...(await callbacks(target, bare)), ...(await events(service, isQuick))]
  target.close()
  bare.close()
  return checks
}

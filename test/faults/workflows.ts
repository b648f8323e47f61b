// Workflows: some that start when a project is made and call outside, some that are requested, wait for callbacks and are cancelled.
import { pause } from '../kill/service.ts'
import { attempt, careful, expected, query } from './client.ts'
import type { Entity, Page, World } from './world.ts'

export interface Requested {
  runId: string
  /** By what was acknowledged. */
  cancelled: boolean
}

export interface Decided {
  taskId: string
  /** What was answered to each callback, by its own name. */
  answers: { by: string; status: number }[]
}

export interface Workflows {
  /** Projects that were made: each starts one run, and is delivered. */
  projects: string[]
  requested: Requested[]
  decided: Decided[]
}

export const newWorkflows = (): Workflows => ({ projects: [], requested: [], decided: [] })

export async function defineWorkflows(world: World, slug: string): Promise<void> {
  const auth = { kind: 'header', name: 'X-Key', value: 'v' }
  const url = `http://127.0.0.1:${world.port + 1}/`
  const headers = world.service.operator
  const path = `/operator/orgs/${slug}/endpoints`
  await expected(world, [200, 201], 'PUT', `${path}/log`, { headers, body: { url, auth, events: ['project|create'] } })
  await expected(world, [200, 201], 'PUT', `${path}/worker`, { headers, body: { url, auth, events: [] } })
  const waits = (name: string) => ({ name, action: 'wait', async: true })
  const definitions = [
    {
      name: 'calls',
      triggerKey: 'project|create',
      paths: [
        {
          tasks: [
            { name: 'first', action: 'expression', config: { output: { id: '{newData.id}' } } },
            { name: 'call', action: 'http', async: true, config: { endpoint: 'worker', body: { id: '{newData.id}' } } },
            {
              name: 'note',
              action: 'entity',
              config: { operation: 'create', entityName: 'color', object: { name: 'project {newData.id}' } },
            },
          ],
        },
      ],
    },
    { name: 'asked for', triggerKey: 'go', paths: [{ tasks: [waits('one'), waits('two')] }] },
  ]
  for (const body of definitions) {
    await expected(world, [201], 'POST', '/event-workflows', { key: `workflow ${body.name}`, body })
  }
}

export async function makeProjects(world: World, { projects }: Workflows): Promise<void> {
  const random = world.random('projects')
  while (!world.isOver) {
    const w = world.operation('project')
    const made = await expected<Entity>(world, [201], 'POST', '/projects', { key: w, body: { name: w, w } })
    projects.push(made.body.id)
    await pause(random.below(1000))
  }
}

/** Requests runs; ends their tasks by callbacks that contradict each other, or cancels them on the way. */
export async function requestRuns(world: World, workflows: Workflows): Promise<void> {
  const random = world.random('requests')
  while (!world.isOver) {
    const [cancelAt, key] = [random.below(6), world.operation('request')]
    const body = { triggerKey: 'go', event: { key } }
    const made = await expected<Page>(world, [201], 'POST', '/event-workflow-requests', { key, body })
    const runId = made.body.results[0]?.id
    if (runId === undefined) return world.violation('a request has started nothing')
    const requested: Requested = { runId, cancelled: false }
    workflows.requested.push(requested)
    for (let at = 0; at < 2 && !requested.cancelled; at++) {
      // A cancel comes beside the callbacks, or instead of them.
      if (cancelAt === at) requested.cancelled = await cancel(world, runId)
      else {
        const taskId = await awaitingTask(world, runId)
        if (taskId === undefined) break
        const both = cancelAt === at + 2 ? cancel(world, runId) : Promise.resolve(false)
        workflows.decided.push(await contradict(world, taskId))
        requested.cancelled = await both
      }
    }
  }
}

async function cancel(world: World, runId: string): Promise<boolean> {
  const answer = await expected(world, [200, 409], 'POST', `/event-workflow-processes/${runId}/cancel`)
  world.count('cancels')
  return answer.status === 200
}

/** A runtime that is killed every few seconds hardly comes to anything; once it is left alone, it has all of that to do. */
const PATIENCE_MS = 300_000

/** Undefined: the run has ended. */
async function awaitingTask(world: World, runId: string): Promise<string | undefined> {
  for (let since = Date.now(); Date.now() - since < PATIENCE_MS; await pause(50)) {
    if (!world.isOver) since = Date.now()
    const criteria = { processId: runId, status: 'awaiting' }
    const found = await attempt<Page>(world, 'GET', `/event-workflow-tasks${query({ criteria })}`)
    const id = found?.body.results[0]?.id
    if (id !== undefined) return id
    const run = await attempt(world, 'GET', `/event-workflow-processes/${runId}`)
    if (['complete', 'failed', 'cancelled'].includes(String(run?.body.status))) return undefined
  }
  return world.violation(`the run ${runId} does not come to its task`) as undefined
}

/** Several callbacks at once, one of them twice. */
export async function contradict(world: World, taskId: string): Promise<Decided> {
  const names = ['a', 'b', 'c', 'a'].map(name => `${taskId} ${name}`)
  const answers = await Promise.all(
    names.map(async by => {
      const body = { taskId, status: 'SUCCESS', logs: `done by ${by}`, output: { by } }
      const { status } = await careful(world, 'POST', '/external-events/callback/', { body })
      return { by, status }
    }),
  )
  world.count('callbacks', names.length)
  return { taskId, answers }
}

/** Tasks that belong to no run. */
export async function freeTasks(world: World, { decided }: Workflows): Promise<void> {
  while (!world.isOver) {
    const key = world.operation('task')
    const made = await expected<Entity>(world, [201], 'POST', '/event-workflow-tasks', {
      key,
      body: { name: key, async: true },
    })
    decided.push(await contradict(world, made.body.id))
  }
}

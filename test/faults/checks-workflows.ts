// Of workflows, once it is quiet again: each event acted on once and delivered, one outcome for each task, cancels that stay.
import { pause } from '../kill/service.ts'
import { listAll } from './client.ts'
import type { Heard, Partner } from './partner.ts'
import type { Workflows } from './workflows.ts'
import type { Entity, Json, World } from './world.ts'

interface Run extends Entity {
  status: string
  triggerKey: string
  triggerEvent: { newData?: { id: string } }
}

interface Task extends Entity {
  status: string
  processId?: string
  name: string
  output: { by?: string }
  logs: string[]
}

const ENDED = ['complete', 'failed', 'cancelled']

interface Delivery extends Json {
  payload: { data: { newData?: { id: string } } }
}

function deliveries(world: World, slug: string, query = ''): Promise<Delivery[]> {
  return listAll(world, `/operator/orgs/${slug}/endpoints/log/deliveries${query}`, world.service.operator)
}

/** How much of the organization is still under way. */
async function underWay(world: World, slug: string, partner: Partner): Promise<number> {
  const runs = await listAll<Run>(world, '/event-workflow-processes')
  const loads = await listAll<Json>(world, '/loader-processes')
  const pending = await deliveries(world, slug, '?status=pending')
  const open = [...runs.filter(({ status }) => !ENDED.includes(status)), ...loads.filter(load => !load.endedOn)]
  return partner.pending + open.length + pending.length
}

/** Waits for the end of everything; nothing may stand still for so long. */
export async function quiet(world: World, slug: string, partner: Partner, patienceMs: number): Promise<void> {
  let [least, since] = [Number.POSITIVE_INFINITY, Date.now()]
  for (;;) {
    const left = await underWay(world, slug, partner)
    if (left === 0) return
    if (left < least) [least, since] = [left, Date.now()]
    if (Date.now() - since > patienceMs) return world.violation(`${left} are stuck after a minute of quiet`)
    await pause(500)
  }
}

export async function checkRuns(world: World, slug: string, workflows: Workflows, partner: Partner): Promise<void> {
  const runs = await listAll<Run>(world, '/event-workflow-processes')
  const tasks = new Map((await listAll<Task>(world, '/event-workflow-tasks')).map(task => [task.id, task]))
  const stuck = runs.filter(({ status }) => !ENDED.includes(status))
  world.check('a run is stuck', stuck.length === 0, stuck[0])
  checkEvents(world, workflows, runs, partner, await deliveries(world, slug))
  for (const { runId, cancelled } of workflows.requested) {
    const run = runs.find(({ id }) => id === runId)
    world.check('a run that was asked for is gone', run !== undefined, runId)
    if (cancelled) world.check('a cancel is undone', run?.status === 'cancelled', run)
  }
  for (const { taskId, answers } of workflows.decided) checkOutcome(world, tasks.get(taskId), answers)
  for (const [taskId, answers] of partner.callbacks) checkOutcome(world, tasks.get(taskId), answers)
  for (const { id, status, processId } of tasks.values()) {
    const run = runs.find(candidate => candidate.id === processId)
    const isOver = [...ENDED, 'skipped'].includes(status)
    world.check('a task of a run that has ended has not', !run || isOver, { id, status, run })
  }
  const colors = await listAll<Json>(world, '/colors')
  for (const run of runs.filter(({ triggerKey }) => triggerKey === 'project|create')) {
    const name = `project ${run.triggerEvent.newData?.id}`
    const many = colors.filter(color => color.name === name).length
    world.check('a run has not acted once', many === (run.status === 'complete' ? 1 : 0), { run, many })
  }
  world.count('runs', runs.length)
  world.count('tasks', tasks.size)
}

function checkEvents(
  world: World,
  { projects }: Workflows,
  runs: readonly Run[],
  { delivered }: Partner,
  log: readonly Delivery[],
): void {
  const started = runs.filter(({ triggerKey }) => triggerKey === 'project|create')
  const runsOf = counted(started.map(({ triggerEvent }) => triggerEvent.newData?.id ?? ''))
  const deliveriesOf = counted([...delivered.values()])
  for (const id of projects) {
    world.check('an event is not acted on once', runsOf.get(id) === 1, { id, runs: runsOf.get(id) })
    // Another try of the same delivery has the same webhook-id.
    const many = deliveriesOf.get(id)
    const told = () => log.filter(({ payload }) => payload.data.newData?.id === id)
    world.check('an event is not delivered', many === 1, many === 1 || { id, deliveries: many, log: told() })
  }
  world.count('events', projects.length)
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** One callback wins; all that were answered well are it, and the record tells of it alone. */
function checkOutcome(world: World, task: Task | undefined, answers: readonly Heard[]): void {
  const told = { task, answers }
  world.check(
    'a callback is answered oddly',
    answers.every(({ status }) => [200, 202, 409].includes(status)),
    told,
  )
  const winners = new Set(answers.filter(({ status }) => status < 300).map(({ by }) => by))
  world.check('a task has several outcomes', winners.size <= 1, told)
  const [winner] = winners
  world.check('a task is gone', task !== undefined, told)
  if (!task) return
  // Who came too late: the run was cancelled.
  if (winner === undefined) world.check('nobody has won', task.status === 'cancelled', told)
  if (winner === undefined) return
  world.check('an outcome is not that of the winner', ENDED.includes(task.status) && task.output.by === winner, told)
  const lines = task.logs.filter(line => line.includes('done by '))
  world.check('the logs are not those of the winner', lines.length === 1 && lines[0]?.endsWith(winner) === true, told)
}

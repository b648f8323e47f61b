// `npm run test:kill:acknowledged`: kills the runtime the moment it has answered. An organization's first listener and its first
// event are acted on all the same (N36), and a cancel that was acknowledged stays (N37).
import { check, KilledService, pause } from './service.ts'

const flags = process.argv.slice(2)
const flagOf = (flag: string, otherwise: number) =>
  Number(flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : otherwise)
const ROUNDS = flagOf('--rounds', 4)
const RUNS = flagOf('--runs', 16)
const PATIENCE_MS = 60_000
/** A task that has died before it noted that D1 knows tells it again after ten seconds. */
const TOLD_AGAIN_MS = 15_000

type Headers = Record<string, string>
interface Found {
  id: string
  status: string
}

const service = new KilledService(flagOf('--port', 9861))

async function killed(): Promise<void> {
  await service.kill()
  await service.start()
  // Connections of the killed runtime are used up first.
  await service.call('GET', '/operator/orgs', service.operator).catch(() => undefined)
}

const list = async (headers: Headers, path: string) =>
  (await service.call<{ results: Found[] }>('GET', `${path}limit=1000`, headers)).results

async function eventually<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const seen = await look()
    if (holds(seen) || Date.now() > end) return seen
    await pause(250)
  }
}

async function firstEvents(): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    const headers = await service.organization(`first-${round}`)
    const paths = [{ tasks: [{ name: 'note', action: 'wait' }] }]
    await service.call('POST', '/event-workflows', headers, { triggerKey: 'item|create', paths })
    await killed()
    await service.call('POST', '/items', headers, { name: 'first' })
    await killed()
    const began = Date.now()
    const look = () => list(headers, '/event-workflow-processes?')
    const runs = await eventually(look, found => found.length > 0 && found.every(({ status }) => status === 'complete'))
    const waited = Math.round((Date.now() - began) / 1000)
    check(
      `first event ${round}, ${waited} s later`,
      runs.map(({ status }) => status),
      ['complete'],
    )
  }
}

async function cancels(): Promise<void> {
  const headers = await service.organization('cancels')
  const waiting = (name: string) => ({ name, action: 'wait', async: true })
  const paths = [{ tasks: [waiting('one'), waiting('two')] }]
  await service.call('POST', '/event-workflows', headers, { triggerKey: 'go', paths })
  const start = () => service.call('POST', '/event-workflow-requests', headers, { triggerKey: 'go', event: {} })
  await Promise.all(Array.from({ length: RUNS }, start))
  const look = () => list(headers, '/event-workflow-processes?')
  const runs = await eventually(look, found => found.every(({ status }) => status === 'awaiting'))
  const tasks = (await list(headers, '/event-workflow-tasks?')).filter(({ status }) => status === 'awaiting')
  check('tasks that wait', tasks.length, RUNS)
  const callBack = ({ id }: Found) =>
    service.call('POST', '/external-events/callback/', headers, { taskId: id, status: 'SUCCESS', subtext: 'old' })
  await Promise.all(tasks.map(callBack))
  await killed()
  const cancel = ({ id }: Found) => service.call<Found>('POST', `/event-workflow-processes/${id}/cancel`, headers)
  const acknowledged = await Promise.all(runs.map(cancel))
  check('cancels that were acknowledged', acknowledged.filter(({ status }) => status === 'cancelled').length, RUNS)
  await pause(TOLD_AGAIN_MS)
  check('runs that are still cancelled', (await look()).filter(({ status }) => status === 'cancelled').length, RUNS)
}

try {
  await service.start()
  await firstEvents()
  await cancels()
} finally {
  await service.end()
}

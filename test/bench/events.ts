// What an event costs, from the change of an item to the end of the run that it starts.
import type { Target } from './client.ts'
import { itemOf } from './items.ts'
import { type Compared, sideBySide } from './side-by-side.ts'

const EVENTS_A_ROUND = 50

const WORKFLOW = {
  name: 'bench',
  triggerKey: 'item|create',
  paths: [{ tasks: [{ name: 'echo', action: 'expression', config: { output: { name: '{newData.name}' } } }] }],
}

interface Runs {
  results: unknown[]
}

async function completed(target: Target, count: number): Promise<void> {
  const criteria = encodeURIComponent(JSON.stringify({ status: 'complete' }))
  const path = `/api/event-workflow-processes?limit=1000&criteria=${criteria}`
  for (;;) {
    const { results } = await target.call<Runs>({ method: 'GET', path })
    if (results.length >= count) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Milliseconds an event, at the larger and at the smaller. */
export async function costOfEvents(larger: Target, smaller: Target, isQuick: boolean): Promise<Compared> {
  const soFar = new Map<Target, number>()
  for (const target of [larger, smaller]) {
    await target.call({ method: 'POST', path: '/api/event-workflows', body: WORKFLOW })
  }
  const round = async (target: Target): Promise<number> => {
    const count = (soFar.get(target) ?? 0) + EVENTS_A_ROUND
    soFar.set(target, count)
    const started = performance.now()
    const body = Array.from({ length: EVENTS_A_ROUND }, (_, n) => itemOf(n))
    await target.call({ method: 'POST', path: '/api/items/batch', body })
    await completed(target, count)
    return (performance.now() - started) / EVENTS_A_ROUND
  }
  return sideBySide(
    isQuick ? 5 : 15,
    () => round(larger),
    () => round(smaller),
  )
}

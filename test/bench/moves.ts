// How long writes are refused while an organization of some size, written all the time, moves to another database and back (N57).
import { setTimeout } from 'node:timers/promises'
import { Target } from './client.ts'
import { itemOf } from './items.ts'
import type { Check } from './report.ts'
import { OPERATOR_KEY, type Runtime } from './runtime.ts'
import { setUp } from './service.ts'

const BATCH = 1000
const LOOK_MS = 100
/** Of text in each item, so that the organization has a size. */
const FILLING = 'x'.repeat(300)
const TARGET_MS = 2000

interface Move {
  state: string
  phase: string
  stoppedMs: number
  startedOn: string
  endedOn: string
  error: string | null
}

export async function benchMoves(runtime: Runtime, isQuick: boolean): Promise<Check[]> {
  const { target, slug } = await setUp(runtime)
  const operator = new Target(runtime.url, { 'X-Operator-Key': OPERATOR_KEY })
  const count = isQuick ? 5000 : 60_000
  for (let at = 0; at < count; at += BATCH) {
    const body = Array.from({ length: BATCH }, (_, n) => ({
      ...itemOf(at + n),
      text: FILLING,
      federatedId: `F-${at + n}`,
    }))
    await target.call({ method: 'POST', path: '/api/items/batch', body })
  }
  const { results } = await operator.call<{ results: { name: string; bytes: number }[] }>({
    method: 'GET',
    path: '/api/operator/databases',
  })
  const megabytes = Math.round((results.find(({ name }) => name === 'DB')?.bytes ?? 0) / 1024 / 1024)
  const checks: Check[] = []
  for (const database of ['DATA_01', 'DB']) {
    const { move, longestMs, writes } = await moved(operator, target, slug, database)
    const seconds = (Date.parse(move.endedOn) - Date.parse(move.startedOn)) / 1000
    checks.push({
      name: `moves: milliseconds without writes, to ${database}`,
      ratio: move.stoppedMs,
      target: TARGET_MS,
      isAtLeast: false,
      note: `${megabytes} MB, ${seconds.toFixed(0)} s in all, ${writes} writes meanwhile, the longest pause between two ${longestMs} ms`,
    })
  }
  for (const one of [target, operator]) one.close()
  return checks
}

async function moved(operator: Target, target: Target, slug: string, database: string) {
  const path = `/api/operator/orgs/${slug}/move`
  let isOver = false
  let writes = 0
  let longestMs = 0
  const writing = (async () => {
    for (let last = performance.now(); !isOver; ) {
      const isTaken = await target.call({ method: 'POST', path: '/api/items', body: itemOf(writes) }).then(
        () => true,
        () => false,
      )
      if (!isTaken) {
        await setTimeout(20)
        continue
      }
      const now = performance.now()
      longestMs = Math.max(longestMs, Math.round(now - last))
      last = now
      writes++
    }
  })()
  let move = await operator.call<Move>({ method: 'POST', path, body: { database } })
  while (move.state === 'moving') {
    await setTimeout(LOOK_MS)
    move = await operator.call<Move>({ method: 'GET', path })
  }
  isOver = true
  await writing
  if (move.state !== 'complete') throw new Error(`${move.state}: ${move.error}`)
  return { move, writes, longestMs }
}

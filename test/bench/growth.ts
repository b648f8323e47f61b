// The same requests and events on a large and on a small organization, each in a database of its own: what a page or an event
// costs must not grow with what lies beside it.
import { type Call, latency, type Target } from './client.ts'
import { costOfEvents } from './events.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { FIRST_MS, seedItems } from './seed.ts'
import { setUp } from './service.ts'
import { sideBySide } from './side-by-side.ts'

interface Sized {
  target: Target
  count: number
}

const between = (from: number, to: number) =>
  `BETWEEN ${new Date(FIRST_MS + from).toISOString()} and ${new Date(FIRST_MS + to).toISOString()}`
const query = (value: unknown) => encodeURIComponent(JSON.stringify(value))

/** A place that no page cache holds yet: the same share of the way through at every size. */
const somewhere = (count: number, n: number) => Math.floor(((n * 0.618034) % 1) * (count - 200))

const PAGES: Record<string, (count: number, n: number) => Call> = {
  'first list page': () => ({ method: 'GET', path: '/api/items' }),
  'list page in the middle': (count, n) => {
    const from = somewhere(count, n)
    return { method: 'GET', path: `/api/items?criteria=${query({ createdOn: between(from, count) })}` }
  },
  'newest change-history page': () => ({ method: 'GET', path: '/api/change-history' }),
  'change-history page in the middle': (count, n) => {
    const criteria = { entityType: 'item', createdOn: between(0, somewhere(count, n) + 200) }
    return { method: 'GET', path: `/api/change-history?criteria=${query(criteria)}` }
  },
}

async function sized(runtime: Runtime, count: number): Promise<Sized> {
  const { target } = await setUp(runtime)
  const { orgId } = await target.call<{ orgId: string }>({ method: 'POST', path: '/api/projects', body: { name: 'p' } })
  await seedItems(runtime, orgId, count)
  return { target, count }
}

const short = (count: number) => count.toLocaleString('en')

export async function benchGrowth(large: Runtime, small: Runtime, isQuick: boolean): Promise<Check[]> {
  const [much, little] = [await sized(large, isQuick ? 100_000 : 1_000_000), await sized(small, 10_000)]
  const rounds = isQuick ? 60 : 200
  const sizes = `${short(much.count)} against ${short(little.count)}`
  const checks: Check[] = []
  for (const [name, call] of Object.entries(PAGES)) {
    let n = 0
    const { ours, theirs } = await sideBySide(
      rounds,
      () => latency(much.target, call(much.count, n++)),
      () => latency(little.target, call(little.count, n++)),
    )
    checks.push({
      name: `${name}: median latency at ${sizes} entities`,
      ratio: ours / theirs,
      target: 1.3,
      isAtLeast: false,
      note: `${ours.toFixed(1)} ms, ${theirs.toFixed(1)} ms`,
    })
  }
  const events = await costOfEvents(much.target, little.target, isQuick)
  checks.push({
    name: `an event: time at ${sizes} change records`,
    ratio: events.ratio,
    target: 1.3,
    isAtLeast: false,
    note: `${events.ours.toFixed(1)} ms, ${events.theirs.toFixed(1)} ms`,
  })
  much.target.close()
  little.target.close()
  return checks
}

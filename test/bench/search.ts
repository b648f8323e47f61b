// Search: what a page costs against a get, how long a write takes to be found, and what following its commits costs a load. The
// runtime that loads without an index has lost the table of its progress, so that nobody can follow.
import { latency, type Target } from './client.ts'
import { load, rate, upload } from './load.ts'
import { csvOf } from './load-rows.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { seedItems } from './seed.ts'
import { setUp } from './service.ts'
import { median, sideBySide } from './side-by-side.ts'

const LOOKS_EVERY_MS = 20
const FOUND_WITHIN_MS = 5000
const LOADS_OF_EACH = 5

const get = (q: string) => ({ method: 'GET', path: `/api/items?q=${encodeURIComponent(q)}&limit=20` })

/** Milliseconds. */
export async function untilFound(target: Target, q: string): Promise<number> {
  const started = performance.now()
  for (;;) {
    const { results } = await target.call<{ results: unknown[] }>(get(q))
    if (results.length > 0) return performance.now() - started
    await new Promise(resolve => setTimeout(resolve, LOOKS_EVERY_MS))
  }
}

async function pages(runtime: Runtime, count: number, rounds: number): Promise<Check[]> {
  const { target } = await setUp(runtime)
  const made = await target.call<{ id: string; orgId: string }>({
    method: 'POST',
    path: '/api/items',
    body: { name: 'p' },
  })
  await seedItems(runtime, made.orgId, count)
  await target.call({ method: 'POST', path: '/api/items', body: { name: 'Lastly made' } })
  const filled = await untilFound(target, 'lastly')
  const one = { method: 'GET', path: `/api/items/${made.id}` }
  let n = 0
  const somewhere = () => Math.floor(((n++ * 0.618034) % 1) * count)
  const sought: Record<string, () => string> = {
    'a whole key': () => `F${somewhere()}`,
    'a word of all entities': () => 'navy',
    'the beginning of many words': () => 'f1',
    'two words, one of all entities': () => `navy ${somewhere()}`,
  }
  const checks: Check[] = []
  for (const [name, q] of Object.entries(sought)) {
    const { ratio, ours, theirs } = await sideBySide(
      rounds,
      () => latency(target, get(q())),
      () => latency(target, one),
    )
    const note = `${ours.toFixed(1)} ms, ${theirs.toFixed(1)} ms; indexed at ${rate(count, filled)}`
    checks.push({ name: `search, ${name} of ${count}: time against a get`, ratio, target: 5, isAtLeast: false, note })
  }
  const times: number[] = []
  for (let at = 0; at < 5; at++) {
    await target.call({ method: 'POST', path: '/api/items', body: { name: `fresh${at}` } })
    times.push(await untilFound(target, `fresh${at}`))
  }
  target.close()
  const slowest = Math.max(...times)
  const note = `${Math.round(median(times))} ms, slowest ${Math.round(slowest)} ms`
  checks.push({
    name: 'search: time until a write is found, against 5 s',
    ratio: slowest / FOUND_WITHIN_MS,
    target: 1,
    isAtLeast: false,
    note,
  })
  return checks
}

async function loads(indexed: Runtime, bare: Runtime, rows: number): Promise<Check> {
  await bare.run('DROP TABLE search_progress')
  const csv = csvOf(rows)
  const timed = async (runtime: Runtime) => {
    const service = await setUp(runtime)
    const ms = await load(service, await upload(service, csv))
    // What is left to index must not disturb the next.
    if (runtime === indexed) await untilFound(service.target, `F${rows - 1}`)
    service.target.close()
    return ms
  }
  const { ratio, ours, theirs } = await sideBySide(
    LOADS_OF_EACH,
    () => timed(indexed),
    () => timed(bare),
  )
  const note = `${rate(rows, ours)}, ${rate(rows, theirs)} without`
  return {
    name: `load of ${rows} rows that the search index follows, time against one without`,
    ratio,
    target: 1.1,
    isAtLeast: false,
    note,
  }
}

export async function benchSearch(service: Runtime, bare: Runtime, isQuick: boolean): Promise<Check[]> {
  const found = await pages(service, isQuick ? 50_000 : 1_000_000, isQuick ? 40 : 200)
  return [...found, await loads(service, bare, isQuick ? 10_000 : 100_000)]
}

// Indexed properties (N49): pages along them in a large and in a small organization, and what keeping three of them costs writes
// and loads.
import { type Call, latency, type Target } from './client.ts'
import { itemOf } from './items.ts'
import { load, rate, upload } from './load.ts'
import { csvOf } from './load-rows.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { untilFound } from './search.ts'
import { seedItems } from './seed.ts'
import { type Service, setUp } from './service.ts'
import { sideBySide } from './side-by-side.ts'

const LOOKS_EVERY_MS = 100

async function mark({ target }: Service, slugs: string[]): Promise<void> {
  const properties = slugs.map(slug => ({ slug, propertyType: 'string', indexed: true }))
  // No entity is of this path: what the loads bring is taken as it comes.
  await target.call({ method: 'POST', path: '/api/types', body: { typePath: 'item:marked', properties } })
}

async function untilReady({ target }: Service): Promise<void> {
  for (;;) {
    const { indexes } = await target.call<{ indexes: { state: string }[] }>({
      method: 'GET',
      path: '/api/types/item:marked',
    })
    if (indexes.every(({ state }) => state === 'ready')) return
    await new Promise(resolve => setTimeout(resolve, LOOKS_EVERY_MS))
  }
}

const query = (criteria: unknown, order?: unknown) =>
  `criteria=${encodeURIComponent(JSON.stringify(criteria))}${order ? `&order=${encodeURIComponent(JSON.stringify(order))}` : ''}`
const page = (criteria: unknown, order?: unknown): Call => ({
  method: 'GET',
  path: `/api/items?${query(criteria, order)}`,
})
const byPrice = { orderField: 'price', order: 'desc' }

/** Prices are 1.5 times the number of the item. */
const PAGES: Record<string, (count: number, n: number) => Call> = {
  'one value': (count, n) => page({ price: somewhere(count, n) * 1.5 }),
  'order from the middle': (count, n) => page({ price: { lt: somewhere(count, n) * 1.5 } }, byPrice),
  'a range of 100 in order of creation': (count, n) => {
    const from = somewhere(count, n) * 1.5
    return page({ price: { gte: from, lt: from + 150 } })
  },
}

const somewhere = (count: number, n: number) => 100 + Math.floor(((n * 0.618034) % 1) * (count - 300))

async function sized(runtime: Runtime, count: number): Promise<{ target: Target; count: number; filled: number }> {
  const service = await setUp(runtime)
  const { target } = service
  const { orgId } = await target.call<{ orgId: string }>({ method: 'POST', path: '/api/projects', body: { name: 'p' } })
  await seedItems(runtime, orgId, count)
  const begun = performance.now()
  await mark(service, ['price'])
  await untilReady(service)
  const filled = performance.now() - begun
  // What is left for the search index must not disturb what is measured.
  await untilFound(target, `F${count - 1}`)
  return { target, count, filled }
}

async function pages(large: Runtime, small: Runtime, isQuick: boolean): Promise<Check[]> {
  const [much, little] = [await sized(large, isQuick ? 100_000 : 1_000_000), await sized(small, 10_000)]
  const checks: Check[] = []
  for (const [name, call] of Object.entries(PAGES)) {
    let n = 0
    const { ours, theirs } = await sideBySide(
      isQuick ? 60 : 200,
      () => latency(much.target, call(much.count, n++)),
      () => latency(little.target, call(little.count, n++)),
    )
    checks.push({
      name: `indexed page, ${name}: median latency at ${much.count} against ${little.count} entities`,
      ratio: ours / theirs,
      target: 1.3,
      isAtLeast: false,
      note: `${ours.toFixed(1)} ms, ${theirs.toFixed(1)} ms; filled at ${rate(much.count, much.filled)}`,
    })
  }
  much.target.close()
  little.target.close()
  return checks
}

async function creates(runtime: Runtime, isQuick: boolean): Promise<Check> {
  const [marked, plain] = [await setUp(runtime), await setUp(runtime)]
  await mark(marked, ['color', 'price', 'season'])
  await untilReady(marked)
  let n = 0
  const create = (): Call => ({ method: 'POST', path: '/api/items', body: itemOf(n++) })
  const { ratio, ours, theirs } = await sideBySide(
    isQuick ? 200 : 1000,
    () => latency(marked.target, create()),
    () => latency(plain.target, create()),
  )
  marked.target.close()
  plain.target.close()
  const note = `${ours.toFixed(1)} ms, ${theirs.toFixed(1)} ms`
  return {
    name: 'create with three indexed properties: time against one without',
    ratio,
    target: 1.3,
    isAtLeast: false,
    note,
  }
}

async function loads(runtime: Runtime, isQuick: boolean): Promise<Check> {
  const rows = isQuick ? 10_000 : 100_000
  const csv = csvOf(rows)
  const timed = async (slugs: string[]) => {
    const service = await setUp(runtime)
    if (slugs.length) {
      await mark(service, slugs)
      await untilReady(service)
    }
    const ms = await load(service, await upload(service, csv))
    service.target.close()
    return ms
  }
  const { ratio, ours, theirs } = await sideBySide(
    isQuick ? 3 : 5,
    () => timed(['fabric', 'price', 'since']),
    () => timed([]),
  )
  const note = `${rate(rows, ours)}, ${rate(rows, theirs)}`
  return {
    name: `load of ${rows} rows with three indexed properties: time against one without`,
    ratio,
    target: 1.5,
    isAtLeast: false,
    note,
  }
}

export async function benchIndexes(large: Runtime, small: Runtime, isQuick: boolean): Promise<Check[]> {
  const found = await pages(large, small, isQuick)
  return [...found, await creates(small, isQuick), await loads(small, isQuick)]
}

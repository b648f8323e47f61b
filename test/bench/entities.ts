// Single requests against the floor, side by side: rounds alternate, and the median of their ratios counts.
import { type Call, median, Target, throughput } from './client.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { type Service, setUp } from './service.ts'

const CONCURRENCY = 8
const SEEDED = 300

const body = (at: number) => ({
  name: `Style ${at}`,
  color: 'navy',
  price: at * 1.5,
  season: 'SS27',
  isNew: at % 2 === 0,
  sizes: ['S', 'M', 'L'],
})

async function seed(target: Target): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < SEEDED; at++) {
    const { id } = await target.call<{ id: string }>({ method: 'POST', path: '/api/items', body: body(at) })
    ids.push(id)
  }
  return ids
}

export async function benchEntities(
  serviceRuntime: Runtime,
  floorRuntime: Runtime,
  isQuick: boolean,
): Promise<Check[]> {
  const service: Service = await setUp(serviceRuntime)
  const floor = new Target(floorRuntime.url)
  const ids = { service: await seed(service.target), floor: await seed(floor) }
  let at = 0
  const calls: Record<string, (ids: string[]) => Call> = {
    'get one': ids => ({ method: 'GET', path: `/api/items/${ids[at++ % ids.length]}` }),
    'list 100': () => ({ method: 'GET', path: '/api/items' }),
    create: () => ({ method: 'POST', path: '/api/items', body: body(at++) }),
    update: ids => ({ method: 'PUT', path: `/api/items/${ids[at++ % ids.length]}`, body: { price: at } }),
  }
  const rounds = isQuick ? 3 : 7
  const seconds = isQuick ? 1 : 2
  const checks: Check[] = []
  for (const [name, call] of Object.entries(calls)) {
    const ratios: number[] = []
    const rates: number[] = []
    for (let round = 0; round < rounds; round++) {
      const bare = await throughput(floor, () => call(ids.floor), CONCURRENCY, seconds)
      const ours = await throughput(service.target, () => call(ids.service), CONCURRENCY, seconds)
      ratios.push(ours / bare)
      rates.push(ours)
    }
    checks.push({
      name: `${name}: requests/s against the bare Worker`,
      ratio: median(ratios),
      target: 0.75,
      isAtLeast: true,
      note: `${Math.round(median(rates))}/s`,
    })
  }
  service.target.close()
  floor.close()
  return checks
}

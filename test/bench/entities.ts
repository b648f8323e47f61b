// Single requests against the floor, side by side.
import { type Call, Target, throughput } from './client.ts'
import { itemOf } from './items.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { setUp } from './service.ts'
import { sideBySide } from './side-by-side.ts'

const CONCURRENCY = 8
const SEEDED = 300

async function seed(target: Target): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < SEEDED; at++) {
    const { id } = await target.call<{ id: string }>({ method: 'POST', path: '/api/items', body: itemOf(at) })
    ids.push(id)
  }
  return ids
}

export async function benchEntities(service: Runtime, floor: Runtime, isQuick: boolean): Promise<Check[]> {
  const ours = (await setUp(service)).target
  const bare = new Target(floor.url)
  const ids = { ours: await seed(ours), bare: await seed(bare) }
  let at = 0
  const calls: Record<string, (ids: string[]) => Call> = {
    'get one': ids => ({ method: 'GET', path: `/api/items/${ids[at++ % ids.length]}` }),
    'list 100': () => ({ method: 'GET', path: '/api/items' }),
    create: () => ({ method: 'POST', path: '/api/items', body: itemOf(at++) }),
    update: ids => ({ method: 'PUT', path: `/api/items/${ids[at++ % ids.length]}`, body: { price: at } }),
  }
  const [rounds, seconds] = isQuick ? [7, 0.4] : [21, 0.7]
  const checks: Check[] = []
  for (const [name, call] of Object.entries(calls)) {
    const compared = await sideBySide(
      rounds,
      () => throughput(ours, () => call(ids.ours), CONCURRENCY, seconds),
      () => throughput(bare, () => call(ids.bare), CONCURRENCY, seconds),
    )
    checks.push({
      name: `${name}: requests/s against the bare Worker`,
      ratio: compared.ratio,
      target: 0.75,
      isAtLeast: true,
      note: `${Math.round(compared.ours)}/s, bare ${Math.round(compared.theirs)}/s`,
    })
  }
  ours.close()
  bare.close()
  return checks
}

// Organizations over ten databases (N56): writes of many side by side against one database, and a thousand organizations that are written
// while some of them move (N57). All databases of one machine share its cores: what ten of them could do apart does not show here.
import { setTimeout } from 'node:timers/promises'
import { Target } from './client.ts'
import type { Check } from './report.ts'
import { OPERATOR_KEY, type Runtime } from './runtime.ts'
import { type Service, setUp } from './service.ts'
import { sideBySide } from './side-by-side.ts'

export const FURTHER_DATABASES = Array.from({ length: 8 }, (_, at) => `DATA_0${at + 2}`)
const DATABASES = ['DB', 'DATA_01', ...FURTHER_DATABASES]
const WRITERS = 8
const MOVES_AT_ONCE = 2
const LOOK_MS = 200
const RETRY_MS = 50

export async function benchSpread(many: Runtime, one: Runtime, isQuick: boolean): Promise<Check[]> {
  return [await writes(many, one, isQuick), await simulation(many, isQuick)]
}

const placed = async (runtime: Runtime, count: number, databases: readonly string[]): Promise<Service[]> => {
  const services: Service[] = []
  for (let at = 0; at < count; at++) services.push(await setUp(runtime, databases[at % databases.length]))
  return services
}

async function writes(many: Runtime, one: Runtime, isQuick: boolean): Promise<Check> {
  const [spread, together] = [await placed(many, 20, DATABASES), await placed(one, 20, ['DB'])]
  const seconds = isQuick ? 2 : 5
  const rate = async (services: readonly Service[]) => {
    const ends = performance.now() + seconds * 1000
    const counts = await Promise.all(
      services.map(async ({ target }) => {
        let done = 0
        for (; performance.now() < ends; done++) await target.call({ method: 'POST', path: '/api/items', body: {} })
        return done
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0) / seconds
  }
  const compared = await sideBySide(
    isQuick ? 3 : 5,
    () => rate(spread),
    () => rate(together),
  )
  for (const { target } of [...spread, ...together]) target.close()
  return {
    name: 'spread: creates/s of 20 organizations in ten databases, against one',
    ratio: compared.ratio,
    target: 0.9,
    isAtLeast: true,
    note: `${compared.ours.toFixed(0)}/s, in one ${compared.theirs.toFixed(0)}/s`,
  }
}

interface Written extends Service {
  ids: Set<string>
}

async function simulation(runtime: Runtime, isQuick: boolean): Promise<Check> {
  const [count, wanted] = isQuick ? [100, 10] : [1000, 60]
  const organizations = (await placed(runtime, count, DATABASES)).map((one): Written => ({ ...one, ids: new Set() }))
  let isOver = false
  const writing = Promise.all(Array.from({ length: WRITERS }, () => write(organizations, () => isOver)))
  const started = performance.now()
  let left = wanted
  await Promise.all(
    Array.from({ length: MOVES_AT_ONCE }, async () => {
      while (left-- > 0) await move(runtime, any(organizations).slug)
    }),
  )
  const seconds = Math.round((performance.now() - started) / 1000)
  isOver = true
  await writing
  const right = await Promise.all(organizations.map(isWhole))
  for (const { target } of organizations) target.close()
  const items = organizations.reduce((sum, { ids }) => sum + ids.size, 0)
  return {
    name: `spread: of ${count} organizations in ten databases, those that are whole after ${wanted} moves`,
    ratio: right.filter(Boolean).length / count,
    target: 1,
    isAtLeast: true,
    note: `${items} items written meanwhile, ${seconds} s`,
  }
}

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** A careful client: what was not answered well is sent again under its key. */
async function write(organizations: readonly Written[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const { target, ids } = any(organizations)
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    for (;;) {
      const made = await target
        .call<{ id: string }>({ method: 'POST', path: '/api/items', headers, body: {} })
        .catch(() => setTimeout(RETRY_MS, undefined))
      if (!made) continue
      ids.add(made.id)
      break
    }
  }
}

async function move(runtime: Runtime, slug: string): Promise<void> {
  const operator = new Target(runtime.url, { 'X-Operator-Key': OPERATOR_KEY })
  const path = `/api/operator/orgs/${slug}/move`
  try {
    const body = { database: any(DATABASES) }
    let moving = await operator.call<{ state: string }>({ method: 'POST', path, body }).catch(() => undefined)
    // It is there already, or on its way.
    while (moving?.state === 'moving') {
      await setTimeout(LOOK_MS)
      moving = await operator.call<{ state: string }>({ method: 'GET', path })
    }
  } finally {
    operator.close()
  }
}

/** Every item that was acknowledged is there, and so is its record: once, and nothing else. */
async function isWhole({ target, ids }: Written): Promise<boolean> {
  const { results: items } = await target.call<{ results: { id: string }[] }>({
    method: 'GET',
    path: '/api/items?limit=1000',
  })
  const { results: records } = await target.call<{ results: { entityReference: string }[] }>({
    method: 'GET',
    path: '/api/change-history?limit=1000&after=',
  })
  const isSame = (found: string[]) => found.length === ids.size && found.every(id => ids.has(id))
  return (
    isSame(items.map(({ id }) => id)) && isSame(records.map(record => record.entityReference.slice('item:'.length)))
  )
}

// The worst that one organization is allowed to do, while another one gets an entity again and again: the 99th percentile of
// the other's gets against its own in quiet, in the same run (N60).
import { setTimeout } from 'node:timers/promises'
import { LOAD_CONFIGURATION_MAX_BYTES, LOAD_MAX_MAPPINGS } from '../../src/platform/limits.ts'
import { Target } from './client.ts'
import { Gets } from './gets.ts'
import { load, rate, upload } from './load.ts'
import { csvOf } from './load-rows.ts'
import type { Check } from './report.ts'
import { OPERATOR_KEY, type Runtime } from './runtime.ts'
import { type Service, setUp } from './service.ts'
import { Unread } from './unread.ts'

/** Repeats what it does until it is told to end. */
type Attack = (isOver: () => boolean) => Promise<unknown>

interface Scenario {
  name: string
  prepare(service: Service, runtime: Runtime): Promise<Attack>
}

/** What is refused is part of it. */
const quietly = (work: Promise<unknown>) => work.catch(() => undefined)

const repeated =
  (atOnce: number, work: () => Promise<unknown>): Attack =>
  async isOver => {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (!isOver()) await quietly(work())
      }),
    )
  }

const query = (value: unknown) => encodeURIComponent(JSON.stringify(value))
const post = (target: Target, path: string, body: unknown) => target.call({ method: 'POST', path, body })

const criteria: Scenario = {
  name: 'criteria of 1,000 values over lists of 40,000',
  async prepare({ target, headers }, { url }) {
    const unread = new Unread(url, headers)
    const list = Array.from({ length: 40_000 }, (_, at) => at)
    for (let at = 0; at < 3; at++) await post(target, '/api/items', { name: `${at}`, l: list })
    const path = `/api/items?criteria=${query({ l: Array.from({ length: 1000 }, (_, at) => -1 - at) })}`
    return repeated(2, () => unread.call({ method: 'GET', path }))
  },
}

const largePages = (name: string, path: string): Scenario => ({
  name: `${name} of 200 entities of 500 KB, 1,000 a page`,
  async prepare({ target, headers }, { url }) {
    const unread = new Unread(url, headers)
    const text = 'x'.repeat(500_000)
    for (let at = 0; at < 200; at++) await post(target, '/api/items', { text: text + at })
    return repeated(2, () => unread.call({ method: 'GET', path }))
  },
})

const expressions: Scenario = {
  name: 'a load whose conditional columns take all work that they may',
  async prepare(service) {
    const rows = Array.from({ length: 4000 }, (_, at) => `F${at},${'a'.repeat(100)}`).join('\n')
    const file = await upload(service, `itemFamilyFederatedId,text\n${rows}\n`)
    const conditions = Array.from({ length: 34 }, () => ({ conditional: '/a+b/.test({text})', value: 'x' }))
    const conditionalColumns = Array.from({ length: 10 }, (_, at) => ({ toProperty: `made${at}`, conditions }))
    return repeated(1, () => load(service, file, { conditionalColumns }))
  },
}

const configuration: Scenario = {
  name: 'configurations of YAML, as large as they may be',
  async prepare(service) {
    const keys = Array.from({ length: LOAD_MAX_MAPPINGS }, (_, at) => `  k${at}: a value of no column, ${at}`).join(
      '\n',
    )
    const yaml = `loadType: [ITEM]\nfederatedMappings:\n${keys}\n`.slice(0, LOAD_CONFIGURATION_MAX_BYTES)
    const loaderConfigurationId = await upload(service, yaml.slice(0, yaml.lastIndexOf('\n')))
    const fileLocation = await upload(service, 'itemFamilyFederatedId\nF1\n')
    const body = { fileLocation, loaderConfigurationId, dryRun: true }
    return repeated(2, () => post(service.target, '/api/loader-processes', body))
  },
}

const signIns: Scenario = {
  name: '20 sign-ins at once, from five addresses',
  async prepare({ slug }, runtime) {
    const targets = Array.from(
      { length: 5 },
      (_, at) => new Target(runtime.url, { 'CF-Connecting-IP': `192.0.2.${at + 1}` }),
    )
    let made = 0
    return repeated(20, () => {
      const body = { email: `nobody-${made++}@example.com`, password: 'wrong password', orgSlug: slug }
      return post(targets[made % 5] ?? targets[0] ?? new Target(runtime.url), '/api/auth/login', body)
    })
  },
}

const types: Scenario = {
  name: 'types of 4 MB, and batches of 1,000 updates under them',
  async prepare({ target, headers }, { url }) {
    const unread = new Unread(url, headers)
    const properties = Array.from({ length: 500 }, (_, at) => ({ slug: `p${at}`, propertyType: 'string' }))
    for (let at = 0; at < 150; at++) await quietly(post(target, '/api/types', { typePath: `item:t${at}`, properties }))
    const { results } = await target.call<{ results: { id: string }[] }>({
      method: 'POST',
      path: '/api/items/batch',
      body: Array.from({ length: 1000 }, (_, at) => ({ typePath: `item:t${at % 150}`, name: `${at}` })),
    })
    let turn = 0
    return repeated(1, () => {
      const body = results.map(({ id }) => ({ id, name: `turn ${turn++}` }))
      return unread.call({ method: 'PUT', path: '/api/items/batch', body })
    })
  },
}

const largeBodies: Scenario = {
  name: 'batches of 100 updates of 40 KB, two at a time',
  async prepare({ target, headers }, { url }) {
    const unread = new Unread(url, headers)
    const names = Array.from({ length: 100 }, (_, at) => ({ name: `${at}` }))
    const { results } = await target.call<{ results: { id: string }[] }>({
      method: 'POST',
      path: '/api/items/batch',
      body: names,
    })
    const text = 'x'.repeat(40_000)
    let turn = 0
    return repeated(2, () => {
      const body = results.map(({ id }) => ({ id, text: `${text}${turn++}` }))
      return unread.call({ method: 'PUT', path: '/api/items/batch', body })
    })
  },
}

const workflows: Scenario = {
  name: '20 workflows of 50 tasks on one trigger',
  async prepare({ target }) {
    const tasks = Array.from({ length: 50 }, (_, at) => ({ name: `t${at}`, action: 'wait' }))
    for (let at = 0; at < 20; at++) {
      await post(target, '/api/event-workflows', { name: `w${at}`, triggerKey: 'go', paths: [{ tasks }] })
    }
    return repeated(1, () => post(target, '/api/event-workflow-requests', { triggerKey: 'go', event: {} }))
  },
}

const manyKeys: Scenario = {
  name: '50 keys that ask as often as they can',
  async prepare({ slug }, runtime) {
    const operator = new Target(runtime.url, { 'X-Operator-Key': OPERATOR_KEY })
    const targets: Target[] = []
    for (let at = 0; at < 50; at++) {
      const body = { name: `k${at}`, tier: 'standard' }
      const path = `/api/operator/orgs/${slug}/api-keys`
      const { key } = await operator.call<{ key: string }>({ method: 'POST', path, body })
      targets.push(new Target(runtime.url, { 'X-Api-Key': key, 'X-Api-Org': slug }))
    }
    let turn = 0
    return repeated(4, async () => targets[turn++ % 50]?.call({ method: 'GET', path: '/api/items' }))
  },
}

/** More than come to their end while it is measured. */
const LOADS = 5

const largeLoad = (rows: number): Scenario => ({
  name: `a load of ${rows.toLocaleString('en')} rows`,
  async prepare(service) {
    const csv = csvOf(rows)
    const files: string[] = []
    for (let at = 0; at < LOADS; at++) files.push(await upload(service, csv.replaceAll('\nF', `\nG${at}-F`)))
    let turn = 0
    return repeated(1, async () => load(service, files[turn++ % LOADS] ?? ''))
  },
})

const events: Scenario = {
  name: 'writes as fast as four callers can, with a workflow on each',
  async prepare({ target }) {
    const tasks = [{ name: 't', action: 'expression', config: { output: '1' } }]
    await post(target, '/api/event-workflows', { name: 'w', triggerKey: 'item|create', paths: [{ tasks }] })
    return repeated(4, () => post(target, '/api/items', { name: 'x' }))
  },
}

function percentile(times: number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const forSeconds = (seconds: number) => {
  const ends = performance.now() + seconds * 1000
  return () => performance.now() >= ends
}

/** What a load pays for giving way: how long it takes beside the neighbour's gets, against alone. */
async function besideGets(start: () => Promise<Runtime>, rows: number): Promise<Check> {
  const runtime = await start()
  try {
    const [busy, neighbour] = [await setUp(runtime), await setUp(runtime)]
    const { id } = await neighbour.target.call<{ id: string }>({ method: 'POST', path: '/api/items', body: {} })
    const csv = csvOf(rows)
    let made = 0
    const once = async () => load(busy, await upload(busy, csv.replaceAll('\nF', `\nG${made++}-F`)))
    await once()
    const [alone, beside]: [number[], number[]] = [[], []]
    // In turn: the database grows with each of them.
    for (let round = 0; round < 3; round++) {
      alone.push(await once())
      const gets = new Gets({ url: runtime.url, headers: neighbour.headers, path: `/api/items/${id}` })
      beside.push(await once().finally(() => gets.end()))
    }
    const [before, meanwhile] = [percentile(alone, 0.5), percentile(beside, 0.5)]
    return {
      name: `a load of ${rows.toLocaleString('en')} rows beside a neighbour's gets, against alone`,
      ratio: meanwhile / before,
      target: 1.3,
      isAtLeast: false,
      note: `${rate(rows, before)} → ${rate(rows, meanwhile)}`,
    }
  } finally {
    await runtime.stop()
  }
}

async function timesOf(gets: Gets, attack: Attack, seconds: number) {
  const timesIn = async (seconds: number) => {
    await setTimeout(seconds * 1000)
    return gets.times()
  }
  // The first ones warm up.
  await timesIn(1)
  const quiet = await timesIn(seconds)
  const attacking = attack(forSeconds(seconds))
  const during = await timesIn(seconds)
  await Promise.race([attacking, setTimeout(5000)])
  return { quiet, during }
}

/** `only`: a part of the name of those that are wanted. */
export async function benchNeighbours(start: () => Promise<Runtime>, isQuick: boolean, only = ''): Promise<Check[]> {
  const seconds = isQuick ? 5 : 15
  const checks: Check[] = []
  const scenarios = [
    criteria,
    largePages('a list', '/api/items?limit=1000'),
    largePages('history', '/api/change-history?limit=1000'),
    expressions,
    configuration,
    signIns,
    types,
    largeBodies,
    workflows,
    manyKeys,
    largeLoad(isQuick ? 20_000 : 100_000),
    events,
  ]
  for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
    // A runtime of its own: what one leaves behind is not the next one's.
    const runtime = await start()
    try {
      const [busy, neighbour] = [await setUp(runtime), await setUp(runtime)]
      const { id } = await neighbour.target.call<{ id: string }>({ method: 'POST', path: '/api/items', body: {} })
      const attack = await scenario.prepare(busy, runtime)
      const gets = new Gets({ url: runtime.url, headers: neighbour.headers, path: `/api/items/${id}` })
      const { quiet, during } = await timesOf(gets, attack, seconds).finally(() => gets.end())
      const [before, meanwhile] = [percentile(quiet, 0.99), percentile(during, 0.99)]
      checks.push({
        name: `a neighbour's get during: ${scenario.name}`,
        ratio: meanwhile / before,
        target: 5,
        isAtLeast: false,
        note: `99th percentile ${before.toFixed(1)} → ${meanwhile.toFixed(1)} ms, median ${percentile(quiet, 0.5).toFixed(1)} → ${percentile(during, 0.5).toFixed(1)}, ${during.length} gets`,
      })
    } finally {
      await runtime.stop()
    }
  }
  if ('load beside gets'.includes(only)) checks.push(await besideGets(start, isQuick ? 10_000 : 100_000))
  return checks
}

// `npm run test:kill`: kills the runtime ten times during a load and starts it again. In the end there must be exactly the
// entities and change records of an undisturbed run (N34), and nothing that the load had kept for itself.
import { check, KilledService, pause } from './service.ts'

const flags = process.argv.slice(2)
const flagOf = (flag: string, otherwise: number) =>
  Number(flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : otherwise)
const ROWS = flagOf('--rows', 200_000)
const KILLS = flagOf('--kills', 10)
const PORT = flagOf('--port', 9817)
const FAMILIES = Math.ceil(ROWS / 4)

const service = new KilledService(PORT)

interface Process {
  id: string
  status: string
  endedOn?: string
  progress: { phase: string; percent: number; rowsDone: number }
  results: { item?: { created: number } }
}

interface Page<T> {
  results: T[]
  nextPageKey: string | null
  syncKey?: string
}

async function main(): Promise<void> {
  await service.start()
  const headers = await service.organization('kill')
  const rows = Array.from(
    { length: ROWS },
    (_, n) => `F${n % FAMILIES},O${n},Family ${n % FAMILIES},Option ${n},text ${n},${n}`,
  )
  const csv = `itemFamilyFederatedId,itemOptionFederatedId,name,optionName,note,number\n${rows.join('\n')}\n`
  const file = await service.call<{ id: string }>(
    'POST',
    '/files?fileName=kill.csv',
    { ...headers, 'Content-Type': 'text/csv' },
    csv,
  )
  const body = { loadType: ['ITEM'], fileLocation: file.id }
  const { id } = await service.call<Process>('POST', '/loader-processes', headers, body)
  const look = () => service.call<Process>('GET', `/loader-processes/${id}`, headers)

  for (let kill = 1; kill <= KILLS; kill++) {
    const from = (await look()).progress.percent
    const until = Math.min(96, Math.max(from, Math.floor((95 * kill) / (KILLS + 1))))
    for (let now = await look(); !now.endedOn && now.progress.percent < until; now = await look()) await pause(50)
    await pause(Math.random() * 300)
    const { progress, status } = await look()
    console.log(`kill ${kill}: ${status}, ${progress.phase}, ${progress.percent} %`)
    await service.kill()
    await service.start()
  }
  let now = await look()
  for (const began = Date.now(); !now.endedOn; now = await look()) {
    if (Date.now() - began > 600_000) throw new Error(`the load stands still: ${JSON.stringify(now.progress)}`)
    await pause(200)
  }
  check('status', now.status, 'completed')
  check('results', now.results, { item: { created: ROWS + FAMILIES, updated: 0, unchanged: 0, removed: 0 } })

  const keys = new Set<unknown>()
  let entities = 0
  for (let nextPageKey: string | null = ''; nextPageKey !== null; ) {
    const query: string = nextPageKey ? `&nextPageKey=${encodeURIComponent(nextPageKey)}` : ''
    const page: Page<{ federatedId: string; version: number }> = await service.call(
      'GET',
      `/items?limit=1000${query}`,
      headers,
    )
    for (const item of page.results) if (item.version === 1) keys.add(item.federatedId)
    entities += page.results.length
    nextPageKey = page.nextPageKey
  }
  check('items', entities, ROWS + FAMILIES)
  check('distinct items of version 1', keys.size, ROWS + FAMILIES)

  const changed = new Set<string>()
  let records = 0
  for (let after = ''; ; ) {
    const query = `after=${encodeURIComponent(after)}&limit=1000&entityType=item`
    const page: Page<{ entityReference: string; changeType: string }> = await service.call(
      'GET',
      `/change-history?${query}`,
      headers,
    )
    for (const record of page.results) if (record.changeType === 'create') changed.add(record.entityReference)
    records += page.results.length
    if (page.results.length === 0) break
    after = page.syncKey ?? ''
  }
  check('change records', records, ROWS + FAMILIES)
  check('items with a create record', changed.size, ROWS + FAMILIES)
}

try {
  await main()
} finally {
  await service.end()
}

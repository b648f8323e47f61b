// `npm run soak [-- --minutes 30 --seed S]`: a steady mixed load without kills. Tells memory, latencies, the age of what waits, and the rows of every
// table at the start and at the end; what only running work needs must be gone when it is quiet again.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pause } from '../kill/service.ts'
import { quiet } from './checks-workflows.ts'
import { attempt, expected } from './client.ts'
import { Loader } from './loads.ts'
import { Partner } from './partner.ts'
import { ClockPoller, Poller, walk } from './readers.ts'
import { type Uploads, upload } from './uploads.ts'
import { defineWorkflows, freeTasks, makeProjects, newWorkflows, requestRuns } from './workflows.ts'
import { type Entity, type Page, World } from './world.ts'
import { newWritten, Writer } from './writers.ts'

const flags = process.argv.slice(2)
const flagOf = (flag: string, otherwise: number) =>
  Number(flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : otherwise)
const MINUTES = flagOf('--minutes', 30)
const SEED = flagOf('--seed', 1)
const PORT = flagOf('--port', 9891)
const SLUG = 'soak'
const LOOK_MS = 5000
/** Of running work: none of it may be left. Uploads that nobody completed are swept after a day. */
const EMPTY_AT_THE_END = [
  'loads',
  'jobs',
  'load_claims',
  'load_members',
  'published_events',
  'file_parts',
  'file_uploads',
]
/** Memory may grow while caches fill; twice as much as after the first minutes is a leak. */
const MEMORY_GROWTH_MAX = 2

const world = new World(PORT, SEED)
const partner = new Partner(world)

/** Of workerd, which is the child of the process that serves. */
function memoryMb(): number {
  let kilobytes = 0
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== world.service.pid) continue
      kilobytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    } catch {
      // It has ended meanwhile.
    }
  }
  return Math.round(kilobytes / 1024)
}

/** Over all databases. */
function rowsOfTables(): Record<string, number> {
  const found = readdirSync(world.service.state, { recursive: true, withFileTypes: true })
  const files = found.filter(
    ({ name, parentPath }) => /d1/i.test(parentPath) && name.endsWith('.sqlite') && !name.startsWith('metadata'),
  )
  const counts: Record<string, number> = {}
  for (const { name: file, parentPath } of files) {
    const db = new DatabaseSync(path.join(parentPath, file), { readOnly: true })
    const tables = db
      .prepare(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' AND name NOT GLOB 'search_words*'`,
      )
      .all()
    for (const { name } of tables) {
      const rows = Number(db.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n)
      counts[String(name)] = (counts[String(name)] ?? 0) + rows
    }
    db.close()
  }
  return Object.fromEntries(Object.entries(counts).sort())
}

/** How long the oldest run that is not begun has waited. */
async function oldestWaitMs(): Promise<number> {
  const criteria = encodeURIComponent(JSON.stringify({ status: 'pending' }))
  const answer = await attempt<Page<Entity>>(world, 'GET', `/event-workflow-processes?limit=1&criteria=${criteria}`)
  const [oldest] = answer?.body.results ?? []
  return oldest ? Date.now() - Date.parse(String(oldest.startedOn)) : 0
}

async function main(): Promise<void> {
  await partner.listen(PORT + 1)
  await world.service.start()
  world.headers = await world.service.organization(SLUG)
  await defineWorkflows(world, SLUG)
  const make = async (at: string, body: object) => (await expected<Entity>(world, [201], 'POST', at, { body })).body
  const { id: projectId } = await make('/projects', { name: 'season' })
  const workspace = await make('/workspaces', { name: 'season', identifier: 'season', projectId })
  const before = rowsOfTables()
  const [written, workflows] = [newWritten(), newWorkflows()]
  const actors = Promise.all([
    new Writer(world, 'writer', written).run(),
    new Poller().run(world),
    new ClockPoller().run(world),
    walk(world, written),
    new Loader(world, { id: workspace.id, identifier: 'season' }).run(),
    makeProjects(world, workflows),
    requestRuns(world, workflows),
    freeTasks(world, workflows),
    upload(world, new Map() as Uploads),
  ])
  const end = Date.now() + MINUTES * 60_000
  const memory: number[] = []
  let oldest = 0
  while (Date.now() < end) {
    await pause(LOOK_MS)
    memory.push(memoryMb())
    oldest = Math.max(oldest, await oldestWaitMs())
  }
  world.isOver = true
  await actors
  await quiet(world, SLUG, partner, 90_000)
  report(memory, oldest, before, rowsOfTables())
}

function report(memory: number[], oldest: number, before: Record<string, number>, after: Record<string, number>): void {
  const times = world.latencies.toSorted((a, b) => a - b)
  const percentile = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? 0)
  console.log(
    `${times.length} calls in ${MINUTES} minutes; milliseconds: 50 % ${percentile(0.5)}, 90 % ${percentile(0.9)}, 99 % ${percentile(0.99)}`,
  )
  const quarters = [1, 2, 3, 4].map(quarter => memory[Math.ceil((memory.length * quarter) / 4) - 1])
  console.log(
    `memory in MB: ${memory[0]} at the start, ${quarters.join(', ')} after each quarter, ${Math.max(...memory)} at most`,
  )
  console.log(`the oldest run that waited for its first step: ${Math.round(oldest)} ms`)
  console.log('| Table | Rows at the start | At the end |\n|---|---|---|')
  for (const [table, rows] of Object.entries(after)) console.log(`| ${table} | ${before[table] ?? 0} | ${rows} |`)
  for (const table of EMPTY_AT_THE_END)
    world.check('rows are left behind', after[table] === 0, { table, rows: after[table] })
  const settled = Math.max(...memory.slice(0, Math.ceil(memory.length / 4)))
  world.check('memory grows', (memory.at(-1) ?? 0) <= MEMORY_GROWTH_MAX * settled, { settled, end: memory.at(-1) })
}

try {
  await main()
} catch (error) {
  world.violation(`the run ended early: ${error instanceof Error ? error.stack : error}`)
} finally {
  await world.service.end()
  partner.close()
}
console.log([...world.counts].map(([what, many]) => `${many} ${what}`).join(', '))
console.log(`${MINUTES} minutes, ${world.violations.length} violations`)
process.exit(world.violations.length > 0 ? 1 : 0)

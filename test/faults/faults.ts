// `npm run faults [-- --kills N --seed S --minutes M --moves]`: everything that clients do, at once, while the runtime is killed again and
// again; then what must hold is looked at from the outside. A seed replays its plan of operations and kills. README.md says more.
import { pause } from '../kill/service.ts'
import { withBroken } from './broken.ts'
import { checkAcknowledged, checkIncrements, checkLoads, checkPollers, checkReplay, readEverything } from './checks.ts'
import { checkRuns, quiet } from './checks-workflows.ts'
import { expected } from './client.ts'
import { Loader } from './loads.ts'
import { moveToAndFro } from './moves.ts'
import { Partner } from './partner.ts'
import { ClockPoller, Poller, walk } from './readers.ts'
import { checkUploads, type Uploads, upload } from './uploads.ts'
import { defineWorkflows, freeTasks, makeProjects, newWorkflows, requestRuns } from './workflows.ts'
import { type Entity, World } from './world.ts'
import { newWritten, pairUp, Writer } from './writers.ts'

const flags = process.argv.slice(2)
const flagOf = (flag: string, otherwise: number) =>
  Number(flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : otherwise)
const KILLS = flagOf('--kills', 20)
const SEED = flagOf('--seed', Date.now() % 1_000_000)
const MINUTES = flagOf('--minutes', 0)
const PORT = flagOf('--port', 9871)
const HAS_MOVES = flags.includes('--moves')
/** A move takes seconds: it gets on where a runtime lives longer now and then. */
const LIVES_MS = HAS_MOVES ? 12_000 : 2200
const WRITERS = 3
/** The longest that anything stands still: a task that died in its call is taken over after 45 s. */
const QUIET_MS = 90_000
const SLUG = 'faults'

const BROKEN = flags.includes('--broken') ? flags[flags.indexOf('--broken') + 1] : undefined
const world = withBroken(BROKEN, () => new World(PORT, SEED))
const partner = new Partner(world)

async function main(): Promise<void> {
  console.log(`seed ${SEED}`)
  await partner.listen(PORT + 1)
  await world.service.start()
  world.headers = await world.service.organization(SLUG)
  await defineWorkflows(world, SLUG)
  const make = async (path: string, body: object) => (await expected<Entity>(world, [201], 'POST', path, { body })).body
  const { id: projectId } = await make('/projects', { name: 'season' })
  const workspace = await make('/workspaces', { name: 'season', identifier: 'season', projectId })

  const [written, workflows, uploads] = [newWritten(), newWorkflows(), new Map() as Uploads]
  workflows.projects.push(projectId)
  const [poller, clock, loader] = [
    new Poller(),
    new ClockPoller(),
    new Loader(world, { id: workspace.id, identifier: 'season' }),
  ]
  const actors = [
    ...Array.from({ length: WRITERS }, (_, at) => new Writer(world, `writer ${at}`, written).run()),
    pairUp(world, projectId),
    poller.run(world),
    clock.run(world),
    walk(world, written),
    loader.run(),
    makeProjects(world, workflows),
    requestRuns(world, workflows),
    freeTasks(world, workflows),
    upload(world, uploads),
    ...(HAS_MOVES ? [moveToAndFro(world, SLUG)] : []),
  ]
  const failed = Promise.all(actors)
  await Promise.race([failed, killAgainAndAgain()])
  world.isOver = true
  await failed
  await poller.toTheEnd(world)
  await clock.poll(world)

  const began = Date.now()
  await quiet(world, SLUG, partner, QUIET_MS)
  console.log(`quiet ${Math.round((Date.now() - began) / 1000)} s after the last write`)
  await poller.toTheEnd(world)
  await clock.poll(world)
  const whole = new Poller()
  await whole.toTheEnd(world)
  const entities = await readEverything(world)
  checkReplay(world, whole.records, entities)
  checkPollers(world, whole.records, poller, clock)
  checkAcknowledged(world, whole.records, written)
  checkIncrements(world, entities, written)
  checkLoads(world, entities, loader.loaded)
  await checkUploads(world, uploads)
  await checkRuns(world, SLUG, workflows, partner)
}

async function killAgainAndAgain(): Promise<void> {
  const random = world.random('kills')
  const end = Date.now() + MINUTES * 60_000
  for (let kill = 1; MINUTES > 0 ? Date.now() < end : kill <= KILLS; kill++) {
    // Often in the middle of the first answers, now and then when everything has been under way for a while.
    await pause(random.chance(0.3) ? random.below(200) : 300 + random.below(LIVES_MS))
    await world.kill()
    if (kill % 10 === 0)
      console.log(`kill ${kill}: ${world.counts.get('calls')} calls, ${world.violations.length} violations`)
  }
  await pause(1000)
}

try {
  await main()
} catch (error) {
  world.violation(`the run ended early: ${error instanceof Error ? error.stack : error}`)
} finally {
  world.isOver = true
  await world.service.end()
  partner.close()
}
console.log([...world.counts].map(([what, many]) => `${many} ${what}`).join(', '))
if (world.violations.length > 0) {
  console.log(`again: npm run faults -- --kills ${KILLS} --seed ${SEED}`)
  process.exitCode = 1
}
console.log(`${world.counts.get('kills') ?? 0} kills, ${world.violations.length} violations`)
process.exit()

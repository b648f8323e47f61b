// `npm run bench [-- --quick] [--peers] [--only NAME [--case PART]] [--json FILE]`, `npm run bench -- memory [--quick]`, with Chromium
// `npm run bench -- --only console [--items N]`: measures the service as it is built against floors, and
// with --peers against other products, in one run, as ratios. Ends with 1 where a target is missed.
import { bundleSize } from './bundle-size.ts'
import { benchBytes } from './bytes.ts'
import { benchConsoleGrid } from './console-grid.ts'
import { benchDistance } from './distance.ts'
import { benchEntities } from './entities.ts'
import { benchGrowth } from './growth.ts'
import { benchIndexes } from './indexes.ts'
import { benchLargeLoad } from './large-load.ts'
import { benchLoads } from './loads.ts'
import { benchMemory } from './memory.ts'
import { benchMoves } from './moves.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchPeers } from './peers.ts'
import { type Check, passes, printReport, writeReport } from './report.ts'
import { benchRoundTrips } from './round-trips.ts'
import { buildBeside, buildService, type Runtime, start } from './runtime.ts'
import { benchSearch } from './search.ts'
import { benchSpread, FURTHER_DATABASES } from './spread.ts'
import { benchTasks } from './tasks.ts'
import { benchUndo } from './undo.ts'

const flags = process.argv.slice(2)
const isQuick = flags.includes('--quick')
const flagValue = (flag: string) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined)
const isMemory = flags.includes('memory')
const only = isMemory ? 'memory' : flagValue('--only')

const script = buildService()
const service = () => start(script, 'service')
/** Held to what Cloudflare gives each isolate, so that none puts off collecting its garbage. */
const cappedService = () => start(script, 'service', { heapMb: 128 })
const spread = () => start(script, 'service', { databases: FURTHER_DATABASES })
const floor = async () => start(await buildBeside('floor-worker'), 'floor')
const cappedFloor = async () => start(await buildBeside('floor-worker'), 'floor', { heapMb: 128 })
const distant = async () => start(await buildBeside('distance-worker'), 'service')
const counting = async () => start(await buildBeside('counting-worker'), 'service')

async function within<T extends Runtime[]>(
  starts: { [At in keyof T]: () => Promise<T[At]> },
  work: (...runtimes: T) => Promise<Check[]>,
): Promise<Check[]> {
  const runtimes: Runtime[] = []
  try {
    for (const begin of starts) runtimes.push(await begin())
    return await work(...(runtimes as T))
  } finally {
    for (const runtime of runtimes) await runtime.stop()
  }
}

const suites: Record<string, () => Promise<Check[]>> = {
  bundle: async () => [bundleSize(script)],
  'round-trips': () => within([counting], runtime => benchRoundTrips(runtime)),
  bytes: () => within([counting], runtime => benchBytes(runtime, isQuick)),
  distance: () => within([distant], runtime => benchDistance(runtime)),
  entities: () => within([service, floor], (ours, bare) => benchEntities(ours, bare, isQuick)),
  growth: () => within([service, service], (large, small) => benchGrowth(large, small, isQuick)),
  search: () => within([service, service], (ours, bare) => benchSearch(ours, bare, isQuick)),
  indexes: () => within([service, service], (large, small) => benchIndexes(large, small, isQuick)),
  tasks: () => within([service], runtime => benchTasks(runtime, isQuick)),
  loads: () => within([service, floor], (ours, bare) => benchLoads(ours, bare, isQuick)),
  neighbours: () => benchNeighbours(service, isQuick, flagValue('--case')),
  'large-load': () => benchLargeLoad(cappedService, isQuick),
  moves: () => within([service], runtime => benchMoves(runtime, isQuick)),
  undo: () => within([service], runtime => benchUndo(runtime, isQuick)),
  ...(only === 'console' && {
    console: () => within([service], runtime => benchConsoleGrid(runtime, Number(flagValue('--items') ?? 100_000))),
  }),
  ...(only === 'spread' && {
    spread: () => within([spread, spread], (many, one) => benchSpread(many, one, isQuick)),
  }),
  ...(isMemory && {
    memory: () => within([cappedService, cappedFloor], (ours, bare) => benchMemory(ours, bare, isQuick)),
  }),
  ...(flags.includes('--peers') && { peers: () => within([service], runtime => benchPeers(runtime, isQuick)) }),
}

const checks: Check[] = []
for (const [name, run] of Object.entries(suites)) {
  if (only !== undefined && only !== name) continue
  const started = performance.now()
  process.stdout.write(`measuring ${name} … `)
  checks.push(...(await run()))
  console.log(`${Math.round((performance.now() - started) / 1000)} s`)
}
printReport(checks)
const file = flagValue('--json')
if (file !== undefined) writeReport(file, checks)
process.exitCode = checks.length > 0 && checks.every(passes) ? 0 : 1

// `npm run bench [-- --quick] [--peers] [--only NAME [--case PART]] [--json FILE]`, `npm run bench -- memory [--quick]`, with Chromium
// `npm run bench -- --only console [--items N]`: measures the service as it is built against floors, and
// with --peers against other products, in one run, as ratios. Ends with 1 where a target is missed.
import { flagsOf } from '../../src/scripts/flags.ts'
import { bundleSize } from './bundle-size.ts'
import { benchBytes } from './bytes.ts'
import { benchConsoleGrid } from './console-grid.ts'
import { benchDistance } from './distance.ts'
import { benchEntities } from './entities.ts'
import { benchExport } from './export.ts'
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

const { values: flags, positionals } = flagsOf({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    only: { type: 'string' },
    case: { type: 'string' },
    items: { type: 'string', default: '100000' },
    json: { type: 'string' },
  },
})
const isQuick = flags.quick
const isMemory = positionals.includes('memory')
const only = isMemory ? 'memory' : flags.only

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
  neighbours: () => benchNeighbours(service, isQuick, flags.case),
  'large-load': () => benchLargeLoad(cappedService, isQuick),
  moves: () => within([service], runtime => benchMoves(runtime, isQuick)),
  export: () => within([cappedService], runtime => benchExport(runtime, isQuick)),
  undo: () => within([service], runtime => benchUndo(runtime, isQuick)),
  ...(only === 'console' && {
    console: () => within([service], runtime => benchConsoleGrid(runtime, Number(flags.items))),
  }),
  ...(only === 'spread' && {
    spread: () => within([spread, spread], (many, one) => benchSpread(many, one, isQuick)),
  }),
  ...(isMemory && {
    memory: () => within([cappedService, cappedFloor], (ours, bare) => benchMemory(ours, bare, isQuick)),
  }),
  ...(flags.peers && { peers: () => within([service], runtime => benchPeers(runtime, isQuick)) }),
}

if (only !== undefined && !Object.hasOwn(suites, only)) {
  console.error(`There is no suite ${only}. There are: ${Object.keys(suites).join(', ')}, console, spread.`)
  process.exit(1)
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
if (flags.json !== undefined) writeReport(flags.json, checks)
process.exitCode = checks.length > 0 && checks.every(passes) ? 0 : 1

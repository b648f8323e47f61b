// `npm run bench [-- --quick] [--json FILE] [--only NAME]`: measures the service against floors in one run, as ratios.
import { benchEntities } from './entities.ts'
import { benchLoads } from './loads.ts'
import { type Check, passes, printReport, writeReport } from './report.ts'
import { buildFloor, buildService, type Runtime, start } from './runtime.ts'
import { benchWorkflows } from './workflows.ts'

const flags = process.argv.slice(2)
const isQuick = flags.includes('--quick')
const flagValue = (flag: string) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined)
const only = flagValue('--only')

const scripts = { service: buildService(), floor: await buildFloor() }

async function withRuntimes(work: (service: Runtime, floor: Runtime) => Promise<Check[]>): Promise<Check[]> {
  const service = await start('service', scripts.service, 'service')
  const floor = await start('floor', scripts.floor, 'floor')
  try {
    return await work(service, floor)
  } finally {
    await service.stop()
    await floor.stop()
  }
}

const suites: Record<string, () => Promise<Check[]>> = {
  entities: () => withRuntimes((service, floor) => benchEntities(service, floor, isQuick)),
  loads: () => withRuntimes((service, floor) => benchLoads(service, floor, isQuick)),
  workflows: () => withRuntimes((service, floor) => benchWorkflows(service, floor, isQuick)),
}

const checks: Check[] = []
for (const [name, run] of Object.entries(suites)) {
  if (only !== undefined && only !== name) continue
  console.log(`measuring ${name} …`)
  checks.push(...(await run()))
}
printReport(checks)
const file = flagValue('--json')
if (file !== undefined) writeReport(file, checks)
process.exitCode = checks.every(passes) ? 0 : 1

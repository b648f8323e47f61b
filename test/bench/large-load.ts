// A load of many rows: as fast for each row as a smaller one, and in the same memory. Both run in a fresh runtime that has
// loaded small files before, until its heaps have the size that they keep: what is compared is the file's size alone.
import { load, rate, upload } from './load.ts'
import { csvOf } from './load-rows.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { setUp } from './service.ts'

const MB = 1024 * 1024
const FEW_ROWS = 10_000
const WARM_LOADS = 8

interface Ended {
  rows: number
  ms: number
  memory: number
}

async function loaded(runtime: Runtime, rows: number): Promise<Ended> {
  const service = await setUp(runtime)
  const ms = await load(service, await upload(service, csvOf(rows)))
  service.target.close()
  return { rows, ms, memory: runtime.memory() }
}

/** One load after the other, in a runtime of their own. */
async function inTurn(fresh: () => Promise<Runtime>, sizes: number[]): Promise<Ended[]> {
  const runtime = await fresh()
  try {
    for (let times = 0; times < WARM_LOADS; times++) await loaded(runtime, FEW_ROWS)
    const ended: Ended[] = []
    for (const rows of sizes) ended.push(await loaded(runtime, rows))
    return ended
  } finally {
    await runtime.stop()
  }
}

export async function benchLargeLoad(fresh: () => Promise<Runtime>, isQuick: boolean): Promise<Check[]> {
  const [some, many] = isQuick ? [20_000, 100_000] : [100_000, 1_000_000]
  const [few, smaller] = (await inTurn(fresh, [FEW_ROWS, some])) as [Ended, Ended]
  const [large] = (await inTurn(fresh, [many])) as [Ended]
  return [
    {
      name: `load: rows/s at ${many} rows against ${some}`,
      ratio: many / large.ms / (some / smaller.ms),
      target: 0.8,
      isAtLeast: true,
      note: `${rate(many, large.ms)} against ${rate(some, smaller.ms)}`,
    },
    {
      name: `memory of the runtime after a load of ${many} rows against ${FEW_ROWS}`,
      ratio: large.memory / few.memory,
      target: 1.5,
      isAtLeast: false,
      note: `${Math.round(large.memory / MB)} MB against ${Math.round(few.memory / MB)} MB`,
    },
  ]
}

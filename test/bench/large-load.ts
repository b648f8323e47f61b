// A load of many rows: as fast for each row as a smaller one, and in the same memory. Each runs in a fresh runtime that has
// loaded small files before, until its heaps have the size that they keep: what is compared is the file's size alone.
import { load, rate, upload } from './load.ts'
import { csvOf } from './load-rows.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { setUp } from './service.ts'

const MB = 1024 * 1024
const WARM_ROWS = 10_000

interface Ended {
  rows: number
  ms: number
  memory: number
}

async function loaded(runtime: Runtime, rows: number, warmLoads: number): Promise<Ended> {
  for (let times = 0; times < warmLoads; times++) {
    const warm = await setUp(runtime)
    await load(warm, await upload(warm, csvOf(WARM_ROWS)))
    warm.target.close()
  }
  const service = await setUp(runtime)
  const ms = await load(service, await upload(service, csvOf(rows)))
  const memory = runtime.memory()
  service.target.close()
  return { rows, ms, memory }
}

export async function benchLargeLoad(fresh: () => Promise<Runtime>, isQuick: boolean): Promise<Check[]> {
  const ended: Ended[] = []
  for (const rows of isQuick ? [10_000, 20_000, 100_000] : [10_000, 100_000, 1_000_000]) {
    const runtime = await fresh()
    try {
      ended.push(await loaded(runtime, rows, isQuick ? 3 : 10))
    } finally {
      await runtime.stop()
    }
  }
  const [few, some, many] = ended as [Ended, Ended, Ended]
  return [
    {
      name: `load: rows/s at ${many.rows} rows against ${some.rows}`,
      ratio: many.rows / many.ms / (some.rows / some.ms),
      target: 0.8,
      isAtLeast: true,
      note: `${rate(many.rows, many.ms)} against ${rate(some.rows, some.ms)}`,
    },
    {
      name: `memory of the runtime after a load of ${many.rows} rows against ${few.rows}`,
      ratio: many.memory / few.memory,
      target: 1.5,
      isAtLeast: false,
      note: `${Math.round(many.memory / MB)} MB against ${Math.round(few.memory / MB)} MB`,
    },
  ]
}
